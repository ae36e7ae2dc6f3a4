"""Puts what readers find into corpus.db as pending documents; one transaction a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from sqlalchemy import func, insert, or_, select
from sqlalchemy.engine import Connection, Engine

from irag.corpus.database import begin, documents, keys, origins, sources
from irag.corpus.formats.archive import unpacked
from irag.corpus.manifest import digest
from irag.corpus.progress import Watch
from irag.corpus.readers import Notice, Passage, SourceFile, read_passages
from irag.corpus.rows import folded_title
from irag.errors import FileRejected
from irag.text import sentences
from irag.types import document_id

__all__ = ["AddReport", "read_sources"]

AT_ONCE = 512
TOKENS_PER_WORD = 1.4  # of English in MiniLM's word pieces, with titles and numbers


@dataclass(slots=True)
class AddReport:
    """What came of adding files.

    `added` and `duplicates` are passages; `failures` are (file or title, reason) of what did not go
    in whole; `notices` need no action. `documents` and `triples` count the corpus afterwards.
    """

    added: int = 0
    duplicates: int = 0
    documents: int = 0
    triples: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        line = f"{self.added:,} passages added"
        if self.duplicates:
            line += f", {self.duplicates:,} were there already"
        if self.failures:
            line += f", {len(self.failures):,} problems"
        return f"{line}; the corpus has {self.documents:,} and {self.triples:,} triples."


def read_sources(
    files: Sequence[SourceFile],
    engine: Engine,
    words: int,
    max_tokens: int,
    watch: Watch,
) -> AddReport:
    """Read every file; a bad one is reported by name and reason, and the others go in."""
    report = AddReport()

    def lose(name: str, reason: str) -> None:
        report.failures.append((name, reason))

    with unpacked(files, lose, report.notices.append) as found:
        long = _read_all(found, engine, words, max_tokens, watch, report)
    if long:
        report.notices.append(
            f"{long:,} passages are longer than the about {max_tokens} tokens the embedder reads; "
            "what stands beyond is found through its sentences and by keywords."
        )
    for stage in ("split", "sentences"):
        watch.stage(stage, report.added, report.added)
    return report


def _read_all(
    files: Sequence[SourceFile],
    engine: Engine,
    words: int,
    max_tokens: int,
    watch: Watch,
    report: AddReport,
) -> int:
    """How many passages are longer than the embedder reads."""
    sizes = [file.path.stat().st_size if file.path.is_file() else 0 for file in files]
    meter = watch.stage("read", sum(sizes))
    done, long = 0, 0
    for file, size in zip(files, sizes, strict=True):

        def read(position: int, before: int = done) -> None:
            meter.reached(before + position)

        before = report.added, report.duplicates
        try:
            with begin(engine) as connection:
                long += _read(file, connection, words, report, read, max_tokens)
        except FileRejected as error:
            report.added, report.duplicates = before
            report.failures.append((error.name, error.reason))
        except OSError as error:
            report.added, report.duplicates = before
            report.failures.append((file.name, f"cannot be read: {error.strerror or error}"))
        done += size
        meter.reached(done)
    return long


def _read(
    file: SourceFile,
    connection: Connection,
    words: int,
    report: AddReport,
    read: Any,
    max_tokens: int,
) -> int:
    if not file.path.is_file():
        raise FileRejected(file.name, "there is no such file")
    sha256 = digest(file.path)
    same = select(sources.c.name).where(sources.c.sha256 == sha256, sources.c.died.is_(None))
    twin = connection.execute(same).scalars().first()
    if twin is not None:
        report.notices.append(f"{file.name}: the same content as {twin}, which is in already.")
        return 0
    named = select(sources.c.number).where(
        sources.c.name == file.name, sources.c.died.is_(None)
    )  # fmt: skip
    if connection.execute(named).first():
        report.notices.append(
            f"{file.name}: a file of this name with other content is in already; both are kept. "
            "Remove the old one by its passages' ids if this replaces it."
        )
    row = connection.execute(insert(sources).values(name=file.name, sha256=sha256))
    assert row.inserted_primary_key is not None
    number = int(row.inserted_primary_key[0])
    passages = read_passages(file, words, lambda notice: _note(report, notice), read)
    count, long, lost = 0, 0, len(report.failures)
    while chunk := list(islice(passages, AT_ONCE)):
        count += len(chunk)
        long += sum(len(p.text.split()) * TOKENS_PER_WORD > max_tokens for p in chunk)
        _store(connection, number, chunk, report)
    if not count:
        nothing = "no record in it can be used" if len(report.failures) > lost else "empty, skipped"
        raise FileRejected(file.name, nothing)
    return long


def _note(report: AddReport, notice: Notice) -> None:
    if notice.lost:
        report.failures.append((notice.place, notice.reason))
    else:
        report.notices.append(f"{notice.place}: {notice.reason}")


def _store(connection: Connection, source: int, chunk: list[Passage], report: AddReport) -> None:
    named = {document_id(p.title, p.text): p for p in reversed(chunk)}
    known = _numbers(connection, list(named))
    fresh = [(name, named[name]) for name in reversed(named) if name not in known]
    report.added += len(fresh)
    report.duplicates += len(chunk) - len(fresh)
    if fresh:
        rows = [
            {
                "id": name,
                "title": p.title,
                "folded": folded_title(p.title),
                "text": p.text,
                "sentences": json.dumps(p.sentences or sentences(p.text)),
            }
            for name, p in fresh
        ]
        connection.execute(insert(documents), rows)
        known = _numbers(connection, list(named))
    owned = [
        {"document": known[document_id(p.title, p.text)], "key": key}
        for p in chunk
        for key in p.keys
    ]
    if owned:
        connection.execute(insert(keys).prefix_with("OR IGNORE"), owned)
    links = [{"document": number, "source": source} for number in known.values()]
    connection.execute(insert(origins).prefix_with("OR IGNORE"), links)


def _numbers(connection: Connection, ids: list[str]) -> dict[str, int]:
    """Newest number by id, of the documents that are pending or alive."""
    query = (
        select(documents.c.id, func.max(documents.c.number))
        .where(documents.c.id.in_(ids), or_(documents.c.born.is_(None), documents.c.died.is_(None)))
        .group_by(documents.c.id)
    )
    return {name: number for name, number in connection.execute(query)}
