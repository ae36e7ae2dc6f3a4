"""Exact dense search: a flat FAISS index of float16 codes by inner product."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irag.retrieval.vectors import Vectors

__all__ = ["DenseIndex", "dense_index", "read_dense", "write_dense"]

_ROWS_AT_ONCE = 8192


def dense_index(vectors: NDArray[np.float16]) -> Any:
    """The FAISS index of stored vectors (n, d); they may be memory-mapped."""
    import faiss

    index = faiss.IndexScalarQuantizer(
        vectors.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
    )
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        index.add(np.ascontiguousarray(vectors[start : start + _ROWS_AT_ONCE], np.float32))
    return index


def write_dense(path: Path, vectors: NDArray[np.float16]) -> None:
    """Write the FAISS file of stored vectors."""
    import faiss

    faiss.write_index(dense_index(vectors), str(path))


def read_dense(path: Path) -> Any:
    """The FAISS index of a file."""
    import faiss

    return faiss.read_index(str(path))


class DenseIndex:
    """Searches a FAISS index; safe from several threads."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def search(
        self, queries: Vectors, k: int, without: Sequence[int] = ()
    ) -> tuple[Vectors, NDArray[np.int64]]:
        """Scores and rows of the k nearest to each query, shapes (q, min(k, n)), best first.

        Rows of `without` are never returned; a place that could not be filled has row -1 and
        score -inf.
        """
        import faiss

        k = min(k, len(self))
        if not k or not len(queries):
            empty = (len(queries), 0)
            return np.zeros(empty, np.float32), np.zeros(empty, np.int64)
        wanted: Any = None
        if len(without):
            gone = faiss.IDSelectorBatch(np.asarray(without, np.int64))
            wanted = faiss.SearchParameters(sel=faiss.IDSelectorNot(gone))  # type: ignore[call-arg]
        scores, rows = self._index.search(np.ascontiguousarray(queries), k, params=wanted)
        scores[rows < 0] = -np.inf
        return scores, rows
