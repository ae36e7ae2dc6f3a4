"""LLM calls as a person reads them: what was sent, what came back, what is being written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from irag import prompts
from irag.actions import Action, Choose, Chosen, Generate, Together
from irag.errors import IragError
from irag.types import Completion, Message, Step, Usage

__all__ = ["CallView", "PendingStep", "Writing", "call", "failed", "parts", "reads", "writing"]


class PendingStep(Protocol):
    """An action under way, with the text written so far."""

    @property
    def step(self) -> Step:
        """The step, without a result yet."""

    @property
    def text(self) -> str:
        """The text so far, "" before the first token."""


@dataclass(frozen=True, slots=True)
class CallView:
    """One LLM call: exactly what was sent and what came back; `reply` None when nothing did."""

    purpose: str
    prompt: tuple[Message, ...]
    prefix: str
    reply: str | None
    thinking: str
    finish: str
    usage: Usage
    seconds: float
    error: str | None
    cut: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Writing:
    """An action under way: its kind, what an LLM call is for, and the text so far."""

    kind: str
    purpose: str
    text: str


def parts(step: Step) -> Iterator[tuple[Action[Any], Any]]:
    """The step's actions with their results; Together is taken apart."""
    action = step.action
    if isinstance(action, Together):
        yield from zip(action.requests, step.result or (None,) * len(action.requests), strict=False)
    else:
        yield action, step.result


def failed(result: Any) -> bool:
    """Whether a result of one of several requests is an error."""
    return isinstance(result, IragError)


def reads(step: Step) -> bool:
    """Whether a step asks the reader for the answer."""
    return any(
        isinstance(action, Generate) and action.prompt.name.startswith("reader/")
        for action, _ in parts(step)
    )


def call(step: Step, action: Generate | Choose, result: Any) -> CallView:
    """The view of one LLM call of a step; where nothing came back, what was to be sent."""
    completion = result.completion if isinstance(result, Chosen) else result
    reached = isinstance(completion, Completion)
    done: Completion = completion if reached else Completion("")
    prompt, prefix = (done.prompt, done.prefix) if done.prompt else _intended(action)
    return CallView(
        _purpose(action),
        prompt,
        prefix,
        done.text if reached else None,
        done.thinking,
        done.finish,
        done.usage,
        step.seconds,
        str(result) if failed(result) else step.error,
        step.cut or done.cut,
    )


def writing(one: PendingStep) -> Iterator[Writing]:
    """What an action under way is doing; one for each request of a Together."""
    action = one.step.action
    for request in action.requests if isinstance(action, Together) else (action,):
        yield Writing(type(request).__name__, _purpose(request), one.text)


def _intended(action: Generate | Choose) -> tuple[tuple[Message, ...], str]:
    try:
        rendered = prompts.render(action.prompt)
    except (IragError, KeyError):  # a saved run may name a prompt that has changed or gone
        return (), ""
    return rendered.messages, rendered.prefix


def _purpose(action: Action[Any]) -> str:
    """What an LLM call is for, from its prompt's header; "" for other actions."""
    if not isinstance(action, Generate | Choose):
        return ""
    name = action.prompt.name
    try:
        said = prompts.header(name, action.prompt.language).get("purpose", "")
    except IragError:  # likewise
        said = ""
    return said or name.rpartition("/")[2].replace("_", " ")
