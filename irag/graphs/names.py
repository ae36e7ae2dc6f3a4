"""The graph of the names in some triples: one node a name, one edge for all that joins two."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from irag.graphs.edges import Edge, heaviest_first
from irag.match import entity_key, is_literal
from irag.types import Triple

__all__ = ["NameGraph", "Node", "name_graph"]


@dataclass(frozen=True, slots=True)
class Node:
    """A name. `name` is its commonest spelling; `triples` all that name it, in the order given.

    `literal`: a number or a date, which joins facts that have nothing to do with each other.
    """

    key: str
    name: str
    spellings: tuple[str, ...]
    triples: tuple[Triple, ...]
    literal: bool


@dataclass(frozen=True, slots=True)
class NameGraph:
    """Nodes by key, and edges weighted by how many triples join the two, heaviest first.

    An edge's unit holds its triples with their own directions: the edge itself has none (FR-042).
    """

    nodes: Mapping[str, Node] = field(default_factory=dict)
    edges: tuple[Edge[tuple[Triple, ...]], ...] = ()
    joined: Mapping[str, tuple[Edge[tuple[Triple, ...]], ...]] = field(default_factory=dict)

    def near(self, keys: Iterable[str], most: int = 30, literals: bool = False) -> tuple[Node, ...]:
        """The nodes one edge away from these, without these: heaviest edge first, at most `most`.

        Nothing is reached over a literal, and literals are left out unless asked for (FR-116).
        """
        given = dict.fromkeys(keys)
        crossed = [key for key in given if key in self.nodes and not self.nodes[key].literal]
        edges = {edge.id: edge for key in crossed for edge in self.joined.get(key, ())}
        ends = (end for edge in heaviest_first(edges.values()) for end in (edge.a, edge.b))
        found = (self.nodes[end] for end in dict.fromkeys(ends) if end not in given)
        return tuple(node for node in found if literals or not node.literal)[:most]


def name_graph(triples: Sequence[Triple], key: Callable[[str], str] = entity_key) -> NameGraph:
    """The graph of these triples; a triple of an empty name is left out.

    `key` decides which names are one node: spellings alone by default; `NameIndex.key` also knows
    aliases. A triple that joins a name to itself is kept by its node and makes no edge.
    """
    spelt: dict[str, Counter[str]] = defaultdict(Counter)
    said: dict[str, list[Triple]] = defaultdict(list)
    between: dict[tuple[str, str], list[Triple]] = defaultdict(list)
    for triple in triples:
        head, tail = key(triple.head), key(triple.tail)
        if not head or not tail:
            continue
        for end, name in ((head, triple.head), (tail, triple.tail)):
            spelt[end][" ".join(name.split())] += 1
        for end in dict.fromkeys((head, tail)):
            said[end].append(triple)
        if head != tail:
            between[min(head, tail), max(head, tail)].append(triple)
    nodes = {end: _node(end, spelt[end], said[end]) for end in spelt}
    edges = heaviest_first(
        Edge(a, b, float(len(some)), f"{a}\x1f{b}", tuple(some)) for (a, b), some in between.items()
    )
    joined: dict[str, list[Edge[tuple[Triple, ...]]]] = defaultdict(list)
    for edge in edges:
        joined[edge.a].append(edge)
        joined[edge.b].append(edge)
    return NameGraph(nodes, tuple(edges), {end: tuple(some) for end, some in joined.items()})


def _node(key: str, spelt: Counter[str], said: Sequence[Triple]) -> Node:
    spellings = sorted(spelt, key=lambda name: (-spelt[name], name))
    literal = all(is_literal(name) for name in spellings)
    return Node(key, spellings[0], tuple(spellings), tuple(said), literal)
