"""Dense: one search by the question's vector, one read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.methods.base import Card
from irag.methods.naive_rag import NaiveRAG

__all__ = ["Dense"]


@dataclass(frozen=True)
class Dense(NaiveRAG):
    """Naive RAG that searches by vectors, whatever the corpus's default."""

    card: ClassVar[Card] = Card(
        name="dense",
        title="Dense",
        summary="Retrieves once by the question's vector and reads the best passages.",
        paper="Karpukhin et al. 2020, Dense Passage Retrieval, arXiv 2004.04906",
        departures=(
            "The corpus's own embedder with cosine; no encoder is trained and no Contriever is "
            "meant (the trace names the model).",
            "Documents are ranked by cosine.",
        ),
        iterative=False,
    )

    way = "dense"
