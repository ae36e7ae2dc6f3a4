"""Personalised page rank: where a walker ends up who keeps going back to where he began."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from irag.graphs.sparse_rows import adjacency

__all__ = ["Walk"]

ROUNDS = 200  # the mass that still moves shrinks by `damping` a round: 0.85 ** 200 is 1e-14


class Walk:
    """Page rank over one graph; what does not depend on the question is worked out once."""

    def __init__(self, weights: sparse.csr_array) -> None:
        """`weights` (n, n) are edge weights from row to column; what is not above 0 is no edge.

        Raises ValueError when it is not square.
        """
        graph = adjacency(weights)
        out = np.asarray(graph.sum(axis=1), np.float64).ravel()
        share = np.divide(1.0, out, out=np.zeros_like(out), where=out > 0)
        self._steps = sparse.csr_array((sparse.diags_array(share) @ graph).T)
        self._stuck = out == 0

    def spread(
        self, seeds: ArrayLike, damping: float = 0.5, tolerance: float = 1e-8
    ) -> NDArray[np.float64]:
        """The mass of each node (n,), summing to 1, for a walker who starts at `seeds` (n,).

        He goes on with probability `damping` (0.5: HippoRAG) and else back to a seed, as from a
        node without edges. It ends when less than `tolerance` of the mass moves in a round.
        All zeros when no seed is above 0: there is nothing to walk from, and the caller falls back
        to another search (FR-134). Seeds that are negative or no numbers count as 0. Raises
        ValueError for a wrong shape, or a damping outside 0 to below 1.
        """
        given = np.asarray(seeds, np.float64)
        if given.shape != self._stuck.shape:
            raise ValueError(f"Seeds of shape {given.shape} for {self._stuck.size} nodes.")
        if not 0 <= damping < 1:
            raise ValueError(f"The damping must be at least 0 and below 1, not {damping}.")
        start = np.where(np.isfinite(given) & (given > 0), given, 0.0)
        if not start.any():
            return start
        start = start / start.max()
        start /= start.sum()
        mass = start
        for _ in range(ROUNDS):
            back = 1 - damping + damping * mass[self._stuck].sum()
            following = damping * (self._steps @ mass) + back * start
            moved = float(np.abs(following - mass).sum())
            mass = following
            if moved < tolerance:
                break
        return np.asarray(mass, np.float64)
