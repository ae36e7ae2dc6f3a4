"""Runs under way: threads that outlive a page view, seen through snapshots, saved at the end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from irag.engine import Asked, Ended, Event, Method, Partial, Play, Started, StepDone, play
from irag.errors import IragError
from irag.performing import Tools
from irag.running import FORMAT
from irag.types import Question, Step, StopReason, Trace

__all__ = ["Asking", "Pending", "RunView"]

KEPT = 50
"""How many ended runs stay in memory; older ones come from the database."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An action under way, with the text written so far."""

    step: Step
    text: str = ""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as it is now. `waiting` says what it waits for before it begins."""

    run_id: str
    trace: Trace
    pending: tuple[Pending, ...] = ()
    running: bool = False
    waiting: str = ""
    llm: str = ""


@dataclass
class _Live:
    """One run's state; every access is under the lock."""

    run_id: str
    llm: str
    trace: Trace
    cancel: threading.Event = field(default_factory=threading.Event)
    pending: dict[int, Pending] = field(default_factory=dict)
    running: bool = True
    begun: bool = False

    def take(self, event: Event) -> None:
        if isinstance(event, Started | Ended):
            self.trace = event.trace
            self.pending.clear()
        elif isinstance(event, Asked):
            self.pending[event.step.number] = Pending(event.step)
        elif isinstance(event, Partial):
            known = self.pending.get(event.number)
            if known:
                self.pending[event.number] = replace(known, text=event.text)
        elif isinstance(event, StepDone):
            self.pending.pop(event.step.number, None)
            self.trace = replace(self.trace, steps=(*self.trace.steps, event.step))


class Asking:
    """Starts runs and answers what they are doing; `slots` run at once, others wait in order."""

    def __init__(self, slots: int, save: Callable[[str, Trace, str], None]) -> None:
        self._save = save
        self._slots = slots
        self._lock = threading.Lock()
        self._turn = threading.Condition(self._lock)
        self._live: dict[str, _Live] = {}
        self._queue: list[str] = []

    def start(self, run_id: str, one: Play, llm: str, open_tools: Callable[[], Tools]) -> None:
        """Begin a run in a thread of its own; `open_tools` is called there, when its turn comes."""
        trace = _empty(one.method, one.question, llm)
        live = _Live(run_id, llm, trace)
        with self._lock:
            self._live[run_id] = live
            self._queue.append(run_id)
            ended = [key for key, run in self._live.items() if not run.running]
            for key in ended[: max(0, len(ended) - KEPT)]:
                del self._live[key]
        thread = threading.Thread(
            target=self._work, args=(live, one, open_tools), daemon=True, name=f"run {run_id}"
        )
        thread.start()

    def view(self, run_id: str) -> RunView | None:
        """A snapshot, or None when this process does not know the run."""
        with self._lock:
            live = self._live.get(run_id)
            if live is None:
                return None
            pending = tuple(live.pending[number] for number in sorted(live.pending))
            waiting = "" if live.begun or not live.running else self._waiting(run_id)
            return RunView(run_id, live.trace, pending, live.running, waiting, live.llm)

    @property
    def busy(self) -> bool:
        """Whether a run is under way."""
        with self._lock:
            return any(live.running for live in self._live.values())

    def forget(self, run_ids: Iterable[str]) -> None:
        """Let go of ended runs, as when they were deleted; one that is under way stays."""
        with self._lock:
            for run_id in run_ids:
                live = self._live.get(run_id)
                if live is not None and not live.running:
                    del self._live[run_id]

    def stop(self, run_id: str) -> None:
        """Ask a run to stop; it ends by itself within seconds."""
        with self._turn:
            live = self._live.get(run_id)
            if live is not None:
                live.cancel.set()
                self._turn.notify_all()

    def stop_all(self) -> None:
        """Ask every run to stop."""
        with self._lock:
            running = list(self._live)
        for run_id in running:
            self.stop(run_id)

    def _waiting(self, run_id: str) -> str:
        before = self._queue.index(run_id) if run_id in self._queue else 0
        return f"{before} before yours" if before >= self._slots else "starting"

    def _work(self, live: _Live, one: Play, open_tools: Callable[[], Tools]) -> None:
        with self._turn:
            self._turn.wait_for(
                lambda: live.cancel.is_set() or self._queue.index(live.run_id) < self._slots
            )
            live.begun = True
        try:
            trace = self._played(live, one, open_tools)
        except IragError as error:
            trace = replace(live.trace, stopped="failed", error=str(error))
        except Exception as error:
            reason = f"Internal error ({type(error).__name__}: {error})."
            trace = replace(live.trace, stopped="failed", error=reason)
        trace = self._saved(live, trace)
        with self._turn:
            live.trace, live.running = trace, False
            live.pending.clear()
            self._queue.remove(live.run_id)
            self._turn.notify_all()

    def _played(self, live: _Live, one: Play, open_tools: Callable[[], Tools]) -> Trace:
        def take(event: Event) -> None:
            with self._lock:
                live.take(event)

        if live.cancel.is_set():
            return replace(live.trace, stopped="cancelled", error="Stopped by you.")
        return next(play([one], open_tools(), 1, take, live.cancel))

    def _saved(self, live: _Live, trace: Trace) -> Trace:
        try:
            self._save(live.run_id, trace, live.llm)
        except IragError as error:
            note = f"This run could not be saved: {error}"
            return replace(trace, error=f"{trace.error} {note}" if trace.error else note)
        return trace


def _empty(method: Method, question: Question, llm: str) -> Trace:
    stopped: StopReason = "sufficient"
    return Trace(FORMAT, str(method), (), "", (("llm", llm),), question, (), None, stopped, "")
