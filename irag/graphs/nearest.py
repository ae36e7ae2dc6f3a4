"""The nearest rows of every row, exactly, by blocked matrix products."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from irag.graphs.sparse_rows import rank_in_rows

__all__ = ["mutual", "nearest"]

CELLS = 1 << 23  # scores in memory at once: 32 MiB
WIDTH = 64  # columns of which only the greatest score is looked at first
DIGITS = 4  # cosines are compared at this many decimals, equal ones by row


def nearest(vectors: NDArray[np.floating], k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Each row's k nearest other rows and their cosines, shapes (n, k), best first.

    Missing ones are row -1 with cosine 0: there are too few rows, or no cosine is above 0. Equal
    cosines (4 decimals) are ordered by row. Work grows with n squared; memory with n.
    """
    units, count = _units(vectors), len(vectors)
    rows = np.full((count, k), -1, np.int64)
    cosines = np.zeros((count, k), np.float32)
    step = max(1, CELLS // max(len(units), 1))
    for first in range(0, count, step):
        block = units[first : min(first + step, count)] @ units.T
        at = np.arange(len(block))
        block[at, at + first] = -1.0
        row, column, score = _promising(block, k)
        place = rank_in_rows(row, score, column)
        best = place < k
        rows[row[best] + first, place[best]] = column[best]
        cosines[row[best] + first, place[best]] = score[best]
    return rows, cosines


def _units(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Rows of length 1, or 0 where there is no usable vector; rows of zeros to a whole width."""
    given = np.asarray(vectors, np.float32)
    padded = np.zeros((-(-len(given) // WIDTH) * WIDTH, given.shape[1]), np.float32)
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 1e-9)
    np.divide(given, lengths, out=padded[: len(given)], where=usable)
    return padded


def _promising(
    block: NDArray[np.float32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """(row, column, cosine) of every entry that may be among its row's k best, and a few more.

    k groups of columns have a maximum of at least the k-th greatest maximum, so the k best are
    not below it: what is below it needs no sorting.
    """
    least = np.full(len(block), 1e-9, np.float32)
    maxima = block.reshape(len(block), -1, WIDTH).max(axis=2)
    if maxima.shape[1] >= k:
        place = maxima.shape[1] - k
        bound = np.partition(maxima, place, axis=1)[:, place]
        np.maximum(least, bound - 10.0**-DIGITS, out=least)
    at = np.flatnonzero(block >= least[:, None])
    row, column = np.divmod(at, block.shape[1])
    return row, column, np.round(block.ravel()[at], DIGITS)


def mutual(rows: NDArray[np.int64], cosines: NDArray[np.floating]) -> sparse.csr_array:
    """Edges between rows that are each among the other's nearest, weighted by their cosine.

    Takes (n, k) arrays such as `nearest` gives, or any index's; -1 stands for none.
    """
    count, k = rows.shape
    there = ((rows >= 0) & (cosines > 0)).ravel()
    ends = (np.repeat(np.arange(count), k)[there], rows.ravel()[there])
    weights = np.asarray(cosines, np.float32).ravel()[there]
    one_way = sparse.coo_array((weights, ends), shape=(count, count)).tocsr()
    return sparse.csr_array(one_way.minimum(one_way.T.tocsr()))
