"""A judge LLM's scores for the answers of an experiment, asked once and kept in its rows."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from irag.actions import Generate, MethodFlow
from irag.engine import Ended, Event, Play, play
from irag.errors import Cancelled
from irag.evaluation.folder import Folder, Row
from irag.measures import MEASURES, Judged, Score
from irag.measures.judged import NO_SCORE, share_of
from irag.measures.similar import NO_MODEL, context_of
from irag.parse import Unparsed, json_value
from irag.performing import Tools
from irag.prompts import Lines, fill
from irag.text import language_of
from irag.tools import Cancel
from irag.types import Answer, Trace

__all__ = ["judge", "read_scores"]

ASPECTS = tuple(name for name, kind in MEASURES.items() if issubclass(kind, Judged))
_SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            name.lower(): {"type": "number", "minimum": 0, "maximum": 1} for name in ASPECTS
        },
        "required": [name.lower() for name in ASPECTS],
        "additionalProperties": False,
    }
)


@dataclass(frozen=True)
class _Judging:
    """One answer before the judge: a play whose answer is the judge's reply."""

    judged: Trace

    def solve(self, question: str) -> MethodFlow:
        answer = self.judged.answer
        assert answer is not None and answer.text is not None
        relations, sentences = context_of(answer)
        prompt = fill(
            "kgirag/judge",
            language_of(question),
            relations=Lines(relations),
            sentences=Lines(sentences),
            question=question,
            answer=answer.text,
        )
        reply = yield from Generate(prompt, 48, _SCHEMA)
        return Answer(reply.text)


def judge(
    folder: Folder,
    tools: Tools,
    width: int = 8,
    tell: Callable[[int, int], None] | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Ask `tools.llm` to score every answer that has no score yet; `tell` gets (done, total).

    An answer whose reply cannot be read has "no score" and is not asked again. Raises Cancelled
    after Stop, and goes on from there when called again.
    """
    cancel, tell = cancel or threading.Event(), tell or (lambda done, total: None)
    rows = [row for row in folder.rows.values() if any(_open(row, name) for name in ASPECTS)]
    plays = []
    for row in rows:
        trace = folder.trace(*row.key)
        plays.append(Play(_Judging(trace), trace.question))
    done = 0
    ended: list[Ended] = []

    def note(event: Event) -> None:
        if isinstance(event, Ended):
            ended.append(event)

    with folder.writing():
        for _ in play(plays, tools, width, note, cancel):
            for one in ended:
                if one.trace.stopped != "cancelled":
                    folder.update(_scored(rows[one.play], one.trace))
                    done += 1
                    tell(done, len(rows))
            ended.clear()
    if cancel.is_set():
        raise Cancelled("Stopped. The same command goes on from here.")


def _open(row: Row, measure: str) -> bool:
    return row.scores.get(measure) == NO_MODEL


def _scored(row: Row, trace: Trace) -> Row:
    said = trace.answer.text if trace.answer else None
    found = read_scores(said or "")
    scores: Mapping[str, Score] = {
        name: found[name] if name in found and score == NO_MODEL else score
        for name, score in row.scores.items()
    }
    return replace(row, scores=scores)


def read_scores(text: str) -> dict[str, Score]:
    """One Score an aspect from a judge's reply; "no score" for what is missing or unreadable."""
    stated: Any = json_value(text)
    told = stated if isinstance(stated, dict) and not isinstance(stated, Unparsed) else {}
    shares = {name: share_of(told.get(name.lower())) for name in ASPECTS}
    return {name: NO_SCORE if share is None else Score(share) for name, share in shares.items()}
