"""A step as lines of plain text, for a terminal and for logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irag.actions import (
    Action,
    ChainGrew,
    Choose,
    DocumentsOf,
    Expand,
    Generate,
    HopStarted,
    MatchEntities,
    NamesIn,
    NearEntities,
    Rank,
    Retrieve,
    RetrieveEntities,
    RetrieveSentences,
    Stopped,
)
from irag.remarks import ContextGrew, GraphMade, Judged, Rewritten, SubAnswered, SubQuestion
from irag.types import Step
from irag.views.calls import failed, parts

__all__ = ["step_lines"]

SHOWN = 3


def step_lines(step: Step) -> list[str]:
    """What happened, in a few lines; nothing for a step that says nothing to a person.

    Calls made together are one line with their sum.
    """
    if step.error:
        return [f"  {type(step.action).__name__}: {step.error}"]
    lines: list[str] = []
    for action, result in parts(step):
        if failed(result):
            lines.append(f"  {type(action).__name__}: {result}")
        else:
            line = _remark(action) or _found(action, result) or _call(step, action)
            lines += [line] if line and line not in lines[-1:] else []
    return lines


def _remark(action: Action[Any]) -> str:
    match action:
        case HopStarted(number=number, query=query):
            return f"({number}) {' '.join(query.split())}"
        case ChainGrew(triple=triple, how=how):
            return f"  chosen: {triple.head} — {triple.relation} → {triple.tail}  ({how})"
        case Stopped(reason=reason, note=note):
            return f"stopped: {reason} ({note})"
        case SubQuestion(number=number, text=text, asked=asked):
            return f"  [{number}] {text}" + (f"  →  {asked}" if asked != text else "")
        case SubAnswered(number=number, answer=answer, summary=summary):
            return f"  [{number}] " + (answer if answer is not None else f"no answer: {summary}")
        case ContextGrew(number=number, expansion=expansion, sentences=sentences, words=words):
            what = f"expansion {expansion}" if expansion else "seeds"
            titles = [sentence.title for sentence in sentences]
            return _some(f"sentences in [{number}] by {what}, {words} words", titles)
        case Rewritten(before=before, after=after):
            return f"  rewritten: {before}  →  {after}"
        case GraphMade(title=title, kept=kept, dropped=dropped):
            return f"  {title}: {len(kept)} edges kept, {len(dropped)} dropped"
        case Judged(iteration=iteration, scores=scores, note=note):
            said = ", ".join(f"{name} {value:.2f}" for name, value in scores) or "no score"
            return f"  iteration {iteration}: {said}" + (f" ({note})" if note else "")
    return ""


def _found(action: Action[Any], result: Any) -> str:
    match action:
        case Retrieve():
            return _some("documents", [hit.unit.title for hit in result])
        case DocumentsOf():
            return _some("documents", [document.title for document in result])
        case RetrieveSentences():
            return _some("sentences", [hit.unit.title for hit in result])
        case RetrieveEntities(unit=unit):
            kind = "entities" if unit == "entity" else "communities"
            return _some(kind, [hit.unit.name for hit in result])
        case NearEntities():
            return _some("entities near", [hit.unit.name for hit in result])
        case MatchEntities():
            return _some("entities named", [entity.name for entity in result])
        case NamesIn():
            return _some("names", result)
        case Expand(sentences=sentences):
            reached = [n.sentence.title for n in result]
            return _some(f"sentences around {len(sentences)}", reached)
        case Rank(units=units):
            return f"  {len(units)} ranked, {len(result)} kept"
    return ""


def _some(what: str, names: Sequence[str]) -> str:
    """The count and the first few names."""
    first = ", ".join(names[:SHOWN])
    more = ", …" if len(names) > SHOWN else ""
    return f"  {len(names)} {what}" + (f": {first}{more}" if first else "")


def _call(step: Step, action: Action[Any]) -> str:
    if not isinstance(action, Generate | Choose):
        return ""
    usage = step.usage
    cached = ", from the cache" if usage.cached else ""
    spent = f"{usage.prompt_tokens} + {usage.completion_tokens} tokens"
    many = f"{usage.calls} × " if usage.calls > 1 else ""
    return f"  LLM: {many}{action.prompt.name}, {spent}, {step.seconds:.1f} s{cached}"
