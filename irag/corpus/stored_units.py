"""Vectors and texts of what a corpus stores, looked up by document; nothing is embedded twice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irag.corpus.rows import Rows
from irag.corpus.segment import Segment
from irag.corpus.units import document_passage, sentence_passage, triple_passage
from irag.retrieval.ranking import ordered
from irag.retrieval.vectors import Embedder, Vectors, checked
from irag.types import Document, Scored, Sentence, Triple

__all__ = ["StoredUnits"]

Unit = Triple | Sentence | Document
Place = tuple[int, int]
"""(segment, row); (-1, -1) for what is not stored."""

_NOWHERE = (-1, -1)
_MORE = 64  # rows of removed documents and equal scores that a search may meet


class StoredUnits:
    """The documents, sentences and triples of one generation, by their rows."""

    def __init__(
        self,
        segments: Sequence[Segment],
        dead: Sequence[Sequence[int]],
        rows: Rows,
        embedder: Embedder,
    ) -> None:
        self._segments = segments
        self._dead = tuple(frozenset(some) for some in dead)
        self._rows = rows
        self._embedder = embedder

    def vectors(self, units: Sequence[Unit]) -> Vectors:
        """Vectors of units of one kind, shape (n, d); what is not stored is embedded."""
        vectors = np.zeros((len(units), self._embedder.dimension), np.float32)
        places = np.array(self._places(units), np.int64).reshape(-1, 2)
        for number, segment in enumerate(self._segments):
            here = places[:, 0] == number
            if here.any():
                stored = _stored(segment, units[0])
                vectors[here] = stored[places[here, 1]]
        new: list[int] = np.flatnonzero(places[:, 0] < 0).tolist()
        if new:
            texts = self.passages([units[i] for i in new])
            found = self._embedder.embed_passages(texts)
            vectors[new] = checked(found, len(texts), self._embedder.dimension)[0]
        return vectors

    def passages(self, units: Sequence[Unit]) -> list[str]:
        """The texts that stand for units in vectors and keyword search."""
        owners = self._rows.documents(
            [u.source[0] for u in units if isinstance(u, Triple) and u.source]
        )
        return [_passage(unit, owners) for unit in units]

    def nearest_sentences(self, queries: Vectors, k: int) -> list[tuple[Scored[Sentence], ...]]:
        """The k nearest sentences of each query vector (q, d); none for a vector of zeros."""
        found: list[list[tuple[str, float]]] = [[] for _ in queries]
        for number, segment in enumerate(self._segments):
            scores, rows = segment.sentence_index.search(queries, k + _MORE, self._gone[number])
            for index, (some, at) in enumerate(zip(scores, rows, strict=True)):
                found[index] += zip(
                    segment.sentence_names(at[at >= 0]), some[at >= 0].tolist(), strict=True
                )
        best = [ordered(f, k) if q.any() else [] for f, q in zip(found, queries, strict=True)]
        owners = self._rows.documents([name.partition(".")[0] for some in best for name, _ in some])
        return [tuple(Scored(_sentence(n, owners), s) for n, s in some) for some in best]

    @cached_property
    def _gone(self) -> list[list[int]]:
        """Sentence rows of removed documents, by segment."""
        return [
            [r for d in sorted(dead) for r in range(*segment.sentences_between(d))]
            for segment, dead in zip(self._segments, self._dead, strict=True)
        ]

    def _places(self, units: Sequence[Unit]) -> list[Place]:
        if units and isinstance(units[0], Triple):
            return self._triple_places([u for u in units if isinstance(u, Triple)])
        places = []
        for unit in units:
            document = unit.document if isinstance(unit, Sentence) else unit
            at = self._row_of(document.id) if isinstance(document, Document) else None
            if at is None:
                places.append(_NOWHERE)
            elif isinstance(unit, Sentence):
                first, stop = self._segments[at[0]].sentences_between(at[1])
                row = first + unit.number
                places.append((at[0], row) if row < stop else _NOWHERE)
            else:
                places.append(at)
        return places

    def _triple_places(self, triples: Sequence[Triple]) -> list[Place]:
        owners = list(dict.fromkeys(t.source[0] for t in triples if t.source))
        stored = self._rows.triples(owners)
        places: dict[str, Place] = {}
        for owner in owners:
            at = self._row_of(owner)
            if at is not None:
                start = self._segments[at[0]].triples_between(at[1])[0]
                for offset, triple in enumerate(stored[owner]):
                    places[triple.id] = (at[0], start + offset)
        return [places.get(t.id, _NOWHERE) for t in triples]

    def _row_of(self, document: str) -> Place | None:
        """(segment, row) of a live document."""
        for number, segment in enumerate(self._segments):
            row = segment.row_of.get(document)
            if row is not None and row not in self._dead[number]:
                return number, row
        return None


def _stored(segment: Segment, unit: Unit) -> NDArray[Any]:
    if isinstance(unit, Triple):
        return segment.triples
    return segment.sentences if isinstance(unit, Sentence) else segment.documents


def _passage(unit: Unit, owners: dict[str, Document]) -> str:
    if isinstance(unit, Triple):
        return triple_passage(owners[unit.source[0]].title if unit.source else "", unit)
    if isinstance(unit, Sentence):
        return sentence_passage(unit.document, unit.number)
    return document_passage(unit)


def _sentence(name: str, owners: dict[str, Document]) -> Sentence:
    document, _, number = name.partition(".")
    return Sentence(owners[document], int(number))
