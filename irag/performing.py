"""Tools: does what methods ask for, in batches; knows protocols and no backend."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from irag.actions import Action, Choose, Generate, Together
from irag.calls import reply_of, request_for
from irag.errors import Cancelled, IragError, LLMError
from irag.lookups import Lookups
from irag.prompts import Rendered
from irag.tools import LLM, Cancel, Request
from irag.types import Usage

__all__ = ["Outcome", "Tools", "is_llm"]

log = logging.getLogger(__name__)

EmitPartial = Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one action: its result, or the IragError that ended it."""

    result: Any
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    cut: tuple[str, ...] = ()


def is_llm(action: Action[Any]) -> bool:
    """Whether performing the action calls the LLM."""
    if isinstance(action, Together):
        return any(is_llm(request) for request in action.requests)
    return isinstance(action, Generate | Choose)


@dataclass(frozen=True)
class Tools:
    """What a play works with: what one corpus offers, and an LLM or none.

    `corpus` is the corpus's name and generation; `models` are (role, name) pairs for the trace.
    """

    lookups: Lookups
    llm: LLM | None
    corpus: str = ""
    models: tuple[tuple[str, str], ...] = ()

    @property
    def concurrent(self) -> bool:
        """Whether LLM calls are best sent one by one as they come."""
        return self.llm is not None and self.llm.flags.concurrent

    def perform(
        self, actions: Sequence[Action[Any]], emit: EmitPartial, cancel: Cancel
    ) -> list[Outcome]:
        """One Outcome per action, in order; actions of one kind are one batch.

        `emit` gets (index of the action, text so far). Raises Cancelled and nothing else.
        """
        flat: list[Action[Any]] = []
        owner: list[int] = []
        for index, action in enumerate(actions):
            parts = action.requests if isinstance(action, Together) else (action,)
            flat += parts
            owner += [index] * len(parts)
        outcomes: list[Outcome] = [Outcome(None)] * len(flat)
        for handler, members in self._groups(flat):
            batch = [flat[i] for i in members]
            spots = [owner[i] for i in members]
            done = self._batch(handler, batch, _shifted(emit, spots), cancel)
            for i, outcome in zip(members, done, strict=True):
                outcomes[i] = outcome
        return [
            _gather(a, [o for o, w in zip(outcomes, owner, strict=True) if w == i])
            for i, a in enumerate(actions)
        ]

    def _groups(self, flat: list[Action[Any]]) -> list[tuple[_Handler, list[int]]]:
        groups: dict[Any, tuple[_Handler, list[int]]] = {}
        for index, action in enumerate(flat):
            key, handler = self._handler(action)
            groups.setdefault(key, (handler, []))[1].append(index)
        return sorted(groups.values(), key=lambda group: group[0] == self._complete)

    def _handler(self, action: Action[Any]) -> tuple[Any, _Handler]:
        if isinstance(action, Generate | Choose):
            return "llm", self._complete
        key, lookup = self.lookups.of(action)

        def look_up(batch: list[Any], emit: EmitPartial, cancel: Cancel) -> list[Outcome]:
            return [Outcome(found) for found in lookup(batch)]

        return key, look_up

    def _batch(
        self, handler: _Handler, batch: list[Any], emit: EmitPartial, cancel: Cancel
    ) -> list[Outcome]:
        if cancel.is_set():
            raise Cancelled()
        began = time.perf_counter()
        try:
            done = handler(batch, emit, cancel)
        except Cancelled:
            raise
        except IragError as error:
            done = [Outcome(error)] * len(batch)
        except Exception as error:
            log.exception("a backend failed")
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            done = [Outcome(IragError(f"Internal error in a backend ({reason})."))] * len(batch)
        seconds = time.perf_counter() - began
        return [Outcome(o.result, o.usage, seconds, o.cut) for o in done]

    def _complete(
        self, batch: list[Generate | Choose], emit: EmitPartial, cancel: Cancel
    ) -> list[Outcome]:
        if self.llm is None:
            raise LLMError(
                "This method needs an LLM and none was given. Choose one, or use a setting that "
                "needs none (constructor=none, reader=none)."
            )
        outcomes: list[Outcome] = [Outcome(None)] * len(batch)
        requests: list[tuple[int, Request, Rendered]] = []
        for index, action in enumerate(batch):
            try:
                requests.append((index, *request_for(action, self.llm)))
            except IragError as error:
                outcomes[index] = Outcome(error)
        spots = [index for index, _, _ in requests]
        replies = self.llm.generate(
            [request for _, request, _ in requests], _shifted(emit, spots), cancel
        )
        for (index, _, rendered), reply in zip(requests, replies, strict=True):
            if isinstance(reply, IragError):
                outcomes[index] = Outcome(reply)
            else:
                result = reply_of(batch[index], reply)
                outcomes[index] = Outcome(result, reply.usage, cut=rendered.cut + reply.cut)
        return outcomes


_Handler = Callable[[list[Any], EmitPartial, Cancel], list[Outcome]]


def _shifted(emit: EmitPartial, spots: list[int]) -> EmitPartial:
    """An emit for a part of a batch: its n-th request is the batch's spots[n]-th action."""
    return lambda n, text: emit(spots[n], text)


def _gather(action: Action[Any], parts: list[Outcome]) -> Outcome:
    """The outcome of an action from those of its parts; Together's errors are values."""
    if not isinstance(action, Together):
        return parts[0]
    return Outcome(
        tuple(part.result for part in parts),
        sum((part.usage for part in parts), Usage()),
        sum(part.seconds for part in parts),
        tuple(note for part in parts for note in part.cut),
    )
