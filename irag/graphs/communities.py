"""Communities: groups of nodes with more edges inside than chance would give.

The Louvain method (Blondel et al. 2008), always in the order of the nodes' numbers, and at the end
a group in several parts becomes several groups, as Leiden would have it (Traag et al. 2019).
networkx shuffles the nodes, and takes seven times as long for the same modularity.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from irag.graphs.sparse_rows import adjacency

__all__ = ["communities"]

SWEEPS = 20  # over the nodes of one level; later ones hardly move any
LEVELS = 10
LEAST_GAIN = 1e-12


def communities(weights: sparse.csr_array, resolution: float = 1.0) -> NDArray[np.int32]:
    """The number of each node's community (n,), -1 for a node without edges.

    `weights` (n, n) is read as undirected: both directions are summed. Community 0 has most nodes;
    equal ones are ordered by their least node. A higher `resolution` gives smaller communities.
    Deterministic. Raises ValueError when it is not square.
    """
    graph = adjacency(weights)
    graph = sparse.csr_array((graph + graph.T) / 2)
    alone = np.diff(graph.indptr) == 0
    group = np.arange(graph.shape[0])
    level = graph
    for _ in range(LEVELS):
        moved = _local_moves(level, resolution)
        names, moved = np.unique(moved, return_inverse=True)
        group = moved[group]
        if len(names) == level.shape[0]:
            break
        level = _merged(level, moved, len(names))
    return _numbered(_connected(graph, group), alone)


def _local_moves(graph: sparse.csr_array, resolution: float) -> NDArray[np.int64]:
    """Each node goes to the neighbouring community that gains most, until none gains."""
    degree = np.asarray(graph.sum(axis=1), np.float64).ravel().tolist()
    scale = resolution / max(sum(degree), 1e-300)
    starts, columns, values = (part.tolist() for part in (graph.indptr, graph.indices, graph.data))
    group, total = list(range(len(degree))), list(degree)
    for _ in range(SWEEPS):
        changes = 0
        for node, old in enumerate(group):
            towards = {old: 0.0}
            for at in range(starts[node], starts[node + 1]):
                if (other := columns[at]) != node:
                    place = group[other]
                    towards[place] = towards.get(place, 0.0) + values[at]
            total[old] -= degree[node]
            pull = degree[node] * scale
            best, most = old, towards[old] - pull * total[old]
            for place, weight in towards.items():
                gain = weight - pull * total[place]
                if gain > most + LEAST_GAIN:
                    best, most = place, gain
            total[best] += degree[node]
            group[node] = best
            changes += best != old
        if not changes:
            break
    return np.array(group, np.int64)


def _merged(graph: sparse.csr_array, group: NDArray[np.integer], count: int) -> sparse.csr_array:
    """The graph whose nodes are communities; edges inside one become its loop."""
    found = graph.tocoo()
    ends = (group[found.row], group[found.col])
    return sparse.coo_array((found.data, ends), shape=(count, count)).tocsr()


def _connected(graph: sparse.csr_array, group: NDArray[np.integer]) -> NDArray[np.int64]:
    """The parts that hang together by edges inside one community."""
    found = graph.tocoo()
    inside = group[found.row] == group[found.col]
    kept = (found.data[inside], (found.row[inside], found.col[inside]))
    parts = connected_components(sparse.coo_array(kept, shape=graph.shape), directed=False)[1]
    return np.asarray(parts, np.int64)


def _numbered(group: NDArray[np.int64], alone: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Largest first, equal ones by least node; -1 for nodes alone."""
    numbers = np.full(len(group), -1, np.int32)
    names, first, part, sizes = np.unique(
        group[~alone], return_index=True, return_inverse=True, return_counts=True
    )
    place = np.empty(len(names), np.int32)
    place[np.lexsort((first, -sizes))] = np.arange(len(names))
    numbers[~alone] = place[part]
    return numbers
