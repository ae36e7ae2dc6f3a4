"""What KiRAG ranks and chains: triples, or sentences and passages that stand as triples."""

from __future__ import annotations

from collections.abc import Set

from irag.actions import Flow, Rank, TriplesOf
from irag.match import triple_key
from irag.types import Document, Scored, Sentence, Triple, triple_id

__all__ = ["SAYS", "rank_units"]

SAYS = "says"
"""The relation of a sentence or passage that stands as a triple: (title, says, text)."""


def rank_units(
    query: str, documents: tuple[Document, ...], unit: str, taken: Set[str], k: int
) -> Flow[tuple[Scored[Triple], ...]]:
    """The k units of these documents that best continue the query and are not `taken` (keys).

    `unit` is "triple", "sentence" or "document" (KiRAG, section 4.3: KiRAG-Sent, KiRAG-Doc).
    """
    if unit == "triple":
        triples = yield from TriplesOf(documents)
        fresh = tuple(triple for triple in triples if triple_key(triple) not in taken)
        return (yield from Rank(query, fresh, k)) if fresh else ()
    if unit == "sentence":
        sentences = tuple(Sentence(d, n) for d in documents for n in range(len(d.sentences)))
        ranked = yield from Rank(query, sentences, k + len(taken))
        return _fresh([Scored(_stated(s.unit), s.score) for s in ranked], taken, k)
    whole = yield from Rank(query, documents, k + len(taken))
    return _fresh([Scored(_whole(s.unit), s.score) for s in whole], taken, k)


def _fresh(ranked: list[Scored[Triple]], taken: Set[str], k: int) -> tuple[Scored[Triple], ...]:
    return tuple(one for one in ranked if triple_key(one.unit) not in taken)[:k]


def _stated(sentence: Sentence) -> Triple:
    return _made(sentence.document, sentence.number, sentence.text)


def _whole(document: Document) -> Triple:
    return _made(document, 0, document.text)


def _made(document: Document, number: int, text: str) -> Triple:
    made = triple_id(document.title, SAYS, text, document.id, number)
    return Triple(made, document.title, SAYS, text, (document.id, number))
