"""An edge between two named nodes, and edges made of scored triples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from irag.match import entity_key
from irag.types import Scored, Triple

__all__ = ["Edge", "heaviest_first", "triple_edges"]

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Edge(Generic[T_co]):
    """An undirected edge from `a` to `b`; several may join the same two nodes.

    `id` tells it apart and orders equal weights; `unit` is what it stands for, such as a triple.
    """

    a: str
    b: str
    weight: float
    id: str
    unit: T_co

    @property
    def loop(self) -> bool:
        """Whether it joins a node to itself."""
        return self.a == self.b

    def other(self, node: str) -> str:
        """The end that is not `node`; of a loop, the same."""
        return self.b if node == self.a else self.a


E = TypeVar("E", bound=Edge[object])


def heaviest_first(edges: Iterable[E]) -> list[E]:
    """By weight, equal ones by id; a weight that is no number (NaN) counts as the least."""
    return sorted(edges, key=_order)


def _order(edge: Edge[object]) -> tuple[float, str]:
    return (math.inf if math.isnan(edge.weight) else -edge.weight), edge.id


def triple_edges(scored: Sequence[Scored[Triple]]) -> tuple[Edge[Triple], ...]:
    """One edge a triple between its head and its tail, in the form in which names are compared.

    Two triples that join the same nodes stay two edges, whatever their direction (FR-042).
    """
    return tuple(
        Edge(entity_key(t.head), entity_key(t.tail), one.score, t.id, t)
        for one in scored
        for t in [one.unit]
    )
