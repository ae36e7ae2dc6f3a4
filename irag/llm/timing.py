"""Which local engine answers faster on this machine: one prompt on each, each in its own process.

The prompt is as long, and the reply as short, as those of retrieval: 700 tokens read, 16 written.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from irag.errors import IragError
from irag.llm import open_llm
from irag.settings import Settings
from irag.tools import LLM, Request
from irag.types import Completion, Message

__all__ = ["ENGINES", "EngineTiming", "time_engines", "time_llm"]

ENGINES = ("llama", "hf")
PROMPT_TOKENS = 700
WRITTEN_TOKENS = 16

_SENTENCE = "The town by the river keeps a museum of clocks that its founder left to the school. "


@dataclass(frozen=True, slots=True)
class EngineTiming:
    """What one engine took, loading left out; `seconds` None: it failed, and `note` says why.

    `reading_seconds` pass before the first written token.
    """

    spec: str
    seconds: float | None = None
    reading_seconds: float = 0.0
    prompt_tokens: int = 0
    written_tokens: int = 0
    error: str = ""

    @property
    def engine(self) -> str:
        """The scheme of the spec."""
        return self.spec.partition(":")[0]

    @property
    def note(self) -> str:
        """The speeds in words, or the error."""
        if self.seconds is None:
            return self.error
        writing = max(self.seconds - self.reading_seconds, 1e-6)
        return (
            f"reads {self.prompt_tokens / max(self.reading_seconds, 1e-6):.0f} and writes "
            f"{(self.written_tokens - 1) / writing:.0f} tokens a second"
        )


def _prompt(llm: LLM) -> str:
    """About PROMPT_TOKENS tokens; they start differently from the warm-up, so none are kept."""
    (each,) = llm.count([_SENTENCE])
    return _SENTENCE * (PROMPT_TOKENS // max(each, 1)) + "\nTell the story of that town."


def time_llm(llm: LLM) -> EngineTiming:
    """Time one call after a short one to warm up."""
    never = threading.Event()
    first: list[float] = []
    warm = Request((Message("user", "Hello, who are you?"),), max_tokens=2)
    request = Request((Message("user", _prompt(llm)),), max_tokens=WRITTEN_TOKENS)
    llm.generate([warm], lambda n, text: None, never)
    began = time.perf_counter()
    (reply,) = llm.generate([request], lambda n, text: first.append(time.perf_counter()), never)
    ended = time.perf_counter()
    if not isinstance(reply, Completion):
        return EngineTiming(llm.name, error=str(reply))
    return EngineTiming(
        llm.name,
        ended - began,
        (first[0] if first else ended) - began,
        reply.usage.prompt_tokens,
        reply.usage.completion_tokens,
    )


def _alone(spec: str, settings: Settings) -> EngineTiming:
    """Runs in the child process."""
    try:
        llm = open_llm(spec, settings)
    except IragError as error:
        return EngineTiming(spec, error=str(error))
    try:
        return time_llm(llm)
    finally:
        llm.close()


def time_engines(
    settings: Settings, model: str = "qwen2.5-coder-0.5b", engines: tuple[str, ...] = ENGINES
) -> tuple[EngineTiming, ...]:
    """One figure per engine for a catalogue model, in the order of `engines`; never raises for one
    that fails: its figure says why."""
    context: Any = multiprocessing.get_context("spawn")
    figures = []
    for spec in (f"{engine}:{model}" for engine in engines):
        with ProcessPoolExecutor(1, mp_context=context) as child:
            try:
                figures.append(child.submit(_alone, spec, settings).result())
            except BrokenProcessPool:
                figures.append(EngineTiming(spec, error="The engine's process died."))
    return tuple(figures)
