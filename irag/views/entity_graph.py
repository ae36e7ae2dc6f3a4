"""A corpus's entity graph around one entity, with computed positions; draws nothing itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

from irag.types import Triple
from irag.views.escape import clean
from irag.views.graph import LIMIT, Edge, Graph, Node, entity_id
from irag.views.words import t

__all__ = ["entity_graph"]

COLUMN, ROW = 260, 76
"""The least distance of rings, and of neighbours on a ring, in graph units."""

WIDEST = math.radians(78)
"""How far an arc goes up and down from the middle."""


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
    """Arcs to both sides, one a ring, in the order of arrival from top to bottom.

    An arc is as wide as its entities need, so that neither names nor the words on edges meet.
    """
    places = {end: (0, 0) for end, where in side.items() if where == 0}
    for where in (-1, 1):
        radius = 0.0
        for ring in sorted(set(ring_of.values())):
            ends = [end for end, which in side.items() if which == where and ring_of[end] == ring]
            radius = max(radius + COLUMN, len(ends) * ROW / (2 * WIDEST))
            for number, end in enumerate(ends):
                angle = WIDEST * (2 * (number + 0.5) / len(ends) - 1)
                places[end] = (
                    round(where * radius * math.cos(angle)),
                    round(radius * math.sin(angle)),
                )
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
