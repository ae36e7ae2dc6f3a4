"""One experiment's folder: its plan, a row and a trace for each finished question, kept as it ends.

experiment.json   the plan (format irag-experiment-1)
rows.jsonl        one line a finished (method, question), in the order they ended
traces.gz         their traces, one gzip member each; a row says where its own begins
"""

from __future__ import annotations

import fcntl
import gzip
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from irag.errors import TraceError, UserError
from irag.evaluation.attribution import Lost
from irag.measures import Score
from irag.traces import dumps, loads
from irag.types import Trace

__all__ = ["FORMAT", "Folder", "Plan", "Planned", "Row"]

FORMAT = "irag-experiment-1"


@dataclass(frozen=True, slots=True)
class Planned:
    """A question by its id, with what results are grouped by; `hops` 0 where it is not said."""

    id: str
    kind: str
    hops: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What an experiment plays. `corpus` is the corpus's key; `source` the question file's name and
    the sha256 of its bytes; `notes` are what was wrong with questions or gold; `versions` are
    (package, version) pairs."""

    corpus: str
    models: tuple[tuple[str, str], ...]
    methods: tuple[str, ...]
    questions: tuple[Planned, ...]
    source: tuple[str, str]
    measures: tuple[str, ...]
    seed: int
    versions: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one question with one method. `evidence` are the first 100 document ids;
    `scores` by measure; `hop_recall` the share of gold documents come across by each hop; `judged`
    the scores that a method's own judge gave; `place` (offset, length) of its trace."""

    method: str
    question: str
    answer: str | None
    stopped: str
    error: str | None
    evidence: tuple[str, ...]
    scores: Mapping[str, Score]
    lost: Lost | None = None
    searched: bool = True
    hop_recall: tuple[float, ...] = ()
    judged: tuple[Mapping[str, float], ...] = ()
    place: tuple[int, int] = (0, 0)

    @property
    def key(self) -> tuple[str, str]:
        """The method and the question's id."""
        return self.method, self.question

    @property
    def failed(self) -> bool:
        """Whether the play failed."""
        return self.stopped == "failed"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; a score is [value, note]."""
        told = asdict(self)
        told["scores"] = {name: [s.value, s.note] for name, s in self.scores.items()}
        return told

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Row:
        """The row again; ValueError, KeyError or TypeError when it is none."""
        known = {field.name: told[field.name] for field in fields(cls)}
        known["scores"] = {name: Score(*score) for name, score in told["scores"].items()}
        known["lost"] = Lost(**told["lost"]) if told["lost"] else None
        for name in ("evidence", "hop_recall", "judged", "place"):
            known[name] = tuple(told[name])
        return cls(**known)


class Folder:
    """An experiment on disk; `plan` and `rows` are what it holds now."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plan = _read_plan(path / "experiment.json")
        self.rows: dict[tuple[str, str], Row] = {}
        self._rows, self._traces = path / "rows.jsonl", path / "traces.gz"
        self._whole = 0
        for line in self._rows.read_bytes().splitlines(True) if self._rows.exists() else ():
            try:
                row = Row.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                break
            if not line.endswith(b"\n"):
                break
            self.rows[row.key] = row
            self._whole += len(line)

    @classmethod
    def begin(cls, path: Path, plan: Plan) -> Folder:
        """Begin an experiment here, or go on with the same one.

        Methods may be added to it. UserError when the folder holds another experiment.
        """
        file = path / "experiment.json"
        if file.exists():
            _same(path, _read_plan(file), plan)
        elif path.exists() and any(path.iterdir()):
            raise UserError(f"{path} holds something else. Name an empty or a new folder.")
        path.mkdir(parents=True, exist_ok=True)
        partial = path / "experiment.json.part"
        told = {"format": FORMAT, **asdict(plan)}
        partial.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
        partial.replace(file)
        return cls(path)

    def forget_failed(self) -> None:
        """Let failed questions be played again."""
        self.rows = {key: row for key, row in self.rows.items() if not row.failed}

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The one writer: drops what a kill left half-written; UserError while another writes."""
        with (self.path / "writer.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise UserError(f"Another process is writing {self.path}. Let it end.") from error
            for file, size in ((self._rows, self._whole), (self._traces, self._end())):
                with file.open("ab"):
                    os.truncate(file, min(size, file.stat().st_size))
            yield

    def save(self, row: Row, trace: Trace) -> None:
        """Keep a finished question: its trace first, then its row; on disk when this returns."""
        packed = gzip.compress(dumps(trace).encode("utf-8", "surrogatepass"), mtime=0)
        with self._traces.open("ab") as file:
            offset = file.tell()
            _sync(file, packed)
        self.update(replace(row, place=(offset, len(packed))))

    def update(self, row: Row) -> None:
        """Keep a row anew; the last one of a question counts."""
        line = json.dumps(row.to_json()).encode() + b"\n"
        with self._rows.open("ab") as file:
            _sync(file, line)
        self._whole += len(line)
        self.rows[row.key] = row

    def trace(self, method: str, question: str) -> Trace:
        """The saved trace of a finished question; TraceError when there is none."""
        row = self.rows.get((method, question))
        if row is None:
            raise TraceError(f"{method} has not played the question {question} here.")
        offset, length = row.place
        try:
            with self._traces.open("rb") as file:
                file.seek(offset)
                packed = file.read(length)
            return loads(gzip.decompress(packed).decode("utf-8", "surrogatepass"))
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise TraceError(f"{self._traces} is damaged ({error}).") from error

    def _end(self) -> int:
        return max((sum(row.place) for row in self.rows.values()), default=0)


def _sync(file: Any, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _read_plan(file: Path) -> Plan:
    try:
        told = json.loads(file.read_text("utf-8"))
        if told.pop("format") != FORMAT:
            raise ValueError("another format")
        told["questions"] = tuple(Planned(**one) for one in told["questions"])
        for name in ("methods", "source", "measures", "notes"):
            told[name] = tuple(told[name])
        for name in ("models", "versions"):
            told[name] = tuple(map(tuple, told[name]))
        return Plan(**told)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{file} is no experiment ({error}).") from error


def _same(path: Path, before: Plan, now: Plan) -> None:
    for name in ("corpus", "models", "questions", "source", "measures", "seed"):
        if getattr(before, name) != getattr(now, name):
            raise UserError(
                f"{path} holds an experiment with other {name}. Name another folder, or the same "
                f"{name} to go on with it."
            )
