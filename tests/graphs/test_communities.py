"""Communities of a graph."""

import networkx
import numpy as np
import pytest
from scipy import sparse

from irag.graphs.communities import communities


def weights(graph):
    return sparse.csr_array(networkx.to_scipy_sparse_array(graph, nodelist=sorted(graph)))


def modularity(graph, numbers):
    groups = [set(np.flatnonzero(numbers == n).tolist()) for n in range(numbers.max() + 1)]
    return networkx.community.modularity(graph, groups)


def test_cliques_joined_by_single_edges_are_communities():
    numbers = communities(weights(networkx.connected_caveman_graph(5, 6)))
    assert [len(set(numbers[6 * n : 6 * n + 6].tolist())) for n in range(5)] == [1] * 5
    assert len(set(numbers.tolist())) == 5


def test_they_are_as_good_as_those_of_networkx():
    graph = networkx.karate_club_graph()
    theirs = networkx.community.louvain_communities(graph, weight="weight", seed=1)
    ours = modularity(graph, communities(weights(graph)))
    assert ours >= networkx.community.modularity(graph, theirs) - 0.02


def test_the_largest_comes_first_and_lone_nodes_are_in_none():
    graph = networkx.disjoint_union(networkx.complete_graph(2), networkx.complete_graph(4))
    graph.add_node(6)
    assert communities(weights(graph)).tolist() == [1, 1, 0, 0, 0, 0, -1]


def test_every_community_hangs_together_and_runs_agree():
    graph = networkx.gnm_random_graph(300, 500, seed=2)
    numbers = communities(weights(graph))
    for n in range(numbers.max() + 1):
        assert networkx.is_connected(graph.subgraph(np.flatnonzero(numbers == n).tolist()))
    assert np.array_equal(numbers, communities(weights(graph)))


def test_weights_count():
    pairs = np.array([[0, 9, 1, 0], [9, 0, 0, 0], [1, 0, 0, 9], [0, 0, 9, 0]], float)
    assert communities(sparse.csr_array(pairs)).tolist() == [0, 0, 1, 1]


def test_a_higher_resolution_gives_smaller_communities():
    graph = weights(networkx.karate_club_graph())
    assert communities(graph, 3.0).max() > communities(graph).max()


@pytest.mark.parametrize("nodes", [0, 1, 3])
def test_a_graph_without_edges_has_no_communities(nodes):
    assert communities(sparse.csr_array((nodes, nodes))).tolist() == [-1] * nodes
