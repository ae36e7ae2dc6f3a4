"""The sentence graph of ChainRAG (section 3.1): three kinds of edge, kept apart, and an index.

A row is a sentence. Every step works on whole arrays: there is no loop over sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from irag.errors import CorpusError
from irag.graphs.nearest import mutual, nearest
from irag.graphs.sparse_rows import Arrays, best_of_rows, entries, pack, rank_in_rows, unpack
from irag.match import entity_key, is_literal

__all__ = [
    "KINDS",
    "Limits",
    "MentionCounts",
    "Reached",
    "SentenceEdges",
    "importance",
    "mentions_of",
    "sentence_graph",
]

KINDS = ("entity", "similar", "adjacent")
RULES = 1  # raised when other edges come of the same sentences: what is stored is then made again
K1, B = 1.5, 0.75  # BM25 (Robertson et al. 1994), as everywhere in this package
ROWS_AT_ONCE = 8192


@dataclass(frozen=True, slots=True)
class Limits:
    """What becomes an edge."""

    key_share: float = 0.6  # of a sentence's entities, by BM25 importance (paper: the top 60 %)
    similar: int = 10  # nearest sentences, of which the mutual ones count (paper)
    distance: int = 3  # sentences apart in one document (paper)
    hub: int = 100  # an entity of more sentences joins everything and so none (ours)
    degree: int = 50  # edges over shared entities a sentence keeps, strongest first (ours)


@dataclass(frozen=True, slots=True)
class MentionCounts:
    """Which sentence names what: `counts` (sentences, entities), its columns named by `keys`."""

    keys: tuple[str, ...]
    counts: sparse.csr_array


@dataclass(frozen=True, slots=True)
class Reached:
    """Sentences that edges lead to, best first; `of` is where each one's strongest edge begins."""

    rows: NDArray[np.int64]
    of: NDArray[np.int64]
    weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SentenceEdges:
    """Three matrices (sentences, sentences), one a kind of edge, and the entity index.

    Weights compare within one kind: summed rarity of the shared key entities; cosine; one over
    one plus the distance. `index` (entities, sentences) holds the BM25 importance of each mention.
    """

    entity: sparse.csr_array
    similar: sparse.csr_array
    adjacent: sparse.csr_array
    index: sparse.csr_array

    def neighbours(self, rows: Sequence[int], kind: str) -> Reached:
        """What the edges of a kind join to these rows, without these rows.

        Each sentence once, by its strongest edge; best first, equal ones in the order of rows.
        Raises KeyError for an unknown kind.
        """
        if kind not in KINDS:
            raise KeyError(f"Unknown kind of edge {kind!r}. Known: {', '.join(KINDS)}.")
        given = np.unique(np.asarray(rows, np.int64))
        of, found, weights = entries(getattr(self, kind), given)
        outside = ~np.isin(found, given)
        of, found, weights = of[outside], found[outside], weights[outside].astype(np.float64)
        strongest = np.lexsort((of, -weights, found))
        _, first = np.unique(found[strongest], return_index=True)
        best = strongest[first]
        ordered = best[np.lexsort((found[best], -weights[best]))]
        return Reached(found[ordered], of[ordered], weights[ordered])

    def naming(self, entity: int, most: int = 100) -> NDArray[np.int64]:
        """Rows of the sentences that name an entity, most important mention first."""
        _, rows, weights = entries(self.index, np.array([entity]))
        return rows[np.lexsort((rows, -weights))][:most]

    def arrays(self) -> Arrays:
        """Everything as plain arrays, to be stored."""
        packed = (pack(kind, getattr(self, kind)).items() for kind in (*KINDS, "index"))
        return {"rules": np.array([RULES]), **{name: one for some in packed for name, one in some}}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> SentenceEdges:
        """What `arrays` gave; CorpusError where they are no graph, or one by other rules."""
        if np.asarray(arrays.get("rules", 0)).tolist() != [RULES]:
            raise CorpusError("The stored sentence graph is of another version. Rebuild the index.")
        try:
            return cls(*(unpack(kind, arrays) for kind in (*KINDS, "index")))
        except ValueError as error:
            raise CorpusError(
                f"The stored sentence graph is damaged: {error} Rebuild the corpus's index."
            ) from error


def mentions_of(names: Sequence[Sequence[str]]) -> MentionCounts:
    """The names of each sentence as a matrix; spellings of one name share a column.

    A name that is listed again for a sentence, as heads of triples are, counts once. Numbers and
    dates are left out: they would join what has nothing to do with each other (FR-116). Columns are
    in the order of the first mention.
    """
    columns: dict[str, int] = {}
    rows, found = [], []
    for row, some in enumerate(names):
        for key in dict.fromkeys(entity_key(name) for name in some if not is_literal(name)):
            if key:
                rows.append(row)
                found.append(columns.setdefault(key, len(columns)))
    ones = np.ones(len(rows), np.float32)
    ends = (np.array(rows, np.int64), np.array(found, np.int64))
    counts = sparse.coo_array((ones, ends), shape=(len(names), len(columns))).tocsr()
    return MentionCounts(tuple(columns), counts)


def sentence_graph(
    counts: sparse.csr_array,
    vectors: NDArray[np.floating],
    starts: NDArray[np.integer],
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> SentenceEdges:
    """The graph of n sentences.

    `counts` (n, entities) says how often each names each entity, `vectors` (n, d) are of length 1
    or zero (no similar sentence), `starts` (documents + 1) are the rows at which documents begin
    and, last, n. Raises ValueError when they do not speak of the same sentences.
    """
    total = counts.shape[0]
    if len(vectors) != total or len(starts) == 0 or int(starts[-1]) != total:
        raise ValueError(
            f"{total} sentences with mentions, {len(vectors)} with vectors and documents up to "
            f"row {starts[-1] if len(starts) else 'none'}: these must be one number."
        )
    weights = importance(counts)
    return SentenceEdges(
        _entity_edges(weights, np.asarray(starts, np.int64), limits),
        mutual(*nearest(vectors, limits.similar)),
        _adjacent_edges(np.asarray(starts, np.int64), limits.distance),
        weights.T.tocsr(),
    )


def importance(counts: sparse.csr_array) -> sparse.csr_array:
    """BM25 of each entity in each sentence that names it, shape (sentences, entities), above 0.

    A sentence is read as the document whose words are the entities it names.
    """
    found = counts.tocoo()
    lengths = np.asarray(counts.sum(axis=1), np.float64).ravel()
    mean = max(float(lengths[lengths > 0].mean()) if lengths.any() else 0.0, 1e-9)
    norm = K1 * (1 - B + B * lengths[found.row] / mean)
    score = _rarity(counts)[found.col] * found.data * (K1 + 1) / (found.data + norm)
    ends = (found.row, found.col)
    return sparse.coo_array((score.astype(np.float32), ends), shape=counts.shape).tocsr()


def _frequency(matrix: sparse.csr_array) -> NDArray[np.int64]:
    return np.bincount(matrix.indices, minlength=matrix.shape[1])


def _rarity(matrix: sparse.csr_array) -> NDArray[np.float64]:
    """BM25's non-negative idf of each column."""
    frequency = _frequency(matrix)
    return np.asarray(np.log1p((matrix.shape[0] - frequency + 0.5) / (frequency + 0.5)))


def _entity_edges(
    weights: sparse.csr_array, starts: NDArray[np.int64], limits: Limits
) -> sparse.csr_array:
    """Sentences that share key entities."""
    keys = _key_entities(weights, starts, limits.key_share)
    usable = (_frequency(weights) <= limits.hub) * _rarity(weights)
    shared = (keys @ sparse.diags_array(usable)).T.tocsr()
    total = keys.shape[0]
    blocks = [
        _row_edges(keys[at : at + ROWS_AT_ONCE] @ shared, at, limits.degree)
        for at in range(0, total, ROWS_AT_ONCE)
    ]
    return sparse.csr_array(sparse.vstack(blocks) if blocks else (total, total))


def _key_entities(
    weights: sparse.csr_array, starts: NDArray[np.int64], share: float
) -> sparse.csr_array:
    """1s where an entity is a key entity of a sentence, shape (sentences, entities).

    Of the entities that another document names too, a sentence keeps the most important share,
    rounded up. Those of one document join nothing but its sentences: they stay and take no place.
    """
    found = weights.tocoo()
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[found.row]
    pairs = np.unique(owners * weights.shape[1] + found.col)
    spread = np.bincount(pairs % max(weights.shape[1], 1), minlength=weights.shape[1])
    wide = spread[found.col] > 1
    limit = np.ceil(np.bincount(found.row[wide], minlength=weights.shape[0]) * share)
    kept = ~wide
    place = rank_in_rows(found.row[wide], found.data[wide], found.col[wide])
    kept[wide] = place < limit[found.row[wide]]
    ends = (found.row[kept], found.col[kept])
    return sparse.coo_array((np.ones(int(kept.sum())), ends), shape=weights.shape).tocsr()


def _row_edges(block: sparse.csr_array, first: int, degree: int) -> sparse.csr_array:
    """A block of rows without each row's edge to itself and without weak ones."""
    found = block.tocoo()
    apart = (found.row + first != found.col) & (found.data > 0)
    some = (found.data[apart].astype(np.float32), (found.row[apart], found.col[apart]))
    return best_of_rows(sparse.coo_array(some, shape=block.shape).tocsr(), degree)


def _adjacent_edges(starts: NDArray[np.int64], distance: int) -> sparse.csr_array:
    """Sentences of one document at most `distance` apart."""
    total = int(starts[-1])
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows, columns, weights = [], [], []
    for apart in range(1, min(distance, total - 1) + 1):
        at = np.flatnonzero(owners[:-apart] == owners[apart:])
        rows += [at, at + apart]
        columns += [at + apart, at]
        weights.append(np.full(2 * len(at), 1 / (1 + apart), np.float32))
    if not rows:
        return sparse.csr_array((total, total), dtype=np.float32)
    ends = (np.concatenate(rows), np.concatenate(columns))
    return sparse.coo_array((np.concatenate(weights), ends), shape=(total, total)).tocsr()
