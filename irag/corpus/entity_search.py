"""Finds entities of one generation by name, by meaning and by relation; see irag.tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from irag.corpus.entities import EntityTable
from irag.corpus.rows import Rows
from irag.corpus.segment import Segment
from irag.retrieval.ranking import ordered
from irag.retrieval.vectors import Vectors
from irag.types import Entity, Scored, Triple

__all__ = ["EntitySearch"]

TRIPLES = 24
"""What an entity is said to be: so many of its triples, in the corpus's order."""

MEMBERS = 12
"""Names of a community that are listed."""

_MORE = 16  # equal scores that a search may meet


class EntitySearch:
    """An EntityGraph over a table; `embed` turns queries into vectors (n, d)."""

    def __init__(
        self,
        table: EntityTable,
        segments: Sequence[Segment],
        rows: Rows,
        embed: Callable[[Sequence[str]], Vectors],
    ) -> None:
        self._table = table
        self._segments = segments
        self._rows = rows
        self._embed = embed
        self._starts = np.cumsum([0, *(len(segment.triples) for segment in segments)])

    def match_entities(self, names: Sequence[Sequence[str]]) -> list[tuple[Entity, ...]]:
        """The entities each group of names means, in the names' order, without repeats."""
        meant = [[n for name in some for n in self._table.named(name)] for some in names]
        return [tuple(self._entity(number) for number in dict.fromkeys(some)) for some in meant]

    def search_entities(
        self, queries: Sequence[str], k: int, unit: str
    ) -> list[tuple[Scored[Entity], ...]]:
        """At most k entities or communities per query by cosine, ties by id."""
        whole = unit == "community"
        index = self._table.community_index if whole else self._table.index
        vectors = self._embed(queries)
        scores, rows = index.search(vectors, k + _MORE)
        found = []
        for vector, some, at in zip(vectors, scores.tolist(), rows.tolist(), strict=True):
            made = {self._name(n, whole): n for n in at if n >= 0 and vector.any()}
            hits = ordered(zip(made, some, strict=False), k)
            found.append(
                tuple(
                    Scored(self._community(made[i]) if whole else self._entity(made[i]), score)
                    for i, score in hits
                )
            )
        return found

    def near_entities(
        self, queries: Sequence[str], entities: Sequence[Sequence[str]], k: int, least: float
    ) -> list[tuple[Scored[Entity], ...]]:
        """The nearest to each query of what one relation joins to its entities (ids)."""
        table, found = self._table, []
        for vector, ids in zip(self._embed(queries), entities, strict=True):
            near = table.near([table.by_id[name] for name in ids if name in table.by_id])
            scores = table.vectors[near].astype(np.float32) @ vector
            numbers = {table.id(number): number for number in near.tolist()}
            hits = ordered(zip(numbers, scores.tolist(), strict=True), k)
            found.append(tuple(Scored(self._entity(numbers[i]), s) for i, s in hits if s > least))
        return found

    def _name(self, number: int, community: bool) -> str:
        """The id of an entity, or of a community: that of its first member."""
        if not community:
            return self._table.id(number)
        return "c" + self._table.id(int(self._table.communities[number][0]))

    def _entity(self, number: int) -> Entity:
        triples = self._triples(self._table.triples_at(number)[:TRIPLES])
        return Entity(self._table.id(number), self._table.names[number], triples)

    def _community(self, number: int) -> Entity:
        """A community under the name of its first member, with the triples inside it."""
        members = self._table.communities[number]
        first = int(members[0])
        inside = self._inside(members)
        names = tuple(self._table.names[n] for n in members[:MEMBERS].tolist())
        triples = self._triples(inside[:TRIPLES])
        return Entity(self._name(number, True), self._table.names[first], triples, names)

    def _inside(self, members: NDArray[np.int32]) -> NDArray[np.int64]:
        """Rows of the triples whose two ends are members."""
        some = members[: 4 * TRIPLES].tolist()
        rows = np.unique(np.concatenate([self._table.triples_at(n) for n in some]))
        return rows[np.isin(self._table.ends[rows], members).all(axis=1)]

    def _triples(self, rows: NDArray[np.int64]) -> tuple[Triple, ...]:
        """The stored triples of rows, in their order."""
        places: list[tuple[str, int]] = []
        for row in rows.tolist():
            number = int(np.searchsorted(self._starts, row, "right")) - 1
            segment, inside = self._segments[number], row - int(self._starts[number])
            document = int(np.searchsorted(segment.triple_starts, inside, "right")) - 1
            first = int(segment.triple_starts[document])
            places.append((segment.ids[document], inside - first))
        stored = self._rows.triples([owner for owner, _ in places])
        return tuple(stored[owner][offset] for owner, offset in places)
