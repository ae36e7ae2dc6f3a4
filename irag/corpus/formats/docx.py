"""Word documents as sections: headings, paragraphs, lists, tables and notes in reading order."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from zipfile import BadZipFile

from irag.corpus.formats.archive import checked
from irag.corpus.formats.outline import Outline, Section, joined, plausible_title
from irag.corpus.formats.tables import Cell, table_lines
from irag.errors import FileRejected

__all__ = ["read_docx"]

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_UNSEEN = {
    f"{_W}{tag}" for tag in ("del", "moveFrom", "txbxContent", "instrText", "rPr", "pPr")
} | {
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # said twice
}
_AS_TEXT = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)

Element = Any  # lxml is untyped


def read_docx(content: bytes, name: str, stem: str) -> tuple[Section, ...]:
    """The sections of a document; FileRejected when it is damaged."""
    from docx import Document
    from docx.opc.exceptions import PackageNotFoundError
    from lxml.etree import XMLSyntaxError

    try:
        checked(content, name)
        document = Document(io.BytesIO(content))
        return _Walk(document, stem).sections()
    except (BadZipFile, PackageNotFoundError, XMLSyntaxError, KeyError, ValueError) as error:
        raise FileRejected(
            name,
            "a damaged Word document: open it in a word processor, save a new copy and add that",
        ) from error


def _text_of(element: Element) -> str:
    """What is seen of a paragraph; insertions count, deletions and hidden runs do not."""
    parts: list[str] = []
    stack = [element]
    while stack:
        one = stack.pop()
        tag = one.tag.removeprefix(_W) if isinstance(one.tag, str) else ""
        if tag == "t":
            parts.append(one.text or "")
        elif tag in _AS_TEXT:
            parts.append(_AS_TEXT[tag])
        elif one.tag not in _UNSEEN and not (tag == "r" and _on(one.find(f"{_W}rPr/{_W}vanish"))):
            stack += reversed(one)
    return joined("".join(parts))


def _on(switch: Element | None) -> bool:
    return switch is not None and switch.get(f"{_W}val", "1") not in ("0", "false", "off")


def _blocks(parent: Element) -> Iterator[Element]:
    """Paragraphs and tables in order, within content controls too; no table of contents."""
    for child in parent:
        if child.tag in (f"{_W}p", f"{_W}tbl"):
            yield child
            for box in child.iter(f"{_W}txbxContent") if child.tag == f"{_W}p" else ():
                if not any(up.tag in _UNSEEN - {f"{_W}txbxContent"} for up in box.iterancestors()):
                    yield from _blocks(box)
        elif child.tag == f"{_W}sdt":
            gallery = child.find(f"{_W}sdtPr/{_W}docPartObj/{_W}docPartGallery")
            inner = child.find(f"{_W}sdtContent")
            if inner is not None and (gallery is None or "Contents" not in gallery.get(f"{_W}val")):
                yield from _blocks(inner)
        elif child.tag in (f"{_W}customXml", f"{_W}ins", f"{_W}moveTo"):
            yield from _blocks(child)


class _Walk:
    """One pass over a document."""

    def __init__(self, document: Any, stem: str) -> None:
        self._document = document
        self._styles = {style.style_id: style for style in document.styles}
        self._formats = _list_formats(document.part)
        self._counts: Counter[tuple[str, str]] = Counter()
        self._in_list = False
        blocks = list(_blocks(document.element.body))
        shown = (_text_of(b) for b in blocks if self._style(b).lower() == "title")
        self._title = next(filter(None, shown), "")
        named = self._title or plausible_title(document.core_properties.title)
        self._outline = Outline(named, stem)
        for block in blocks:
            self._block(block)
        for line in _notes(document.part):
            self._outline.add("", line)

    def sections(self) -> tuple[Section, ...]:
        return self._outline.sections()

    def _styled(self, paragraph: Element) -> Any:
        found = paragraph.find(f"{_W}pPr/{_W}pStyle")
        return None if found is None else self._styles.get(found.get(f"{_W}val"))

    def _style(self, paragraph: Element) -> str:
        style = self._styled(paragraph)
        return "" if style is None else str(style.name or "")

    def _block(self, block: Element) -> None:
        if block.tag == f"{_W}tbl":
            self._outline.add(*table_lines(_rows(block)))
            return
        text, style = _text_of(block), self._style(block)
        heading = _HEADING.fullmatch(style)
        if heading:
            self._outline.heading(min(int(heading[1]), 6), text)
        elif style.lower() == "title":
            self._outline.heading(1, text if text != self._title else "")
        elif text:
            mark = self._mark(block)
            # The entries of a list stand together, a paragraph by itself.
            border = [] if mark and self._in_list else [""]
            self._outline.add(*border, mark + text)
            self._in_list = bool(mark)

    def _mark(self, paragraph: Element) -> str:
        """ "- ", "3. " or "": what stands before an entry of a list, by itself or by its style."""
        style = self._styled(paragraph)
        places = [paragraph] if style is None else [paragraph, style.element]
        found = (place.find(f"{_W}pPr/{_W}numPr") for place in places)
        number = next((one for one in found if one is not None), None)
        if number is None:
            return ""
        name, level = (
            "" if part is None else part.get(f"{_W}val", "")
            for part in (number.find(f"{_W}numId"), number.find(f"{_W}ilvl"))
        )
        if name in ("", "0"):
            return ""
        level = level or "0"
        if self._formats.get((name, level), "bullet") in ("bullet", "none"):
            return "- "
        self._counts[name, level] += 1
        for deeper in range(int(level) + 1 if level.isdigit() else 9, 9):
            self._counts[name, str(deeper)] = 0
        return f"{self._counts[name, level]}. "


def _list_formats(part: Any) -> dict[tuple[str, str], str]:
    """(list, level) -> bullet, decimal, ...; nothing for a document without lists."""
    numbering = next((r.target_part for r in _related(part, "/numbering")), None)
    if numbering is None:
        return {}
    root = numbering.element
    kinds = {
        (abstract.get(f"{_W}abstractNumId"), level.get(f"{_W}ilvl")): shown.get(f"{_W}val", "")
        for abstract in root.iter(f"{_W}abstractNum")
        for level in abstract.iter(f"{_W}lvl")
        if (shown := level.find(f"{_W}numFmt")) is not None
    }
    uses = {
        number.get(f"{_W}numId"): one.get(f"{_W}val")
        for number in root.iter(f"{_W}num")
        if (one := number.find(f"{_W}abstractNumId")) is not None
    }
    return {
        (name, level): kind
        for name, abstract in uses.items()
        for (of, level), kind in kinds.items()
        if of == abstract
    }


def _related(part: Any, ending: str) -> Iterator[Any]:
    return (r for r in part.rels.values() if not r.is_external and r.reltype.endswith(ending))


def _notes(part: Any) -> Iterator[str]:
    """Footnotes and endnotes, each on a line."""
    from docx.oxml.parser import parse_xml

    for ending in ("/footnotes", "/endnotes"):
        for relation in _related(part, ending):
            for note in parse_xml(relation.target_part.blob):
                text = joined(" ".join(_text_of(p) for p in note.iter(f"{_W}p")))
                if text and note.get(f"{_W}type") is None:
                    yield text


def _rows(table: Element) -> list[list[Cell]]:
    """The cells of a table; a cell over several rows or columns stands in each."""
    rows: list[list[Cell]] = []
    for row in table.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl")) is not table:
            continue  # of a table in a cell, which is read as the text of that cell
        named = _on(row.find(f"{_W}trPr/{_W}tblHeader"))
        cells: list[Cell] = []
        for element in row.iter(f"{_W}tc"):
            if next(element.iterancestors(f"{_W}tr")) is not row:
                continue
            merged = element.find(f"{_W}tcPr/{_W}vMerge")
            above = rows[-1][len(cells)] if rows and len(rows[-1]) > len(cells) else None
            goes_on = merged is not None and merged.get(f"{_W}val") != "restart" and above
            cell = above if goes_on and above else _cell(element, named)
            wide = element.find(f"{_W}tcPr/{_W}gridSpan")
            said = wide.get(f"{_W}val", "1") if wide is not None else "1"
            cells += [cell] * (min(int(said), 100) if said.isdigit() else 1)
        rows.append(cells)
    return rows


def _cell(element: Element, named: bool) -> Cell:
    paragraphs = list(element.iter(f"{_W}p"))
    text = joined(" ".join(filter(None, (_text_of(p) for p in paragraphs))))
    runs = [run for p in paragraphs for run in p.iter(f"{_W}r") if _text_of(run)]
    bold = bool(runs) and all(_on(run.find(f"{_W}rPr/{_W}b")) for run in runs)
    return Cell(text, named or bold)
