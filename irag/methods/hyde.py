"""HyDE: the LLM imagines passages that answer, and their vectors search beside the question's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.actions import Blend, Flow, Generate, Retrieve, Together
from irag.errors import IragError
from irag.methods.base import Card, setting
from irag.methods.naive_rag import NaiveRAG
from irag.methods.reading import prose
from irag.parse import Unparsed
from irag.prompts import fill
from irag.remarks import Rewritten
from irag.text import language_of, sentences
from irag.types import Document, Scored, document_id

__all__ = ["HyDE"]

TOKENS = 128  # of a passage; code: 512
TEMPERATURE = 0.7  # code


@dataclass(frozen=True)
class HyDE(NaiveRAG):
    """Imagined passages, one search with the mean vector, one read."""

    card: ClassVar[Card] = Card(
        name="hyde",
        title="HyDE",
        summary=(
            "Lets an LLM imagine passages that answer the question and searches with the mean of "
            "their vectors and the question's; only real passages are read."
        ),
        paper="Gao et al. 2022, HyDE, arXiv 2212.10496",
        departures=(
            "Two passages of at most 128 tokens; the code writes eight of 512.",
            "The question is embedded as a query, what is imagined as a passage; the paper's "
            "encoder does not tell them apart. The mean is scaled to length 1.",
            "A passage that cannot be used is left out; without any, the question searches alone, "
            "which is said.",
            "A corpus that is searched by words (Chinese) is searched with the words of question "
            "and passages together.",
            "Documents are ranked by cosine with the mean.",
        ),
        iterative=False,
    )

    passages: int = setting(
        2, "Imagined passages", "How many the LLM writes, sampled.", (1, 16), source="code: 8"
    )

    def search(self, question: str) -> Flow[tuple[Scored[Document], ...]]:
        """One search; raises the LLM's error when every call fails."""
        imagined = yield from self._imagined(question)
        if not imagined:
            yield from Rewritten(question, question, "no imagined passage could be used")
            return (yield from Retrieve(question, self.documents))
        for number, passage in enumerate(imagined, 1):
            yield from Rewritten(question, passage.text, f"imagined passage {number}")
        alike = Blend(((question, 1.0), *((passage, 1.0) for passage in imagined)))
        return (yield from Retrieve(alike, self.documents))

    def _imagined(self, question: str) -> Flow[list[Document]]:
        prompt = fill("hyde/passage", language_of(question), question=question)
        calls = (
            Generate(prompt, TOKENS, stop=("\n\n\n",), temperature=TEMPERATURE, sample=n)
            for n in range(self.passages)
        )
        replies = yield from Together(*calls)
        errors = [one for one in replies if isinstance(one, IragError)]
        if len(errors) == len(replies):
            raise errors[0]
        texts = [prose(one.text) for one in replies if not isinstance(one, IragError)]
        return [_passage(text) for text in texts if not isinstance(text, Unparsed)]


def _passage(text: str) -> Document:
    return Document(document_id("", text), "", text, sentences(text))
