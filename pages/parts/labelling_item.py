"""An item as the HTML that the labelling desk shows; every text is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from irag.labels.values import Candidate, Item, Link, Passage
from irag.views import markup
from irag.views.escape import html
from irag.views.words import t

__all__ = ["item_html", "marked", "passage_html"]

_PARTS = ("head", "tail", "relation")
"""In this order they take their places in a sentence, so that names win over words."""


def item_html(item: Item) -> str:
    """Question, chain and candidate with its sentence; no score, rank, method, gold or label."""
    return (
        f'<h2 class="irag-ask"><bdi>{html(item.question)}</bdi></h2>'
        f"{_chain(item.chain)}{_candidate(item)}"
    )


def passage_html(passage: Passage, candidate: Candidate) -> str:
    """The whole passage, the candidate's sentence marked in it."""
    if not passage.text:
        return f"<p>{t('desk.no_passage')}</p>"
    title = f'<p class="irag-title"><bdi>{html(passage.title)}</bdi></p>'
    if passage.span is None:
        return f'{title}<p class="irag-text"><bdi>{html(passage.text)}</bdi></p>'
    start, end = passage.span
    before, after = html(passage.text[:start]), html(passage.text[end:])
    said = marked(passage.sentence, candidate)
    text = f'{before}<span class="irag-gave">{said}</span>{after}'
    return f'{title}<p class="irag-text"><bdi>{text}</bdi></p>'


def marked(sentence: str, candidate: Candidate) -> str:
    """A sentence with the candidate's head, relation and tail marked where they stand in it."""
    places: list[tuple[int, int, str]] = []
    for name in _PARTS:
        found = _first_free(sentence, getattr(candidate, name), places)
        if found is not None:
            places.append((*found, name))
    pieces, at = [], 0
    for start, end, name in sorted(places):
        inside = f'<mark class="irag-{name}">{html(sentence[start:end])}</mark>'
        pieces += [html(sentence[at:start]), inside]
        at = end
    return "".join([*pieces, html(sentence[at:])])


def _first_free(
    sentence: str, part: str, taken: Iterable[tuple[int, int, str]]
) -> tuple[int, int] | None:
    """Where a part stands first, in any case and spacing, beside what is marked already."""
    words = [re.escape(word) for word in part.split()]
    if not words:
        return None
    spaced = r"\s+".join(words)
    whole = rf"(?<!\w){spaced}(?!\w)" if part.isascii() else spaced  # 中文 has no word edges
    for found in re.finditer(whole, sentence, re.IGNORECASE):
        start, end = found.span()
        if all(end <= left or start >= right for left, right, _ in taken):
            return start, end
    return None


def _chain(chain: Sequence[Link]) -> str:
    if not chain:
        return f'<p class="irag-source">{t("desk.chain")}: {t("desk.chain.none")}</p>'
    rows = "".join(
        f"<li>{markup.badge(number)}<div>{_triple(link, number)}</div></li>"
        for number, link in enumerate(chain, 1)
    )
    return f'<p class="irag-source">{t("desk.chain")}</p><ul class="irag-list">{rows}</ul>'


def _triple(one: Link | Candidate, hop: int) -> str:
    from irag.views.palette import colour, ink

    chip = '<bdi class="irag-chip">{}</bdi>'.format
    return (
        f'<span class="irag-triple" style="--hop:{colour(hop)};--ink:{ink(hop)}">'
        f'{chip(html(one.head))}<span class="irag-relation">— <bdi>{html(one.relation)}</bdi> →'
        f"</span>{chip(html(one.tail))}</span>"
    )


def _candidate(item: Item) -> str:
    candidate, passage = item.candidate, item.passage
    if candidate.kind != "triple":
        said = f'<p class="irag-text"><bdi>{html(candidate.text)}</bdi></p>'
        return f'<section class="irag-judged">{said}{_where(passage)}</section>'
    sentence = passage.sentence
    said = marked(sentence, candidate) if sentence else t("desk.unplaced")
    return (
        f'<section class="irag-judged">{_triple(candidate, item.hop)}'
        f'<p class="irag-text"><bdi>{said}</bdi></p>{_where(passage)}</section>'
    )


def _where(passage: Passage) -> str:
    if not passage.title:
        return ""
    return f'<p class="irag-source"><bdi>{html(passage.title)}</bdi></p>'
