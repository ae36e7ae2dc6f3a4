"""Files become passages: text, Markdown, JSON lines, JSON, CSV and TSV, gzipped too."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from irag.corpus.decoding import Opened, SourceFile, bounded_lines, open_text, probe
from irag.corpus.markdown import sections
from irag.corpus.split import split
from irag.data.passages import SETS, Passage, passages_of, set_of_record, shown_title
from irag.errors import FileRejected
from irag.text import clean

__all__ = ["FORMATS", "Note", "Notice", "Passage", "SourceFile", "read_passages"]

WHOLE_WORDS = 400
"""A row is a passage as it stands up to this length; a longer one is a document and is split."""

MOST_DOCUMENT_BYTES = 64 << 20
NAMED_LINES = 100
REPORT_EVERY = 256


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say about a place in a file; `lost`: what stands there did not go in."""

    place: str
    reason: str
    lost: bool = False


Note = Callable[[Notice], None]
_Reader = Callable[[SourceFile, Opened, int, Note], Iterator[Passage]]


def read_passages(
    file: SourceFile, words: int, note: Note, read: Callable[[int], None]
) -> Iterator[Passage]:
    """The passages of a file, in order and clean; long documents in pieces of `words` words.

    Bad lines go to `note`, with their numbers, and the others go in; `read` gets the position in
    the file now and then. FileRejected when the file as a whole cannot be used.
    """
    reader = FORMATS.get(_ending(file))
    if reader is None:
        known = ", ".join(sorted(FORMATS))
        raise FileRejected(file.name, f"not a known kind of file. Known: {known}, each also .gz")
    whole = reader in (_text, _markdown, _json)
    found = probe(file, MOST_DOCUMENT_BYTES) if whole else probe(file)
    for notice in found.notices:
        note(Notice(file.name, notice))
    with open_text(file, found.encoding) as opened:
        for number, passage in enumerate(reader(file, opened, words, _capped(note, file.name))):
            if number % REPORT_EVERY == 0:
                read(opened.raw.tell())
            yield passage


def _ending(file: SourceFile) -> str:
    name = file.name.lower().removesuffix(".gz")
    return PurePath(name).suffix.removeprefix(".")


def _stem(file: SourceFile) -> str:
    name = file.name[:-3] if file.name.lower().endswith(".gz") else file.name
    return PurePath(name).stem


def _capped(note: Note, name: str) -> Note:
    """Names the first bad lines; so many that they say the file is another kind end it."""
    told = 0

    def capped(notice: Notice) -> None:
        nonlocal told
        told += notice.lost
        if told > NAMED_LINES:
            raise FileRejected(
                name, f"more than {NAMED_LINES} bad lines; the last: {notice.reason}"
            )
        note(notice)

    return capped


def _text(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    for piece in split(clean(opened.text.read()), words):
        yield Passage(_stem(file), piece)


def _markdown(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    for section in sections(clean(opened.text.read()), _stem(file)):
        title = shown_title(": ".join(section.titles))
        for piece in split(section.text, words):
            yield Passage(title, piece)


def _json_lines(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    for number, line in enumerate(bounded_lines(opened.text, file.name), 1):
        if line.strip():
            place = f"{file.name}, line {number}"
            try:
                record = json.loads(line, strict=False)
            except (ValueError, RecursionError) as error:
                note(Notice(place, f"not JSON ({error})", lost=True))
                continue
            yield from _of_record(file, record, words, place, note)


def _json(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    try:
        content = json.loads(opened.text.read(), strict=False)
    except (ValueError, RecursionError) as error:
        raise FileRejected(file.name, f"not JSON ({error})") from error
    records = content if isinstance(content, list) else [content]
    for number, record in enumerate(records, 1):
        yield from _of_record(file, record, words, f"{file.name}, record {number}", note)


def _table(delimiter: str) -> _Reader:
    def read(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
        csv.field_size_limit(16 << 20)
        rows = csv.reader(bounded_lines(opened.text, file.name), delimiter=delimiter)
        names: list[str] = []
        while True:
            place = f"{file.name}, line {rows.line_num + 1}"
            try:
                row = next(rows, None)
            except csv.Error as error:
                note(Notice(place, f"not a row ({error})", lost=True))
                continue
            if row is None:
                return
            if not names:
                names = _column_names(file, row)
            elif any(cell.strip() for cell in row):
                record = dict(zip(names, row, strict=False))
                yield from _of_record(file, record, words, place, note)

    return read


def _column_names(file: SourceFile, row: list[str]) -> list[str]:
    names = [clean(name).strip().lower() for name in row]
    if not {"text", "contents"} & set(names):
        shown = ", ".join(name[:40] for name in names[:12])
        raise FileRejected(file.name, f"needs a column named text; its first line has: {shown}")
    return names


def _of_record(
    file: SourceFile, record: Any, words: int, place: str, note: Note
) -> Iterator[Passage]:
    if not isinstance(record, dict):
        note(Notice(place, "not an object with title and text", lost=True))
        return
    folder = file.path.parent.name
    published = set_of_record(record) or (folder if folder in SETS else "")
    try:
        found = list(passages_of(record, published))
    except (TypeError, ValueError, AttributeError) as error:
        note(Notice(place, f"not the shape of a record ({error})", lost=True))
        return
    if not found:
        note(Notice(place, "no text", lost=True))
    for passage in found:
        title = passage.title or _stem(file)
        if published or len(passage.text.split()) <= WHOLE_WORDS:
            yield Passage(title, passage.text, passage.keys, passage.sentences)
        else:
            for piece in split(passage.text, words):
                yield Passage(title, piece, passage.keys)


FORMATS: dict[str, _Reader] = {
    "txt": _text,
    "text": _text,
    "md": _markdown,
    "markdown": _markdown,
    "jsonl": _json_lines,
    "ndjson": _json_lines,
    "json": _json,
    "csv": _table(","),
    "tsv": _table("\t"),
}
"""How a file is read, by the ending of its name."""
