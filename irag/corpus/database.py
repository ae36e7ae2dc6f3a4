"""corpus.db: documents, their keys, sources and triples, and what has been done to each document.

A row is born in a generation and dies in one; a reader sees those of its own. A document with
`born` None is pending: it waits in the segment that is being built, in the order of `number`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    or_,
    select,
    text,
)
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from irag.errors import CorpusError

__all__ = [
    "DATABASE",
    "alive",
    "begin",
    "documents",
    "extractions",
    "forget",
    "keys",
    "last_extractor",
    "open_engine",
    "origins",
    "sources",
    "triples",
]

DATABASE = "corpus.db"
BUSY_SECONDS = 15

metadata = MetaData()


def _owner(table: str, **options: Any) -> Column[int]:
    return Column(
        table, ForeignKey(f"{table}.number", ondelete="CASCADE"), nullable=False, **options
    )


def _life() -> tuple[Column[int], Column[int]]:
    return Column("born", Integer, index=True), Column("died", Integer, index=True)


sources = Table(
    "source",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("sha256", String, nullable=False, index=True),
    *_life(),
    sqlite_autoincrement=True,
)
documents = Table(
    "document",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", String, nullable=False, index=True),
    Column("title", String, nullable=False),
    Column("folded", String, nullable=False, index=True),
    Column("text", String, nullable=False),
    Column("sentences", String, nullable=False),
    Column("embedded", Boolean, nullable=False, default=False),
    Column("extracted", Boolean, nullable=False, default=False),
    Column("linked", Boolean, nullable=False, default=False),
    Column("unusable", Boolean, nullable=False, default=False),
    Column("failure", String),
    *_life(),
    sqlite_autoincrement=True,
)
keys = Table(
    "key",
    metadata,
    _owner("document", primary_key=True),
    Column("key", String, primary_key=True, index=True),
)
origins = Table(
    "origin",
    metadata,
    _owner("document", primary_key=True),
    _owner("source", primary_key=True, index=True),
)
triples = Table(
    "triple",
    metadata,
    Column("number", Integer, primary_key=True),
    _owner("document", index=True),
    Column("sentence", Integer, nullable=False),
    Column("id", String, nullable=False),
    Column("head", String, nullable=False),
    Column("relation", String, nullable=False),
    Column("tail", String, nullable=False),
)
extractions = Table(
    "extraction",
    metadata,
    _owner("document", primary_key=True),
    Column("extractor", String, nullable=False),
    Column("failed", Boolean, nullable=False, index=True),
    Column("dropped", String, nullable=False),
    Column("reply", String, nullable=False),
)
"""How a document's triples were made; one of an older version of irag has no row. `failed`: they
are not all there; `dropped`: JSON of irag.triples.extraction.Counts."""

Index("pending_documents", documents.c.number, sqlite_where=documents.c.born.is_(None))


def _extractions(connection: Connection) -> None:
    extractions.create(connection, checkfirst=True)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (metadata.create_all, _extractions)
"""Each brings a corpus.db one version further; they are only ever appended to."""


def alive(table: Table, generation: int) -> ColumnElement[bool]:
    """Whether a document or source belongs to a generation."""
    born, died = table.c.born, table.c.died
    return (born <= generation) & or_(died.is_(None), died > generation)


def _pragmas(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _migrate(engine: Engine, path: Path) -> None:
    with begin(engine) as connection:
        version = int(connection.execute(text("PRAGMA user_version")).scalar_one())
        if version > len(MIGRATIONS):
            raise CorpusError(f"{path} was written by a newer version of irag. Update irag.")
        for migration in MIGRATIONS[version:]:
            migration(connection)
        if version < len(MIGRATIONS):
            connection.execute(text(f"PRAGMA user_version={len(MIGRATIONS)}"))


@lru_cache(maxsize=32)
def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _pragmas)
    _migrate(engine, path)
    return engine


def open_engine(folder: Path) -> Engine:
    """The engine of a corpus folder, one per process; made and migrated when needed."""
    return _engine((folder / DATABASE).resolve())


def forget(folder: Path) -> None:
    """Close the connections of a corpus that is being deleted."""
    open_engine(folder).dispose()
    _engine.cache_clear()


def last_extractor(engine: Engine) -> str:
    """What extracted the newest document's triples; "" when that is not known."""
    query = select(extractions.c.extractor).order_by(extractions.c.document.desc()).limit(1)
    with begin(engine) as connection:
        return str(connection.execute(query).scalar() or "")


@contextmanager
def begin(engine: Engine) -> Iterator[Connection]:
    """A transaction; what the database says becomes a CorpusError with what to do."""
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or error)
        path = engine.url.database
        if "full" in cause:
            advice = "The disk is full: free some space and run the same command again."
        else:
            advice = "If it is damaged, delete the corpus and add its files again."
        raise CorpusError(f"{path} cannot be used ({cause}). {advice}") from error
