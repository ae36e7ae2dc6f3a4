"""The baselines' own rules, worked through by hand, and what bad replies do to them."""

import json

import pytest

from irag.actions import Blend, Generate, HopStarted, Retrieve
from irag.engine import answer
from irag.errors import LLMError, ServerDown
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.remarks import Rewritten, SubAnswered, SubQuestion
from irag.types import Document
from irag.views.calls import parts
from tests.contract.test_method_contract import follow_the_chain
from tests.fakes import QUESTION, FakeCorpus, fake_tools

BAD = ["", "I am not sure about that.", '{"answerable": tr', "x " * 5_000, LLMError("down")]
NAMES = ["empty", "prose", "half a JSON", "long", "error"]
WITH_LLM = [
    "naive_generation",
    "hyde",
    "vector_prf",
    "qd",
    "qd:sub_questions=answered",
    "ircot",
    "iter_retgen",
    "self_ask",
]


def play(method, replies, question=QUESTION, **corpus):
    llm = Scripted(replies)
    return answer(question, parse_method(method), fake_tools(llm, FakeCorpus(**corpus))), llm


def actions(trace, kind):
    return [a for step in trace.steps for a, _ in parts(step) if isinstance(a, kind)]


def queries(trace):
    return [one.query for one in actions(trace, Retrieve)]


def titles(trace):
    return [hit.unit.title for hit in trace.answer.evidence]


def turn(follow_up="", final=""):
    return json.dumps({"follow_up": follow_up, "final": final})


@pytest.mark.parametrize("bad", BAD, ids=NAMES)
@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("method", WITH_LLM)
def test_a_bad_reply_at_any_call_ends_in_an_answer_or_a_said_failure(method, place, bad):
    count = iter(range(1000))

    def reply(request):
        return bad if next(count) == place else follow_the_chain(request)

    trace, llm = play(method, reply)
    assert "Internal" not in (trace.error or "")
    assert trace.answer is not None or trace.error == "down"
    assert len(llm.history) < 20
    assert all(len(str(query)) < 4_000 for query in queries(trace))


@pytest.mark.parametrize("method", WITH_LLM)
def test_a_server_that_is_down_ends_the_run_at_once(method):
    trace, llm = play(method, lambda request: ServerDown("nobody answers"))
    assert trace.error == "nobody answers" and len(llm.history) <= 2


def test_naive_generation_asks_once_and_searches_nothing():
    trace, llm = play("naive_generation", ["Answer: the Tem."])
    assert trace.answer.text == "the Tem" and trace.answer.evidence == ()
    assert len(llm.history) == 1 and queries(trace) == []


@pytest.mark.parametrize("name", ["bm25", "dense"])
def test_bm25_and_dense_name_their_way_of_searching(name):
    trace, llm = play(f"{name}:reader=none", [])
    assert [one.by for one in actions(trace, Retrieve)] == [name] and llm.history == []


def test_hyde_searches_with_the_question_and_each_usable_passage_and_reads_only_real_ones():
    trace, llm = play("hyde:passages=3", ["Osk is a port.", "", "Ana Kor lived.", "the Tem"])
    (query,) = queries(trace)
    question, *imagined = [part for part, _ in query.parts]
    assert question == QUESTION and {weight for _, weight in query.parts} == {1.0}
    assert [one.text for one in imagined] == ["Osk is a port.", "Ana Kor lived."]
    assert len({(r.sample, r.temperature) for r in llm.history[:3]}) == 3
    assert "Ana Kor lived." not in llm.history[3].messages[-1].text


def test_hyde_without_a_usable_passage_says_so_and_searches_with_the_question():
    trace, _ = play("hyde", ["", '{"a": 1}', "the Tem"])
    assert queries(trace) == [QUESTION]
    assert "no imagined passage" in actions(trace, Rewritten)[0].why


def test_vector_prf_moves_the_question_by_what_it_found_first():
    trace, _ = play("vector_prf:feedback=2,reader=none", [])
    first, second = queries(trace)
    found = [hit.unit for hit in trace.steps[1].result]
    assert first == QUESTION and len(found) == 2
    assert second == Blend(((QUESTION, 1.0), (found[0], 1.0), (found[1], 1.0)))
    trace, _ = play("vector_prf:feedback=2,weights=rocchio,reader=none", [])
    assert [weight for _, weight in queries(trace)[1].parts] == [0.4, 0.3, 0.3]
    assert all(isinstance(part, str | Document) for part, _ in queries(trace)[1].parts)


SPLIT = json.dumps({"sub_questions": ["Who painted The Quiet Harbour?", "Where did she live?"]})


def test_raw_sub_questions_share_the_documents_and_go_out_in_one_batch():
    corpus = FakeCorpus()
    tools = fake_tools(Scripted([SPLIT, "the Tem"]), corpus)
    trace = answer(QUESTION, parse_method("qd:documents=5"), tools)
    assert [one.k for one in actions(trace, Retrieve)] == [3, 3] and corpus.batches["search"] == [2]
    assert queries(trace)[1] == "Where did she live?"
    assert titles(trace)[0] == "The Quiet Harbour" and trace.hops == 1


def test_an_answered_sub_question_is_put_into_the_next_and_shown_to_the_reader():
    rewritten = '{"question": "Where did Ana Kor live?"}'
    replies = [SPLIT, "Ana Kor", rewritten, "Marl", "the Tem"]
    trace, llm = play("qd:sub_questions=answered", replies)
    assert queries(trace)[1] == "Where did Ana Kor live?"
    assert [one.answer for one in actions(trace, SubAnswered)] == ["Ana Kor", "Marl"]
    last = llm.history[-1].messages[-1].text
    assert "2. Where did Ana Kor live? → Marl" in last and QUESTION in last


def test_a_question_that_needs_no_splitting_is_searched_for_itself():
    trace, _ = play("qd:documents=7", ["no list", "the Tem"])
    assert queries(trace) == [QUESTION] and actions(trace, Retrieve)[0].k == 7


def test_ircot_takes_one_sentence_as_the_next_query_and_ranks_as_first_found():
    thoughts = [
        "The Quiet Harbour is by Dr. Ana Kor. She came from Marl. So the answer is: Marl.",
        "So she is a painter.",
        "So the answer is: St. Pell. When it is my turn I will ask: Q: Who",  # FR-100
    ]
    trace, _ = play("ircot:documents=2", thoughts)
    assert queries(trace) == [QUESTION, *["The Quiet Harbour is by Dr. Ana Kor."] * 2]
    assert trace.answer.text == "St. Pell" and trace.stopped == "answered"
    found = list(dict.fromkeys(h.unit.title for s in trace.steps for h in _hits(s)))
    assert titles(trace) == found
    assert [hit.score for hit in trace.answer.evidence][:2] == [1.0, 0.5]


def _hits(step):
    return step.result if isinstance(step.action, Retrieve) else ()


def test_ircot_stops_at_a_repeated_thought_and_reads_all_that_was_found():
    trace, llm = play("ircot:documents=2", ["Osk is a port.", "Osk is a port", "the Tem"])
    assert trace.stopped == "repeated" and trace.answer.text == "the Tem"
    assert all(title in llm.history[-1].messages[-1].text for title in titles(trace))


def test_ircot_collects_at_most_fifteen_passages():
    script = ["Harbour one.", "The Tem two.", "Osk Jon Pell.", "So the answer is: x."]
    trace, _ = play("ircot:documents=15", script)
    assert len(trace.answer.evidence) <= 15


def test_iter_retgen_searches_with_the_whole_generation_and_ranks_by_the_last_round():
    script = ["It is by Ana Kor. So the answer is: Ana Kor.", "So the answer is: Marl."]
    trace, llm = play("iter_retgen:rounds=2,documents=2", script)
    assert queries(trace) == [QUESTION, f"{QUESTION} {script[0]}"]
    last = [s for s in trace.steps if isinstance(s.action, Retrieve)][-1]
    assert trace.answer.evidence == last.result and trace.answer.text == "Marl"
    first = trace.steps[1].result[1].unit
    assert first.text in llm.history[0].messages[-1].text and len(llm.history) == 2


def test_iter_retgen_stops_when_nothing_changes():
    trace, llm = play("iter_retgen:rounds=7", lambda request: "So the answer is: the Tem.")
    assert trace.stopped == "repeated" and len(llm.history) == 2


def test_iter_retgen_reads_once_more_where_no_answer_was_come_to():
    trace, _ = play("iter_retgen:rounds=2", ["Ana Kor painted.", "She came from Marl.", "the Tem"])
    assert trace.answer.text == "the Tem" and len(actions(trace, Generate)) == 3


def test_self_ask_answers_each_follow_up_from_its_own_passages():
    script = [turn("Who painted The Quiet Harbour?"), "Ana Kor", turn("Where is Ana Kor from?")]
    script += ["Marl", turn("", "the Tem")]
    trace, llm = play("self_ask", script)
    assert trace.answer.text == "the Tem" and trace.stopped == "answered" and trace.hops == 2
    assert queries(trace) == ["Who painted The Quiet Harbour?", "Where is Ana Kor from?"]
    assert "1. Who painted The Quiet Harbour? → Ana Kor" in llm.history[2].messages[-1].text
    assert titles(trace)[:2] == ["The Quiet Harbour", "Ana Kor"]


def test_self_ask_takes_no_final_answer_given_beside_its_first_follow_up():
    script = [turn("Where is Osk?", "a guess"), "a port", turn("Where is Marl?", "the Tem")]
    trace, _ = play("self_ask", script)
    assert trace.answer.text == "the Tem" and queries(trace) == ["Where is Osk?"]


def test_self_ask_that_ends_at_once_has_no_evidence():
    trace, _ = play("self_ask", [turn("", "the Tem")])
    assert trace.answer.text == "the Tem" and trace.answer.evidence == () and trace.hops == 0


def test_self_ask_asks_the_question_itself_when_its_first_turn_cannot_be_read():
    trace, _ = play("self_ask", ["nonsense", "the Tem", "nonsense", "the Tem"])
    assert [one.text for one in actions(trace, SubQuestion)] == [QUESTION]
    assert trace.answer.text == "the Tem" and trace.stopped == "no_candidate"


def test_self_ask_forces_a_final_answer_after_a_repetition_and_after_its_last_follow_up():
    repeated = [turn("Where is Osk?"), "a port", turn("where is osk"), "forced"]
    trace, _ = play("self_ask", repeated)
    assert (trace.stopped, trace.answer.text) == ("repeated", "forced")
    script = [turn("Where is Osk?"), "a port", turn("Where is Marl?"), "forced"]
    trace, _ = play("self_ask:max_hops=1", script)
    assert (trace.stopped, trace.answer.text) == ("max_hops", "forced") and trace.hops == 1


@pytest.mark.parametrize("method", ["hyde", "qd", "ircot", "iter_retgen", "self_ask"])
def test_a_chinese_question_is_asked_in_chinese(method):
    _, llm = play(method, lambda request: "so", question="《盐路》的导演是哪一年出生的？")
    assert all("问题" in r.messages[-1].text for r in llm.history)


@pytest.mark.parametrize("method", ["ircot", "iter_retgen", "self_ask"])
def test_hops_count_from_one_without_gaps(method):
    trace, _ = play(method, follow_the_chain)
    hops = [one.number for one in actions(trace, HopStarted)]
    assert hops == list(range(1, len(hops) + 1)) and len(hops) == 3
