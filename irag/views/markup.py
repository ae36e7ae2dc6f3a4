"""Small pieces of HTML for what no page element shows: chips, scores, highlights, tabular rows.

All text goes through escape.html(); the classes are those of assets/style.css.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irag.types import Document, Triple, Usage
from irag.views.answer import AnswerView, EvidenceRow, Fact, Piece
from irag.views.escape import html
from irag.views.hops import CandidateRow, DocumentRow, HopView
from irag.views.palette import colour, ink
from irag.views.words import t

__all__ = [
    "answer",
    "badge",
    "candidates",
    "check",
    "checks",
    "costs",
    "document_rows",
    "evidence",
    "facts",
    "query",
    "source",
    "table",
    "terms",
    "triple",
]


def badge(hop: int) -> str:
    """A hop's number in a circle of its colour."""
    return f'<span class="irag-hop" {_hop(hop)} title="{t("hop", number=hop)}">{hop}</span>'


def triple(one: Triple, hop: int, chosen: bool = False) -> str:
    """A triple on one line, head and tail as chips; filled when it was chosen."""
    kind = "irag-triple irag-chosen" if chosen else "irag-triple"
    return (
        f'<span class="{kind}" {_hop(hop)}>{_chip(one.head)}'
        f'<span class="irag-relation">— <bdi>{html(one.relation)}</bdi> →</span>{_chip(one.tail)}'
        f"{'' if one.grounded else _mark(t('ungrounded'))}</span>"
    )


def query(text: str) -> str:
    """A query, its own line breaks kept."""
    return f'<div class="irag-query" title="{t("query")}"><bdi>{html(text)}</bdi></div>'


def document_rows(rows: Sequence[DocumentRow]) -> str:
    """Retrieved documents with two lines of text, score, and whether they are new."""
    return _list(
        f'<span class="irag-rank">{row.rank}</span><div>{_title(row.document, row.new)}'
        f'<div class="irag-clamp"><bdi>{html(row.document.text)}</bdi></div></div>'
        f"{_score(row.score)}"
        for row in rows
    )


def candidates(rows: Sequence[CandidateRow], hop: int) -> str:
    """Ranked triples, the chosen on top, each with its document's title and its score."""
    return _list(
        f"<div>{triple(row.triple, hop, row.chosen)}{_mark(t('chosen')) if row.chosen else ''}"
        f'<span class="irag-source"><bdi>{html(row.title)}</bdi></span></div>{_score(row.score)}'
        for row in rows
    )


def answer(view: AnswerView) -> str:
    """The answer, large; the state's word in grey where there is none."""
    if view.text:
        return f'<div class="irag-answer"><bdi>{html(view.text)}</bdi></div>'
    return f'<div class="irag-answer irag-grey">{t(f"answer.{view.state}")}</div>'


def facts(rows: Sequence[Fact], chosen: bool = True) -> str:
    """Triples with their hop's number and the sentence that says each; filled when chosen.

    Chosen ones are where the marks in the evidence lead, and their titles lead back to it.
    """
    return _list(
        f"{badge(row.hop)}<div{_anchor('chain', row.hop) if chosen else ''}>"
        f"{triple(row.triple, row.hop, chosen)}{source(row)}</div>"
        for row in rows
    )


def source(row: Fact) -> str:
    """Where a triple stands, with its sentence; a word when no sentence says it."""
    if row.sentence is None:
        return f'<div class="irag-source">{t("graph.nothing")}</div>'
    where = html(row.triple.document or "")
    title = f'<a href="#evidence-{where}"><bdi>{html(row.title)}</bdi></a>'
    place = f"{title}, {t('sentence', number=row.sentence)}"
    return f'<div class="irag-source">{place}: <bdi>{html(row.text.strip())}</bdi></div>'


def evidence(rows: Sequence[EvidenceRow]) -> str:
    """Documents in final order; those with a highlight in full, the others in two lines."""
    return _list(
        f'<span class="irag-rank">{row.rank}</span>'
        f"<div{_anchor('evidence', row.document.id)}>{_title(row.document)}"
        f'<div class="{"irag-full" if row.marked else "irag-clamp"}">'
        f"<bdi>{''.join(_piece(piece) for piece in row.pieces)}</bdi></div></div>"
        f"{_score(row.score)}"
        for row in rows
    )


def costs(views: Sequence[HopView]) -> str:
    """What each hop took, one row each in tabular figures, and the total."""
    heads = ("hop", "documents", "calls", "read", "written", "seconds")
    head = "".join(f"<th>{t(f'column.{name}')}</th>" for name in heads)
    body = "".join(_cost_row(_place(view), [view]) for view in views)
    total = _cost_row(t("total"), views)
    return (
        f'<table class="irag-costs"><caption>{t("costs")}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody><tfoot>{total}</tfoot></table>"
    )


def check(name: str, there: bool) -> str:
    """One thing that is there or not, on a line; its name can be copied as it stands."""
    sign = "✓" if there else "✕"
    said = t("ready") if there else t("unready")
    return f'<span class="irag-rank" title="{said}">{sign}</span> <bdi>{html(name)}</bdi>'


def checks(rows: Iterable[tuple[str, bool, str]]) -> str:
    """Things that are there or not, as (name, whether, note): a word and a sign each."""
    return _list(
        f'<span class="irag-rank" title="{t("ready" if there else "unready")}">'
        f"{'✓' if there else '✕'}</span><div><bdi>{html(name)}</bdi>"
        f'<div class="irag-source">{t("ready") if there else t("unready")}'
        f"{' · ' if note else ''}<bdi>{html(note)}</bdi></div></div>"
        for name, there, note in rows
    )


def terms(rows: Iterable[tuple[str, str]]) -> str:
    """Words with their meaning."""
    return _list(f"<div><b>{html(term)}</b>: {html(meaning)}</div>" for term, meaning in rows)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A plain table of text."""
    head = "".join(f"<th>{html(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{html(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="irag-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _place(view: HopView) -> str:
    if view.reading:
        return t("reading")
    return f"{badge(view.number)}" if view.number else t("hop.before")


def _cost_row(name: str, views: Sequence[HopView]) -> str:
    found = {row.document.id for view in views for row in view.documents}
    usage = sum((view.usage for view in views), Usage())
    counts = (len(found), usage.calls, usage.prompt_tokens, usage.completion_tokens)
    numbers = [f"{count:,}" if count else "–" for count in counts]
    numbers.append(f"{sum(view.seconds for view in views):.1f}")
    return f"<tr><th>{name}</th>{''.join(f'<td>{number}</td>' for number in numbers)}</tr>"


def _hop(hop: int) -> str:
    return f'style="--hop:{colour(hop)};--ink:{ink(hop)}"'


def _anchor(what: str, name: str | int) -> str:
    return f' id="{what}-{html(str(name))}"'


def _chip(text: str) -> str:
    return f'<bdi class="irag-chip">{html(text) or "—"}</bdi>'


def _title(document: Document, new: bool = False) -> str:
    mark = _mark(t("new")) if new else ""
    return f'<div class="irag-title"><bdi>{html(document.title)}</bdi>{mark}</div>'


def _mark(word: str) -> str:
    return f'<span class="irag-new">{word}</span>'


def _score(score: float) -> str:
    return f'<span class="irag-score" title="{t("term.score")}">{score:.2f}</span>'


def _piece(piece: Piece) -> str:
    text = html(piece.text)
    if piece.answer:
        text = f"<mark>{text}</mark>"
    if not piece.hop:
        return text
    return f'<a class="irag-said" href="#chain-{piece.hop}" {_hop(piece.hop)}>{text}</a>'


def _list(rows: Iterable[str]) -> str:
    return f'<ul class="irag-list">{"".join(f"<li>{row}</li>" for row in rows)}</ul>'
