"""Components, spanning trees, what lies around some nodes, and paths."""

import random

import networkx
import pytest

from irag.graphs import (
    Edge,
    around,
    components,
    maximum_spanning_tree,
    path_between,
    triple_edges,
)
from irag.types import Scored, Triple


def edge(a, b, weight=1.0, name=""):
    return Edge(a, b, weight, name or f"{a}{b}", None)


def ids(edges):
    return [one.id for one in edges]


CIRCLE = [edge("a", "b", 3), edge("b", "c", 2), edge("c", "a", 1)]


def test_the_lightest_edge_of_a_circle_goes_and_is_still_told():
    forest = maximum_spanning_tree(CIRCLE)
    assert ids(forest.kept) == ["ab", "bc"]
    assert ids(forest.dropped) == ["ca"]


def test_equal_weights_are_taken_by_id_whatever_the_order():
    edges = [edge(a, b) for a, b in ("ab", "bc", "ca", "cd", "da")]
    shuffled = random.Random(3).sample(edges, len(edges))
    assert ids(maximum_spanning_tree(shuffled).kept) == ["ab", "bc", "cd"]


def test_parts_that_do_not_hang_together_give_a_forest():
    forest = maximum_spanning_tree([*CIRCLE, edge("x", "y", 9), edge("x", "x", 99, "loop")])
    assert ids(forest.kept) == ["xy", "ab", "bc"]
    assert ids(forest.dropped) == ["loop", "ca"]


def test_a_weight_that_is_no_number_is_the_least():
    forest = maximum_spanning_tree([edge("a", "b", float("nan"), "0"), edge("a", "b", -5, "1")])
    assert ids(forest.kept) == ["1"]


def test_no_edges_give_nothing():
    assert maximum_spanning_tree([]).kept == components([]) == around([], ["a"]) == ()


def test_the_tree_weighs_as_much_as_networkx_says():
    draw = random.Random(7)
    edges = [
        edge(f"n{draw.randrange(40)}", f"n{draw.randrange(40)}", draw.randrange(9), str(i))
        for i in range(200)
    ]
    graph = networkx.MultiGraph()
    graph.add_weighted_edges_from((one.a, one.b, one.weight) for one in edges)
    theirs = networkx.maximum_spanning_tree(graph).size(weight="weight")
    assert sum(one.weight for one in maximum_spanning_tree(edges).kept) == theirs


def test_components_come_largest_first_then_by_least_node():
    parts = components([edge("x", "y"), edge("p", "q"), *CIRCLE, edge("m", "m")])
    assert [ids(part) for part in parts] == [["ab", "bc", "ca"], ["mm"], ["pq"], ["xy"]]


def test_around_counts_edges_from_the_seeds_and_ends_in_circles():
    line = [edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("c", "d"), edge("z", "y")]
    assert ids(around(line, ["a"], radius=1)) == ["ab", "ca"]
    assert ids(around(line, ["a"])) == ["ab", "ca", "bc", "cd"]
    assert ids(around(line, ["a"], most=3)) == ["ab", "ca", "bc"]
    assert around(line, ["nowhere"]) == ()


def test_a_circle_ends_and_a_lone_node_has_no_path():  # FR-137
    graph = [*CIRCLE, edge("d", "d")]
    assert path_between(graph, "a", "d") is None
    assert ids(around(graph, ["a"], radius=10)) == ["ab", "ca", "bc"]
    assert ids(path_between(graph, "a", "c")) == ["ca"]
    assert path_between(graph, "d", "d") == ()


@pytest.mark.parametrize(("target", "edges"), [("c", ["ab", "bc"]), ("d", ["ab", "bc", "cd"])])
def test_a_path_goes_from_start_to_target(target, edges):
    assert ids(path_between([edge("a", "b"), edge("b", "c"), edge("c", "d")], "a", target)) == edges


def test_triples_of_the_same_two_names_stay_apart_with_their_directions():  # FR-042
    facts = [
        ("Ana Kor", "teacher of", "Jon Pell"),
        ("Jon Pell", "employer of", "Ana Kor"),
        ("ANA KOR", "sister of", "Jon Pell"),
    ]
    triples = [Scored(Triple(f"t{n}", *fact), 1.0 - n / 10) for n, fact in enumerate(facts)]
    edges = triple_edges(triples)
    assert [(one.a, one.b) for one in edges] == [
        ("ana kor", "jon pell"),
        ("jon pell", "ana kor"),
        ("ana kor", "jon pell"),
    ]
    forest = maximum_spanning_tree(edges)
    assert [one.unit.relation for one in forest.kept] == ["teacher of"]
    assert [one.unit.relation for one in forest.dropped] == ["employer of", "sister of"]
