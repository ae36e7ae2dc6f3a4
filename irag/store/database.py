"""Opening the database: WAL, a busy timeout, and migrations as a list of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import event, inspect, text
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, create_engine

from irag.errors import IragError
from irag.store.label_tables import LABEL_TABLES
from irag.store.tables import JobRow, RunRow, SchemaVersion

__all__ = ["MIGRATIONS", "Database", "open_database"]

BUSY_SECONDS = 15


def _first(connection: Connection) -> None:
    RunRow.metadata.create_all(connection, tables=[RunRow.__table__])  # type: ignore[attr-defined]


def _jobs(connection: Connection) -> None:
    JobRow.metadata.create_all(connection, tables=[JobRow.__table__])  # type: ignore[attr-defined]


def _labels(connection: Connection) -> None:
    tables = [kind.__table__ for kind in LABEL_TABLES]
    RunRow.metadata.create_all(connection, tables=tables)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_first, _jobs, _labels)
"""Each brings the database one version further; they are only ever appended to."""


@dataclass(frozen=True)
class Database:
    """An open database, one per process and URL."""

    engine: Engine

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A short session; a database error becomes an IragError that says what to do."""
        try:
            with Session(self.engine, expire_on_commit=False) as session:
                yield session
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise IragError(
                f"The database at {self.engine.url.render_as_string()} cannot be used ({cause}). "
                "Check that its folder is writable and the disk is not full."
            ) from error


def _pragmas(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    cursor.close()


def _migrate(engine: Engine) -> None:
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.execute(text("BEGIN IMMEDIATE"))
        if not inspect(connection).has_table("schema_version"):
            SchemaVersion.metadata.create_all(
                connection,
                tables=[SchemaVersion.__table__],  # type: ignore[attr-defined]
            )
        with Session(connection) as session:
            row = session.get(SchemaVersion, 1) or SchemaVersion(id=1, version=0)
            if row.version > len(MIGRATIONS):
                raise IragError(
                    "The database was written by a newer version of irag. Update irag, or set "
                    "another IRAG_HOME."
                )
            for migration in MIGRATIONS[row.version :]:
                migration(connection)
            row.version = len(MIGRATIONS)
            session.add(row)
            session.flush()


@lru_cache(maxsize=8)
def open_database(url: str) -> Database:
    """The database at a SQLAlchemy URL, made and migrated when needed."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine, "connect", _pragmas)
    else:
        engine = create_engine(url, pool_pre_ping=True)
    database = Database(engine)
    try:
        _migrate(engine)
    except SQLAlchemyError as error:
        raise IragError(
            f"The database at {parsed.render_as_string()} cannot be opened ({error}). "
            "Check the path, or set IRAG_DATABASE_URL."
        ) from error
    return database
