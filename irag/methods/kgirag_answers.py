"""KGiRAG's two calls: an answer that may be a refusal, and three scores for it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from irag.actions import Flow, Generate
from irag.methods.kgirag_context import Context
from irag.parse import Unparsed, answer_line, json_value
from irag.prompts import Lines, Prompt, fill
from irag.remarks import Judged
from irag.text import language_of

__all__ = ["ASPECTS", "Attempt", "attempt"]

ASPECTS = ("faithfulness", "completeness", "relevance")
ANSWER_TOKENS, SCORE_TOKENS = 48, 48

_ANSWER = json.dumps(
    {
        "type": "object",
        "properties": {
            "answerable": {"type": "boolean"},
            "answer": {"type": "string", "maxLength": 120},
        },
        "required": ["answerable", "answer"],
        "additionalProperties": False,
    }
)
_SCORES = json.dumps(
    {
        "type": "object",
        "properties": {name: {"type": "number", "minimum": 0, "maximum": 1} for name in ASPECTS},
        "required": list(ASPECTS),
        "additionalProperties": False,
    }
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One iteration's answer, None for a refusal, and the judge's scores, () where it gave none."""

    iteration: int
    answer: str | None
    scores: tuple[tuple[str, float], ...] = ()

    def good(self, faithful: float, complete: float) -> bool:
        """Whether the loop may end with it; never without an answer or without scores."""
        said = dict(self.scores)
        return (
            self.answer is not None
            and said.get("faithfulness", -1.0) >= faithful
            and said.get("completeness", -1.0) >= complete
        )

    @property
    def quality(self) -> tuple[bool, float, float]:
        """What "best" compares: an answer before none, the lower of the two scores, their sum."""
        said = dict(self.scores)
        two = said.get("faithfulness", 0.0), said.get("completeness", 0.0)
        return self.answer is not None, min(two), sum(two)


def attempt(question: str, read: Context, iteration: int, judged: bool) -> Flow[Attempt]:
    """Answer from the context and, where asked, have the answer judged."""
    reply = yield from Generate(_prompt("answer", question, read), ANSWER_TOKENS, _ANSWER)
    answer = _answer(reply.text)
    if answer is None:
        yield from Judged(iteration, "", (), "no answer: the context does not tell")
        return Attempt(iteration, None)
    if not judged:
        return Attempt(iteration, answer)
    prompt = _prompt("judge", question, read, answer=answer)
    said = yield from Generate(prompt, SCORE_TOKENS, _SCORES)
    scores = _scores(said.text)
    note = "" if scores else "the judge's reply could not be read"
    yield from Judged(iteration, answer, scores, note)
    return Attempt(iteration, answer, scores)


def _prompt(name: str, question: str, read: Context, **more: str) -> Prompt:
    return fill(
        f"kgirag/{name}",
        language_of(question),
        relations=Lines(read.relations),
        sentences=Lines(read.sentences),
        question=question,
        **more,
    )


def _answer(text: str) -> str | None:
    """The answer of a reply, None for a refusal or an empty one; prose is taken as an answer."""
    stated = json_value(text)
    if isinstance(stated, dict):
        said = stated.get("answer")
        refused = stated.get("answerable") is False
        return None if refused or not isinstance(said, str) else said.strip() or None
    line = answer_line(text)
    return None if isinstance(line, Unparsed) else line


def _scores(text: str) -> tuple[tuple[str, float], ...]:
    """Three scores between 0 and 1, or () when one is missing or is no such number."""
    stated = json_value(text)
    if not isinstance(stated, dict):
        return ()
    values = [_share(stated.get(name)) for name in ASPECTS]
    found = [value for value in values if value is not None]
    return tuple(zip(ASPECTS, found, strict=True)) if len(found) == len(ASPECTS) else ()


def _share(value: object) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and 0 <= value <= 1 else None  # type: ignore[operator, arg-type]
