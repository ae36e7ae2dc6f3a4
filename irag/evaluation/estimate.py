"""What an experiment will cost, told before it starts, from a dry run without the real LLM."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from irag.actions import Choose, Chosen, Generate, Together
from irag.engine import Play, play
from irag.measures import Case
from irag.methods import Method
from irag.performing import Tools
from irag.text.words import HAN
from irag.types import Completion, Trace

__all__ = ["Estimate", "MethodEstimate", "estimate", "rough_tokens"]

DRY_QUESTIONS = 2
CHARACTERS_A_TOKEN = 4  # English; a Chinese character is a token of its own
WRITTEN_SHARE = 0.5
"""Of the tokens a call may write, how many it is taken to write."""

_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class MethodEstimate:
    """One method over `questions` questions; `written` tokens are at most. `seconds` is None where
    the LLM's speed is not known; `failed` says why the dry run did not come through."""

    method: str
    questions: int
    calls: int
    prompt_tokens: int
    written: int
    seconds: float | None
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """All methods; rough, since a real LLM takes other paths than a dry run."""

    methods: tuple[MethodEstimate, ...]

    @property
    def calls(self) -> int:
        """LLM calls in all."""
        return sum(one.calls for one in self.methods)

    @property
    def weights(self) -> dict[str, float]:
        """What a question costs each method, in one unit: seconds where all are known."""
        timed = all(one.seconds is not None for one in self.methods)
        costs = {one.method: (one.seconds or 0.0) if timed else 1.0 + one.calls
                 for one in self.methods}  # fmt: skip
        return {one.method: costs[one.method] / max(one.questions, 1) for one in self.methods}

    def __str__(self) -> str:
        lines = [_line(one) for one in self.methods]
        seconds = [one.seconds for one in self.methods]
        known = [value for value in seconds if value is not None]
        total = f"about {_time(sum(known))}" if len(known) == len(seconds) else "time not known"
        tokens = sum(one.prompt_tokens for one in self.methods)
        return "\n".join([*lines, f"in all: {self.calls:,} LLM calls, {tokens:,} tokens, {total}"])


Speed = Callable[[float, float], float]
"""(prompt tokens, written tokens) of one question -> seconds."""


def estimate(
    methods: Sequence[Method],
    cases: Sequence[Case],
    left: Callable[[str], int],
    dry: Tools,
    speed: Speed | None = None,
) -> Estimate:
    """Play the first two questions with the LLM of `dry`, which costs nothing, and scale up.

    `left(method)`: how many questions it still has to play. Without `speed` the time of methods
    that call the LLM is not known.
    """
    return Estimate(tuple(_of(method, cases, left(str(method)), dry, speed) for method in methods))


def _of(
    method: Method, cases: Sequence[Case], left: int, dry: Tools, speed: Speed | None
) -> MethodEstimate:
    some = [Play(method, case.question) for case in cases[:DRY_QUESTIONS]] if left else []
    began = time.perf_counter()
    traces = list(play(some, dry, len(some)))
    looking = time.perf_counter() - began
    failed = next((trace.error or "" for trace in traces if trace.error), "")
    share = left / len(traces) if traces else 0.0
    calls = [call for trace in traces for call in _calls(trace)]
    prompt = share * sum(read for read, _ in calls)
    written = share * sum(most for _, most in calls)
    seconds: float | None = share * looking
    if calls and speed is None:
        seconds = None
    elif speed is not None and seconds is not None:
        seconds += speed(prompt, written * WRITTEN_SHARE)
    number = round(share * len(calls))
    return MethodEstimate(str(method), left, number, round(prompt), round(written), seconds, failed)


def _calls(trace: Trace) -> Iterator[tuple[int, int]]:
    """(prompt tokens, the most written) of each LLM call."""
    for step in trace.steps:
        yield from _call(step.action, step.result)


def _call(action: Any, result: Any) -> Iterator[tuple[int, int]]:
    if isinstance(action, Together) and isinstance(result, tuple):
        for one, value in zip(action.requests, result, strict=True):
            yield from _call(one, value)
    elif isinstance(action, Generate | Choose):
        reply = result.completion if isinstance(result, Chosen) else result
        prompt = reply.prompt if isinstance(reply, Completion) else ()
        most = action.max_tokens if isinstance(action, Generate) else 1
        yield sum(rough_tokens(message.text) for message in prompt), most


def rough_tokens(text: str) -> int:
    """Tokens of a text by its length alone."""
    chinese = len(_HAN.findall(text))
    return chinese + (len(text) - chinese + CHARACTERS_A_TOKEN - 1) // CHARACTERS_A_TOKEN


def _line(one: MethodEstimate) -> str:
    time_said = "time not known" if one.seconds is None else f"about {_time(one.seconds)}"
    cost = (
        f"{one.calls:,} calls, {one.prompt_tokens:,} tokens read, {one.written:,} written at most"
    )
    why = f" (the dry run failed: {one.failed})" if one.failed else ""
    return f"{one.method}: {one.questions:,} questions, {cost}, {time_said}{why}"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
