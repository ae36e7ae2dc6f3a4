"""BM25: one search by the question's words, one read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.methods.base import Card
from irag.methods.naive_rag import NaiveRAG

__all__ = ["BM25"]


@dataclass(frozen=True)
class BM25(NaiveRAG):
    """Naive RAG that searches by words, whatever the corpus's default."""

    card: ClassVar[Card] = Card(
        name="bm25",
        title="BM25",
        summary="Retrieves once by the question's words and reads the best passages.",
        paper="Robertson and Zaragoza 2009, The Probabilistic Relevance Framework; as a "
        "baseline: Thakur et al. 2021, BEIR, arXiv 2104.08663",
        departures=(
            'k1 1.5, b 0.75; articles, prepositions and forms of "be" are not searched for.',
            "Documents are ranked by BM25 score; one that shares no word is left out.",
        ),
        iterative=False,
    )

    way = "bm25"
