"""The reasoning chain as a graph with computed positions; draws nothing itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irag.types import Trace, Triple
from irag.views.escape import clean
from irag.views.hops import CandidateRow, chain_hops, hops
from irag.views.words import t

__all__ = ["LIMIT", "Edge", "Graph", "Node", "chain_graph", "entity_id"]

LIMIT = 150
"""Most nodes that are drawn: beyond it a browser takes seconds and nobody can read it."""

WIDTH, ROW = 620, 66
"""About how wide a chain is drawn, and the distance of rows, in graph units."""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity. `hop` is the first that reached it (0: none); y is 0 on the chain's line."""

    id: str
    label: str
    x: int
    y: int
    hop: int
    chain: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """A triple; `width` in pixels follows its score, `bend` keeps it off
    what it would cross (0 straight, above 0 clockwise, below 0 counter-clockwise)."""

    triple: Triple
    source: str
    target: str
    hop: int
    chain: bool
    width: float
    bend: float


@dataclass(frozen=True, slots=True)
class Graph:
    """What is drawn; `note` says when something was left out, else "". `step` is the distance of
    neighbours on the chain's line: what a label has room for."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    note: str = ""
    step: int = 200


@dataclass(frozen=True, slots=True)
class _Link:
    """A triple to draw, with its hop and its score's place in its list, 1 best to 0 worst."""

    triple: Triple
    hop: int
    chain: bool
    strength: float

    @property
    def ends(self) -> tuple[str, str]:
        return entity_id(self.triple.head), entity_id(self.triple.tail)


def chain_graph(trace: Trace, candidates: int = 0, limit: int = LIMIT) -> Graph:
    """The chain left to right by hop on one line, with so many other candidates of each hop.

    The others lie above and below the line in the column of their hop. At most `limit` entities
    are drawn, the chain's first, then by hop and rank; `note` says so.
    """
    links = [*_chain(trace), *_others(trace, candidates)]
    kept, total = _limited(links, limit)
    places = _places(kept)
    first = {entity: link for link in reversed(kept) for entity in link.ends}
    chain = {entity for link in kept if link.chain for entity in link.ends}
    names = {
        entity_id(part): clean(part)
        for link in reversed(kept)
        for part in (link.triple.head, link.triple.tail)
    }
    nodes = tuple(
        Node(entity, names[entity], x, y, first[entity].hop, entity in chain)
        for entity, (x, y) in places.items()
    )
    note = "" if len(nodes) == total else t("graph.note", shown=len(nodes), n=total)
    return Graph(nodes, _edges(kept, places), note, _step(len(chain)))


def entity_id(name: str) -> str:
    """One id for all spellings of case and spacing; text always, so that 007 is not 7."""
    return "e:" + " ".join(unicodedata.normalize("NFC", clean(name)).casefold().split())


def _chain(trace: Trace) -> list[_Link]:
    links = {triple.id: _Link(triple, hop, True, 1.0) for triple, hop in chain_hops(trace)}
    return list(links.values())


def _others(trace: Trace, count: int) -> list[_Link]:
    taken = {triple.id for triple, _ in chain_hops(trace)}
    links: dict[str, _Link] = {}
    for hop in hops(trace) if count else ():
        rows = [row for row in hop.candidates if row.triple.id not in taken][:count]
        for row in rows:
            links.setdefault(row.triple.id, _Link(row.triple, hop.number, False, _share(row, rows)))
    return list(links.values())


def _share(row: CandidateRow, rows: Sequence[CandidateRow]) -> float:
    low, high = min(r.score for r in rows), max(r.score for r in rows)
    return (row.score - low) / (high - low) if high > low else 1.0


def _limited(links: Sequence[_Link], limit: int) -> tuple[list[_Link], int]:
    """The links whose entities fit the limit, and how many entities there are in all."""
    shown: set[str] = set()
    kept: list[_Link] = []
    for link in links:
        if len(shown.union(link.ends)) <= limit:
            shown.update(link.ends)
            kept.append(link)
    return kept, len({entity for link in links for entity in link.ends})


def _places(links: Sequence[_Link]) -> dict[str, tuple[int, int]]:
    """Positions: chain entities in order of appearance on y = 0, the others in rows around it.

    A candidate lies in the columns of its hop, its head left of its tail.
    """
    line = dict.fromkeys(entity for link in links if link.chain for entity in link.ends)
    step = _step(len(line))
    places = {entity: (step * number, 0) for number, entity in enumerate(line)}
    right = {link.hop: max(places[end][0] for end in link.ends) for link in links if link.chain}
    rows: dict[int, int] = {}
    for link in links:
        x = right.get(link.hop, step * max(1, len(line)))
        columns = {end: column for end, column in zip(link.ends, (x - step, x), strict=True)}
        free = [end for end in columns if end not in places]
        rank = 1 + max((rows.get(column, 0) for column in columns.values()), default=0)
        for end in free:
            places[end] = (columns[end], _row(rank))
            rows[columns[end]] = rank
    return places


def _step(columns: int) -> int:
    """The distance of neighbours on the line: closer when there are many, down to a limit."""
    return max(128, min(200, WIDTH // max(1, columns - 1)))


def _row(rank: int) -> int:
    """Rows from the line outwards: first below it, then above it."""
    return ROW * ((rank + 1) // 2) * (1 if rank % 2 else -1)


def _edges(links: Iterable[_Link], places: dict[str, tuple[int, int]]) -> tuple[Edge, ...]:
    between: dict[frozenset[str], int] = {}
    line = sorted(x for x, y in places.values() if y == 0)
    edges = []
    for link in links:
        source, target = link.ends
        pair = frozenset((source, target))
        parallel = between[pair] = between.get(pair, -1) + 1
        (x, y), (x2, y2) = places[source], places[target]
        crossed = y == y2 == 0 and sum(min(x, x2) < other < max(x, x2) for other in line)
        bend = (0.22 * parallel + (0.45 if crossed else 0.0)) * (1 if x <= x2 else -1)
        width = 3.5 if link.chain else 0.8 + 1.4 * link.strength
        edges.append(Edge(link.triple, source, target, link.hop, link.chain, width, bend))
    return tuple(edges)
