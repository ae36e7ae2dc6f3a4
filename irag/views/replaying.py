"""A run as it stood after each of its steps, and what each step was, in a few words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from irag.actions import ChainGrew, Choose, Generate, HopStarted, Rank, Retrieve, Stopped, TriplesOf
from irag.types import Step, Trace, Triple
from irag.views.calls import failed, parts, reads
from irag.views.escape import shorten
from irag.views.step_lines import step_lines
from irag.views.words import t

__all__ = ["Moment", "moments", "stood"]


@dataclass(frozen=True, slots=True)
class Moment:
    """The point after a step, counted from 1; `reading` once the answer is being read."""

    number: int
    hop: int
    reading: bool
    said: str


def stood(trace: Trace, number: int) -> Trace:
    """The trace as it was after its first `number` steps; its answer is there at the end only."""
    if number >= len(trace.steps):
        return trace
    return replace(trace, steps=trace.steps[: max(0, number)], answer=None, error=None)


def moments(trace: Trace) -> tuple[Moment, ...]:
    """One for every step, in order."""
    reading = False
    found = []
    for number, step in enumerate(trace.steps, 1):
        reading = reading or reads(step)
        found.append(Moment(number, step.hop, reading, _said(step)))
    return tuple(found)


def _said(step: Step) -> str:
    """What a step did and brought; of several requests done together, the first and how many."""
    if step.error:
        return t("moment.failed", what=shorten(step.error, 80))
    (action, result), *others = list(parts(step)) or [(step.action, step.result)]
    said = _one(action, result, step) or _line(step) or type(action).__name__
    return f"{said} {t('moment.together', n=len(others))}" if others else said


def _line(step: Step) -> str:
    """What a step of a method's own says in a line."""
    lines = step_lines(step)
    return shorten(lines[0], 100) if lines else ""


def _one(action: object, result: object, step: Step) -> str:
    size = len(result) if isinstance(result, tuple) else 0
    if failed(result):
        return t("moment.failed", what=shorten(str(result), 80))
    if isinstance(action, HopStarted):
        return t("moment.hop")
    if isinstance(action, Retrieve):
        return t("documents", n=size)
    if isinstance(action, TriplesOf):
        return t("triples", n=size)
    if isinstance(action, Rank) and all(isinstance(unit, Triple) for unit in action.units):
        return t("candidates", n=size)
    if isinstance(action, ChainGrew):
        return t("moment.grew", triple=shorten(action.triple.text, 80))
    if isinstance(action, Generate | Choose):
        return t("moment.reads" if reads(step) else "moment.llm")
    if isinstance(action, Stopped):
        return t("stopped", why=t(f"stopped.{action.reason}"))
    return ""
