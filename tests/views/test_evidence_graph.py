"""Graphs of evidence before and after pruning, and the question as it is put anew."""

import json

import pytest

from irag.engine import answer
from irag.methods import parse_method
from irag.remarks import Edge, GraphMade, Rewritten
from irag.types import Answer, Step, Trace
from irag.views.evidence_graph import SHOWN, evidence_graph, evidence_pictures, question_pictures
from irag.views.pictures import pictures
from irag.views.pyvis_html import payload
from tests.fakes import QUESTION, fake_tools
from tests.views.traces import question

HOSTILE = "<script>alert(1)</script>"
MADE = GraphMade(
    "Evidence, round 1",
    (Edge("The Mill", "Ana Kor", "was built by", 0.9, "t1"), Edge("Ana Kor", "Osk", "lived in", 0.5, "t2")),
    (Edge("Osk", "the mill", "has", 0.1, "t3"), Edge("Osk", HOSTILE, "is", 0.3, "t4")),
    ("mill",),
)  # fmt: skip


def trace_with(*remarks):
    steps = tuple(Step(n, 2, one) for n, one in enumerate(remarks, 1))
    return Trace("irag-trace-1", "x", (), "c", (), question(), steps, Answer(None), "max_hops", "")


def test_before_and_after_share_their_places_and_differ_in_what_was_dropped():
    before, after = evidence_pictures(trace_with(MADE))
    assert before.title == "Evidence, round 1, before pruning" and after.title == MADE.title
    assert [edge.chain for edge in before.graph.edges] == [True, True, False, False]
    assert [edge.triple.id for edge in after.graph.edges] == ["t1", "t2"]
    places = {node.id: (node.x, node.y) for node in before.graph.nodes}
    assert {node.id: (node.x, node.y) for node in after.graph.nodes}.items() <= places.items()
    assert len(before.graph.nodes) == 4 and len(after.graph.nodes) == 3
    assert "2 of 4 edges" in before.note and before.key != after.key


def test_the_heavier_the_wider_and_the_weight_is_said():
    first, second, *_ = evidence_graph(MADE, 2).edges
    assert first.width > second.width and first.triple.relation == "was built by (0.90)"
    assert first.hop == 2


def test_it_grows_from_the_seeds_to_the_right():
    nodes = {node.label: node for node in evidence_graph(MADE, 2).nodes}
    assert [nodes[name].x for name in ("The Mill", "Ana Kor", "Osk")] == [0, 230, 460]
    assert [node.label for node in nodes.values() if node.chain] == ["The Mill"]
    assert nodes[HOSTILE].hop == 0


def test_no_two_names_lie_on_each_other():
    many = tuple(Edge("a", f"b{n}", "r", n, str(n)) for n in range(9))
    far = tuple(Edge(f"b{n}", f"c{n}", "r", n, f"c{n}") for n in range(9))
    apart = (
        Edge("x", "y", "r", 1, "xy"),
        Edge("y", "x", "s", 1, "yx"),
        Edge("x", "x", "t", 1, "x"),
    )
    graph = evidence_graph(GraphMade("", (*many, *far), apart, ("a",)), 1)
    places = [(node.x, node.y) for node in graph.nodes]
    assert len(places) == len(set(places)) == 21
    assert len({(e.source, e.target, e.bend) for e in graph.edges}) == len(graph.edges)


def test_what_does_not_fit_is_counted():
    many = tuple(Edge("a", f"b{n}", "r", -n, str(n)) for n in range(80))
    (picture,) = evidence_pictures(trace_with(GraphMade("t", many, (), ("a",))))
    assert len(picture.graph.nodes) == SHOWN
    assert f"showing {SHOWN} of 81" in picture.note


@pytest.mark.parametrize("remarks", [(), (GraphMade("t", ()),)])
def test_where_nothing_was_made_nothing_is_drawn(remarks):
    assert evidence_pictures(trace_with(*remarks)) == ()
    assert question_pictures(trace_with(*remarks)) == ()


def test_the_question_is_shown_as_it_shrinks():
    trace = trace_with(Rewritten("q", "Who built it?", ""), Rewritten("q", HOSTILE, ""))
    (picture,) = question_pictures(trace)
    (bars,) = picture.figure.data
    assert list(bars.x)[:2] == [len(question().text.rstrip("?").split()), 3]
    assert bars.text[1] == "Who built it?" and "<script" not in bars.text[2] + bars.customdata[2]


def test_a_run_shows_its_pictures():
    method = "kgir_rag:documents=3,entities=spacy,rewriting=evidence,reflection=all,reader=none"
    trace = answer(QUESTION, parse_method(method), fake_tools())
    shown = {picture.key: picture for picture in pictures(trace)}
    assert {"evidence-1", "evidence-2", "evidence-3", "questions"} <= shown.keys()
    drawn = payload(shown["evidence-3"].graph)
    assert len(drawn["edges"]) == 3 and json.dumps(drawn)
