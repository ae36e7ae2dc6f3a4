"""A corpus's entity graph around one entity, with computed positions; draws nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from irag.types import Triple
from irag.views.escape import clean
from irag.views.graph import LIMIT, Edge, Graph, Node, entity_id
from irag.views.words import t

__all__ = ["entity_graph"]

COLUMN, ROW = 210, 54
"""The distance of columns and rows, in graph units."""

ROWS = 9
"""Entities in a column before the next one is begun."""


def entity_graph(centre: str, rings: Sequence[Sequence[Triple]], total: int, more: bool) -> Graph:
    """The centre in the middle; what it is said of to its right, what says something of it to its
    left, the second ring outside the first, on the side of the entity that brought it.

    `total` entities are there besides the centre, `more`: at least. At most 150 are drawn.
    """
    side: dict[str, int] = {entity_id(centre): 0}
    ring_of = {entity_id(centre): 1}
    names = {entity_id(centre): clean(centre)}
    edges: list[Edge] = []
    for number, ring in enumerate(rings, 1):
        for triple in ring:
            ends = entity_id(triple.head), entity_id(triple.tail)
            fresh = [end for end in dict.fromkeys(ends) if end not in side]
            if len(side) + len(fresh) > LIMIT:
                continue
            for end in fresh:
                other = ends[0] if end == ends[1] else ends[1]
                side[end] = side.get(other, 0) or (1 if end == ends[1] else -1)
                ring_of[end] = number
                names[end] = clean(triple.tail if end == ends[1] else triple.head)
            edges.append(Edge(triple, *ends, number, number == 1, 2.0 if number == 1 else 1.2, 0.0))
    places = _places(side, ring_of)
    nodes = tuple(
        Node(end, names[end], *places[end], ring_of[end], side[end] == 0) for end in places
    )
    return Graph(nodes, _bent(edges), _note(len(nodes) - 1, total, more), COLUMN)


def _places(side: dict[str, int], ring_of: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Columns to both sides, each in the order of arrival, every other one half a row lower."""
    places = {end: (0, 0) for end, where in side.items() if where == 0}
    for where in (-1, 1):
        column = 0
        for ring in sorted(set(ring_of.values())):
            ends = [end for end, which in side.items() if which == where and ring_of[end] == ring]
            for start in range(0, len(ends), ROWS):
                column += 1
                some = ends[start : start + ROWS]
                shift = ROW // 2 if column % 2 == 0 else 0
                for row, end in enumerate(some):
                    y = round(ROW * (row - (len(some) - 1) / 2)) + shift
                    places[end] = (where * column * COLUMN, y)
    return places


def _bent(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """Parallel edges bend away from each other; equal ones would lie on top of each other."""
    between: dict[frozenset[str], int] = {}
    drawn = []
    for edge in edges:
        pair = frozenset((edge.source, edge.target))
        place = between[pair] = between.get(pair, -1) + 1
        bend = 0.18 * place
        drawn.append(
            Edge(edge.triple, edge.source, edge.target, edge.hop, edge.chain, edge.width, bend)
        )
    return tuple(drawn)


def _note(shown: int, total: int, more: bool) -> str:
    if more:
        return t("graph.more", shown=shown, n=total)
    return t("graph.note", shown=shown, n=total) if shown < total else ""
