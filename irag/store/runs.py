"""Saved runs: every one is kept, finished, cancelled or failed."""

from __future__ import annotations

import secrets
import zlib
from dataclasses import dataclass

from sqlmodel import col, delete, select

from irag.errors import UserError
from irag.store.database import Database
from irag.store.tables import RunRow
from irag.traces import dumps, loads
from irag.types import Trace

__all__ = ["RunCard", "RunStore", "new_run_id"]


def new_run_id() -> str:
    """A fresh id: 12 characters that nobody can guess, safe in a URL."""
    return "r" + secrets.token_hex(6)


@dataclass(frozen=True, slots=True)
class RunCard:
    """A run in a list."""

    run_id: str
    question: str
    method: str
    corpus: str
    llm: str
    stopped: str
    started_at: str
    answer: str | None
    hops: int
    seconds: float


@dataclass(frozen=True)
class RunStore:
    """The runs of one database."""

    database: Database

    def save(self, run_id: str, trace: Trace, llm: str) -> None:
        """Keep a trace under its id; the same id again replaces it."""
        usage = trace.usage
        row = RunRow(
            id=run_id,
            question=trace.question.text,
            corpus=trace.corpus.partition("@")[0],
            method=trace.method,
            llm=llm,
            stopped=trace.stopped,
            answer=trace.answer.text if trace.answer else None,
            hops=trace.hops,
            llm_calls=usage.calls,
            tokens=usage.prompt_tokens + usage.completion_tokens,
            seconds=trace.seconds,
            started_at=trace.started_at,
            trace=zlib.compress(dumps(trace).encode("utf-8", "replace")),
        )
        with self.database.session() as session:
            session.merge(row)
            session.commit()

    def load(self, run_id: str) -> Trace | None:
        """The trace of a run, or None when there is none with that id; TraceError if damaged."""
        with self.database.session() as session:
            row = session.get(RunRow, run_id)
        return loads(zlib.decompress(row.trace).decode("utf-8")) if row else None

    def cards(
        self, limit: int = 50, corpus: str = "", method: str = "", stopped: str = ""
    ) -> tuple[RunCard, ...]:
        """The newest runs first, filtered where a filter is given."""
        query = select(RunRow).order_by(col(RunRow.started_at).desc(), col(RunRow.id))
        if corpus:
            query = query.where(RunRow.corpus == corpus)
        if method:
            query = query.where(col(RunRow.method).startswith(method, autoescape=True))
        if stopped:
            query = query.where(RunRow.stopped == stopped)
        with self.database.session() as session:
            rows = session.exec(query.limit(limit)).all()
        return tuple(_card(row) for row in rows)

    def delete(self, run_id: str) -> None:
        """Remove a run; UserError when there is none."""
        with self.database.session() as session:
            gone = session.exec(delete(RunRow).where(col(RunRow.id) == run_id))
            session.commit()
        if not gone.rowcount:
            raise UserError(f"There is no run {run_id!r}. `runs list` shows those there are.")


def _card(row: RunRow) -> RunCard:
    return RunCard(
        row.id,
        row.question,
        row.method,
        row.corpus,
        row.llm,
        row.stopped,
        row.started_at,
        row.answer,
        row.hops,
        row.seconds,
    )
