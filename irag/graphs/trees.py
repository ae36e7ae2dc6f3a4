"""What hangs together, the heaviest tree that still joins it, and what lies around some nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from irag.graphs.edges import Edge, heaviest_first

__all__ = ["Forest", "around", "components", "maximum_spanning_tree", "path_between"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Forest(Generic[T_co]):
    """A spanning tree for each component, and the edges it does without, both heaviest first."""

    kept: tuple[Edge[T_co], ...] = ()
    dropped: tuple[Edge[T_co], ...] = ()


class _Sets:
    """Disjoint sets of nodes (union-find with path halving)."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def root(self, node: str) -> str:
        parent = self._parent
        while (above := parent.setdefault(node, node)) != node:
            parent[node] = node = parent[above]
        return node

    def join(self, a: str, b: str) -> bool:
        """Whether the two were apart until now."""
        first, second = self.root(a), self.root(b)
        self._parent[second] = first
        return first != second


def maximum_spanning_tree(edges: Sequence[Edge[T]]) -> Forest[T]:
    """The heaviest edges that join all that can be joined, without a cycle (Kruskal 1956).

    Equal weights are taken in the order of their ids, so the tree does not depend on the order of
    `edges`. Loops are always dropped; a graph in parts gives a tree for each.
    """
    sets, kept, dropped = _Sets(), list[Edge[T]](), list[Edge[T]]()
    for edge in heaviest_first(edges):
        (kept if sets.join(edge.a, edge.b) else dropped).append(edge)
    return Forest(tuple(kept), tuple(dropped))


def components(edges: Sequence[Edge[T]]) -> tuple[tuple[Edge[T], ...], ...]:
    """The edges of each connected part, in the order given; the part with most edges first.

    Parts of one size are ordered by their least node.
    """
    sets = _Sets()
    for edge in edges:
        sets.join(edge.a, edge.b)
    parts: dict[str, list[Edge[T]]] = defaultdict(list)
    for edge in edges:
        parts[sets.root(edge.a)].append(edge)
    ordered = sorted(
        parts.values(), key=lambda part: (-len(part), min(min(e.a, e.b) for e in part))
    )
    return tuple(map(tuple, ordered))


def around(
    edges: Sequence[Edge[T]], seeds: Iterable[str], radius: int = 0, most: int | None = None
) -> tuple[Edge[T], ...]:
    """The edges that are reached from the seeds, nearest first, then in the order given.

    `radius` counts edges away from a seed: 1 is a star, 0 the whole component. At most `most`
    edges. Each node is visited once, so cycles end; loops are left out.
    """
    joined = _joined(edges)
    reached = dict.fromkeys(seeds)
    frontier, found, away = list(reached), dict[str, Edge[T]](), 0
    while frontier and (radius == 0 or away < radius) and (most is None or len(found) < most):
        following = []
        for node in frontier:
            for edge in joined.get(node, ()):
                found.setdefault(edge.id, edge)
                if (end := edge.other(node)) not in reached:
                    reached[end] = None
                    following.append(end)
        frontier, away = following, away + 1
    return tuple(found.values())[:most]


def path_between(edges: Sequence[Edge[T]], start: str, target: str) -> tuple[Edge[T], ...] | None:
    """The fewest edges from one node to another, () where they are one; None: there is no path.

    Of equally short paths the one whose edges come first in the order given.
    """
    joined, came = _joined(edges), dict[str, tuple[str, Edge[T]] | None]({start: None})
    frontier = [start]
    while frontier and target not in came:
        following = []
        for node in frontier:
            for edge in joined.get(node, ()):
                if (end := edge.other(node)) not in came:
                    came[end] = (node, edge)
                    following.append(end)
        frontier = following
    if target not in came:
        return None
    path, step = list[Edge[T]](), came[target]
    while step:
        path.append(step[1])
        step = came[step[0]]
    return tuple(reversed(path))


def _joined(edges: Sequence[Edge[T]]) -> dict[str, list[Edge[T]]]:
    """The edges at each node, in the order given, without loops."""
    joined: dict[str, list[Edge[T]]] = defaultdict(list)
    for edge in edges:
        if not edge.loop:
            joined[edge.a].append(edge)
            joined[edge.b].append(edge)
    return joined
