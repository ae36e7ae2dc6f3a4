"""What the rounds of KGIR-RAG have brought, and the document ranking that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from irag.match import entity_key
from irag.methods.kgir_rag_subgraph import Subgraph, shares
from irag.types import Document, Scored, Triple

__all__ = ["Found", "Hits"]

Hits = tuple[Scored[Document], ...]


@dataclass
class Found:
    """Scores of different rounds compare as shares: places in their own list, from 0 to 1.

    `facts` is the evidence now, `chain` every fact that ever was in it, `history` the rewrites.
    """

    question: str
    history: list[str] = field(default_factory=list)
    searched: dict[str, Hits] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    similarity: dict[str, float] = field(default_factory=dict)
    support: dict[str, float] = field(default_factory=dict)
    facts: tuple[Triple, ...] = ()
    chain: dict[str, Triple] = field(default_factory=dict)
    unread: int = 0

    def add(self, query: str, hits: Hits) -> tuple[Document, ...]:
        """Note what a query brought; returns the documents that no earlier query did."""
        self.searched[query] = hits
        new = tuple(hit.unit for hit in hits if hit.unit.id not in self.documents)
        self.documents |= {document.id: document for document in new}
        _raise_to(self.similarity, shares({hit.unit.id: hit.score for hit in hits}))
        return new

    def take(self, graph: Subgraph) -> list[Triple]:
        """Make a subgraph the evidence; returns its facts that were never in it before."""
        self.facts = tuple(edge.unit for edge in graph.kept)
        share = shares({edge.id: edge.weight for edge in (*graph.kept, *graph.dropped)})
        for triple in self.facts:
            if triple.document:
                _raise_to(self.support, {triple.document: share[triple.id]})
        new = [triple for triple in self.facts if triple.id not in self.chain]
        self.chain |= {triple.id: triple for triple in new}
        return new

    def was_put(self, question: str) -> bool:
        """Whether the question was put in these words before."""
        return entity_key(question) in map(entity_key, [self.question, *self.history])

    def ranking(self) -> Hits:
        """Best similarity + best weight of an evidence triple from it; equal ones by id."""
        scored = [
            Scored(document, round(self.similarity[key] + self.support.get(key, 0.0), 4))
            for key, document in self.documents.items()
        ]
        return tuple(sorted(scored, key=lambda hit: (-hit.score, hit.unit.id)))


def _raise_to(best: dict[str, float], scores: Mapping[str, float]) -> None:
    for key, score in scores.items():
        best[key] = max(score, best.get(key, score))
