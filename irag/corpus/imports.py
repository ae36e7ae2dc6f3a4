"""Stored triples of others go into a corpus, and a corpus's triples out, in the same form."""

from __future__ import annotations

import gzip
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from sqlalchemy import select

from irag.corpus.database import alive, begin, documents, open_engine, triples
from irag.corpus.manifest import Manifest
from irag.corpus.names import existing_folder
from irag.errors import UserError
from irag.match import title_key
from irag.triples.extraction import said
from irag.triples.foreign import Foreign, Reading, read_foreign, to_line

__all__ = ["checked_label", "export_triples", "imported_labels", "keep_import", "kept_import"]

_LABEL = re.compile(r"[^\W_][\w.-]{0,59}")


def checked_label(label: str) -> str:
    """The label, when it is one; UserError otherwise."""
    if not _LABEL.fullmatch(label):
        raise UserError(
            f"{label!r} cannot name imported triples. Use at most 60 letters, digits, '.', '-' "
            "and '_', beginning with a letter or digit."
        )
    return label


def kept_import(home: Path, name: str, label: str) -> Path:
    """Where a corpus keeps imported triples, in our own form."""
    return existing_folder(home, name) / "imported" / f"{checked_label(label)}.jsonl.gz"


def export_triples(home: Path, name: str, path: Path) -> int:
    """Write all triples of a corpus, gzipped where the name ends in .gz; how many there were.

    Importing them into the same passages gives the same triples.
    """
    folder = existing_folder(home, name)
    columns = documents.c.title, documents.c.id, triples.c.sentence
    query = (
        select(*columns, triples.c.head, triples.c.relation, triples.c.tail)
        .join_from(documents, triples)
        .where(alive(documents, Manifest.read(folder).generation))
        .order_by(documents.c.number, triples.c.number)
    )

    def records() -> Iterator[Foreign]:
        with begin(open_engine(folder)) as connection:
            for title, document, sentence, *fact in connection.execute(query):
                yield Foreign((fact[0], fact[1], fact[2]), title, document, sentence)

    return _write(path, records())


def imported_labels(home: Path, name: str) -> tuple[str, ...]:
    """The labels of what was imported into a corpus, by name."""
    files = (existing_folder(home, name) / "imported").glob("*.jsonl.gz")
    return tuple(sorted(file.name.removesuffix(".jsonl.gz") for file in files))


def keep_import(home: Path, name: str, path: Path, label: str) -> list[str]:
    """Read a file's triples and keep them under a label; what is to be said of them.

    A rebuild with the source "imported:LABEL" then gives them to the passages. Titles that are no
    passage's are counted, and kept for passages that come later. UserError, with nothing changed,
    when the file cannot be read or names no passage.
    """
    kept = kept_import(home, name, label)
    reading = read_foreign(path)
    ids, titles = _passages(home, name)
    known = [r for r in reading.records if r.document in ids or title_key(r.title) in titles]
    if not known:
        raise UserError(
            f"{path.name} has {len(reading.records):,} triples, and none names a passage of {name}."
        )
    kept.parent.mkdir(exist_ok=True)
    _write(kept, reading.records)
    return list(_said(path.name, reading, known, len(titles)))


def _said(file: str, reading: Reading, known: Sequence[Foreign], titles: int) -> Iterator[str]:
    named = {title_key(record.title) or record.document for record in reading.records}
    found = {title_key(record.title) or record.document for record in known}
    yield (
        f"{file}: {len(known):,} of {len(reading.records):,} triples name a passage; "
        f"{len(named) - len(found):,} of {len(named):,} titles are no passage's."
    )
    if reading.mended:
        yield f"{reading.mended:,} triples had stray mark-up, which was taken off."
    lost = said(tuple(reading.lost.most_common()))
    if lost:
        yield f"Not read: {lost}."
    if len(found) < titles:
        yield f"Of the corpus's {titles:,} titles, {titles - len(found):,} have none of them."


def _passages(home: Path, name: str) -> tuple[set[str], set[str]]:
    """Ids and folded titles of a corpus's passages."""
    folder = existing_folder(home, name)
    now = alive(documents, Manifest.read(folder).generation)
    with begin(open_engine(folder)) as connection:
        rows = connection.execute(select(documents.c.id, documents.c.folded).where(now)).all()
    return {row.id for row in rows}, {row.folded for row in rows}


def _write(path: Path, records: Iterable[Foreign]) -> int:
    """Write triples so that the file is there whole or not at all; how many."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    count = 0
    try:
        with _opened(partial, path.suffix == ".gz") as file:
            for record in records:
                file.write(to_line(record) + "\n")
                count += 1
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return count


@contextmanager
def _opened(path: Path, gzipped: bool) -> Iterator[TextIO]:
    """A text file to write; gzipped without a time, so that equal triples give equal bytes."""
    with path.open("wb") as raw:
        packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if gzipped else raw
        with packed, io.TextIOWrapper(packed, encoding="utf-8") as text:
            yield text
