"""The tables."""

from __future__ import annotations

from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

__all__ = ["JobRow", "RunRow", "SchemaVersion"]


class Base(SQLModel, registry=registry()):
    """A registry of our own, so that a reloaded module does not define its tables twice."""


class SchemaVersion(Base, table=True):
    """One row: how many migrations were done."""

    __tablename__ = "schema_version"

    id: int = Field(default=1, primary_key=True)
    version: int = 0


class RunRow(Base, table=True):
    """One saved play; `trace` is the zlib-compressed JSON of irag.traces."""

    __tablename__ = "run"

    id: str = Field(primary_key=True)
    question: str
    corpus: str = Field(index=True)
    method: str = Field(index=True)
    llm: str = ""
    stopped: str = Field(index=True)
    answer: str | None = None
    hops: int = 0
    llm_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    started_at: str = Field(index=True)
    trace: bytes


class JobRow(Base, table=True):
    """One piece of long work; times are seconds since 1970, `arguments` a JSON list.

    `pid` None: no process has taken it yet. `queued` is its place in the queue.
    """

    __tablename__ = "job"

    id: str = Field(primary_key=True)
    kind: str
    about: str = Field(default="", index=True)
    arguments: str = "[]"
    state: str = Field(default="waiting", index=True)
    cancel: bool = False
    pid: int | None = None
    host: str = ""
    stage: str = ""
    done: int = 0
    total: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    note: str = ""
    result: str = ""
    queued: float = Field(default=0.0, index=True)
    heartbeat: float = 0.0
    started: float | None = None
    ended: float | None = None
