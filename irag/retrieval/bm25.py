"""BM25 over stored term counts, so that several segments share one set of statistics.

The usual libraries keep finished scores, which hold the document frequencies of the moment they
were built: after adding or removing, scores of two segments would no longer compare. Here a
segment keeps (term, row, count) and the scores are worked out for the query's terms alone.
Formula: Robertson et al. 1994, with the non-negative idf of Lucene; k1 1.5, b 0.75.
"""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from irag.retrieval.vectors import stored_array

__all__ = ["TermIndex", "bm25_scores", "write_terms"]

K1 = 1.5
B = 0.75

TERMS_FILES = ("terms.json", "starts.npy", "rows.npy", "counts.npy", "lengths.npy")


def write_terms(folder: Path, documents: Iterable[Sequence[str]]) -> None:
    """Write the term files of documents, given as their terms in row order."""
    vocabulary: dict[str, int] = {}
    terms, rows, counts, lengths = array("I"), array("I"), array("I"), array("I")
    for row, document in enumerate(documents):
        lengths.append(len(document))
        for term, count in Counter(document).items():
            terms.append(vocabulary.setdefault(term, len(vocabulary)))
            rows.append(row)
            counts.append(count)
    order = np.argsort(np.frombuffer(terms, np.uint32), kind="stable")
    sizes = np.bincount(np.frombuffer(terms, np.uint32), minlength=len(vocabulary))
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    names, *paths = (folder / name for name in TERMS_FILES)
    names.write_text(json.dumps(list(vocabulary), ensure_ascii=False), "utf-8")
    columns: tuple[NDArray[np.integer], ...] = (
        starts,
        np.frombuffer(rows, np.uint32)[order],
        np.frombuffer(counts, np.uint32)[order],
        np.frombuffer(lengths, np.uint32),
    )
    for path, column in zip(paths, columns, strict=True):
        np.save(path, column, allow_pickle=False)


class TermIndex:
    """The term counts of one segment, memory-mapped."""

    def __init__(self, folder: Path) -> None:
        names, *paths = (folder / name for name in TERMS_FILES)
        self._terms = {term: n for n, term in enumerate(json.loads(names.read_text("utf-8")))}
        self._starts, self._rows, self._counts, self.lengths = (
            stored_array(path) for path in paths
        )

    def postings(self, term: str) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Rows that hold the term, ascending, and how often each holds it."""
        number = self._terms.get(term)
        start, stop = (0, 0) if number is None else self._starts[number : number + 2]
        return self._rows[start:stop], self._counts[start:stop]


def bm25_scores(
    segments: Sequence[TermIndex], live: Sequence[NDArray[np.bool_]], terms: Sequence[str]
) -> list[NDArray[np.float32]]:
    """Scores of every row of every segment; 0 for a row that holds no term or is not live.

    Document frequencies and the mean length are those of the live rows of all segments.
    """
    count = sum(int(mask.sum()) for mask in live)
    scores = [np.zeros(len(mask), np.float32) for mask in live]
    if not count:
        return scores
    words = sum(int(s.lengths[m].sum()) for s, m in zip(segments, live, strict=True))
    mean = max(words / count, 1e-9)
    for term, weight in Counter(terms).items():
        found = [segment.postings(term) for segment in segments]
        frequency = sum(int(m[rows].sum()) for m, (rows, _) in zip(live, found, strict=True))
        idf = math.log1p((count - frequency + 0.5) / (frequency + 0.5))
        for segment, total, (rows, counts) in zip(segments, scores, found, strict=True):
            norm = K1 * (1 - B + B * segment.lengths[rows] / mean)
            total[rows] += weight * idf * counts * (K1 + 1) / (counts + norm)
    for total, mask in zip(scores, live, strict=True):
        total[~mask] = 0.0
    return scores
