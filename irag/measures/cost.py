"""What a question cost. Needs no gold; a failed play costs what it cost, a missing one nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.measures.base import Case, Measure, Score
from irag.types import Trace

__all__ = ["Cost", "Hops", "LLMCalls", "Seconds", "Tokens"]


@dataclass(frozen=True)
class Cost(Measure):
    """A number of the trace; less is better."""

    better: ClassVar[str] = "less"

    def score(self, case: Case, trace: Trace | None) -> Score:
        """The number, also of a failed play; None for a missing one."""
        if trace is None:
            return Score(None, "missing")
        return Score(self._cost(trace), "" if trace.answer else "failed")

    def _cost(self, trace: Trace) -> float:
        """The number."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it costs.")


@dataclass(frozen=True)
class LLMCalls(Cost):
    """LLM calls, those answered from the cache included: what the method asks for."""

    name: ClassVar[str] = "LLMCalls"
    about: ClassVar[str] = "LLM calls a question, cached ones included"

    def _cost(self, trace: Trace) -> float:
        return float(trace.usage.calls)


@dataclass(frozen=True)
class Tokens(Cost):
    """Tokens read and written by the LLM, cached calls included."""

    name: ClassVar[str] = "Tokens"
    about: ClassVar[str] = "tokens that the LLM reads and writes for a question"

    def _cost(self, trace: Trace) -> float:
        return float(trace.usage.prompt_tokens + trace.usage.completion_tokens)


@dataclass(frozen=True)
class Seconds(Cost):
    """Wall time of the steps; a step of a batch takes as long as its batch. A clock: it varies."""

    name: ClassVar[str] = "Seconds"
    about: ClassVar[str] = "seconds from question to answer; in a batch, the batch's"

    def _cost(self, trace: Trace) -> float:
        return trace.seconds


@dataclass(frozen=True)
class Hops(Cost):
    """Hops begun."""

    name: ClassVar[str] = "Hops"
    about: ClassVar[str] = "hops begun for a question"

    def _cost(self, trace: Trace) -> float:
        return float(trace.hops)
