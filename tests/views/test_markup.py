"""Pieces of HTML: every text escaped, every number tabular, colours never alone."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from irag.views import markup
from irag.views.answer import answer_view
from irag.views.hops import hops
from irag.views.palette import colour
from tests.views import traces

HOSTILE = "</script><img src=x onerror=alert(1)> $5 ~~x~~ & \"q\" 'q'"
ROW = (HOSTILE, f"{HOSTILE}. It says {HOSTILE}.", (HOSTILE, HOSTILE, HOSTILE))
TAGS = {"a", "span", "div", "bdi", "ul", "li", "b", "mark", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"}  # fmt: skip


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        assert all(not name.startswith("on") for name, _ in attrs)

    def handle_data(self, data):
        self.text += data


def _drawn() -> dict[str, str]:
    trace = traces.trace_of((ROW, ROW), HOSTILE)
    view, first = answer_view(trace), hops(trace)[0]
    return {
        "query": markup.query(HOSTILE),
        "triple": markup.triple(first.grown[0], 1),
        "documents": markup.document_rows(first.documents),
        "candidates": markup.candidates(first.candidates, 1),
        "answer": markup.answer(view),
        "facts": markup.facts(view.chain),
        "evidence": markup.evidence(view.evidence),
        "costs": markup.costs(hops(trace)),
        "checks": markup.checks([(HOSTILE, True, HOSTILE)]),
        "table": markup.table([HOSTILE], [[HOSTILE]]),
        "terms": markup.terms([(HOSTILE, HOSTILE)]),
    }


@pytest.mark.parametrize("piece", list(_drawn()))
def test_hostile_text_stays_text(piece):  # FR-084, FR-188
    parsed = Tags()
    parsed.feed(_drawn()[piece])
    assert set(parsed.names) <= TAGS
    if piece != "costs":
        assert HOSTILE in parsed.text


def test_every_hop_colour_comes_with_its_number():
    trace = traces.trace_of(traces.ROWS)
    page = markup.facts(answer_view(trace).chain)
    for hop in range(1, 6):
        assert re.search(rf'class="irag-hop" style="--hop:{colour(hop)}[^>]*>{hop}<', page)


def test_costs_have_a_row_each_and_a_total_that_counts_documents_once():
    parsed = Tags()
    page = markup.costs(hops(traces.trace_of()))
    parsed.feed(page)
    assert page.count("<tr>") == 5  # head, two hops, reading, total
    assert re.search(r"Total</th><td>11</td><td>3</td><td>2,436</td><td>27</td><td>1.5</td>", page)


def test_what_was_not_done_is_a_dash_and_never_a_zero():
    page = markup.costs(hops(traces.trace_of(text=None))[:1])
    assert "<td>0</td>" not in page


def test_an_ungrounded_triple_says_so():
    page = markup.triple(traces.triple("Osk", "is", "Marl"), 1)
    assert "not in any sentence" in page


def test_the_style_sheet_uses_the_palette_and_names_every_class():
    style = (Path(__file__).parents[2] / "assets" / "style.css").read_text("utf-8")
    for hop in range(1, 6):
        assert (
            f'st-key-hop-{hop}-"] [data-testid="stExpanderStepIcon"] {{ color: {colour(hop)}; }}'
            in style
        )
    used = set(re.findall(r"irag-[a-z]+", " ".join(_drawn().values())))
    assert used <= set(re.findall(r"irag-[a-z]+", style))
