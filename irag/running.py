"""One play under way: drives a method's flow and remembers its steps; does none of the work."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from irag.actions import Action, HopStarted, Remark, Stopped
from irag.errors import Cancelled, IragError
from irag.performing import Outcome, Tools
from irag.types import Answer, Question, Step, StopReason, Trace

__all__ = [
    "FORMAT",
    "MAX_STEPS",
    "Asked",
    "Ended",
    "Event",
    "Partial",
    "Play",
    "Running",
    "Started",
    "StepDone",
]

log = logging.getLogger(__name__)

FORMAT = "irag-trace-1"
"""The format name of traces on disk."""

MAX_STEPS = 400
"""A method that asks for more is broken: the play fails."""


@dataclass(frozen=True, slots=True)
class Play:
    """A (method, question) pair; `recorded` results are sent back instead of doing the work."""

    method: Any
    question: Question
    recorded: Mapping[int, Step] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Started:
    """A play began; `trace` has no steps yet."""

    play: int
    trace: Trace


@dataclass(frozen=True, slots=True)
class Asked:
    """An action is about to be done; `step` has no result yet."""

    play: int
    step: Step


@dataclass(frozen=True, slots=True)
class Partial:
    """Text so far of the LLM call of step `number`."""

    play: int
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step is over, with its result or its error."""

    play: int
    step: Step


@dataclass(frozen=True, slots=True)
class Ended:
    """A play is over."""

    play: int
    trace: Trace


Event = Started | Asked | Partial | StepDone | Ended


class Running:
    """A play's state: `pending` is the action it waits for, `trace` is set when it has ended."""

    def __init__(self, index: int, one: Play, tools: Tools, emit: Callable[[Event], None]) -> None:
        self.index = index
        self.pending: Action[Any] | None = None
        self.number = 0
        self.trace: Trace | None = None
        self._play = one
        self._tools = tools
        self._emit = emit
        self._steps: list[Step] = []
        self._hop = 0
        self._stopped: StopReason = "sufficient"
        self._started_at = datetime.now(UTC).isoformat(timespec="seconds")
        self._flow = one.method.solve(one.question.text)
        emit(Started(index, self._trace(None)))
        self._drive(lambda: next(self._flow))

    @property
    def wanted(self) -> Action[Any]:
        """The action it waits for; only while there is one."""
        assert self.pending is not None
        return self.pending

    def announce(self) -> None:
        """Say that the pending action is about to be done."""
        self._emit(Asked(self.index, Step(self.number, self._hop, self.pending)))

    def receive(self, outcome: Outcome) -> None:
        """Record the pending action's outcome and drive on to the next one."""
        failed = isinstance(outcome.result, IragError)
        self._record(
            Step(
                self.number,
                self._hop,
                self.pending,
                None if failed else outcome.result,
                outcome.usage,
                outcome.seconds,
                str(outcome.result) if failed else None,
                outcome.cut,
            )
        )
        if failed:
            self._drive(lambda: self._flow.throw(outcome.result))
        else:
            self._drive(lambda: self._flow.send(outcome.result))

    def cancel(self) -> None:
        """End now; what was done is kept."""
        if self.trace is not None:
            return
        if self.pending is not None:
            step = Step(self.number, self._hop, self.pending, error=str(Cancelled()))
            self._record(step)
        self._flow.close()
        self._end(None, "cancelled", str(Cancelled()))

    def _record(self, step: Step) -> None:
        self._steps.append(step)
        self._emit(StepDone(self.index, step))

    def _drive(self, resume: Callable[[], Action[Any]]) -> None:
        """Run the flow until it wants work that is not recorded, or ends."""
        self.pending = None
        try:
            action = resume()
            while True:
                self.number += 1
                if self.number > MAX_STEPS:
                    raise IragError(f"The method asked for more than {MAX_STEPS} steps.")
                known, result = self._known(action)
                if not known:
                    self.pending = action
                    return
                action = self._flow.send(result)
        except StopIteration as ended:
            self._end(ended.value, self._stopped, None)
        except IragError as error:
            self._end(None, "failed", str(error))
        except Exception as error:
            log.exception("a method failed")
            self._end(None, "failed", f"Internal error ({type(error).__name__}: {error}).")

    def _known(self, action: Action[Any]) -> tuple[bool, Any]:
        """Remarks and recorded steps need no work: (True, result)."""
        if isinstance(action, Remark):
            if isinstance(action, HopStarted):
                self._hop = action.number
            if isinstance(action, Stopped):
                self._stopped = action.reason
            self._record(Step(self.number, self._hop, action))
            return True, None
        step = self._play.recorded.get(self.number)
        if step is not None and step.action == action:
            self._record(step)
            return True, step.result
        return False, None

    def _end(self, answer: Answer | None, stopped: StopReason, error: str | None) -> None:
        self.pending = None
        self.trace = self._trace(answer, stopped, error)
        self._emit(Ended(self.index, self.trace))

    def _trace(
        self, answer: Answer | None, stopped: StopReason = "sufficient", error: str | None = None
    ) -> Trace:
        method = self._play.method
        return Trace(
            FORMAT,
            str(method),
            tuple(getattr(method, "settings", lambda: ())()),
            self._tools.corpus,
            self._tools.models,
            self._play.question,
            tuple(self._steps),
            answer,
            stopped,
            self._started_at,
            error,
        )
