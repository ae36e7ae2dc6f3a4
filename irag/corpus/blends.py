"""What is searched with: a text as it stands, or a Blend as the mean of its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from irag.actions import Blend, Query
from irag.corpus.units import document_passage
from irag.retrieval.vectors import Vectors, checked
from irag.types import Document

__all__ = ["query_vectors", "query_words"]


def query_vectors(
    queries: Sequence[Query],
    beside: Sequence[str],
    embed: Callable[[Sequence[str]], Vectors],
    stored: Callable[[Sequence[Document]], Vectors],
) -> Vectors:
    """One row of length 1 per query, shape (q, d); zeros where no part has a usable vector.

    All texts, and those of `beside`, are embedded as queries in one batch; documents by `stored`.
    """
    parts = [q.parts if isinstance(q, Blend) else ((q, 1.0),) for q in queries]
    texts = [part for some in parts for part, _ in some if isinstance(part, str)]
    documents = [part for some in parts for part, _ in some if isinstance(part, Document)]
    embedded = embed([*texts, *beside])
    if all(isinstance(query, str) for query in queries):
        return embedded[: len(queries)]
    of_texts = iter(embedded)
    of_documents = iter(stored(documents)) if documents else iter(())
    sums = np.zeros((len(queries), embedded.shape[1]), np.float32)
    for total, some in zip(sums, parts, strict=True):
        for part, weight in some:
            total += weight * next(of_texts if isinstance(part, str) else of_documents)
    return checked(sums, *sums.shape)[0]


def query_words(query: Query) -> str:
    """The text that keyword search takes."""
    if isinstance(query, str):
        return query
    return "\n".join(p if isinstance(p, str) else document_passage(p) for p, _ in query.parts)
