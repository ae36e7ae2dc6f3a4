"""Naive generation: the LLM answers from what it remembers; nothing is retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.actions import Generate, MethodFlow, Stopped
from irag.methods.base import Card, Method, setting
from irag.parse import Unparsed, answer_line
from irag.prompts import fill
from irag.text import language_of
from irag.types import Answer

__all__ = ["NaiveGeneration"]


@dataclass(frozen=True)
class NaiveGeneration(Method):
    """One call with the question alone: how much of an answer owes nothing to the corpus."""

    card: ClassVar[Card] = Card(
        name="naive_generation",
        title="Naive generation",
        summary="Asks the LLM the question and retrieves nothing: what it already knows.",
        paper="The closed-book control of most RAG papers; named so in Jin et al. 2024, FlashRAG, "
        "arXiv 2405.13576",
        departures=("No document is ranked: R@k is no figure of it.",),
        iterative=False,
    )

    reader_tokens: int = setting(
        32, "Reader tokens", "The longest answer.", (8, 256), source="KiRAG 4.1"
    )

    def solve(self, question: str) -> MethodFlow:
        """One call."""
        prompt = fill("naive_generation/answer", language_of(question), question=question)
        reply = yield from Generate(prompt, self.reader_tokens)
        answer = answer_line(reply.text)
        if isinstance(answer, Unparsed):
            yield from Stopped("no_candidate", f"No answer: {answer.reason}.")
            return Answer(None)
        yield from Stopped("answered", "Nothing was retrieved.")
        return Answer(answer)
