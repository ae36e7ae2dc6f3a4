"""Saved runs: every one is kept, finished, cancelled or failed; listing never reads a trace."""

from __future__ import annotations

import secrets
import zlib
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func
from sqlmodel import col, delete, select

from irag.errors import TraceError, UserError
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
    """A run in a list. `seconds` is the sum of its steps; `tokens` counts read and written ones."""

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
    llm_calls: int = 0
    tokens: int = 0


_CARD = tuple(
    getattr(RunRow, "id" if name == "run_id" else name) for name in RunCard.__dataclass_fields__
)
"""The columns of a card, in its order; the compressed trace is not one of them."""


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
        if row is None:
            return None
        try:
            return loads(zlib.decompress(row.trace).decode("utf-8"))
        except (zlib.error, UnicodeDecodeError) as error:
            raise TraceError(
                f"The trace of run {run_id} is damaged ({error}). Delete the run, or restore the "
                "database from a copy."
            ) from error

    def cards(
        self,
        limit: int = 50,
        corpus: str = "",
        method: str = "",
        stopped: str = "",
        text: str = "",
        offset: int = 0,
    ) -> tuple[RunCard, ...]:
        """The newest runs first, filtered where a filter is given; `offset` of them are skipped.

        `method` is how the METHOD string begins; `text` stands anywhere in the question, in any
        case of its letters.
        """
        query = select(*_CARD).where(*_wanted(corpus, method, stopped, text))
        query = query.order_by(col(RunRow.started_at).desc(), col(RunRow.id))
        with self.database.session() as session:
            rows = session.exec(query.limit(limit).offset(offset)).all()
        return tuple(RunCard(*row) for row in rows)

    def count(self, corpus: str = "", method: str = "", stopped: str = "", text: str = "") -> int:
        """How many runs these filters leave."""
        query = select(func.count()).select_from(RunRow)
        with self.database.session() as session:
            return session.exec(query.where(*_wanted(corpus, method, stopped, text))).one()

    def corpora(self) -> tuple[str, ...]:
        """The corpora that runs were made on, by name; a corpus removed since is one of them."""
        query = select(RunRow.corpus).distinct().order_by(col(RunRow.corpus))
        with self.database.session() as session:
            return tuple(name for name in session.exec(query).all() if name)

    def delete(self, *run_ids: str) -> None:
        """Remove runs; UserError names those that were not there, after the others were removed."""
        wanted = dict.fromkeys(run_ids)
        with self.database.session() as session:
            chosen = col(RunRow.id).in_(wanted)
            there = set(session.exec(select(RunRow.id).where(chosen)).all())
            session.exec(delete(RunRow).where(chosen))
            session.commit()
        missing = [run_id for run_id in wanted if run_id not in there]
        if missing:
            names = ", ".join(map(repr, missing))
            raise UserError(f"There is no run {names}. `runs list` shows those there are.")


def _wanted(corpus: str, method: str, stopped: str, text: str) -> list[ColumnElement[bool]]:
    """What a run has to be; an empty filter asks nothing."""
    asked: list[ColumnElement[bool]] = []
    if corpus:
        asked.append(col(RunRow.corpus) == corpus)
    if method:
        asked.append(col(RunRow.method).startswith(method, autoescape=True))
    if stopped:
        asked.append(col(RunRow.stopped) == stopped)
    if text.strip():
        asked.append(col(RunRow.question).icontains(text.strip(), autoescape=True))
    return asked
