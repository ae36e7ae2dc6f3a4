"""What an embedder is, and what we accept from one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from irag.errors import ModelError

__all__ = ["Embedder", "Mask", "Vectors", "checked", "stored_array"]

Vectors = NDArray[np.float32]
"""Shape (n, d), rows of length 1; a row of zeros stands for "no usable vector"."""

Mask = NDArray[np.bool_]


class Embedder(Protocol):
    """Turns texts into vectors. Batch first: n texts, n rows; no texts, shape (0, d)."""

    @property
    def name(self) -> str:
        """Model and prefixes: vectors of two names must not be compared."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that reach its vector; the rest is not read."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to search with."""


def checked(vectors: NDArray[np.floating], count: int, dimension: int) -> tuple[Vectors, Mask]:
    """Rows of length 1, and which of them are usable.

    Raises ModelError when the shape is not (count, dimension): a row too few would give texts the
    vectors of their neighbours. A row with NaN or infinity, or of zeros, becomes zeros.
    """
    rows = np.asarray(vectors, dtype=np.float32)
    if rows.shape != (count, dimension):
        raise ModelError(
            f"The embedder gave an array of shape {rows.shape} for {count} texts of dimension "
            f"{dimension}. Nothing of this batch was kept; try again or choose another embedder."
        )
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    usable = np.isfinite(lengths) & (lengths > 1e-9)
    scale = np.zeros_like(lengths)
    np.divide(1.0, lengths, out=scale, where=usable)
    units = np.where(usable[:, None], rows, 0.0) * scale[:, None]
    return units.astype(np.float32), usable


def stored_array(path: Path) -> NDArray[Any]:
    """An array from a .npy file, memory-mapped where it is worth it; never a pickled one."""
    # An array without rows cannot be mapped.
    return np.load(path, mmap_mode="r" if path.stat().st_size > 4096 else None, allow_pickle=False)  # type: ignore[no-any-return]
