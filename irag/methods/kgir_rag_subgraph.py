"""KGIR-RAG's evidence subgraph: what of the retrieved triples hangs together with the question.

Pure functions over triples. A node is a name in the form in which names are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irag.match import entity_key
from irag.methods.kgir_interim import same_name, spanning_tree, stands_in
from irag.types import Scored, Triple

__all__ = ["Subgraph", "evidence_subgraph", "region", "seeds_of", "shares"]

SHORTEST = 4  # letters of a node that is looked for in the question: "it" and "he" are no names

Weighted = Scored[Triple]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The edges that stay, from the seeds outwards, and those that do not, heaviest first."""

    kept: tuple[Weighted, ...] = ()
    dropped: tuple[Weighted, ...] = ()


def ends(triple: Triple) -> tuple[str, str]:
    """The nodes that a triple joins."""
    return entity_key(triple.head), entity_key(triple.tail)


def seeds_of(names: Sequence[str], question: str, triples: Sequence[Triple]) -> tuple[str, ...]:
    """The nodes that these names mean, in the names' order: of the same name, else by n-grams.

    Where they mean none: the nodes whose own name stands in the question (KG²RAG code), or ().
    """
    nodes = dict.fromkeys(end for triple in triples for end in ends(triple))
    named = [
        node
        for name in names
        for node in ([entity_key(name)] if entity_key(name) in nodes else nodes)
        if same_name(name, node)
    ]
    if not named:
        named = [node for node in nodes if len(node) >= SHORTEST and stands_in(node, question)]
    return tuple(dict.fromkeys(named))


def region(
    triples: Sequence[Triple], seeds: Sequence[str], radius: int, most: int
) -> tuple[Triple, ...]:
    """The edges that are reached from the seeds: nearest first, then in the order given.

    `radius` counts edges away from a seed: 1 is the paper's star, 0 the whole component. At most
    `most` edges; one that joins a node to itself is none.
    """
    joined: dict[str, list[Triple]] = {}
    for triple in triples:
        head, tail = ends(triple)
        if head != tail:
            joined.setdefault(head, []).append(triple)
            joined.setdefault(tail, []).append(triple)
    reached, frontier, edges, away = set(seeds), list(seeds), dict[str, Triple](), 0
    while frontier and len(edges) < most and (radius == 0 or away < radius):
        touched = [triple for node in frontier for triple in joined.get(node, ())]
        edges |= {triple.id: triple for triple in touched if triple.id not in edges}
        following = (end for triple in touched for end in ends(triple))
        frontier = list(dict.fromkeys(end for end in following if end not in reached))
        reached.update(frontier)
        away += 1
    return tuple(edges.values())[:most]


def shares(scored: Sequence[Scored[Any]]) -> dict[str, float]:
    """Each unit's place between the list's least (0) and best score (1), by id; 1 when equal."""
    scores = [one.score for one in scored]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return {one.unit.id: (one.score - low) / (high - low) if high > low else 1.0 for one in scored}


def evidence_subgraph(
    edges: Sequence[Weighted], seeds: Collection[str], least: float, most: int
) -> Subgraph:
    """The maximum spanning tree of each component, without its weak leaves.

    The weakest leaf goes as long as its share of the edges' weights is below `least` or more than
    `most` edges are left; seeds stay. Equal weights are ordered by id.
    """
    tree = spanning_tree(edges)
    kept = _outwards(_pruned(tree, seeds, shares(edges), (least, most)), seeds)
    inside = {one.unit.id for one in kept}
    left = [one for one in edges if one.unit.id not in inside]
    return Subgraph(tuple(kept), tuple(sorted(left, key=_heaviest)))


def _heaviest(one: Weighted) -> tuple[float, str]:
    return -one.score, one.unit.id


def _pruned(
    tree: Sequence[Weighted],
    seeds: Collection[str],
    share: Mapping[str, float],
    bounds: tuple[float, int],
) -> list[Weighted]:
    least, most = bounds
    kept = sorted(tree, key=_heaviest)
    degree = Counter(end for one in kept for end in ends(one.unit))
    while kept:
        loose = (
            one
            for one in reversed(kept)
            if any(degree[end] == 1 and end not in seeds for end in ends(one.unit))
        )
        weakest = next(loose, None)
        if weakest is None or (share[weakest.unit.id] >= least and len(kept) <= most):
            break
        kept.remove(weakest)
        degree.subtract(ends(weakest.unit))
    return kept


def _outwards(tree: Sequence[Weighted], seeds: Collection[str]) -> list[Weighted]:
    """Every edge after one that reaches it, the heaviest of those reached first."""
    left, reached = sorted(tree, key=_heaviest), set(seeds)
    ordered: list[Weighted] = []
    while left:
        following = next((one for one in left if reached.intersection(ends(one.unit))), left[0])
        left.remove(following)
        ordered.append(following)
        reached.update(ends(following.unit))
    return ordered
