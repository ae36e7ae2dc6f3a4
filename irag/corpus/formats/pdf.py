"""PDFs as sections: pages are joined, headings told by their size, page headers left out."""

from __future__ import annotations

import threading
import time
from typing import Any

from irag.corpus.formats.outline import Outline, Section, plausible_title
from irag.corpus.formats.pdf_layout import Line, fill_outline, without_running_lines
from irag.corpus.notices import Note, Notice
from irag.errors import FileRejected

__all__ = ["read_pdf"]

MOST_PAGES = 5000
MOST_SECONDS = 300
_TAIL = 4096

_LOCKED, _DAMAGED = 4, "a damaged or cut-off PDF: fetch or export it again"
_ONE_AT_A_TIME = threading.Lock()  # PDFium is not thread-safe


def read_pdf(content: bytes, name: str, stem: str, note: Note) -> tuple[Section, ...]:
    """The sections of a PDF.

    FileRejected when it has no text, needs a password, is damaged, or is too much to be read.
    """
    if b"%%EOF" not in content[-_TAIL:] and b"startxref" not in content[-_TAIL:]:
        raise FileRejected(name, _DAMAGED)
    with _ONE_AT_A_TIME:
        title, pages = _read(content, name)
    bare = [str(number) for number, page in enumerate(pages, 1) if not page]
    if len(bare) == len(pages):
        raise FileRejected(
            name,
            f"no text found in {name} (OCR not available): it seems to be scanned; "
            "make it searchable with an OCR program and add that",
        )
    if bare:
        shown = ", ".join(bare[:12]) + (", ..." if len(bare) > 12 else "")
        note(Notice(name, f"no text on {len(bare)} of {len(pages)} pages (scanned?): {shown}"))
    kept, dropped = without_running_lines(pages)
    if dropped:
        shown = "; ".join(f'"{text[:60]}"' for text in dropped[:4])
        note(Notice(name, f"lines that stand at the edge of every page were left out: {shown}"))
    outline = Outline(plausible_title(title), stem)
    fill_outline(outline, kept)
    return outline.sections()


def _read(content: bytes, name: str) -> tuple[str, list[list[Line]]]:
    """The title in the properties, and the lines of each page."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) == _LOCKED
        reason = "locked with a password: save a copy without one and add that"
        raise FileRejected(name, reason if locked else _DAMAGED) from error
    try:
        count = len(document)
        if not count:
            raise FileRejected(name, _DAMAGED)
        if count > MOST_PAGES:
            reason = f"{count:,} pages, more than {MOST_PAGES:,}: split it into several files"
            raise FileRejected(name, reason)
        return document.get_metadata_value("Title"), _pages(document, name)
    finally:
        document.close()


def _pages(document: Any, name: str) -> list[list[Line]]:
    import pypdfium2

    began, pages = time.monotonic(), []
    for number in range(len(document)):
        try:
            page = document[number]
            pages.append(_lines(page))
            page.close()
        except pypdfium2.PdfiumError as error:
            raise FileRejected(name, f"page {number + 1} is damaged: export it again") from error
        if time.monotonic() - began > MOST_SECONDS:
            raise FileRejected(
                name, f"took longer than {MOST_SECONDS} s to read: split it into several files"
            )
    return pages


def _lines(page: Any) -> list[Line]:
    text_page = page.get_textpage()
    text = text_page.get_text_range()
    placed = len(text) == text_page.count_chars()  # otherwise characters have no known place
    _, floor, _, ceiling = page.get_mediabox()
    lines: list[Line] = []
    at = 0
    for part in text.split("\r\n"):
        body = part.strip()
        if body:
            first = at + part.index(body[0])
            last = first + len(body) - 1
            lines.append(
                _line(text_page, body, first, last, (floor, ceiling)) if placed else Line(body)
            )
        at += len(part) + 2
    return lines


def _line(page: Any, body: str, first: int, last: int, span: tuple[float, float]) -> Line:
    _, bottom, _, top = page.get_charbox(first, loose=True)
    _, _, right, last_top = page.get_charbox(last, loose=True)
    place = (top - span[0]) / ((span[1] - span[0]) or 1.0)
    return Line(body, round(top - bottom, 1), top, last_top, right, place)
