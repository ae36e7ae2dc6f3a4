"""ChainRAG's calls of the LLM, each with what is done when its reply cannot be used."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from irag.actions import Flow
from irag.methods.chainrag_references import fill_numbers, keeps_names
from irag.methods.reading import ask
from irag.parse import Unparsed, answer_line, json_value, yes_no
from irag.prompts import Lines, Passages, Prompt, fill
from irag.text import language_of, normalise_answer, tokens
from irag.types import Sentence

__all__ = [
    "Pair",
    "decompose",
    "enough",
    "grouped",
    "pair_lines",
    "rewrite",
    "sub_answer",
    "summarise",
]

SUB_QUESTIONS = 5
"""The most that are worked on; MuSiQue's longest questions have four."""

LONGEST = 300  # characters of a sub-question
SUMMARY_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Pair:
    """A sub-question that was worked on: what was asked, and its answer or else a summary."""

    question: str
    answer: str | None
    summary: str = ""


def grouped(sentences: Sequence[Sentence]) -> Passages:
    """Sentences as passages: documents as they first appear, in each the order of its text."""
    inside: dict[str, list[Sentence]] = {}
    for one in sentences:
        inside.setdefault(one.document.id, []).append(one)
    return Passages(
        tuple(
            (some[0].title, tuple(s.text for s in sorted(some, key=lambda s: s.number)))
            for some in inside.values()
        )
    )


def _schema(name: str, value: dict[str, object]) -> str:
    return json.dumps(
        {
            "type": "object",
            "properties": {name: value},
            "required": [name],
            "additionalProperties": False,
        }
    )


_LINE = {"type": "string", "maxLength": LONGEST}
_LIST = _schema("sub_questions", {"type": "array", "items": _LINE, "maxItems": SUB_QUESTIONS})
_ONE = _schema("question", _LINE)


_BULLET = re.compile(r"^[\s.,;:、。*-]*(?:\d+[.)]\s+|\d+、)?")


def decompose(question: str) -> Flow[tuple[str, ...]]:
    """The sub-questions in the order of asking; the question alone where it needs no other.

    One call judges and decomposes. A reply without a list of questions gives the question alone.
    """
    prompt = fill("chainrag/decompose", language_of(question), question=question)
    reply = yield from ask(prompt, 200, _LIST)
    value = reply if isinstance(reply, Unparsed) else json_value(reply)
    if isinstance(value, dict):
        value = next((inside for inside in value.values() if isinstance(inside, list)), None)
    listed = value if isinstance(value, list) else []
    lines = (_BULLET.sub("", " ".join(one.split())) for one in listed if isinstance(one, str))
    asked = {normalise_answer(one): one for one in lines if _is_question(one)}
    kept = tuple(asked.values())[:SUB_QUESTIONS]
    return kept if len(kept) > 1 else (question,)


def _is_question(line: str) -> bool:
    return len(line) <= LONGEST and len(tokens(line)) >= 2


def rewrite(text: str, earlier: Sequence[Pair]) -> Flow[tuple[str, str]]:
    """(the sub-question with its references filled in, how that came about).

    All earlier pairs are shown. The reply is taken when it keeps every name and adds a word of an
    earlier answer; otherwise numbers (#1) are filled in and everything else stays as it was.
    """
    language = language_of(text)
    prompt = fill("chainrag/rewrite", language, pairs=pair_lines(earlier, language), question=text)
    reply = yield from ask(prompt, 96, _ONE)
    line = reply if isinstance(reply, Unparsed) else _rewritten(reply)
    why = line.reason if isinstance(line, Unparsed) else _objection(text, line, earlier)
    if not why and isinstance(line, str):
        return line, "by the LLM"
    filled = fill_numbers(text, [pair.answer for pair in earlier])
    return filled, f"{why}; " + ("the number was filled in" if filled != text else "left as it was")


def _rewritten(reply: str) -> str | Unparsed:
    value = json_value(reply)
    if isinstance(value, dict):
        value = next((inside for inside in value.values() if isinstance(inside, str)), None)
    if isinstance(value, str) and value.strip():
        return " ".join(value.split())
    return Unparsed("the reply holds no question")


def _objection(before: str, after: str, earlier: Sequence[Pair]) -> str:
    """Why a rewriting is not taken; "" when it is."""
    if len(after) > LONGEST:
        return "the reply is too long for a question"
    if not keeps_names(before, after):
        return "the reply lost a name"
    known = _words(" ".join(pair.answer or pair.summary for pair in earlier))
    now = _words(after)
    if not (now - _words(before)) & known:
        return "the reply fills nothing in"
    return "" if now - known else "the reply is an answer"


def _words(text: str) -> set[str]:
    return {word.casefold() for word in tokens(text)}


def enough(question: str, passages: Passages, notes: Sequence[str]) -> Flow[bool]:
    """Whether the context answers the sub-question; a reply that is no yes or no counts as no."""
    prompt = _over("chainrag/enough", question, passages, notes)
    reply = yield from ask(prompt, 4)
    said = reply if isinstance(reply, Unparsed) else yes_no(reply)
    return said is True


_UNKNOWN = re.compile(
    r"\W*(?:unknown|none|n/a|i (?:do not|don['’]t) know|unable\b|not (?:mentioned|given|stated|"
    r"specified|provided|known)|(?:the )?(?:passages?|context|notes?) (?:do|does)(?: not|n['’]t)|"
    r"未知|不知道|不详|无法|没有(?:提到|说明|提及)|未提)",
    re.IGNORECASE,
)


def sub_answer(
    question: str, passages: Passages, notes: Sequence[str], max_tokens: int
) -> Flow[str | None]:
    """A short answer; None where the reply says that it is unknown, or cannot be read."""
    prompt = _over("chainrag/answer", question, passages, notes)
    reply = yield from ask(prompt, max_tokens)
    said = reply if isinstance(reply, Unparsed) else answer_line(reply)
    return None if isinstance(said, Unparsed) or _UNKNOWN.match(said) else said


def summarise(question: str, passages: Passages, notes: Sequence[str]) -> Flow[str]:
    """What the context says toward an unanswered sub-question; "" when the reply is unusable."""
    prompt = _over("chainrag/summary", question, passages, notes)
    reply = yield from ask(prompt, SUMMARY_TOKENS)
    said = reply if isinstance(reply, Unparsed) else answer_line(reply)
    return "" if isinstance(said, Unparsed) else said


def _over(name: str, question: str, passages: Passages, notes: Sequence[str]) -> Prompt:
    language = language_of(question)
    return fill(name, language, passages=passages, notes=Lines(tuple(notes)), question=question)


_NO_ANSWER = {"en": "not found", "zh": "没有找到"}


def pair_lines(pairs: Sequence[Pair], language: str) -> Lines:
    """The pairs, numbered, one a line; where there is no answer, what was found instead."""
    missing = _NO_ANSWER[language]
    return Lines(
        tuple(
            f"{n}. {p.question} → {p.answer or f'{missing}. {p.summary}'.rstrip(' .')}"
            for n, p in enumerate(pairs, 1)
        )
    )
