"""The chain as a graph: positions, limits, and a page that loads nothing and runs no text."""

from __future__ import annotations

import re

import pytest

from irag.types import Scored
from irag.views.graph import chain_graph
from irag.views.palette import colour, ink
from irag.views.pyvis_html import network_script, payload, pyvis_html
from tests.views import traces

LONG = "Marl " * 40


def graph_of(*triples_said, **options):
    rows = tuple((f"Title {n}", f"Text {n}.", parts) for n, parts in enumerate(triples_said))
    return chain_graph(traces.trace_of(rows), **options)


def test_the_chain_runs_left_to_right_on_one_line():
    graph = chain_graph(traces.trace_of(traces.ROWS))
    assert [node.label for node in graph.nodes] == [
        "Kirton End", "borough of Boston", "35,124 people", "River Witham", "The Wash", "North Sea",
    ]  # fmt: skip
    assert {node.y for node in graph.nodes} == {0}
    places = [node.x for node in graph.nodes]
    assert places == sorted(set(places))
    assert [edge.hop for edge in graph.edges] == [1, 2, 3, 4, 5]
    assert all(edge.chain and edge.width > 3 for edge in graph.edges)


def test_an_arrow_that_would_cross_an_entity_bends_around_it():
    graph = chain_graph(traces.trace_of(traces.ROWS))
    bent = [edge.triple.relation for edge in graph.edges if edge.bend]
    assert bent == ["runs through"]


def test_candidates_lie_off_the_line_and_are_thinner():
    graph = chain_graph(traces.trace_of(), candidates=4)
    others = [node for node in graph.nodes if not node.chain]
    assert others and all(node.y for node in others)
    assert len({(node.x, node.y) for node in graph.nodes}) == len(graph.nodes)
    assert max(e.width for e in graph.edges if not e.chain) < 3


def test_a_method_without_a_chain_gives_an_empty_graph():
    trace = traces.trace_of(())
    assert chain_graph(trace).nodes == () and "<!doctype html>" in pyvis_html(chain_graph(trace))


def test_names_that_look_like_numbers_stay_names():  # FR-127
    names = ["1984", "007", "7", "1e5", "NaN", "True", "None"]
    graph = graph_of(*zip(names, ["then"] * 6, names[1:], strict=False))
    assert [node.label for node in graph.nodes] == names
    drawn = payload(graph)
    assert {edge["from"] for edge in drawn["edges"]} <= {node["id"] for node in drawn["nodes"]}
    assert len({node["id"] for node in drawn["nodes"]}) == 7


def test_spellings_of_one_entity_are_one_node():  # FR-034
    graph = graph_of(("Osk Harbour", "is in", "Osk"), ("OSK  HARBOUR", "owns", "Tem Bridge"))
    assert [node.label for node in graph.nodes] == ["Osk Harbour", "Osk", "Tem Bridge"]


def test_parallel_and_reverse_facts_each_keep_their_arrow():  # FR-042
    said = [("Ana", "teaches", "Jon"), ("Jon", "employs", "Ana"), ("Ana", "is sister of", "Jon")]
    drawn = payload(graph_of(*said))["edges"]
    assert [(e["from"], e["to"]) for e in drawn] == [("e:ana", "e:jon"), ("e:jon", "e:ana"), ("e:ana", "e:jon")]  # fmt: skip
    assert len({e["id"] for e in drawn}) == 3


def test_a_fact_about_itself_is_drawn():  # FR-033
    graph = graph_of(("Osk", "is", "osk"))
    assert len(graph.nodes) == 1 and len(payload(graph)["edges"]) == 1


def test_too_many_entities_are_limited_with_a_note():  # FR-128
    trace = traces.trace_of(traces.ROWS[:1])
    rank = next(s for s in trace.steps if type(s.action).__name__ == "Rank")
    many = tuple(
        Scored(traces.triple("Hub", f"r{n}", f"Leaf {n}"), 1.0 / (n + 1)) for n in range(1500)
    )
    steps = tuple(_with_result(s, many) if s is rank else s for s in trace.steps)
    graph = chain_graph(_with_steps(trace, steps), candidates=2000)
    assert len(graph.nodes) == 150 and graph.note == "showing 150 of 1,503 entities"
    assert {node.label for node in graph.nodes} >= {"Kirton End", "borough of Boston"}


def _with_result(step, result):
    from dataclasses import replace

    return replace(step, result=result)


def _with_steps(trace, steps):
    from dataclasses import replace

    return replace(trace, steps=steps)


HOSTILE = 'Osk</script><script>document.title="pwned"</script>'


def test_no_name_becomes_markup():  # FR-084
    page = pyvis_html(graph_of((HOSTILE, f"is {HOSTILE}", "<b>Marl</b>")))
    plain = pyvis_html(graph_of(("Osk", "is", "Marl")))
    assert page.count("</script>") == plain.count("</script>")
    assert "<b>Marl" not in page and "\\u003cb\\u003eMarl" in page


def test_titles_are_plain_text_with_their_line_breaks():  # FR-125
    drawn = payload(graph_of(("Osk\n<b>", "is", "Marl")))
    assert drawn["nodes"][0]["title"] == "Osk\n<b>"
    assert "white-space: pre-line" in pyvis_html(graph_of(("Osk", "is", "Marl")))
    assert all(node["font"]["multi"] is False for node in drawn["nodes"])


def test_the_page_fetches_nothing():  # FR-130
    page = pyvis_html(graph_of(("Osk", "is", "Marl")))
    assert not re.search(
        r"<(script|link|img|iframe)\b[^>]*\b(src|href)\s*=\s*[\"']?(https?:)?//", page
    )
    assert "new vis.Network" in page and network_script()[:400] in page


def test_the_page_holds_names_as_they_are_in_utf8():  # FR-123, FR-132
    page = pyvis_html(graph_of(("奥斯克 🌉", "位于", "אוסף")))
    assert "奥斯克 🌉" in page and "אוסף" in page
    page.encode("utf-8")


@pytest.mark.parametrize("name", ["& Sons", "Kor & Pell", "a<b", "x_1^2*", "100%", "C++"])
def test_names_are_shown_literally(name):  # FR-133
    node = payload(graph_of((name, "is", "Marl")))["nodes"][0]
    assert (node["label"], node["title"]) == (name, name)


def test_a_long_name_is_shortened_with_the_whole_in_the_tooltip():  # FR-116, FR-133
    node = payload(graph_of((LONG, "is", "Osk")))["nodes"][0]
    assert len(node["label"]) <= 40 and node["label"].endswith("…")
    assert node["title"] == LONG


def test_a_lone_surrogate_is_drawn():  # FR-047
    drawn = pyvis_html(graph_of(("Osk \ud83d", "is", "Marl"))).encode("utf-8")
    assert b"Osk" in drawn and b"Marl" in drawn


def test_text_reads_well_on_every_hops_colour():
    for hop in range(8):
        ratio = _contrast(colour(hop), ink(hop))
        assert ratio >= 4, (hop, ratio)


def _contrast(one: str, other: str) -> float:
    def light(code: str) -> float:
        parts = [int(code[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        lifted = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * lifted[0] + 0.7152 * lifted[1] + 0.0722 * lifted[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
