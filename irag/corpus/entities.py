"""The entity graph of one generation: names, the triples that join them, vectors, communities."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from irag.corpus.rows import Rows
from irag.corpus.segment import Segment
from irag.match import entity_key, title_key
from irag.retrieval.dense import DenseIndex, dense_index

__all__ = ["Arrays", "EntityTable", "build_entities"]

SENSES = 3  # nodes that one name may mean
LONGEST = 6  # words of a name; what is longer is a clause
HUB = 200  # triples of a node beyond which communities do not spread through it
ROWS_AT_ONCE = 65_536

Arrays = dict[str, NDArray[np.generic]]
Communities = Callable[[sparse.csr_array], NDArray[np.int32]]
"""From a symmetric weighted adjacency (n, n) to the number of each node's community, shape (n,)."""


@dataclass(frozen=True)
class EntityTable:
    """Nodes and what joins them.

    `ends` (triples, 2) are the node numbers of each stored triple's head and tail, -1 for what is
    no name, in the order of the segments' triple rows. `vectors` (nodes, d) are means of the
    triples' vectors; `community` (nodes,) numbers communities, -1 for a node in none.
    """

    names: tuple[str, ...]
    ends: NDArray[np.int32]
    vectors: NDArray[np.float16]
    community: NDArray[np.int32]

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Node number by entity key."""
        return {entity_key(name): number for number, name in enumerate(self.names)}

    @cached_property
    def meant(self) -> dict[str, tuple[int, ...]]:
        """Node numbers by title key, the one with most triples first: "Boston" means "Boston
        (band)" too."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self.names):
            found[title_key(name)].append(number)
        degrees = self.degrees
        return {
            key: tuple(sorted(some, key=lambda n: (-degrees[n], n))) for key, some in found.items()
        }

    def named(self, name: str) -> tuple[int, ...]:
        """The node of this very name, else those that differ only in what stands in brackets."""
        exact = self.number_of.get(entity_key(name))
        return (exact,) if exact is not None else self.meant.get(title_key(name), ())[:SENSES]

    @cached_property
    def by_id(self) -> dict[str, int]:
        """Node number by entity id."""
        return {self.id(number): number for number in range(len(self.names))}

    @cached_property
    def index(self) -> DenseIndex:
        """Search over the nodes' vectors."""
        return DenseIndex(dense_index(self.vectors))

    @cached_property
    def communities(self) -> tuple[NDArray[np.int32], ...]:
        """Node numbers of each community, the node with most triples first."""
        order = np.lexsort((np.arange(len(self.names)), -self.degrees))
        groups: dict[int, list[int]] = defaultdict(list)
        for number in order.tolist():
            if self.community[number] >= 0:
                groups[int(self.community[number])].append(number)
        return tuple(np.array(groups[n], np.int32) for n in sorted(groups))

    @cached_property
    def community_index(self) -> DenseIndex:
        """Search over the means of the communities' vectors."""
        means = [self.vectors[some].astype(np.float32).mean(axis=0) for some in self.communities]
        return DenseIndex(
            dense_index(
                _unit(np.array(means, np.float32).reshape(len(means), self.vectors.shape[1]))
            )
        )

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """How many triples name each node."""
        return np.asarray(np.diff(self.incidence.indptr), np.int64)

    @cached_property
    def incidence(self) -> sparse.csr_array:
        """Which triples name a node: 1s, shape (nodes, triples)."""
        return _incidence(self.ends, len(self.names))

    def id(self, number: int) -> str:
        """An entity's id: a hash of its key, so it is the same in every corpus."""
        key = entity_key(self.names[number]).encode("utf-8", "surrogatepass")
        return "e" + hashlib.blake2b(key, digest_size=8).hexdigest()

    def triples_at(self, number: int) -> NDArray[np.int64]:
        """Rows of the triples that name a node."""
        rows = self.incidence
        return np.asarray(rows.indices[rows.indptr[number] : rows.indptr[number + 1]], np.int64)

    def near(self, numbers: Sequence[int]) -> NDArray[np.int64]:
        """The nodes that one triple joins to these, without these, in order."""
        rows = [self.triples_at(number) for number in numbers]
        if not rows:
            return np.zeros(0, np.int64)
        ends = self.ends[np.unique(np.concatenate(rows))].ravel()
        return np.setdiff1d(ends[ends >= 0], np.array(numbers)).astype(np.int64)

    def arrays(self) -> Arrays:
        """Everything but the names, to be stored."""
        return {"ends": self.ends, "vectors": self.vectors, "community": self.community}


def build_entities(
    segments: Sequence[Segment],
    dead: Sequence[Sequence[int]],
    rows: Rows,
    communities: Communities,
) -> EntityTable:
    """The entity graph of the live documents' triples; embeds nothing and asks no LLM."""
    numbers: dict[str, int] = {}
    spelt: list[Counter[str]] = []
    ends: list[tuple[int, int]] = []
    for pair in _pairs(segments, dead, rows):
        ends.append(tuple(_number(name, numbers, spelt) for name in pair))  # type: ignore[arg-type]
    joined = np.array(ends, np.int32).reshape(-1, 2)
    names = tuple(min(some, key=lambda one: (-some[one], one)) for some in spelt)
    vectors = _means(segments, _incidence(joined, len(names)))
    return EntityTable(names, joined, vectors, communities(_adjacency(joined, len(names))))


def _pairs(
    segments: Sequence[Segment], dead: Sequence[Sequence[int]], rows: Rows
) -> Iterator[tuple[str, str]]:
    """(head, tail) of every triple row; ("", "") for those of removed documents."""
    for segment, gone in zip(segments, dead, strict=True):
        removed = set(gone)
        for start in range(0, len(segment.ids), 512):
            some = range(start, min(start + 512, len(segment.ids)))
            alive = [segment.ids[row] for row in some if row not in removed]
            found = rows.triples(alive)
            for row in some:
                first, stop = segment.triples_between(row)
                if row in removed:
                    yield from (("", "") for _ in range(first, stop))
                else:
                    yield from ((t.head, t.tail) for t in found[segment.ids[row]])


def _number(name: str, numbers: dict[str, int], spelt: list[Counter[str]]) -> int:
    """The node of a name, made when it is new; -1 for what is no name."""
    if not name or name.count(" ") >= LONGEST:
        return -1
    key = entity_key(name)
    if not key:
        return -1
    number = numbers.setdefault(key, len(numbers))
    if number == len(spelt):
        spelt.append(Counter())
    spelt[number][name] += 1
    return number


def _incidence(ends: NDArray[np.int32], nodes: int) -> sparse.csr_array:
    at, triples = ends.ravel(), np.repeat(np.arange(len(ends)), 2)
    there = at >= 0
    ones = np.ones(int(there.sum()), np.float32)
    made = sparse.coo_array((ones, (at[there], triples[there])), shape=(nodes, len(ends)))
    found = made.tocsr()  # a triple that names a node twice counts once
    found.data[:] = 1
    return found


def _adjacency(ends: NDArray[np.int32], nodes: int) -> sparse.csr_array:
    """How many triples join two nodes; none through hubs, which join everything."""
    joins = ends[(ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])]
    counts = np.bincount(joins.ravel(), minlength=nodes)
    joins = joins[(counts[joins] <= HUB).all(axis=1)]
    ones = np.ones(len(joins), np.float32)
    made = sparse.coo_array((ones, (joins[:, 0], joins[:, 1])), shape=(nodes, nodes)).tocsr()
    return sparse.csr_array(made + made.T)


def _means(segments: Sequence[Segment], incidence: sparse.csr_array) -> NDArray[np.float16]:
    """The mean vector of each node's triples, of length 1, shape (nodes, d)."""
    dimension = segments[0].triples.shape[1] if segments else 0
    sums = np.zeros((incidence.shape[0], dimension), np.float32)
    by_triple, first = incidence.tocsc(), 0
    for segment in segments:
        for start in range(0, len(segment.triples), ROWS_AT_ONCE):
            some = np.asarray(segment.triples[start : start + ROWS_AT_ONCE], np.float32)
            sums += by_triple[:, first + start : first + start + len(some)] @ some
        first += len(segment.triples)
    return _unit(sums)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float16]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 1e-9)
    return np.asarray(units, np.float16)
