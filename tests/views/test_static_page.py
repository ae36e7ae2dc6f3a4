"""A run as one page: whole, escaped, and alone in the world."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from irag.actions import Generate
from irag.remarks import Edge, GraphMade, Rewritten
from irag.types import Step
from irag.views.graph import chain_graph
from irag.views.static_page import static_page
from irag.views.svg import svg
from tests.views import traces

HOSTILE = "</script></style></title><script>x</script><img src=x onerror=\"y\"> $5 & 'z'"
LOADS = {"src", "srcset", "data", "poster", "action", "formaction", "background", "ping", "xlink:href"}  # fmt: skip


class Page(HTMLParser):
    """The elements of a page with their attributes, and all of its text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile() -> Page:
    row = (HOSTILE, f"{HOSTILE}.", (HOSTILE, HOSTILE, f"{HOSTILE} 2"))
    trace = traces.trace_of((row,), HOSTILE, asked=traces.question(HOSTILE))
    steps = tuple(
        replace(s, result=traces.completion(HOSTILE, HOSTILE, thinking=HOSTILE), error=HOSTILE, cut=(HOSTILE,))
        if isinstance(s.action, Generate) else s
        for s in trace.steps
    )  # fmt: skip
    return Page(static_page(replace(trace, steps=steps, error=HOSTILE, method=HOSTILE), HOSTILE))


def test_hostile_text_stays_text_everywhere():  # FR-084
    page = hostile()
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "img", "iframe", "object", "link", "form"}
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]
    assert page.text.count(HOSTILE) >= 12
    assert len([tag for tag, _ in page.elements if tag == "title"]) > 1  # those of the picture


def test_nothing_is_loaded_and_the_page_forbids_it():
    page = Page(static_page(traces.trace_of(traces.ROWS, "North Sea")))
    for _, attrs in page.elements:
        assert not LOADS & set(attrs)
        assert (attrs.get("href") or "#").startswith("#")
    style = static_page(traces.trace_of()).partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style and "@import" not in style
    policy = dict(page.elements[3][1])["content"] or ""
    assert policy.startswith("default-src 'none'") and "script-src" not in policy


def test_links_inside_the_page_lead_somewhere():
    page = Page(static_page(traces.trace_of(traces.ROWS, "North Sea")))
    places = {attrs["id"] for _, attrs in page.elements if attrs.get("id")}
    links = {attrs["href"][1:] for _, attrs in page.elements if attrs.get("href")}
    assert links and links <= places


def test_it_holds_the_question_answer_chain_candidates_scores_prompts_and_replies():
    trace = traces.trace_of(traces.ROWS[:2])
    page = Page(static_page(trace, "rabc"))
    for said in (
        trace.question.text,
        "35,124",
        "had in 2001",
        "Hamlet 3",
        "rabc",
        "sample@3",
        "0.52",
    ):
        assert said in page.text, said
    for step in trace.steps:
        if isinstance(step.action, Generate):
            assert step.result.prompt[-1].text in page.text and step.result.text in page.text
    tags = [tag for tag, _ in page.elements]
    assert tags.count("details") >= 7 and "mark" in tags and "svg" in tags


@pytest.mark.parametrize("stopped", ["failed", "cancelled"])
def test_a_run_that_did_not_end_well_says_so_and_keeps_its_hops(stopped):
    trace = replace(traces.trace_of(), answer=None, stopped=stopped, error="The server went away.")
    text = Page(static_page(trace)).text
    assert "The server went away." in text and "Hop 2" in text
    assert ("Failed" if stopped == "failed" else "Stopped by you") in text


def test_a_run_without_a_hop_and_one_in_chinese_with_broken_letters_are_pages_too():
    assert "No chain" in Page(static_page(traces.trace_of((), None, "no_candidate"))).text
    asked = replace(traces.question("谁画了静港 \ud83d？"), language="zh")
    row = ("静港", "静港是安娜画的。", ("静港", "由…画", "安娜"))
    source = static_page(traces.trace_of((row,), "安娜", asked=asked))
    assert source.encode("utf-8") and '<html lang="zh">' in source and "谁画了静港" in source


def test_the_picture_has_every_entity_once_and_an_arrow_for_every_triple():
    graph = chain_graph(traces.trace_of(traces.ROWS, "North Sea"), candidates=2)
    drawn = svg(graph, "The chain")
    assert drawn.count("<circle") == len(graph.nodes)
    assert len(re.findall(r"<path [^>]*marker-end", drawn)) == len(graph.edges)
    assert svg(chain_graph(traces.trace_of((), None)), "none") == ""


def test_a_triple_from_an_entity_to_itself_and_long_names_fit_the_picture():
    name = "The International Society for the Study of " + "Very " * 30 + "Long Names"
    loop = ("A", "A.", (name, "is the same as", name))
    drawn = svg(chain_graph(traces.trace_of((loop,), None)), "x")
    assert "c-45 -55" in drawn
    lines = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert max(map(len, lines)) < 40 and any(line.endswith("…") for line in lines)


def test_pictures_and_remarks_of_a_method_are_on_the_page_and_stay_text():
    evil = "<script>alert(1)</script>"
    made = GraphMade("Evidence, round 1", (Edge("The Mill", evil, "was built by", 0.9, "t1"),), ())
    trace = traces.trace_of(traces.ROWS[:1])
    steps = (*trace.steps, Step(99, 1, made), Step(100, 1, Rewritten("Who?", evil)))
    page = Page(static_page(replace(trace, steps=steps)))
    assert "Evidence, round 1" in page.text and f"rewritten: Who?  →  {evil}" in page.text
    tags = [tag for tag, _ in page.elements]
    assert tags.count("svg") >= 2 and "script" not in tags
