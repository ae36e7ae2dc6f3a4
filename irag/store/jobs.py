"""The queue of long work: one row a job, changed by whoever starts it and by its own process.

A job's process owns its row through its pid and says that it lives by a heartbeat. Of a process
that died nothing is heard: its job is found out, and marked as interrupted, at the next look.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, func, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, delete, select

from irag.errors import UserError
from irag.store.database import Database
from irag.store.tables import JobRow

__all__ = ["STALE", "Beat", "Job", "JobState", "JobStore"]

STALE = 15.0
"""Seconds without a heartbeat after which a process counts as dead; it beats every second."""

JobState = Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"]
_LIVE = ("waiting", "running")
_adding = threading.Lock()
_AGAIN = ("failed", "cancelled", "interrupted")


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of long work as it is now.

    `kind` is its command, `about` what it works on (a corpus's name). `ahead` jobs come before it;
    `rate` is units a second; `note` says why it ended as it did; `result` is what it printed, JSON.
    Times are seconds since 1970.
    """

    id: str
    kind: str
    about: str
    arguments: tuple[str, ...]
    state: JobState
    cancelling: bool = False
    ahead: int = 0
    stage: str = ""
    done: int = 0
    total: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    note: str = ""
    result: str = ""
    queued: float = 0.0
    started: float | None = None
    ended: float | None = None
    pid: int | None = None

    @property
    def live(self) -> bool:
        """Whether it waits or runs."""
        return self.state in _LIVE

    @property
    def resumable(self) -> bool:
        """Whether it ended before its work did."""
        return self.state in _AGAIN


@dataclass(frozen=True, slots=True)
class Beat:
    """What a process tells of its job at each heartbeat."""

    stage: str = ""
    done: int = 0
    total: int = 0
    rate: float = 0.0
    seconds_left: float | None = None


@dataclass(frozen=True)
class JobStore:
    """The jobs of one database."""

    database: Database

    def add(self, kind: str, about: str, arguments: Sequence[str]) -> tuple[str, bool]:
        """Queue a job, and whether it is new: the same one, still live, is not queued twice."""
        self.sweep()
        written, now = json.dumps(list(arguments), ensure_ascii=False), time.time()
        with _adding, self.database.session() as session:
            same = (
                col(JobRow.arguments) == written,
                col(JobRow.state).in_(_LIVE),
                ~col(JobRow.cancel),
            )
            twin = session.exec(select(JobRow.id).where(*same)).first()
            if twin is not None:
                return twin, False
            row = JobRow(
                id="j" + secrets.token_hex(6),
                kind=kind,
                about=about,
                arguments=written,
                queued=now,
                heartbeat=now,
            )
            session.add(row)
            session.commit()
            return row.id, True

    def get(self, job_id: str) -> Job | None:
        """A job as it is now; None when there is none with that id."""
        return next(iter(self._read(col(JobRow.id) == job_id, limit=1)), None)

    def list(self, about: str | None = None, limit: int = 50) -> tuple[Job, ...]:
        """The jobs, newest in the queue first; about one thing, or all."""
        wanted = () if about is None else (col(JobRow.about) == about,)
        return self._read(*wanted, limit=limit)

    def sweep(self) -> None:
        """Mark the jobs as interrupted whose process died or went silent."""
        with self.database.session() as session:
            live = select(JobRow).where(col(JobRow.state).in_(_LIVE))
            for row in session.exec(live).all():
                if _dead(row):
                    gone = col(JobRow.id) == row.id, col(JobRow.heartbeat) == row.heartbeat
                    self._set(session, *gone, state="interrupted", ended=time.time())
            session.commit()

    def take(self, job_id: str) -> bool:
        """Make this process the job's; False when it is another's already, or not waiting."""
        free = and_(col(JobRow.id) == job_id, col(JobRow.pid).is_(None))
        mine = {"pid": os.getpid(), "host": platform.node(), "heartbeat": time.time()}
        return self._change(free, state="waiting", ended=None, **mine)

    def turn(self, job_id: str) -> bool:
        """Begin to run if no live job comes before this one; one statement, so never two do."""
        self.sweep()
        other = aliased(JobRow)
        ahead = select(other.id).where(_before(other)).exists()
        mine = and_(_owned(job_id), col(JobRow.state) == "waiting", ~ahead)
        return self._change(mine, state="running", started=time.time())

    def beat(self, job_id: str, state: JobState, now: Beat) -> bool | None:
        """Say that the job lives and how far it is; whether it is to stop, None: no longer ours."""
        values = {name: getattr(now, name) for name in now.__slots__}
        alive = self._change(
            _owned(job_id), state=state, ended=None, heartbeat=time.time(), **values
        )
        if not alive:
            return None
        with self.database.session() as session:
            return bool(session.exec(select(JobRow.cancel).where(JobRow.id == job_id)).first())

    def end(self, job_id: str, state: JobState, note: str, result: str) -> None:
        """Say how this process's job ended."""
        ended = time.time()
        self._change(_owned(job_id), state=state, note=note, result=result, ended=ended)

    def fail(self, job_id: str, note: str) -> None:
        """Say that a job could not be started."""
        waiting = and_(col(JobRow.id) == job_id, col(JobRow.pid).is_(None))
        self._change(waiting, state="failed", note=note, ended=time.time())

    def cancel(self, job_id: str) -> None:
        """Ask a live job to stop; one that is interrupted counts as cancelled from now on."""
        self.sweep()
        mine = col(JobRow.id) == job_id
        self._change(and_(mine, col(JobRow.state).in_(_LIVE)), cancel=True)
        self._change(and_(mine, col(JobRow.state) == "interrupted"), state="cancelled", cancel=True)

    def again(self, job_id: str) -> bool:
        """Queue a job anew that did not end its work; False when there is nothing to resume."""
        self.sweep()
        ended = and_(col(JobRow.id) == job_id, col(JobRow.state).in_(_AGAIN))
        fresh: dict[str, Any] = {"state": "waiting", "cancel": False, "pid": None, "note": ""}
        fresh |= {"queued": time.time(), "heartbeat": time.time(), "ended": None, "result": ""}
        return self._change(ended, **fresh)

    def forget(self, *job_ids: str) -> None:
        """Remove jobs from the list; UserError when one is waiting or running."""
        wanted = col(JobRow.id).in_(job_ids)
        with self.database.session() as session:
            live = select(JobRow.id).where(wanted, col(JobRow.state).in_(_LIVE))
            if session.exec(live).first():
                raise UserError("A job that waits or runs stays in the list: cancel it first.")
            session.exec(delete(JobRow).where(wanted))
            session.commit()

    def _read(self, *wanted: ColumnElement[bool], limit: int) -> tuple[Job, ...]:
        self.sweep()
        other = aliased(JobRow)
        ahead = select(func.count(col(other.id))).where(_before(other))
        query = select(JobRow, ahead.scalar_subquery()).where(*wanted)
        query = query.order_by(col(JobRow.queued).desc(), col(JobRow.id).desc()).limit(limit)
        with self.database.session() as session:
            return tuple(_job(row, count) for row, count in session.exec(query).all())

    def _change(self, wanted: ColumnElement[bool], **values: Any) -> bool:
        with self.database.session() as session:
            changed = self._set(session, wanted, **values)
            session.commit()
        return changed

    def _set(self, session: Session, *wanted: ColumnElement[bool], **values: Any) -> bool:
        done = session.exec(update(JobRow).where(*wanted).values(**values))
        return bool(done.rowcount)


def _before(other: Any) -> ColumnElement[bool]:
    """Whether another job runs, or waits in front of the one that is asked about."""
    same = and_(col(other.queued) == col(JobRow.queued), col(other.id) < col(JobRow.id))
    earlier = and_(col(other.state) == "waiting", or_(col(other.queued) < col(JobRow.queued), same))
    return and_(col(other.id) != col(JobRow.id), or_(col(other.state) == "running", earlier))


def _owned(job_id: str) -> ColumnElement[bool]:
    mine = col(JobRow.pid) == os.getpid(), col(JobRow.host) == platform.node()
    return and_(col(JobRow.id) == job_id, *mine)


def _dead(row: JobRow) -> bool:
    """Whether nothing was heard for too long, or its process on this machine is not there."""
    if time.time() - row.heartbeat > STALE:
        return True
    if row.pid is None or row.host != platform.node():
        return False
    try:
        os.kill(row.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _job(row: JobRow, ahead: int) -> Job:
    told = {name: getattr(row, name) for name in Job.__slots__ if name in JobRow.model_fields}
    told |= {"arguments": tuple(json.loads(row.arguments)), "cancelling": row.cancel}
    return Job(**told, ahead=ahead if row.state == "waiting" else 0)
