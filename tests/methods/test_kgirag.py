"""KGiRAG: the context grows, the judge ends the loop, refusals and bad judgements are no scores."""

import json

import pytest

from irag.actions import NearEntities, RetrieveEntities
from irag.engine import answer
from irag.errors import LLMError
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.methods.kgirag_context import Pool
from irag.remarks import Judged
from irag.types import Entity, Scored
from irag.views.calls import parts
from tests.fakes import BRIDGE, QUESTION, SECOND, fake_tools, triples

GOOD = {"faithfulness": 0.9, "completeness": 0.8, "relevance": 0.1}
POOR = {"faithfulness": 0.9, "completeness": 0.2, "relevance": 0.9}
BAD = ["", "I am not sure about that.", '{"answerable": tr', "x" * 10_000, LLMError("down")]


def script(answers, scores):
    """Replies from two queues: answers and judgements."""
    said, judged = iter(answers), iter(scores)

    def reply(request):
        if "faithfulness" in (request.schema or ""):
            return json.dumps(next(judged))
        text = next(said)
        return json.dumps({"answerable": text is not None, "answer": text or ""})

    return reply


def play(method, reply):
    llm = Scripted(reply)
    return answer(QUESTION, parse_method(method), fake_tools(llm)), llm


def judged(trace):
    return [s.action for s in trace.steps if isinstance(s.action, Judged)]


def test_the_judge_ends_the_loop_by_faithfulness_and_completeness_alone():
    trace, llm = play("kgirag", script(["a river", "the Tem"], [POOR, GOOD]))
    assert trace.answer.text == "the Tem" and trace.stopped == "sufficient"
    assert [one.iteration for one in judged(trace)] == [1, 2] and trace.hops == 2
    assert all(QUESTION in request.messages[-1].text for request in llm.history)


@pytest.mark.parametrize(("keep", "kept"), [("last", "third"), ("best", "second")])
def test_the_last_answer_is_kept_or_the_best(keep, kept):
    middling = {**POOR, "completeness": 0.6}
    reply = script(["first", "second", "third"], [POOR, middling, POOR])
    trace, _ = play(f"kgirag:iterations=3,keep={keep}", reply)
    assert trace.answer.text == kept and trace.stopped == "max_hops"


def test_a_refusal_is_not_judged_and_never_good():
    trace, llm = play("kgirag:iterations=2", script([None, "the Tem"], [GOOD]))
    assert [one.scores for one in judged(trace)][0] == ()
    assert trace.answer.text == "the Tem" and len(llm.history) == 3


def test_a_judgement_that_cannot_be_read_is_no_score_and_asks_for_another_round():
    for wrong in ({"faithfulness": 1}, {**GOOD, "completeness": 7}, {**GOOD, "relevance": True}):
        trace, _ = play("kgirag:iterations=2", script(["a", "b"], [wrong, GOOD]))
        first, second = judged(trace)
        assert first.scores == () and "could not be read" in first.note
        assert second.scores and trace.answer.text == "b"


def test_each_iteration_asks_for_more_and_follows_relations():
    trace, _ = play("kgirag:judge=none,reader=none,iterations=3", [])
    asked = [action for step in trace.steps for action, _ in parts(step)]
    entities = [a.k for a in asked if isinstance(a, RetrieveEntities) and a.unit == "entity"]
    near = [a.k for a in asked if isinstance(a, NearEntities)]
    assert entities == [50, 150, 250] and near == [40, 50]
    assert {BRIDGE, SECOND} <= {hit.unit.title for hit in trace.answer.evidence}
    assert trace.answer.text is None and trace.usage.calls == 0


def test_documents_with_named_and_visited_entities_come_first():
    facts = [some[0] for some in triples().values()][:3]
    pool = Pool()
    pool.name([Entity("a", "A", (facts[2],))])
    pool.visit([Entity("b", "B", (facts[1],))])
    pool.read([Entity("c", "C", tuple(facts))])
    ranked = [Scored(fact, 0.5) for fact in facts]
    assert [d for d, _ in pool.ranking(ranked)] == [f.document for f in reversed(facts)]
    assert [score for _, score in pool.ranking(ranked)] == [0.7, 0.6, 0.5]


@pytest.mark.parametrize("bad", BAD, ids=["empty", "prose", "half a JSON", "long", "error"])
@pytest.mark.parametrize("place", range(4))
def test_a_bad_reply_at_any_call_ends_in_an_answer_or_a_said_failure(bad, place):
    good = script(["a", "b", "c", "d", "e"], [POOR] * 5)
    count = iter(range(1000))

    def reply(request):
        return bad if next(count) == place else good(request)

    trace, _ = play("kgirag:iterations=3", reply)
    assert "Internal" not in (trace.error or "")
    assert trace.answer is not None or trace.error
