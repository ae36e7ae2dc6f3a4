"""Vector-PRF: what the question finds first moves its vector, and the second search is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.actions import Blend, Flow, Retrieve
from irag.methods.base import Card, setting
from irag.methods.naive_rag import NaiveRAG
from irag.types import Document, Scored

__all__ = ["VectorPRF"]

ALPHA, BETA = 0.4, 0.6  # pyserini: weights of the question and of the feedback's mean


@dataclass(frozen=True)
class VectorPRF(NaiveRAG):
    """Two searches, one read; no LLM until the reader."""

    card: ClassVar[Card] = Card(
        name="vector_prf",
        title="Vector-PRF",
        summary=(
            "Searches once, moves the question's vector towards the best passages, and reads what "
            "the second search finds."
        ),
        paper="Li et al. 2021, Pseudo Relevance Feedback with Deep Language Models and Dense "
        "Retrievers, arXiv 2108.11044",
        departures=(
            "No passages from the end of the first ranking are subtracted (gamma 0, as in the "
            "code's defaults).",
            "Passages keep their passage-side vectors in the mean; it is scaled to length 1.",
            "A corpus that is searched by words (Chinese) is searched with the words of question "
            "and passages together.",
            "Documents are ranked by the second search.",
        ),
        iterative=False,
    )

    feedback: int = setting(
        3, "Feedback", "Passages that move the vector.", (1, 20), source="code: 3; rocchio: 5"
    )
    weights: str = setting(
        "average",
        "Weights",
        "average: question and passages weigh alike. rocchio: the question 0.4, all passages "
        "together 0.6.",
        choices=("average", "rocchio"),
        source="paper 3.2",
    )

    def search(self, question: str) -> Flow[tuple[Scored[Document], ...]]:
        """The second search; nothing found first leaves nothing to move towards."""
        first = yield from Retrieve(question, self.feedback)
        if not first:
            return ()
        alike = self.weights == "average"
        of_question, of_passages = (1.0, float(len(first))) if alike else (ALPHA, BETA)
        moved = [(hit.unit, of_passages / len(first)) for hit in first]
        return (yield from Retrieve(Blend(((question, of_question), *moved)), self.documents))
