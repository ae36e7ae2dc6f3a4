"""An LLM whose replies are kept: SQLite in the home folder, shared by threads and processes."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

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
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError

from irag.errors import Cancelled, IragError
from irag.llm.stored import digest, from_row, request_key, served_from_cache, to_row
from irag.settings import Settings
from irag.tools import LLM, Cancel, EmitText, Flags, Request
from irag.types import Completion

__all__ = ["Cached", "cached"]

log = logging.getLogger(__name__)
T = TypeVar("T")

_BUSY_SECONDS = 15
_AT_ONCE = 500
"""Keys looked up by one query; SQLite takes a bounded number of bound values."""

_REPLIES = Table(
    "reply",
    MetaData(),
    Column("key", String(64), primary_key=True),
    Column("reply", Text, nullable=False),
    Column("written_at", Float, nullable=False),
)


def _create(connection: Connection) -> None:
    _REPLIES.create(connection, checkfirst=True)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create,)
"""Step n brings a file of version n to n + 1; the version is SQLite's `user_version`."""


@lru_cache(maxsize=8)
def _engine(path: Path) -> Engine:
    """One engine per file and process, brought to the newest version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def _prepare(connection: DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.close()

    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # of two processes, one migrates
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        for step in MIGRATIONS[version:]:
            step(connection)
        if version < len(MIGRATIONS):
            connection.exec_driver_sql(f"PRAGMA user_version = {len(MIGRATIONS)}")
    return engine


class Cached:
    """Wraps any LLM; a hit counts `usage.cached`, and errors and empty replies are never kept.

    The key is the model's name, the messages with their prefix, the parameters and the sample
    number; `salt` tells apart models of one name. A cache file that cannot be used costs speed and
    a warning in the log, never a reply.
    """

    def __init__(self, llm: LLM, path: Path, salt: str = "") -> None:
        self._llm = llm
        self._path = path
        self._model = digest(llm.name, salt) if salt else llm.name

    @property
    def name(self) -> str:
        """The wrapped LLM's."""
        return self._llm.name

    @property
    def window(self) -> int:
        """The wrapped LLM's."""
        return self._llm.window

    @property
    def flags(self) -> Flags:
        """The wrapped LLM's."""
        return self._llm.flags

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the wrapped LLM counts."""
        return self._llm.count(texts)

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """One result per request, in order; only what is not kept reaches the LLM."""
        keys = [request_key(self._model, request) for request in requests]
        nothing: dict[str, str] = {}
        kept = self._try("read", lambda engine: _read(engine, keys), nothing)
        results: dict[int, Completion | IragError] = {}
        for index, (key, request) in enumerate(zip(keys, requests, strict=True)):
            if cancel.is_set():
                raise Cancelled()
            if key in kept:
                hit = served_from_cache(from_row(json.loads(kept[key]), request))
                results[index] = hit
                emit(index, hit.text)
        missing = [index for index in range(len(requests)) if index not in results]
        if missing:
            replies = self._llm.generate(
                [requests[i] for i in missing], lambda n, text: emit(missing[n], text), cancel
            )
            results.update(zip(missing, replies, strict=True))
            self._keep({keys[i]: results[i] for i in missing})
        return [results[index] for index in range(len(requests))]

    def close(self) -> None:
        """Close the wrapped LLM; the file stays open for the process's other models."""
        self._llm.close()

    def _keep(self, replies: dict[str, Completion | IragError]) -> None:
        rows = [
            {"key": key, "reply": json.dumps(to_row(reply)), "written_at": time.time()}
            for key, reply in replies.items()
            if isinstance(reply, Completion) and reply.text and not reply.cut
        ]
        if rows:
            self._try("written", lambda engine: _write(engine, rows), None)

    def _try(self, verb: str, work: Callable[[Engine], T], otherwise: T) -> T:
        try:
            return work(_engine(self._path))
        except (DatabaseError, OSError) as error:
            log.warning("The reply cache %s could not be %s: %s", self._path, verb, error)
            return otherwise


def _read(engine: Engine, keys: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    with engine.connect() as connection:
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            query = select(_REPLIES.c.key, _REPLIES.c.reply).where(_REPLIES.c.key.in_(some))
            found |= {key: reply for key, reply in connection.execute(query)}
    return found


def _write(engine: Engine, rows: Sequence[dict[str, object]]) -> None:
    with engine.begin() as connection:
        connection.execute(insert(_REPLIES).on_conflict_do_nothing(), rows)


def cached(llm: LLM, settings: Settings) -> Cached:
    """The LLM with the home folder's cache; a model named by its path is told by its file's age."""
    rest = Path(llm.name.partition(":")[2])
    salt = ""
    if rest.is_file():
        salt = f"{rest.stat().st_size} {rest.stat().st_mtime_ns}"
    elif rest.is_dir():
        files = sorted(file for file in rest.iterdir() if file.is_file())
        salt = " ".join(f"{f.name} {f.stat().st_size} {f.stat().st_mtime_ns}" for f in files)
    return Cached(llm, settings.home / "cache" / "llm.db", salt)
