"""JSON lines, JSON, CSV and TSV: a record a passage, or the contexts of a published set."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from typing import Any

from irag.corpus.decoding import Opened, SourceFile, bounded_lines
from irag.corpus.notices import Note, Notice
from irag.corpus.split import split
from irag.data.passages import SETS, Passage, passages_of, records_of, set_of_record
from irag.errors import FileRejected
from irag.text import clean

__all__ = ["Reader", "json_lines", "json_records", "table"]

WHOLE_WORDS = 400
"""A row is a passage as it stands up to this length; a longer one is a document and is split."""

Reader = Callable[[SourceFile, Opened, int, Note], Iterator[Passage]]


def json_lines(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    """A record a line; bad ones are named by number."""
    for number, line in enumerate(bounded_lines(opened.text, file.name), 1):
        if line.strip():
            place = f"{file.name}, line {number}"
            try:
                record = json.loads(line, strict=False)
            except (ValueError, RecursionError) as error:
                note(Notice(place, f"not JSON ({error})", lost=True))
                continue
            yield from _of_record(file, record, words, place, note)


def json_records(file: SourceFile, opened: Opened, words: int, note: Note) -> Iterator[Passage]:
    """The records of a JSON file; FileRejected when it is no JSON."""
    try:
        content = json.loads(opened.text.read(), strict=False)
    except (ValueError, RecursionError) as error:
        raise FileRejected(file.name, f"not JSON ({error})") from error
    records = records_of(content)
    for number, record in enumerate(records, 1):
        yield from _of_record(file, record, words, f"{file.name}, record {number}", note)


def table(delimiter: str) -> Reader:
    """A reader of tables whose first line names the columns, one of them text."""

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
    published = set_of_record(record) or (file.folder if file.folder in SETS else "")
    try:
        found = list(passages_of(record, published))
    except (TypeError, ValueError, AttributeError) as error:
        note(Notice(place, f"not the shape of a record ({error})", lost=True))
        return
    if not found:
        note(Notice(place, "no text", lost=True))
    for passage in found:
        title = passage.title or file.stem
        if published or len(passage.text.split()) <= WHOLE_WORDS:
            yield Passage(title, passage.text, passage.keys, passage.sentences)
        else:
            for piece in split(passage.text, words):
                yield Passage(title, piece, passage.keys)
