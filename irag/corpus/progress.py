"""How far a long piece of work is, and the place where Stop is noticed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from irag.errors import Cancelled
from irag.tools import Cancel

__all__ = ["STAGES", "Meter", "Progress", "Report", "Watch"]

STAGES = ("read", "split", "sentences", "vectors", "FAISS and BM25", "triples", "triple vectors")
"""In this order; "read" counts bytes, "triple vectors" triples, the others passages."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One stage so far. `rate` is units a second; `seconds_left` None: not known yet."""

    stage: str
    done: int
    total: int
    rate: float = 0.0
    seconds_left: float | None = None

    def __str__(self) -> str:
        if self.stage == "read":
            line = f"{self.stage}: {self.done / 1e6:,.1f} of {self.total / 1e6:,.1f} MB"
        else:
            line = f"{self.stage}: {self.done:,} of {self.total:,}"
            line += f", {self.rate:,.0f} a second" if self.rate else ""
        return line + (f", {self.seconds_left:,.0f} s left" if self.seconds_left else "")


Report = Callable[[Progress], None]


class Meter:
    """One stage at work; what was done before a resume does not count for the rate."""

    def __init__(self, watch: Watch, stage: str, total: int, done: int) -> None:
        self._watch = watch
        self._progress = Progress(stage, done, total)
        self._before = done
        self._began = time.monotonic()
        watch.report(self._progress)

    def reached(self, done: int) -> None:
        """So much is done now; raises Cancelled when Stop was pressed."""
        spent = time.monotonic() - self._began
        rate = (done - self._before) / spent if spent > 0 else 0.0
        total = max(self._progress.total, done)
        left = (total - done) / rate if rate > 0 else None
        self._progress = Progress(self._progress.stage, done, total, rate, left)
        self._watch.report(self._progress)
        self._watch.check()

    def advance(self, count: int = 1) -> None:
        """So much more is done; raises Cancelled when Stop was pressed."""
        self.reached(self._progress.done + count)


class Watch:
    """Tells how far the work is, and stops it between batches."""

    def __init__(self, report: Report | None = None, cancel: Cancel | None = None) -> None:
        self.report: Report = report or (lambda progress: None)
        self.cancel = cancel

    def stage(self, name: str, total: int, done: int = 0) -> Meter:
        """Begin a stage."""
        return Meter(self, name, total, done)

    def check(self) -> None:
        """Raise Cancelled when Stop was pressed."""
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled(
                "Stopped. What is finished is kept: the same command goes on from there."
            )
