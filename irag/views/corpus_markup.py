"""Small pieces of HTML for the Corpora page: passages with their sentences, triples as said.

All text goes through escape.html(); the classes are those of assets/style.css.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from irag.types import Document, Triple
from irag.views import markup
from irag.views.escape import clean, html
from irag.views.words import t

__all__ = ["passage", "problems", "said", "sentence_triples"]


def passage(document: Document, triples: Sequence[Triple]) -> str:
    """A passage in full; its sentences can be linked to, and those that gave triples are marked."""
    gave = {triple.source[1] for triple in triples if triple.source}
    pieces, at = [], 0
    for number, (start, end) in enumerate(document.sentences):
        pieces.append(html(document.text[at:start]))
        kind = ' class="irag-gave"' if number in gave else ""
        label = t("sentence", number=number + 1)
        text = html(document.text[start:end])
        pieces.append(f'<span id="sentence-{number + 1}"{kind} title="{label}">{text}</span>')
        at = end
    pieces.append(html(document.text[at:]))
    return f'<div class="irag-text"><bdi>{"".join(pieces)}</bdi></div>'


def sentence_triples(triples: Sequence[Triple]) -> str:
    """A document's triples by sentence; each number leads to its sentence in `passage`."""
    by_sentence: dict[int | None, list[Triple]] = {}
    for triple in triples:
        by_sentence.setdefault(triple.source[1] + 1 if triple.source else None, []).append(triple)
    return _list(
        f'<span class="irag-rank">{_to_sentence(number)}</span>'
        f'<div class="irag-stack">{"".join(map(_row, some))}</div>'
        for number, some in by_sentence.items()
    )


def said(rows: Iterable[tuple[Triple, str, str]]) -> str:
    """Triples as (triple, title, sentence): each with its sentence, head and tail marked in it."""
    return _list(
        f'<div>{markup.triple(triple, 0)}<div class="irag-source"><b><bdi>{html(title)}</bdi></b>'
        f"{_place(triple)}: <bdi>{_marked(sentence, (triple.head, triple.tail))}</bdi></div></div>"
        for triple, title, sentence in rows
    )


def problems(rows: Iterable[tuple[str, str]]) -> str:
    """Names with the reason why something could not be done."""
    return _list(
        f'<div><div class="irag-title"><bdi>{html(name)}</bdi></div>'
        f'<div class="irag-source"><bdi>{html(reason)}</bdi></div></div>'
        for name, reason in rows
    )


def _row(triple: Triple) -> str:
    return f"<div>{markup.triple(triple, 0)}</div>"


def _to_sentence(number: int | None) -> str:
    if number is None:
        return "—"
    return f'<a href="#sentence-{number}" title="{t("sentence", number=number)}">{number}</a>'


def _place(triple: Triple) -> str:
    return f", {t('sentence', number=triple.source[1] + 1)}" if triple.source else ""


def _marked(sentence: str, parts: Iterable[str]) -> str:
    """The sentence with every place marked where a part stands in it, in any case of letters."""
    names = sorted({clean(part) for part in parts if part.strip()}, key=len, reverse=True)
    if not names:
        return html(sentence)
    found = re.compile("|".join(map(re.escape, names)), re.IGNORECASE)
    pieces, at, text = [], 0, clean(sentence)
    for match in found.finditer(text):
        pieces += [html(text[at : match.start()]), f"<mark>{html(match.group())}</mark>"]
        at = match.end()
    return "".join([*pieces, html(text[at:])])


def _list(rows: Iterable[str]) -> str:
    return f'<ul class="irag-list">{"".join(f"<li>{row}</li>" for row in rows)}</ul>'
