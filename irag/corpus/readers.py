"""Files become passages: documents by their sections, rows of tables and JSON one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from irag.corpus.decoding import Opened, SourceFile, open_text, probe, whole
from irag.corpus.formats.docx import read_docx
from irag.corpus.formats.html import read_html
from irag.corpus.formats.kinds import expect
from irag.corpus.formats.markdown import sections
from irag.corpus.formats.outline import Section
from irag.corpus.formats.pdf import read_pdf
from irag.corpus.formats.records import Reader, json_lines, json_records, table
from irag.corpus.notices import Note, Notice, capped
from irag.corpus.split import split
from irag.data.passages import Passage, shown_title
from irag.errors import FileRejected
from irag.text import clean

__all__ = ["FORMATS", "Note", "Notice", "Passage", "SourceFile", "read_passages"]

MOST_TEXT_BYTES = 64 << 20
MOST_DOCUMENT_BYTES = 256 << 20  # with pictures and fonts
REPORT_EVERY = 256

_Document = Callable[[bytes, SourceFile, Note], Sequence[Section]]


def read_passages(
    file: SourceFile, words: int, note: Note, read: Callable[[int], None]
) -> Iterator[Passage]:
    """The passages of a file, in order and clean; long documents in pieces of `words` words.

    Bad lines go to `note`, with their numbers, and the others go in; `read` gets the position in
    the file now and then. FileRejected when the file as a whole cannot be used.
    """
    if file.ending in _DOCUMENTS:
        yield from _document(file, words, note)
    elif file.ending in _TEXTS:
        yield from _text_file(file, words, note, read)
    else:
        known = ", ".join(FORMATS)
        raise FileRejected(file.name, f"not a known kind of file. Known: {known}, each also .gz")


def _document(file: SourceFile, words: int, note: Note) -> Iterator[Passage]:
    page = _DOCUMENTS[file.ending] is _html
    content = whole(file, MOST_TEXT_BYTES if page else MOST_DOCUMENT_BYTES)
    if content:
        expect(file.ending, content, file.name)
        yield from _pieces(_DOCUMENTS[file.ending](content, file, note), words)


def _text_file(
    file: SourceFile, words: int, note: Note, read: Callable[[int], None]
) -> Iterator[Passage]:
    reader = _TEXTS[file.ending]
    at_once = reader in (_text, _markdown, json_records)
    found = probe(file, MOST_TEXT_BYTES) if at_once else probe(file)
    for notice in found.notices:
        note(Notice(file.name, notice))
    with open_text(file, found.encoding) as opened:
        for number, passage in enumerate(reader(file, opened, words, capped(note, file.name))):
            if number % REPORT_EVERY == 0:
                read(opened.raw.tell())
            yield passage


def _pieces(found: Sequence[Section], words: int) -> Iterator[Passage]:
    for section in found:
        title = shown_title(": ".join(section.titles))
        for piece in split(clean(section.text), words):
            yield Passage(title, piece)


def _text(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    for piece in split(clean(opened.text.read()), words):
        yield Passage(file.stem, piece)


def _markdown(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    yield from _pieces(sections(clean(opened.text.read()), file.stem), words)


def _html(content: bytes, file: SourceFile, note: Note) -> Sequence[Section]:
    return read_html(content, file.name, file.stem, note)


def _pdf(content: bytes, file: SourceFile, note: Note) -> Sequence[Section]:
    return read_pdf(content, file.name, file.stem, note)


def _docx(content: bytes, file: SourceFile, note: Note) -> Sequence[Section]:
    return read_docx(content, file.name, file.stem)


_TEXTS: dict[str, Reader] = {
    "txt": _text,
    "text": _text,
    "md": _markdown,
    "markdown": _markdown,
    "jsonl": json_lines,
    "ndjson": json_lines,
    "json": json_records,
    "csv": table(","),
    "tsv": table("\t"),
}
_DOCUMENTS: dict[str, _Document] = {
    "html": _html,
    "htm": _html,
    "xhtml": _html,
    "pdf": _pdf,
    "docx": _docx,
}

FORMATS = tuple(sorted((*_TEXTS, *_DOCUMENTS, "zip")))
"""The endings of names that are read; zip archives are unpacked before (reading.py)."""
