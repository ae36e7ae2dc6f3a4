"""Documents made for tests (PDFs, Word documents, pictures, archives), and what is read in them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from irag.corpus.decoding import SourceFile
from irag.corpus.readers import Notice, read_passages
from irag.text import sentences


def pdf(*pages: Sequence[str], title: str = "", password: str = "", running: bool = False) -> bytes:
    """A page each; "# " begins a heading, "" a paragraph; Chinese lines in a font without a file."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    content = io.BytesIO()
    canvas = Canvas(content, encrypt=password or None)
    canvas.setTitle(title)
    for number, lines in enumerate(pages, 1):
        if running:
            canvas.setFont("Helvetica", 9)
            canvas.drawString(72, 810, "The Osk Gazette")
            canvas.drawString(290, 30, f"Page {number} of {len(pages)}")
        at = 740
        for line in lines:
            size = 18 if line.startswith("# ") else 11
            canvas.setFont("Helvetica" if line.isascii() else "STSong-Light", size)
            canvas.drawString(72, at, line.removeprefix("# "))
            at -= 2 * size if size > 11 else 14
        canvas.showPage()
    canvas.save()
    return content.getvalue()


def scan(pages: int = 1, words_on_first: str = "") -> bytes:
    """A PDF of pictures."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    content = io.BytesIO()
    canvas = Canvas(content)
    for number in range(pages):
        canvas.drawImage(ImageReader(Image.new("RGB", (60, 80), "grey")), 50, 50, 500, 700)
        if not number and words_on_first:
            canvas.drawString(72, 760, words_on_first)
        canvas.showPage()
    canvas.save()
    return content.getvalue()


def docx(*blocks: str | tuple[str, str] | list[tuple[str, ...]], title: str = "") -> bytes:
    """A string is a paragraph, a pair is (style, text), a list is a table of rows."""
    from docx import Document

    document = Document()
    document.core_properties.title = title
    for block in blocks:
        if isinstance(block, list):
            table = document.add_table(len(block), len(block[0]))
            for row, texts in zip(table.rows, block, strict=True):
                for cell, text in zip(row.cells, texts, strict=True):
                    cell.text = text
        else:
            style, text = block if isinstance(block, tuple) else ("Normal", block)
            document.add_paragraph(text, style)
    content = io.BytesIO()
    document.save(content)
    return content.getvalue()


def zipped(members: Mapping[str, bytes | str] | Iterable[tuple[str, bytes | str]]) -> bytes:
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for name, inner in members.items() if isinstance(members, Mapping) else members:
            archive.writestr(name, inner)
    return content.getvalue()


def read(path: Path) -> list[tuple[str, str]]:
    """(title, text) of the passages of a file."""
    return read_noting(path)[0]


def read_noting(path: Path) -> tuple[list[tuple[str, str]], list[Notice]]:
    notices: list[Notice] = []
    found = read_passages(SourceFile.of(path), 120, notices.append, lambda at: None)
    return [(passage.title, passage.text) for passage in found], notices


def said(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in sentences(text)]
