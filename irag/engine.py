"""play(): the one driver. answer(), answer_many(), stream() and replay() are thin wrappers.

A method says what it wants done; the driver has it done in batches, sends the results back, and
remembers every step in a trace. It knows no method and no backend.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from irag.actions import MethodFlow
from irag.errors import Cancelled, QuestionRefused
from irag.performing import Outcome, Tools, is_llm
from irag.running import Asked, Ended, Event, Partial, Play, Running, Started, StepDone
from irag.text import clean
from irag.tools import Cancel
from irag.types import Question, Step, Trace

__all__ = [
    "MAX_QUESTION",
    "Asked",
    "Ended",
    "Event",
    "Method",
    "Partial",
    "Play",
    "Started",
    "StepDone",
    "answer",
    "answer_many",
    "checked_question",
    "play",
    "replay",
    "stream",
]

MAX_QUESTION = 2000
"""Characters of the longest question taken."""


class Method(Protocol):
    """What the driver needs of a method: its METHOD string and solve()."""

    def solve(self, question: str) -> MethodFlow:
        """Yield actions, be sent their results, return an Answer."""


Emit = Callable[[Event], None]


def checked_question(question: str | Question) -> Question:
    """A question with clean text; QuestionRefused when it is empty or over MAX_QUESTION."""
    asked = question if isinstance(question, Question) else Question("asked", question)
    text = " ".join(clean(asked.text).split())
    if not any(character.isalnum() for character in text):
        raise QuestionRefused("The question is empty. Write one.")
    if len(text) > MAX_QUESTION:
        raise QuestionRefused(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION:,} are taken. "
            "Shorten it."
        )
    return replace(asked, text=text)


def play(
    plays: Sequence[Play],
    tools: Tools,
    width: int = 8,
    emit: Emit | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Trace]:
    """Play every (method, question), at most `width` at once; traces come as they end.

    All pending actions of one kind are one batch; LLM calls to a server that serves requests
    concurrently go out one by one and each play goes on as soon as its own is done. A failed or
    cancelled play still gives a trace; one that was not begun before Stop gives none. `emit` is
    called from one thread at a time.
    """
    driver = _Driver(tools, emit or (lambda event: None), cancel or threading.Event())
    yield from driver.run(plays, max(1, width))


@dataclass
class _Driver:
    tools: Tools
    emit: Emit
    cancel: Cancel
    active: list[Running] = field(default_factory=list)
    in_flight: dict[Future[list[Outcome]], Running] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def run(self, plays: Sequence[Play], width: int) -> Iterator[Trace]:
        left = list(enumerate(plays))[::-1]
        with ThreadPoolExecutor(max_workers=width, thread_name_prefix="llm") as pool:
            while left or self.active:
                while left and len(self.active) < width:
                    index, one = left.pop()
                    self.active.append(Running(index, one, self.tools, self._emit))
                try:
                    self._round(pool)
                except Cancelled:
                    self.cancel.set()
                if self.cancel.is_set():
                    for running in self.active:
                        running.cancel()
                    left = []
                yield from self._ended()

    def _emit(self, event: Event) -> None:
        with self.lock:
            self.emit(event)

    def _ended(self) -> Iterator[Trace]:
        ended = [running for running in self.active if running.trace is not None]
        self.active = [running for running in self.active if running.trace is None]
        for running in ended:
            assert running.trace is not None
            yield running.trace

    def _round(self, pool: ThreadPoolExecutor) -> None:
        """Do the local work that waits, else the LLM's; then send the results back."""
        flying = set(map(id, self.in_flight.values()))
        waiting = [r for r in self.active if r.pending is not None and id(r) not in flying]
        local = [r for r in waiting if not is_llm(r.wanted)]
        asking = [r for r in waiting if is_llm(r.wanted)]
        if asking and not local and not self.tools.concurrent:
            self._advance(asking, self._perform(asking))
        elif asking and not local:
            for running in asking:
                self.in_flight[pool.submit(self._perform, [running])] = running
        if local:
            self._advance(local, self._perform(local))
        elif self.in_flight:
            done, _ = wait(self.in_flight, return_when=FIRST_COMPLETED)
            for future in done:
                self._advance([self.in_flight.pop(future)], future.result())

    def _perform(self, batch: list[Running]) -> list[Outcome]:
        if not batch:
            return []
        for running in batch:
            running.announce()

        def partial(index: int, text: str) -> None:
            running = batch[index]
            self._emit(Partial(running.index, running.number, text))

        return self.tools.perform([running.wanted for running in batch], partial, self.cancel)

    def _advance(self, batch: list[Running], outcomes: list[Outcome]) -> None:
        for running, outcome in zip(batch, outcomes, strict=True):
            running.receive(outcome)


def answer(
    question: str | Question,
    method: Method,
    tools: Tools,
    emit: Emit | None = None,
    cancel: Cancel | None = None,
) -> Trace:
    """Play one question through one method; QuestionRefused when it cannot be asked."""
    return next(play([Play(method, checked_question(question))], tools, 1, emit, cancel))


def answer_many(
    questions: Sequence[Question], method: Method, tools: Tools, width: int = 8
) -> list[Trace]:
    """Traces in the questions' order; batched over the questions."""
    ended: dict[int, Trace] = {}

    def keep(event: Event) -> None:
        if isinstance(event, Ended):
            ended[event.play] = event.trace

    for _ in play([Play(method, q) for q in questions], tools, width, keep):
        pass
    return [ended[index] for index in range(len(questions))]


def stream(
    question: str | Question, method: Method, tools: Tools, cancel: Cancel | None = None
) -> Iterator[Event]:
    """Events as they happen, the last one Ended; closing the iterator stops the play."""
    asked, cancel = checked_question(question), cancel or threading.Event()
    events: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            for _ in play([Play(method, asked)], tools, 1, events.put, cancel):
                pass
        except BaseException as error:
            events.put(error)

    thread = threading.Thread(target=work, daemon=True, name="play")
    thread.start()
    try:
        while True:
            event = events.get()
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, Ended):
                return
    finally:
        cancel.set()
        thread.join()


def replay(
    trace: Trace,
    method: Method,
    tools: Tools,
    until: int | None = None,
    edits: Mapping[int, Any] | None = None,
    emit: Emit | None = None,
) -> Trace:
    """Re-drive a trace with its recorded results up to step `until` (None: all of them).

    `edits` replaces the results of steps by number. After the last recorded step, and from the
    first step where the method asks for something else than was recorded, work is live.
    """
    edits = edits or {}
    last = len(trace.steps) if until is None else until
    recorded: dict[int, Step] = {
        step.number: replace(step, result=edits.get(step.number, step.result))
        for step in trace.steps
        if step.number <= last and (step.error is None or step.number in edits)
    }
    one = Play(method, trace.question, recorded)
    return next(play([one], tools, 1, emit))
