"""A trace as hops: what each one found, chose, asked and cost."""

from __future__ import annotations

from dataclasses import replace

from irag.actions import Choose, Chosen, Generate, HopStarted, Retrieve, Together
from irag.asking import Pending
from irag.errors import LLMError
from irag.prompts import Prompt
from irag.types import Scored, Step
from irag.views.hops import documents, hops
from tests.views import traces


def test_each_hop_has_its_query_documents_candidates_and_cost():
    first, second, reading = hops(traces.trace_of())
    assert (first.number, second.number, reading.reading) == (1, 2, True)
    assert first.query == traces.question().text and "knowledge triples" in second.query
    assert (len(first.documents), first.new, second.new) == (10, 10, 1)
    assert second.documents[0].document.title == "Boston, Lincolnshire" and second.documents[0].new
    assert first.triple_count == 10 and len(first.candidates) == 10
    assert (first.usage.calls, first.usage.prompt_tokens) == (1, 812)
    assert round(first.seconds, 2) == 0.4


def test_the_chosen_candidate_is_on_top_and_the_rest_keep_their_order():
    first = hops(traces.trace_of())[0]
    top, *rest = first.candidates
    assert top.chosen and top.triple == first.grown[0] and top.title == "Kirton End"
    assert not any(row.chosen for row in rest)
    assert [row.score for row in rest] == sorted((row.score for row in rest), reverse=True)


def test_a_hop_is_there_as_soon_as_its_query_is():
    whole = traces.trace_of()
    only = replace(whole, steps=(Step(1, 1, HopStarted(1, "Where?")),), answer=None)
    asked = Pending(Step(2, 1, Retrieve("Where?")))
    (view,) = hops(only, (asked,))
    assert (view.query, view.documents) == ("Where?", ())
    assert view.writing[0].kind == "Retrieve"


def test_text_that_is_being_written_stands_in_its_hop():
    whole = traces.trace_of()
    step = Step(5, 1, Generate(Prompt("kirag/choose", "en", ())))
    (view,) = hops(replace(whole, steps=whole.steps[:4], answer=None), (Pending(step, '{"chain"'),))
    assert view.writing[0].text == '{"chain"' and view.writing[0].purpose
    assert not view.calls


def test_the_readers_call_under_way_is_no_part_of_the_last_hop():
    whole = traces.trace_of()
    step = Step(13, 2, Generate(Prompt("reader/answer", "en", ())))
    views = hops(replace(whole, steps=whole.steps[:12], answer=None), (Pending(step, "35"),))
    assert [view.reading for view in views] == [False, False, True]
    assert views[-1].writing[0].text == "35"


def test_the_exact_prompt_and_reply_of_a_call_are_kept():
    call = hops(traces.trace_of())[0].calls[0]
    assert [message.role for message in call.prompt] == ["system", "user"]
    assert (call.prefix, call.reply) == ("Thought: ", '{"chain": [1], "answer": ""}')


def test_a_failed_call_is_an_error_with_no_reply_and_never_an_empty_one():
    whole = traces.trace_of(traces.ROWS[:1])
    broken = replace(whole.steps[4], result=None, error="The server went away.")
    view = hops(replace(whole, steps=(*whole.steps[:4], broken), answer=None))[0]
    assert view.errors == ("The server went away.",) and not view.cancelled
    assert view.calls[0].reply is None and view.calls[0].error == "The server went away."


def test_stop_is_no_failure():
    whole = traces.trace_of(traces.ROWS[:1])
    broken = replace(whole.steps[4], result=None, error="Stopped by you.")
    assert hops(replace(whole, steps=(*whole.steps[:4], broken), answer=None))[0].cancelled


def test_requests_done_together_are_taken_apart_and_one_may_fail():
    whole = traces.trace_of(traces.ROWS[:1])
    hit = whole.steps[1].result[0]
    both = Together(Retrieve("a"), Retrieve("b"), Retrieve("c"))
    results = ((hit,), LLMError("no answer"), (Scored(hit.unit, 2.0),))
    view = hops(replace(whole, steps=(Step(1, 1, both, results),), answer=None))[0]
    assert [(row.document.id, row.score) for row in view.documents] == [(hit.unit.id, 2.0)]
    assert view.errors == ("no answer",)


def test_a_choice_by_letter_shows_its_call():
    whole = traces.trace_of(traces.ROWS[:1])
    action = Choose(Prompt("kirag/choose", "en", ()), ("a", "b"))
    step = Step(1, 1, action, Chosen(0, (0.7, 0.3), traces.completion("A")))
    assert hops(replace(whole, steps=(step,), answer=None))[0].calls[0].reply == "A"


def test_what_did_not_fit_the_window_is_noted():
    whole = traces.trace_of(traces.ROWS[:1])
    step = replace(whole.steps[4], cut=("candidates: 3 of 20",))
    assert hops(replace(whole, steps=(step,)))[0].notes == ("candidates: 3 of 20",)


def test_documents_appear_once_however_many_hops_found_them():  # FR-109
    found = documents(traces.trace_of())
    assert len(found) == len({document.id for document in found}) == 11
