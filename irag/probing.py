"""Trying an LLM: how quick it is, and whether it can do what its flags say."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from irag.errors import IragError
from irag.tools import LLM, Cancel, Request
from irag.types import Completion, Message

__all__ = ["Ability", "Trial", "try_llm"]

_WORDS = 40
_FEW = 4
"""So few tokens tell no speed."""
_SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"colour": {"type": "string", "enum": ["red", "green"]}},
        "required": ["colour"],
    }
)


@dataclass(frozen=True, slots=True)
class Ability:
    """One thing that an LLM may be able to do; `shown` None: its flags do not claim it."""

    name: str
    shown: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying one LLM. `first` is the seconds until text came, `seconds` the whole
    reply's, loading left out. `error` says why there was no reply; then nothing else is known."""

    spec: str
    window: int = 0
    first: float = 0.0
    seconds: float = 0.0
    read: int = 0
    written: int = 0
    reply: str = ""
    abilities: tuple[Ability, ...] = ()
    error: str = ""

    @property
    def speed(self) -> float | None:
        """Tokens written a second after the first; None when too few were written to tell."""
        rest = self.seconds - self.first
        return (self.written - 1) / rest if self.written > _FEW and rest > 0.001 else None


def try_llm(spec: str, opened: Callable[[], LLM], cancel: Cancel | None = None) -> Trial:
    """Ask one short question and one more for each ability that is claimed; never raises for an
    LLM that fails. No reply comes from a cache: every prompt has a random mark."""
    cancel = cancel or threading.Event()
    try:
        llm = opened()
        trial, pieces = _plain(spec, llm, cancel)
        if trial.error:
            return trial
        abilities = [_streams(llm, pieces), *(_tried(llm, cancel, one) for one in _TRIALS)]
        return replace(trial, window=llm.window, abilities=tuple(abilities))
    except IragError as error:
        return Trial(spec, error=str(error))


def _plain(spec: str, llm: LLM, cancel: Cancel) -> tuple[Trial, int]:
    """The first question's trial, and in how many pieces its reply came."""
    came: list[float] = []
    asked = Request((_ask("Describe a river in two sentences."),), max_tokens=_WORDS)
    began = time.perf_counter()
    (reply,) = llm.generate([asked], lambda _, text: came.append(time.perf_counter()), cancel)
    seconds = time.perf_counter() - began
    if not isinstance(reply, Completion):
        return Trial(spec, error=str(reply)), 0
    first = came[0] - began if came else seconds
    usage = reply.usage
    trial = Trial(spec, llm.window, first, seconds, usage.prompt_tokens, usage.completion_tokens)
    return replace(trial, reply=reply.text), len(came)


def _ask(text: str) -> Message:
    return Message("user", f"{text} (Ignore this mark: {secrets.token_hex(3)})")


def _streams(llm: LLM, pieces: int) -> Ability:
    if not llm.flags.streams:
        return Ability("streams", None)
    return Ability("streams", pieces > 1, "" if pieces > 1 else "the reply came in one piece")


def _schema(reply: Completion) -> str:
    try:
        said = json.loads(reply.text)
    except ValueError:
        return "the reply was not JSON"
    fits = isinstance(said, dict) and said.get("colour") in ("red", "green")
    return "" if fits else "the reply did not follow the schema"


def _logprobs(reply: Completion) -> str:
    return "" if reply.logprobs else "none came with the reply"


_BEGINNING = "The colour of the sky is"


def _prefix(reply: Completion) -> str:
    return "" if reply.text.strip() else "nothing came after it"


_TRIALS: tuple[tuple[str, Request, Callable[[Completion], str]], ...] = (
    ("schema", Request((), max_tokens=24, schema=_SCHEMA), _schema),
    ("logprobs", Request((), max_tokens=1, logprobs=5), _logprobs),
    ("prefix", Request((), max_tokens=8, prefix=_BEGINNING), _prefix),
)
"""What is claimed by a flag of that name, how it is asked for, and what is wrong with the reply."""


def _tried(
    llm: LLM, cancel: Cancel, trial: tuple[str, Request, Callable[[Completion], str]]
) -> Ability:
    name, request, wrong = trial
    if not getattr(llm.flags, name):
        return Ability(name, None)
    asked = replace(request, messages=(_ask("Is the sky red or green? Name one colour."),))
    (reply,) = llm.generate([asked], lambda _, text: None, cancel)
    if not getattr(llm.flags, name):
        return Ability(name, False, "it was refused, and is not asked for any more")
    note = wrong(reply) if isinstance(reply, Completion) else str(reply)
    return Ability(name, not note, note)
