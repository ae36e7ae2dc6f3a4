"""The Ask page over saved runs: every way that one can have gone is drawn and said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irag.defaults import EngineFigure, remember
from irag.errors import IragError
from tests.pages.fake_bench import FakeBench, with_runs
from tests.pages.opening import ask, opened, seen, words
from tests.views import traces

HOSTILE = "</script><b>Osk</b> $5 ~~x~~"

RUNS = {
    "one hop": traces.trace_of(traces.ROWS[:1], None, "max_hops"),
    "five hops": traces.trace_of(traces.ROWS, "North Sea"),
    "no hop": traces.trace_of((), None, "no_candidate"),
    "not found": traces.trace_of(text="Professor Quill"),
    "Chinese": traces.trace_of(
        (("静港", "静港是安娜画的。", ("静港", "由…画", "安娜")),), "安娜", asked=traces.question("谁画了静港？")
    ),
    "hostile": traces.trace_of(((HOSTILE, f"{HOSTILE}.", (HOSTILE, "is", HOSTILE)),), HOSTILE, asked=traces.question(HOSTILE)),
    "surrogate": traces.trace_of((("Osk \ud83d", "Osk \ud83d.", ("Osk \ud83d", "is", "x")),), "x", asked=traces.question("caf\udce9?")),
    "twins": traces.trace_of((traces.ROWS[0], traces.ROWS[0])),
}  # fmt: skip


@pytest.mark.parametrize("name", list(RUNS))
def test_every_kind_of_run_is_drawn(name):  # FR-047, FR-192
    page = opened(with_runs([("saved", RUNS[name])]), "saved")
    said = words(page)
    assert len([one for one in page.expander if "Hop" in one.label]) == RUNS[name].hops
    expected = {
        "hostile": "$5 ~~x~~",
        "Chinese": "谁画了静港？",
        "not found": "Not found in the evidence",
    }
    assert expected.get(name, "Ended:") in said


def test_hostile_text_is_escaped_everywhere():  # FR-084, FR-188
    page = opened(with_runs([("saved", RUNS["hostile"])]), "saved")
    for one in page.get("html"):
        assert "<b>Osk" not in one.proto.body
    for kind in ("markdown", "caption"):
        for one in page.get(kind):
            assert not one.proto.allow_html
            assert "$5" not in one.value.replace("\\$", "") and "~~x" not in one.value


def test_a_failed_run_says_failed_and_why():
    whole = traces.trace_of()
    reason = "Nothing answers at http://localhost:9. Start the server, or choose another LLM."
    broken = replace(whole.steps[10], result=None, error=reason)
    failed = replace(
        whole, steps=(*whole.steps[:10], broken), answer=None, stopped="failed", error=reason
    )
    said = words(opened(with_runs([("saved", failed)]), "saved"))
    assert "Failed" in said and reason in said and "No reply came back." in said
    assert "No document was found" not in said


def test_a_link_puts_its_question_into_the_box_once():
    page = opened(with_runs([("saved", traces.trace_of())]), "saved")
    assert page.text_area(key="ask.question").value == traces.question().text
    assert ask(page, "").text_area(key="ask.question").value == ""


def test_a_home_that_cannot_be_read_is_said():
    class Broken(FakeBench):
        def view(self, run_id):
            raise IragError("The database cannot be used. Check that its folder is writable.")

    assert "Check that its folder is writable." in words(opened(Broken(), "any"))


def test_the_about_page_opens_with_every_method_and_the_engines_figures(tmp_path):
    bench = FakeBench(home=tmp_path)
    page = seen(opened(bench).switch_page("pages/about.py").run())
    said = words(page)
    assert "KiRAG" in said and "Naive RAG" in said and "arXiv 2502.18397" in said
    assert "Not here yet." in said and "Engines on this machine" not in said
    slow = EngineFigure("transformers", "hf:tiny", None, "The weights are damaged.")
    remember(bench.settings, (EngineFigure("llama.cpp", "llama:tiny", 3.21), slow))
    said = words(seen(page.run()))
    assert "3.2 s for 700 tokens read and 16 written" in said
    assert "The weights are damaged." in said
