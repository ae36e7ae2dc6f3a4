"""The driver: batches, cancels, fails one by one, and replays."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest

from irag.actions import Choose, Generate, HopStarted, Retrieve, Stopped, Together
from irag.engine import (
    MAX_QUESTION,
    Ended,
    Partial,
    Play,
    StepDone,
    answer,
    answer_many,
    play,
    replay,
    stream,
)
from irag.errors import IragError, LLMError, QuestionRefused
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.prompts import Passages, fill
from irag.tools import Flags
from irag.types import Answer, Question
from tests.fakes import QUESTION, FakeCorpus, documents, fake_tools


def _prompt(text: str):
    return fill("reader/answer", passages=Passages.of(tuple(documents()[:1])), question=text)


@dataclass(frozen=True)
class AsksTwice:
    """Two LLM calls at once, then one more."""

    def solve(self, question):
        yield from HopStarted(1, question)
        first, second = yield from Together(Generate(_prompt("one")), Generate(_prompt(question)))
        third = yield from Generate(_prompt("three"))
        yield from Stopped("answered")
        texts = [r if isinstance(r, IragError) else r.text for r in (first, second, third)]
        return Answer(" ".join(map(str, texts)))

    def __str__(self):
        return "asks_twice"


def _echo(request):
    last = request.messages[-1].text
    return "bad" if "break" in last else next(w for w in ("one", "three", "?") if w in last)


@pytest.mark.parametrize("question", ["", "   \n", "\u200b \t"])
def test_an_empty_question_is_refused(question):
    with pytest.raises(QuestionRefused, match="empty"):
        answer(question, parse_method("naive_rag"), fake_tools())


def test_an_over_long_question_is_refused_with_its_length():  # FR-104
    with pytest.raises(QuestionRefused, match=r"4,812 characters"):
        answer("lorem " * 800 + "founded Osk?", parse_method("naive_rag"), fake_tools())
    assert MAX_QUESTION == 2000


@pytest.mark.parametrize("question", ["Osk", "奥斯克在哪里？", "¿Dónde está Osk?", "\ud83d Osk?"])
def test_short_and_non_latin_questions_are_asked(question):
    trace = answer(question, parse_method("naive_rag:reader=none"), fake_tools())
    assert trace.stopped in ("sufficient", "no_candidate") and trace.error is None


def test_requests_said_together_are_one_batch_and_traces_come_in_order():
    llm = Scripted(lambda r: _echo(r))
    questions = [Question(str(n), f"What {n}?") for n in range(3)]
    traces = answer_many(questions, AsksTwice(), fake_tools(llm))
    assert [t.question.id for t in traces] == ["0", "1", "2"]
    assert [t.answer.text for t in traces] == ["one ? three"] * 3
    assert traces[0].usage.calls == 3


def test_one_failing_request_comes_back_as_a_value_and_the_others_go_on():
    llm = Scripted(lambda r: LLMError("no luck") if "one" in r.messages[-1].text else _echo(r))
    trace = answer("What?", AsksTwice(), fake_tools(llm))
    assert trace.answer.text == "no luck ? three" and trace.error is None


def test_an_error_nobody_catches_fails_that_play_alone_and_is_kept_in_its_step():
    llm = Scripted(lambda r: LLMError("server gone") if "break" in r.messages[-1].text else "Osk")
    method = parse_method("naive_rag")
    questions = [Question("a", "Where is Osk?"), Question("b", "Where does break the harbour?")]
    fine, failed = answer_many(questions, method, fake_tools(llm))
    assert fine.stopped == "sufficient" and fine.answer.text == "Osk"
    assert failed.stopped == "failed" and "server gone" in failed.error
    assert failed.steps[-1].error == "server gone" and failed.answer is None


def test_a_bug_in_a_method_fails_its_play_and_not_the_others(caplog):
    class Broken:
        def solve(self, question):
            yield from Retrieve(question)
            raise KeyError("oops")

    plays = [Play(Broken(), Question("a", "Osk?")), Play(AsksTwice(), Question("b", "Osk?"))]
    traces = {t.question.id: t for t in play(plays, fake_tools(Scripted(_echo)))}
    assert traces["a"].stopped == "failed" and "KeyError" in traces["a"].error
    assert traces["b"].stopped == "answered"
    assert "a method failed" in caplog.text


def test_a_method_without_an_llm_says_what_to_choose():
    trace = answer("Where is Osk?", parse_method("naive_rag"), fake_tools(None))
    assert trace.stopped == "failed" and "reader=none" in trace.error


def test_stop_ends_every_play_and_keeps_what_was_done():
    cancel = threading.Event()

    def stop_at_llm(request):
        cancel.set()
        return "x"

    llm = Scripted(stop_at_llm)
    plays = [Play(AsksTwice(), Question(str(n), "Osk?")) for n in range(3)]
    traces = list(play(plays, fake_tools(llm), 1, None, cancel))
    assert [t.stopped for t in traces] == ["cancelled"]
    assert traces[0].steps[0].action == HopStarted(1, "Osk?")
    assert traces[0].steps[-1].error == "Stopped by you."


@pytest.mark.parametrize("steps", range(1, 9))
def test_stop_at_every_stage_gives_a_cancelled_trace(steps):
    cancel = threading.Event()
    seen = []

    def count(event):
        seen.append(event)
        if len(seen) == steps:
            cancel.set()

    llm = Scripted(_choose_chain, delay=0.001)
    plays = [
        Play(
            parse_method("kirag:documents=3,constructor=choose,demonstrations=0"),
            Question("q", QUESTION),
        )
    ]
    (trace,) = play(plays, fake_tools(llm), 1, count, cancel)
    assert trace.stopped == "cancelled" and trace.answer is None
    assert isinstance(seen[-1], Ended)


def _choose_chain(request):
    return '{"chain": [1], "answer": ""}' if request.schema else "Osk"


def test_a_server_gets_requests_one_by_one_and_fast_plays_end_first():
    gate = threading.Event()

    def reply(request):
        return "slow" if "slow" in request.messages[-1].text else "fast"

    class Server(Scripted):
        def generate(self, requests, emit, cancel):
            assert len(requests) == 1
            if "slow" in requests[0].messages[-1].text:
                assert gate.wait(5)
            return super().generate(requests, emit, cancel)

    llm = Server(reply, flags=Flags(concurrent=True))
    method = parse_method("naive_rag")
    plays = [Play(method, Question("a", "slow Osk?")), Play(method, Question("b", "Osk?"))]
    ended = []
    for trace in play(plays, fake_tools(llm)):
        ended.append(trace.question.id)
        gate.set()
    assert ended == ["b", "a"]


def test_the_first_hop_is_shown_before_the_first_reply():
    events = []

    def reply(request):
        done = [e.step.action for e in events if isinstance(e, StepDone)]
        return "Osk" if any(isinstance(action, Retrieve) for action in done) else "too early"

    one = Play(parse_method("naive_rag"), Question("q", "Where is Osk?"))
    (trace,) = play([one], fake_tools(Scripted(reply)), 1, events.append)
    assert trace.answer.text == "Osk"


def test_a_stream_ends_with_the_trace_and_shows_text_as_it_is_written():
    tools = fake_tools(Scripted(["Osk it is"]))
    events = list(stream("Where is Osk?", parse_method("naive_rag"), tools))
    assert isinstance(events[-1], Ended) and events[-1].trace.answer.text == "Osk it is"
    assert [e.text for e in events if isinstance(e, Partial)][-1] == "Osk it is"


def test_closing_a_stream_stops_the_play():
    llm = Scripted(lambda r: "x", delay=30)
    events = stream("Where is Osk?", parse_method("naive_rag"), fake_tools(llm))
    next(events)
    events.close()
    assert not [t for t in threading.enumerate() if t.name == "play"]


def test_replaying_a_trace_asks_nothing_and_gives_the_same():
    first = answer("Where is Osk?", AsksTwice(), fake_tools(Scripted(_echo)))
    silent = Scripted([])
    again = replay(first, AsksTwice(), fake_tools(silent, FakeCorpus(empty=True)))
    assert again.steps == first.steps and again.answer == first.answer
    assert silent.history == []


def test_replaying_until_a_step_is_live_after_it():
    first = answer("Where is Osk?", AsksTwice(), fake_tools(Scripted(_echo)))
    live = Scripted(["new"])
    again = replay(first, AsksTwice(), fake_tools(live), until=2)
    assert again.answer.text == "one ? new" and len(live.history) == 1


def test_an_edited_result_changes_what_follows():
    method = parse_method("naive_rag")
    first = answer(QUESTION, method, fake_tools(Scripted(["Osk"])))
    retrieved = next(step for step in first.steps if isinstance(step.action, Retrieve))
    live = Scripted(["harbour"])
    again = replay(first, method, fake_tools(live), edits={retrieved.number: retrieved.result[1:]})
    assert again.answer.text == "harbour" and len(live.history) == 1
    assert again.answer.evidence == first.answer.evidence[1:]


def test_choose_normalises_over_the_letters():
    class Picks:
        def solve(self, question):
            chosen = yield from Choose(_prompt(question), ("x", "y", "z"))
            yield from Stopped("answered")
            return Answer(f"{chosen.option} {len(chosen.probabilities)}")

    with_logprobs = answer("Osk?", Picks(), fake_tools(Scripted(["B"])))
    without = answer("Osk?", Picks(), fake_tools(Scripted(["c"], flags=Flags())))
    neither = answer("Osk?", Picks(), fake_tools(Scripted(["Q"], flags=Flags())))
    assert (with_logprobs.answer.text, without.answer.text) == ("1 3", "2 0")
    assert neither.answer.text == "None 0"
