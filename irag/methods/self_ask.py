"""Self-Ask: the LLM asks follow-up questions, each answered from a retrieval, until it knows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from irag.actions import Flow, HopStarted, MethodFlow, Retrieve, Stopped
from irag.methods.base import Card, Method, setting
from irag.methods.chainrag_calls import Pair, pair_lines, sub_answer
from irag.methods.chainrag_evidence import merged
from irag.methods.reading import ask, cite, read
from irag.parse import Unparsed, answer_line, json_value
from irag.prompts import Lines, Passages, fill
from irag.remarks import SubAnswered, SubQuestion
from irag.text import language_of, normalise_answer, tokens
from irag.types import Answer, Document, Scored, StopReason

__all__ = ["SelfAsk"]

LONGEST = 300  # characters of a follow-up question
ANSWER = 32  # tokens
_FIELD = {"type": "string", "maxLength": LONGEST}
_TURN = json.dumps(
    {
        "type": "object",
        "properties": {"follow_up": _FIELD, "final": _FIELD},
        "required": ["follow_up", "final"],
        "additionalProperties": False,
    }
)
_NONE_YET = {"en": "none yet", "zh": "还没有"}


@dataclass(frozen=True)
class SelfAsk(Method):
    """Follow-up questions, a retrieval and a short answer for each, then the final answer."""

    card: ClassVar[Card] = Card(
        name="self_ask",
        title="Self-Ask",
        summary=(
            "Asks itself follow-up questions, answers each from what it retrieves, and gives the "
            "final answer when it needs no other."
        ),
        paper="Press et al. 2022, Self-Ask, arXiv 2210.03350",
        departures=(
            "A turn is a JSON object with a follow-up question or the final answer; the paper's is "
            "marked lines, which small models run on over.",
            "Follow-up questions are answered from the corpus; the paper asks a web search.",
            "A final answer without any follow-up question counts only when none is asked beside "
            "it. A first turn that cannot be read asks the question itself.",
            "Where the follow-up questions end without a final answer, it is read from their "
            "answers, and from the passages where there are none.",
            "Documents are ranked by the sum of 1 / rank over the follow-up questions.",
        ),
    )

    documents: int = setting(
        5, "Documents", "How many each question retrieves.", (1, 50), source="FlashRAG: 5"
    )
    max_hops: int = setting(
        5, "Follow-up questions", "The most of them.", (1, 10), source="FlashRAG: 5"
    )
    reader_documents: int = setting(
        3, "Reader documents", "How many passages answer a follow-up question.", (1, 20)
    )

    def solve(self, question: str) -> MethodFlow:
        """Paper, section 3, with a search."""
        pairs: list[Pair] = []
        rankings: list[tuple[Scored[Document], ...]] = []
        text: str | None = None
        reason: StopReason = "max_hops"
        note = f"{self.max_hops} follow-up questions are done."
        for number in range(1, self.max_hops + 2):
            follow_up, final = yield from _turn(question, pairs)
            if final and (pairs or not follow_up):
                text, reason, note = final, "answered", "The LLM gave the final answer."
                break
            follow_up = follow_up or ("" if pairs else question)
            if not follow_up:
                reason, note = "no_candidate", "The LLM asked nothing more."
                break
            if normalise_answer(follow_up) in {normalise_answer(one.question) for one in pairs}:
                reason, note = "repeated", "The LLM asked what it had asked before."
                break
            if number > self.max_hops:
                break
            pair, hits = yield from self._follow(number, follow_up)
            pairs.append(pair)
            rankings.append(hits)
            if not any(rankings):
                yield from Stopped("no_candidate", "No document matches the question.")
                return Answer(None)
        evidence = merged(rankings)
        documents = [hit.unit for hit in evidence]
        text = text or (yield from self._final(question, pairs, documents))
        yield from Stopped(reason, note)
        return Answer(text, evidence, citations=cite(text, documents))

    def _follow(self, number: int, asked: str) -> Flow[tuple[Pair, tuple[Scored[Document], ...]]]:
        """A follow-up question with its short answer, None where the passages tell none."""
        yield from HopStarted(number, asked)
        yield from SubQuestion(number, asked, asked)
        hits = yield from Retrieve(asked, self.documents)
        answer = None
        if hits:
            passages = Passages.of(tuple(hit.unit for hit in hits[: self.reader_documents]))
            answer = yield from sub_answer(asked, passages, (), ANSWER)
        yield from SubAnswered(number, answer)
        return Pair(asked, answer), hits

    def _final(
        self, question: str, pairs: Sequence[Pair], documents: Sequence[Document]
    ) -> Flow[str | None]:
        answers = [one.answer for one in pairs if one.answer]
        if not answers:
            return (yield from read(question, documents[: self.reader_documents]))
        language = language_of(question)
        lines = pair_lines(pairs, language)
        prompt = fill("reader/answer_pairs", language, pairs=lines, question=question)
        reply = yield from ask(prompt, ANSWER)
        said = reply if isinstance(reply, Unparsed) else answer_line(reply)
        return answers[-1] if isinstance(said, Unparsed) else said


def _turn(question: str, pairs: Sequence[Pair]) -> Flow[tuple[str, str]]:
    """(follow-up question, final answer); "" for what the reply does not give or cannot mean."""
    language = language_of(question)
    known = pair_lines(pairs, language) if pairs else Lines((_NONE_YET[language],))
    prompt = fill("self_ask/next", language, pairs=known, question=question)
    reply = yield from ask(prompt, 96, _TURN)
    value = reply if isinstance(reply, Unparsed) else json_value(reply)
    if not isinstance(value, dict):
        return "", ""
    asked, said = _line(value.get("follow_up")), _line(value.get("final"))
    final = answer_line(said) if said else ""
    return asked if len(tokens(asked)) > 1 else "", final if isinstance(final, str) else ""


def _line(value: object) -> str:
    line = " ".join(value.split()) if isinstance(value, str) else ""
    return line if len(line) <= LONGEST else ""
