"""From the lines of pages to paragraphs and headings."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from irag.corpus.formats.outline import Outline, joined

__all__ = ["Line", "fill_outline", "without_running_lines"]

EDGE = 0.1  # of the page's height, at the top and at the bottom: where headers and footers stand
EVIDENT_PAGES = 2
EVIDENT_SHARE = 0.6  # of the pages
HEADING_SIZE = 1.15  # times the height of the body's lines
LONGEST_HEADING = 150
WIDE_GAP = 1.45  # times the usual distance of two lines
SHORT_LINE = 0.75  # of the widest line of the page: the last of a paragraph, a row, a list entry

_NUMBER = re.compile(
    r"\W*(?:(?:page|p\.|seite|第)\s*)?\d{1,4}(?:\s*(?:of|/|页|頁)\s*\d{0,4})?\W*", re.IGNORECASE
)
_ENDED = re.compile(r"""[.!?。！？…:：;；]["'”’»)\]」』）]*$""")
_SOFT = re.compile("(\\w{1,40})(?:[\ufffe\u00ad]|[-\u2010]\n)(\\w{1,40})")
_COMPATIBLE = re.compile("[\ufb00-\ufb06\u2e80-\u2fd5]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page; places in points from below and from the left, 0 where they are not known.

    `last_top`: of its last character, where PDFium joined a word over a line's end. `place`: how
    far up the page it stands, between 0 and 1.
    """

    text: str
    height: float = 0.0
    top: float = 0.0
    last_top: float = 0.0
    right: float = 0.0
    place: float = 0.5


Pages = Sequence[Sequence[Line]]


def without_running_lines(pages: Pages) -> tuple[list[list[Line]], list[str]]:
    """The pages without headers, footers and page numbers, and one example of each dropped."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_shape(line) for line in _edge(page)})
    often = max(EVIDENT_PAGES, EVIDENT_SHARE * sum(bool(page) for page in pages))
    running = {shape for shape, count in seen.items() if count >= often}
    numbered = len(pages) > 1
    kept: list[list[Line]] = []
    dropped: dict[str, str] = {}
    for page in pages:
        edge = {
            line
            for line in _edge(page)
            if _shape(line) in running or (numbered and _NUMBER.fullmatch(line.text))
        }
        dropped |= {_shape(line): line.text for line in page if line in edge}
        kept.append([line for line in page if line not in edge])
    return kept, list(dropped.values())


def _edge(page: Sequence[Line]) -> set[Line]:
    return {line for line in page if not EDGE < line.place < 1 - EDGE}


def _shape(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text)


def fill_outline(outline: Outline, pages: Pages) -> None:
    """Add the headings and paragraphs of the pages; a paragraph may go on over a page's end."""
    levels = _levels(pages)
    words = _words(pages)
    for level, lines in _paragraphs(pages, levels):
        text = _readable("\n".join(line.text for line in lines), words)
        if level:
            outline.heading(level, joined(text))
        else:
            outline.add(joined(text), "")


def _levels(pages: Pages) -> dict[float, int]:
    """Heights that only headings have, with their levels; the tallest is 1."""
    mass: Counter[float] = Counter()
    for page in pages:
        for line in page:
            mass[line.height] += len(line.text)
    body = mass.most_common(1)[0][0] if mass else 0.0
    tall = sorted((height for height in mass if height > HEADING_SIZE * body > 0), reverse=True)
    return {height: min(level, 6) for level, height in enumerate(tall, 1)}


def _level(line: Line, levels: dict[float, int]) -> int:
    named = len(line.text) <= LONGEST_HEADING and any(c.isalpha() for c in line.text)
    return levels.get(line.height, 0) if named else 0


def _paragraphs(pages: Pages, levels: dict[float, int]) -> Iterator[tuple[int, list[Line]]]:
    """(level or 0, lines) in order."""
    current: list[Line] = []
    level = 0
    for page in pages:
        usual, widest = _leading(page), max((line.right for line in page), default=0.0)
        for number, line in enumerate(page):
            own = _level(line, levels)
            above = page[number - 1] if number else None
            if current and (own != level or (own and above is None) or (
                not own and _border(current[-1], above, line, usual, widest)
            )):  # fmt: skip
                yield level, current
                current = []
            level = own
            current.append(line)
    if current:
        yield level, current


def _leading(page: Sequence[Line]) -> float:
    gaps = sorted(a.last_top - b.top for a, b in pairwise(page) if a.last_top - b.top > 1)
    return gaps[len(gaps) // 4] if gaps else 0.0  # paragraphs stand further apart


def _border(last: Line, above: Line | None, line: Line, usual: float, widest: float) -> bool:
    """Whether a paragraph ends after `last`; `above` None: `line` begins a page."""
    if line.top == last.top == 0.0:
        return bool(_ENDED.search(last.text))
    if above is None or line.top > above.last_top:  # a new page or column
        return bool(_ENDED.search(last.text))
    if usual and above.last_top - line.top > WIDE_GAP * usual:
        return True
    return above.right < SHORT_LINE * widest and not line.text[:1].islower()


def _words(pages: Pages) -> frozenset[str]:
    """The words with a hyphen within a line: those keep it at a line's end too."""
    found = (
        re.findall(r"\w{1,40}(?:[-\u2010]\w{1,40})+", line.text) for page in pages for line in page
    )
    return frozenset(word.casefold().replace("\u2010", "-") for words in found for word in words)


def _readable(text: str, words: frozenset[str]) -> str:
    """Words that a line's end cut are whole again, ligatures are letters."""

    def whole(found: re.Match[str]) -> str:
        hyphened = f"{found[1]}-{found[2]}"
        cut = found[1][-1:].islower() and found[2][:1].islower()
        return f"{found[1]}{found[2]}" if cut and hyphened.casefold() not in words else hyphened

    text = _COMPATIBLE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return _SOFT.sub(whole, text).replace("\ufffe", "-").replace("\u00ad", "")
