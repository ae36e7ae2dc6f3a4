"""Personalised page rank."""

import networkx
import numpy as np
import pytest
from scipy import sparse

from irag.graphs.pagerank import Walk


def graph(pairs, nodes, weights=None):
    rows, columns = zip(*pairs, strict=True)
    values = weights or [1.0] * len(pairs)
    return sparse.coo_array((values, (rows, columns)), shape=(nodes, nodes)).tocsr()


CHAIN = graph([(0, 1), (1, 0), (1, 2), (2, 1), (3, 4), (4, 3)], 6)


def test_mass_falls_with_the_distance_and_sums_to_one():
    mass = Walk(CHAIN).spread([1, 0, 0, 0, 0, 0])
    assert mass.sum() == pytest.approx(1)
    assert mass[0] > mass[1] > mass[2] > 0
    assert mass[3:].tolist() == [0, 0, 0]


@pytest.mark.parametrize("damping", [0.5, 0.85])
def test_it_agrees_with_networkx(damping):
    draw = np.random.default_rng(5)
    weights = sparse.random_array((30, 30), density=0.1, rng=draw).tocsr()
    weights.setdiag(0)
    weights.eliminate_zeros()
    seeds = draw.random(30)
    theirs = networkx.pagerank(
        networkx.from_scipy_sparse_array(weights, create_using=networkx.DiGraph),
        alpha=damping,
        personalization=dict(enumerate(seeds)),
        tol=1e-12,
        max_iter=1000,
        dangling=dict(enumerate(seeds)),
    )
    ours = Walk(weights).spread(seeds, damping)
    assert ours == pytest.approx([theirs[n] for n in range(30)], abs=1e-6)


@pytest.mark.parametrize("seeds", [[0.0] * 6, [-1.0] * 6, [float("nan")] * 6])
def test_without_a_seed_there_is_no_mass_and_no_division_by_zero(seeds):  # FR-134
    with np.errstate(all="raise"):
        mass = Walk(CHAIN).spread(seeds)
    assert mass.tolist() == [0.0] * 6


def test_a_seed_without_edges_keeps_its_mass():
    assert Walk(CHAIN).spread([0, 0, 0, 0, 0, 2]).tolist() == [0, 0, 0, 0, 0, 1]


def test_loops_and_negative_weights_are_no_edges():
    odd = CHAIN.tolil()
    odd[0, 0], odd[0, 4] = 5.0, -3.0
    assert np.array_equal(
        Walk(sparse.csr_array(odd)).spread([1, 0, 0, 0, 0, 0]),
        Walk(CHAIN).spread([1, 0, 0, 0, 0, 0]),
    )


def test_huge_and_tiny_seeds_are_shares():
    large, small = (Walk(CHAIN).spread([s, 0, s, 0, 0, 0]) for s in (1e308, 1e-300))
    assert large == pytest.approx(small)


def test_an_empty_graph_has_no_mass():
    assert Walk(sparse.csr_array((0, 0))).spread([]).tolist() == []


@pytest.mark.parametrize(("seeds", "damping"), [([1.0], 0.5), ([1.0] * 6, 1.0), ([1.0] * 6, -0.1)])
def test_what_does_not_fit_is_refused(seeds, damping):
    with pytest.raises(ValueError, match=r"Seeds|damping"):
        Walk(CHAIN).spread(seeds, damping)


def test_weights_that_are_not_square_are_refused():
    with pytest.raises(ValueError, match="shape"):
        Walk(sparse.csr_array((2, 3)))
