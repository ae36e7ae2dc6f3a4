"""KGIR-RAG's evidence subgraph: what of the retrieved triples hangs together with the question.

Pure functions over triples as weighted edges between names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from irag.graphs import Edge, heaviest_first, maximum_spanning_tree
from irag.match import entity_key, is_literal, mentioned, same_name
from irag.types import Scored, Triple

__all__ = ["Subgraph", "TripleEdge", "edges_of", "evidence_subgraph", "seeds_of", "shares"]

_APART = "\x1f"

TripleEdge = Edge[Triple]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The edges that stay, from the seeds outwards, and those that do not, heaviest first."""

    kept: tuple[TripleEdge, ...] = ()
    dropped: tuple[TripleEdge, ...] = ()


def edges_of(scored: Iterable[Scored[Triple]]) -> tuple[TripleEdge, ...]:
    """An edge a triple, its score the weight, without those that join a name to itself.

    A number or a date is a node of its own for each head: it joins no two facts.
    """
    made = (_edge(one.unit, one.score) for one in scored)
    return tuple(edge for edge in made if not edge.loop)


def _edge(triple: Triple, weight: float) -> TripleEdge:
    head, tail = entity_key(triple.head), entity_key(triple.tail)
    end = f"{tail}{_APART}{head}" if is_literal(triple.tail) else tail
    return Edge(head, end, weight, triple.id, triple)


def seeds_of(names: Sequence[str], question: str, edges: Sequence[TripleEdge]) -> tuple[str, ...]:
    """The nodes that these names mean, in the names' order: of the same name, else by n-grams.

    Where they mean none: the nodes whose own name stands in the question (KG²RAG code), or ().
    """
    spelt: dict[str, str] = {}
    for edge in edges:
        spelt.setdefault(edge.a, edge.unit.head)
        spelt.setdefault(edge.b, edge.unit.tail)
    found: list[str] = []
    for name in names:
        same = [node for node in spelt if node.partition(_APART)[0] == entity_key(name)]
        found += same or [node for node in spelt if same_name(name, spelt[node])]
    if not found:
        told = mentioned(tuple(spelt.values()), question)
        found = [node for node in spelt if spelt[node] in told]
    return tuple(dict.fromkeys(found))


def shares(scores: Mapping[str, float]) -> dict[str, float]:
    """Each score's place between the least (0) and the best (1); all 1 where they are equal."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    span = high - low
    return {key: (score - low) / span if span else 1.0 for key, score in scores.items()}


def evidence_subgraph(
    edges: Sequence[TripleEdge], seeds: Collection[str], least: float, most: int
) -> Subgraph:
    """The maximum spanning tree of each component, without its weak leaves.

    The weakest leaf goes as long as its share of the edges' weights is below `least` or more than
    `most` edges are left; seeds stay. Equal weights are ordered by id.
    """
    share = shares({edge.id: edge.weight for edge in edges})
    tree = heaviest_first(maximum_spanning_tree(edges).kept)
    degree = Counter(end for edge in tree for end in (edge.a, edge.b))
    while tree:
        weakest = next((e for e in reversed(tree) if _loose(e, degree, seeds)), None)
        if weakest is None or (share[weakest.id] >= least and len(tree) <= most):
            break
        tree.remove(weakest)
        degree.subtract((weakest.a, weakest.b))
    inside = {edge.id for edge in tree}
    left = heaviest_first(edge for edge in edges if edge.id not in inside)
    return Subgraph(tuple(_outwards(tree, seeds)), tuple(left))


def _loose(edge: TripleEdge, degree: Mapping[str, int], seeds: Collection[str]) -> bool:
    return any(degree[end] == 1 and end not in seeds for end in (edge.a, edge.b))


def _outwards(tree: Sequence[TripleEdge], seeds: Collection[str]) -> list[TripleEdge]:
    """Every edge after one that reaches it, the heaviest of those reached first."""
    left, reached, ordered = heaviest_first(tree), set(seeds), list[TripleEdge]()
    while left:
        following = next((e for e in left if e.a in reached or e.b in reached), left[0])
        left.remove(following)
        ordered.append(following)
        reached |= {following.a, following.b}
    return ordered
