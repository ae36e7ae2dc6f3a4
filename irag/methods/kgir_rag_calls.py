"""KGIR-RAG's three LLM calls: question entities, rewriting, reflection, each with its fallback."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from irag.actions import Flow, Generate, NamesIn
from irag.errors import Cancelled, IragError
from irag.match import is_literal, stands_in
from irag.parse import Unparsed, answer_line, json_value
from irag.prompts import Passages, Prompt, Value, fill
from irag.text import language_of
from irag.types import Document

__all__ = ["Reflection", "entities", "reflect", "rewrite"]

LONGEST_QUESTION = 400  # characters; a longer rewrite is no rewrite
LONGEST_ANSWER = 200  # characters; a longer answer is no short answer
_NONE_YET = {"en": "none", "zh": "没有"}


@dataclass(frozen=True, slots=True)
class Reflection:
    """What the LLM said: an answer (None: answerable, but it gave none) or what is missing."""

    answer: str | None = None
    answerable: bool = False
    missing: str = ""
    readable: bool = True


def _schema(**properties: dict[str, Any]) -> str:
    return json.dumps(
        {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    )


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": longest}


ENTITIES = _schema(entities={"type": "array", "items": _text(80), "maxItems": 6})
QUESTION = _schema(question=_text(300))
REFLECTION = _schema(
    reasoning=_text(240), answerable={"type": "boolean"}, answer=_text(80), missing=_text(120)
)


def _fields(prompt: Prompt, schema: str, max_tokens: int) -> Flow[dict[str, Any] | None]:
    """The reply's JSON object; None when there is none, or the call failed (its step says why)."""
    try:
        reply = yield from Generate(prompt, max_tokens, schema)
    except Cancelled:
        raise
    except IragError:
        return None
    value = json_value(reply.text)
    return value if isinstance(value, dict) else None


def _line(value: object, longest: int) -> str:
    """One line of text; "" for what is no text or too long to be meant."""
    line = " ".join(value.split()) if isinstance(value, str) else ""
    return line if len(line) <= longest else ""


def entities(question: str, by: str) -> Flow[tuple[str, ...]]:
    """The named entities of a question, by the LLM ("llm") or the name finder ("spacy").

    What the LLM names and the question does not say is left out; when nothing is left, the name
    finder is asked. Numbers and dates are no entities.
    """
    if by == "llm":
        prompt = fill("kgir_rag/entities", language_of(question), question=question)
        fields = yield from _fields(prompt, ENTITIES, 96)
        stated = (fields or {}).get("entities")
        names = [_line(name, 80) for name in stated] if isinstance(stated, list) else []
        said = tuple(
            dict.fromkeys(
                name for name in names if stands_in(name, question) and not is_literal(name)
            )
        )
        if said:
            return said
    found = yield from NamesIn(question)
    return tuple(name for name in found if not is_literal(name))


def rewrite(question: str, evidence: Value, history: Sequence[str]) -> Flow[str]:
    """The question put anew with the evidence (paper, step B); "" when the reply holds none."""
    language = language_of(question)
    prompt = fill(
        "kgir_rag/rewrite",
        language,
        evidence=evidence,
        history="; ".join(history) or _NONE_YET[language],
        question=question,
    )
    fields = yield from _fields(prompt, QUESTION, 96)
    return _line((fields or {}).get("question"), LONGEST_QUESTION)


def reflect(
    question: str, evidence: Value, history: Sequence[str], new: Sequence[Document]
) -> Flow[Reflection]:
    """Whether evidence and new passages answer the question (paper, step C).

    A reply that finds the question answerable and yet something missing is no answer: small
    models say so when they guess.
    """
    language = language_of(question)
    prompt = fill(
        "kgir_rag/reflect",
        language,
        evidence=evidence,
        passages=Passages.of(tuple(new)),
        history="; ".join(history) or _NONE_YET[language],
        question=question,
    )
    fields = yield from _fields(prompt, REFLECTION, 192)
    if fields is None or not isinstance(fields.get("answerable"), bool):
        return Reflection(readable=False)
    missing = _line(fields.get("missing"), LONGEST_ANSWER)
    said = answer_line(_line(fields.get("answer"), LONGEST_ANSWER))
    if fields["answerable"] and not missing:
        return Reflection(None if isinstance(said, Unparsed) else said, answerable=True)
    return Reflection(missing=missing)
