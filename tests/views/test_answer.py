"""How an answer stands in its evidence, and which sentences are marked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irag.actions import ChainGrew
from irag.types import Citation, Completion
from irag.views.answer import answer_view, pieces
from tests.views import traces


def test_a_found_answer_says_in_which_sentence():
    view = answer_view(traces.trace_of())
    assert (view.state, view.text) == ("found", "35,124")
    assert view.confidence == "“35,124” — in Boston, Lincolnshire, sentence 2"


def test_an_answer_that_stands_nowhere_is_said_not_to_be_found():  # FR-101
    view = answer_view(traces.trace_of(text="Professor Quill"))
    assert (view.state, view.confidence) == ("missing", "Not found in the evidence")


def test_a_yes_or_no_is_not_called_unsupported():  # FR-107
    view = answer_view(traces.trace_of(text="yes"))
    assert view.state == "judged" and "sentence" in view.confidence


def test_no_answer_asked_differs_from_no_answer_given():
    assert answer_view(traces.trace_of(text=None)).state == "unasked"
    asked = traces.trace_of(text="x")
    steps = tuple(replace(s, result=Completion("")) if s.number == 13 else s for s in asked.steps)
    empty = replace(asked, steps=steps, answer=replace(asked.answer, text=None, citations=()))
    assert answer_view(empty).state == "empty"


@pytest.mark.parametrize("stopped", ["failed", "cancelled"])
def test_failed_and_stopped_are_states_with_their_reason(stopped):
    broken = replace(traces.trace_of(), answer=None, stopped=stopped, error="The server went away.")
    view = answer_view(broken)
    assert (view.state, view.text, view.evidence) == (stopped, "", ())
    assert view.error == "The server went away." and view.chain


def test_a_run_under_way_has_no_answer_but_its_chain_so_far():
    whole = traces.trace_of()
    view = answer_view(replace(whole, steps=whole.steps[:6], answer=None), running=True)
    assert (view.state, view.stopped, len(view.chain)) == ("running", "", 1)


def test_sentences_of_the_chain_are_marked_in_their_hop_and_the_answer_inside():
    first = answer_view(traces.trace_of()).evidence[0]
    assert [(p.text, p.hop, p.answer) for p in first.pieces] == [
        ("Boston is a town. ", 0, False),
        ("The town had ", 2, False),
        ("35,124", 2, True),
        (" people in 2001.", 2, False),
    ]
    assert first.marked


def test_pieces_join_to_the_text_whatever_is_marked():
    document = traces.document("東京", "東京は都市です。人口は多い。")
    marked = pieces(document, {(document.id, 0): 1}, [Citation(document.id, 0, 3, 5)])
    assert "".join(piece.text for piece in marked) == document.text
    assert [p.text for p in marked if p.answer] == ["都市"]  # FR-049


def test_an_invented_triple_has_no_sentence():
    whole = traces.trace_of(traces.ROWS[:1])
    made = traces.triple("Osk", "twinned with", "Marl")
    steps = tuple(
        replace(s, action=ChainGrew(made, "ungrounded")) if isinstance(s.action, ChainGrew) else s
        for s in whole.steps
    )
    (fact,) = answer_view(replace(whole, steps=steps)).chain
    assert (fact.title, fact.sentence) == ("", None)


def test_the_chains_own_answer_is_said_only_when_it_differs():
    whole = traces.trace_of()
    other = replace(whole, answer=replace(whole.answer, constructed="35,000"))
    same = replace(whole, answer=replace(whole.answer, constructed="35,124"))
    assert answer_view(other).constructed == "35,000"
    assert answer_view(same).constructed == ""
