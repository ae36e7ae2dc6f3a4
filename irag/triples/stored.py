"""Triples that were extracted before: `cache/triples.db`, shared by the corpora of a home."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    select,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError

from irag.tools import Cancel
from irag.triples.extraction import Extraction, Extractor
from irag.types import Document, Triple, triple_id

__all__ = ["Stored"]

log = logging.getLogger(__name__)
T = TypeVar("T")

_BUSY_SECONDS = 15
_AT_ONCE = 500  # keys looked up by one query; SQLite takes a bounded number of bound values
_WRITE_AT_ONCE = 32  # documents

_EXTRACTIONS = Table(
    "extraction",
    MetaData(),
    Column("key", String(64), primary_key=True),
    Column("triples", Text, nullable=False),
    Column("dropped", Text, nullable=False),
    Column("written_at", Float, nullable=False),
)


def _create(connection: Connection) -> None:
    _EXTRACTIONS.create(connection, checkfirst=True)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create,)
"""Step n brings a file of version n to n + 1; the version is SQLite's `user_version`."""


def _pragmas(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()


@lru_cache(maxsize=8)
def _engine(path: Path) -> Engine:
    """One engine per file and process, brought to the newest version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _pragmas)
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # of two processes, one migrates
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        for step in MIGRATIONS[version:]:
            step(connection)
        if version < len(MIGRATIONS):
            connection.exec_driver_sql(f"PRAGMA user_version = {len(MIGRATIONS)}")
    return engine


class Stored:
    """Wraps any extractor: what it made of a document once is never made again.

    The key is the document's id, which is a hash of its title and text, its sentence borders, and
    the extractor's name, which holds model, rules and prompt. Whatever has a problem is not
    kept. A file that cannot be used costs time and a warning in the log, never a triple.
    """

    def __init__(self, extractor: Extractor, path: Path) -> None:
        self._extractor = extractor
        self._path = path

    @property
    def name(self) -> str:
        """The wrapped extractor's."""
        return self._extractor.name

    def extract(
        self, documents: Sequence[Document], sample: int = 0, cancel: Cancel | None = None
    ) -> Iterator[Extraction]:
        """One result per document, in order; only what is not kept reaches the extractor."""
        keys = [_key(document, self.name) for document in documents]
        nothing: dict[str, tuple[str, str]] = {}
        kept = self._try("read", lambda engine: _read(engine, keys), nothing)
        missing = [d for d, key in zip(documents, keys, strict=True) if key not in kept]
        made = iter(self._extractor.extract(missing, sample, cancel)) if missing else iter(())
        rows: list[dict[str, object]] = []
        try:
            for document, key in zip(documents, keys, strict=True):
                if key in kept:
                    yield _from_row(document, *kept[key])
                    continue
                extraction = next(made, None)
                if extraction is None:  # whoever asked sees that results are missing
                    return
                if not extraction.problem:
                    rows.append(_to_row(key, extraction))
                if len(rows) == _WRITE_AT_ONCE:
                    self._write(rows)
                    rows = []
                yield extraction
        finally:
            self._write(rows)

    def _write(self, rows: list[dict[str, object]]) -> None:
        if rows:
            self._try("written", lambda engine: _insert(engine, rows), None)

    def _try(self, verb: str, work: Callable[[Engine], T], otherwise: T) -> T:
        try:
            return work(_engine(self._path))
        except (DatabaseError, OSError) as error:
            log.warning("The stored triples %s could not be %s: %s", self._path, verb, error)
            return otherwise


def _key(document: Document, name: str) -> str:
    parts = json.dumps([document.id, document.sentences, name])
    return hashlib.sha256(parts.encode()).hexdigest()


def _to_row(key: str, extraction: Extraction) -> dict[str, object]:
    triples = [
        [t.source[1] if t.source else 0, t.head, t.relation, t.tail] for t in extraction.triples
    ]
    return {
        "key": key,
        "triples": json.dumps(triples, ensure_ascii=False),
        "dropped": json.dumps(extraction.dropped, ensure_ascii=False),
        "written_at": time.time(),
    }


def _from_row(document: Document, triples: str, dropped: str) -> Extraction:
    name = document.id
    found = (
        Triple(triple_id(h, r, t, name, number), h, r, t, (name, number))
        for number, h, r, t in json.loads(triples)
    )
    counts = tuple((reason, count) for reason, count in json.loads(dropped))
    return Extraction(tuple(found), counts)


def _read(engine: Engine, keys: Sequence[str]) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    columns = _EXTRACTIONS.c.key, _EXTRACTIONS.c.triples, _EXTRACTIONS.c.dropped
    with engine.connect() as connection:
        for start in range(0, len(keys), _AT_ONCE):
            query = select(*columns).where(_EXTRACTIONS.c.key.in_(keys[start : start + _AT_ONCE]))
            found |= {key: (some, lost) for key, some, lost in connection.execute(query)}
    return found


def _insert(engine: Engine, rows: list[dict[str, object]]) -> None:
    with engine.begin() as connection:
        connection.execute(insert(_EXTRACTIONS).on_conflict_do_nothing(), rows)
