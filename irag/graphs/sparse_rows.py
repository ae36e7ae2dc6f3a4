"""Rows of sparse matrices: cleaned, cut to their best entries, stored as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["Arrays", "adjacency", "best_of_rows", "entries", "pack", "rank_in_rows", "unpack"]

Arrays = dict[str, NDArray[Any]]
"""Plain arrays by name, as they are stored."""


def adjacency(weights: sparse.csr_array) -> sparse.csr_array:
    """Square edge weights (n, n) without loops and without what is not a number above 0.

    Raises ValueError when it is not square.
    """
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1]:
        raise ValueError(f"Edge weights of shape {weights.shape}: as many columns as rows needed.")
    found = weights.tocoo()
    real = np.isfinite(found.data) & (found.data > 0) & (found.row != found.col)
    kept = (np.asarray(found.data[real], np.float64), (found.row[real], found.col[real]))
    return sparse.coo_array(kept, shape=weights.shape).tocsr()


def rank_in_rows(
    rows: NDArray[np.integer], scores: NDArray[np.floating], names: NDArray[np.integer]
) -> NDArray[np.int64]:
    """The 0-based place of each entry in its row: by score, best first, equal ones by name."""
    order = np.lexsort((names, -scores, rows))
    sizes = np.bincount(rows, minlength=int(rows.max(initial=-1)) + 1)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    place = np.empty(len(rows), np.int64)
    place[order] = np.arange(len(rows)) - starts[rows[order]]
    return place


def best_of_rows(matrix: sparse.csr_array, most: int | NDArray[np.integer]) -> sparse.csr_array:
    """Each row with at most `most` entries (one number, or one a row), equal ones by column."""
    found = matrix.tocoo()
    limit = np.broadcast_to(np.asarray(most), (matrix.shape[0],))
    kept = rank_in_rows(found.row, found.data, found.col) < limit[found.row]
    some = (found.data[kept], (found.row[kept], found.col[kept]))
    return sparse.coo_array(some, shape=matrix.shape).tocsr()


def entries(
    matrix: sparse.csr_array, rows: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """(row, column, value) of every entry of some rows, in work that grows with these alone."""
    starts, stops = matrix.indptr[rows], matrix.indptr[rows + 1]
    sizes = (stops - starts).astype(np.int64)
    before = np.cumsum(sizes) - sizes
    at = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    owners = np.repeat(np.asarray(rows, np.int64), sizes)
    return owners, np.asarray(matrix.indices[at], np.int64), matrix.data[at]


def pack(name: str, matrix: sparse.csr_array) -> Arrays:
    """A matrix as plain arrays whose names begin with `name`."""
    return {
        f"{name}.starts": np.asarray(matrix.indptr, np.int64),
        f"{name}.columns": np.asarray(matrix.indices, np.int32),
        f"{name}.weights": np.asarray(matrix.data, np.float32),
        f"{name}.shape": np.asarray(matrix.shape, np.int64),
    }


def unpack(name: str, arrays: Mapping[str, NDArray[Any]]) -> sparse.csr_array:
    """The matrix that `pack` made arrays of; ValueError where they cannot be one."""
    try:
        starts, columns, weights, shape = (
            np.asarray(arrays[f"{name}.{part}"])
            for part in ("starts", "columns", "weights", "shape")
        )
    except KeyError as error:
        raise ValueError(f"The stored graph has no array {error}.") from error
    made = sparse.csr_array((weights, columns, starts), shape=tuple(shape.tolist()))
    made.check_format(full_check=True)
    return made
