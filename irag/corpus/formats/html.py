"""HTML as sections: headings, paragraphs, lists and tables that a reader of the page would see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from irag.corpus.charsets import declared, detect
from irag.corpus.decoding import mark_of
from irag.corpus.formats.outline import Outline, Section, joined, plausible_title
from irag.corpus.formats.tables import Cell, table_lines
from irag.corpus.notices import Note, Notice
from irag.errors import FileRejected
from irag.text.words import word_set

__all__ = ["read_html"]

MOST_SPAN = 100
MOST_CELLS = 1 << 20  # of a table; a cell beyond stands in one column and one row
MOST_BAD = 0.01  # share of U+FFFD above which the encoding that a page names is not its own

_UNSEEN = word_set(
    "script style noscript template head nav svg math iframe object embed canvas audio video "
    "button select textarea input datalist map dialog rt rp"
)
_BLOCKS = word_set(
    "p div section article main header footer aside address blockquote pre ul ol li dl dt dd "
    "figure figcaption caption form fieldset legend details summary hr center table thead tbody "
    "tfoot tr td th body html"
)
_ROLES = word_set("navigation search menu menubar toolbar dialog alertdialog")
_HEADING = re.compile(r"h([1-6])")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_REFERENCE = re.compile(r"\[\w{1,3}\]")

Element = Any  # lxml is untyped


def read_html(content: bytes, name: str, stem: str, note: Note) -> tuple[Section, ...]:
    """The sections of a page; FileRejected when it is nested too deeply to be read whole."""
    from lxml import etree, html

    text = _decoded(content, name, note).replace("\0", "\ufffd")
    text = re.sub(r"^\s*<\?xml[^>]*>", "", text)  # lxml refuses a declaration in decoded text
    if not text.strip():
        return ()
    parser = html.HTMLParser(
        huge_tree=True, no_network=True, remove_comments=True, remove_pis=True, encoding="utf-8"
    )
    try:
        page = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        return ()
    if any("depth" in entry.message for entry in parser.error_log):
        raise FileRejected(name, "its elements are nested too deeply; save it as text instead")
    outline = Outline(plausible_title(_text_of(page.find(".//head/title"))), stem)
    _Walk(outline).over(_main(page))
    return outline.sections()


def _decoded(content: bytes, name: str, note: Note) -> str:
    marked = mark_of(content)
    if marked:
        return content.decode(marked, "replace")
    with suppress(UnicodeDecodeError):
        return content.decode("utf-8")
    said = declared(content)
    if said and said != "utf-8":
        text = content.decode(said, "replace")
        if text.count("\ufffd") <= MOST_BAD * len(text):
            return text
    found = detect(content)
    note(Notice(name, found.notice))
    return content.decode(found.encoding, "replace")


def _main(page: Element) -> Element:
    """The one main part of a page that names it, else the whole."""
    named = page.xpath("//main | //*[@role='main']")
    whole = page.find("body")
    return named[0] if len(named) == 1 and _text_of(named[0]) else page if whole is None else whole


def _unseen(element: Element) -> bool:
    get = element.get
    if element.tag in _UNSEEN or get("hidden") is not None or get("aria-hidden") == "true":
        return True
    if get("role") in _ROLES or _HIDDEN.search(get("style") or ""):
        return True
    if element.tag == "footer":  # of the page, not of an article
        return next(element.iterancestors("article", "blockquote"), None) is None
    return element.tag == "sup" and bool(_REFERENCE.fullmatch("".join(element.itertext()).strip()))


def _events(root: Element) -> Iterator[tuple[str, Element, Any]]:
    """(start or end, element, walker) of what is seen; the walker can skip what is below."""
    from lxml import etree

    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if event == "start" and element is not root and _unseen(element):
            walker.skip_subtree()
            yield "unseen", element, walker
        else:
            yield event, element, walker


def _text_of(root: Element | None) -> str:
    """What is seen of an element on one line; entries of a list with commas between them."""
    words: list[str] = []
    unseen: Element = None
    for event, element, _ in () if root is None else _events(root):
        if event == "unseen":
            unseen = element
        elif event == "start":
            if element.tag == "li" and "".join(words).strip():
                words.append(", ")
            elif element.tag == "br" or (element.tag in _BLOCKS and element is not root):
                words.append("\n")
            words.append(element.text or "")
        else:
            if element.tag in _BLOCKS and element is not unseen and element is not root:
                words.append("\n")
            words.append(element.tail or "" if element is not root else "")
    return joined("".join(words)).replace(" , ", ", ")


class _Walk:
    """One pass over a page; text is collected until a block begins or ends."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._words: list[str] = []
        self._marks: list[int | None] = []  # of the open lists: the last number, None for bullets
        self._mark = ""
        self._skipped: Element = None

    def over(self, root: Element) -> None:
        for event, element, walker in _events(root):
            if event == "unseen":
                self._skipped = element
            elif event == "start":
                self._start(element, walker)
            else:
                self._end(element, element is root)
        self._flush()

    def _start(self, element: Element, walker: Any) -> None:
        heading = _HEADING.fullmatch(str(element.tag))
        rows = _rows(element) if element.tag == "table" else []
        if heading or rows:
            self._flush()
            walker.skip_subtree()
            self._skipped = element
            if heading:
                self._outline.heading(int(heading[1]), _text_of(element))
            else:
                caption = _text_of(element.find("caption"))
                self._outline.add(*([caption, ""] if caption else []), *table_lines(rows))
            return
        if element.tag in _BLOCKS:
            self._flush()
        if element.tag == "br":
            self._words.append("\n")
        elif element.tag in ("ul", "ol"):
            self._marks.append(0 if element.tag == "ol" else None)
        elif element.tag == "li":
            self._entry()
        self._words.append(element.text or "")

    def _entry(self) -> None:
        number = self._marks[-1] if self._marks else None
        if number is not None:
            self._marks[-1] = number = number + 1
        self._mark = "- " if number is None else f"{number}. "

    def _end(self, element: Element, last: bool) -> None:
        if element is self._skipped:
            self._skipped = None
        elif element.tag in _BLOCKS:
            self._flush(str(element.tag))
            self._close(element)
        if not last:
            self._words.append(element.tail or "")

    def _close(self, element: Element) -> None:
        if element.tag in ("ul", "ol") and self._marks:
            self._marks.pop()
            if not self._marks:
                self._outline.add("")
        elif element.tag == "li":
            self._mark = ""  # of an entry without text
        elif element.tag == "dl" and self._mark:
            self._outline.add(self._mark.rstrip(": "), "")
            self._mark = ""

    def _flush(self, tag: str = "") -> None:
        text = "".join(self._words)
        self._words = []
        if not text.strip():
            return
        line = self._mark + (text.strip("\n") if tag == "pre" else joined(text))
        self._mark = f"{line}: " if tag == "dt" else ""
        if tag != "dt":
            self._outline.add(line, *([] if self._marks else [""]))


def _rows(table: Element) -> list[list[Cell]]:
    """The cells of a table, each in every column and row it reaches; [] for one that is layout."""
    if table.get("role") == "presentation" or table.find(".//table") is not None:
        return []
    rows: list[list[Cell]] = []
    count = 0
    below: dict[int, tuple[Cell, int]] = {}  # column -> cell that reaches down, rows left
    for row in table.iter("tr"):
        cells: list[Cell] = []
        for element in row.iterchildren("td", "th"):
            _fill(cells, below)
            named = element.tag == "th" or row.getparent().tag == "thead"
            cell = Cell("" if _unseen(element) else _text_of(element), named)
            crowded = count + len(cells) > MOST_CELLS
            down, wide = (1 if crowded else _span(element, s) for s in ("rowspan", "colspan"))
            for _ in range(wide):
                if down > 1:
                    below[len(cells)] = cell, down - 1
                cells.append(cell)
        _fill(cells, below)
        count += len(cells)
        if count > MOST_CELLS:
            below.clear()
        if not _unseen(row):
            rows.append(cells)
    return rows if any(len(row) > 1 for row in rows) else []


def _fill(cells: list[Cell], below: dict[int, tuple[Cell, int]]) -> None:
    while len(cells) in below:
        place = len(cells)
        cell, left = below.pop(place)
        cells.append(cell)
        if left > 1:
            below[place] = cell, left - 1


def _span(element: Element, name: str) -> int:
    said = element.get(name, "1").strip()
    return min(max(int(said), 1), MOST_SPAN) if said.isascii() and said.isdigit() else 1
