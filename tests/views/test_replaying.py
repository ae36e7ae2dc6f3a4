"""A run as it stood after each step, and the words of each."""

from __future__ import annotations

from dataclasses import replace

from irag.actions import ACTIONS, NamesIn, Together
from irag.errors import LLMError
from irag.remarks import Rewritten
from irag.types import Step
from irag.views.glossary import glossary
from irag.views.hops import hops
from irag.views.replaying import moments, stood
from irag.views.words import t
from tests.views import traces


def test_each_step_shows_what_there_was_and_nothing_later():
    trace = traces.trace_of(traces.ROWS[:2])
    for number in range(len(trace.steps)):
        then = stood(trace, number)
        assert then.steps == trace.steps[:number] and then.answer is None
        assert hops(then) == () or hops(then)[-1].number <= trace.steps[number - 1].hop
    assert stood(trace, len(trace.steps)) == trace == stood(trace, 999)
    assert stood(trace, -1).steps == ()


def test_every_step_has_its_words():
    trace = traces.trace_of(traces.ROWS[:2])
    said = [one.said for one in moments(trace)]
    assert said[:4] == ["the hop begins", "10 documents", "10 triples", "10 candidates"]
    assert said[5] == "joined the chain: Kirton End lies in borough of Boston"
    assert said[-2:] == ["the LLM read the evidence", "Ended: the chain holds the answer"]
    assert [one.reading for one in moments(trace)][-3:] == [False, True, True]


def test_a_failed_step_and_requests_done_together_are_said():
    trace = traces.trace_of(traces.ROWS[:1])
    broken = replace(trace.steps[1], result=None, error="The index is damaged.")
    both = Together(trace.steps[1].action, trace.steps[1].action)
    pair = Step(2, 1, both, (trace.steps[1].result, LLMError("x")))
    steps = (trace.steps[0], broken, pair)
    said = [one.said for one in moments(replace(trace, steps=steps))]
    assert said[1] == "failed: The index is damaged."
    assert said[2] == "10 documents and 1 more request"


def test_a_methods_own_remarks_have_their_words():
    trace = traces.trace_of(traces.ROWS[:1])
    steps = (Step(1, 1, Rewritten("Who?", "Who was Osk?")), Step(2, 1, NamesIn("Osk?"), ("Osk",)))  # fmt: skip
    said = [one.said for one in moments(replace(trace, steps=steps))]
    assert said[0] == "rewritten: Who? → Who was Osk?" and said[1].startswith("1 names")


def test_every_term_of_the_glossary_has_a_meaning_and_english_stands_in_for_other_languages():
    terms = glossary()
    assert len(terms) > 30 and all(meaning.endswith(".") for _, meaning in terms)
    assert [name.casefold() for name, _ in terms] == sorted(name.casefold() for name, _ in terms)
    assert glossary("zh") == terms or len(glossary("zh")) == len(terms)
    assert t("term.score")
    assert {"Hop", "Triple", "Chain", "Evidence"} <= {name for name, _ in terms} and ACTIONS
