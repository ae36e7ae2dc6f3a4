"""ChainRAG by hand on twelve passages: references, rewriting, expansion, integration, bad replies."""

import json
import re

import pytest

from irag.actions import Expand, Generate, Rank, Retrieve, RetrieveSentences, Stopped, Together
from irag.engine import answer
from irag.errors import LLMError, ServerDown
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.methods.chainrag import ChainRAG
from irag.remarks import ContextGrew, Rewritten, SubAnswered, SubQuestion
from irag.types import Document
from tests.fakes import BRIDGE, QUESTION, SECOND, fake_tools

PARTS = ("Who is the painter of The Quiet Harbour?", "Which town did she come from?", "What does it lie beside?")  # fmt: skip
GOLD = " || ".join([PARTS[0], "Which town did Ana Kor come from?", "What does Marl lie beside?"])
BAD = ["", "I am not sure about that.", '{"sub_questions": [', "x" * 10_000, LLMError("down")]


def model(parts=PARTS, enough="yes", answers=None, rewriting=None, summary="Marl is a town."):
    """A good model; each kind of its replies can be set, `answers` by the start of the question."""
    known = {"Who is the painter": "Ana Kor", "Which town": "Marl", **(answers or {})}

    def says(request):
        last = request.messages[-1].text
        asked = re.findall(r"^(?:Question: |问题：)(.*)$", last, flags=re.M)[-1]
        if request.schema and "sub_questions" in request.schema:
            return json.dumps({"sub_questions": parts})
        if request.schema:
            return rewriting or json.dumps({"question": asked.replace("she", "Ana Kor").replace(" it ", " Marl ")})  # fmt: skip
        if last.endswith("yes or no:"):
            return enough if isinstance(enough, str) else enough(last)
        if last.endswith("in one sentence:"):
            return summary
        return next((text for start, text in known.items() if asked.startswith(start)), "the Tem")

    return says


def play(method="chainrag", says=None, question=QUESTION):
    llm = Scripted(says or model())
    chosen = parse_method(method) if isinstance(method, str) else method
    return answer(question, chosen, fake_tools(llm)), llm


def said(trace, kind):
    return [step.action for step in trace.steps if isinstance(step.action, kind)]


def calls(trace):
    """The prompt of every call, in order."""
    parts = [p for a in said(trace, Generate | Together) for p in getattr(a, "requests", (a,))]
    return [p.prompt.name.partition("/")[2] for p in parts if isinstance(p, Generate)]


def evidence(trace):
    return [hit.unit.title for hit in trace.answer.evidence]


def test_each_answer_goes_into_the_next_sub_question_and_the_second_hop_is_found():
    trace, _ = play()
    assert [(one.text, one.asked) for one in said(trace, SubQuestion)] == [
        (PARTS[0], PARTS[0]),
        (PARTS[1], "Which town did Ana Kor come from?"),
        (PARTS[2], "What does Marl lie beside?"),
    ]
    assert [one.answer for one in said(trace, SubAnswered)] == ["Ana Kor", "Marl", "the Tem"]
    assert trace.stopped == "answered" and trace.answer.text == "the Tem"
    assert set(evidence(trace)[:3]) == {"The Quiet Harbour", BRIDGE, SECOND}
    assert trace.answer.citations and trace.hops == 3


def test_without_rewriting_the_town_is_not_looked_for_by_name():
    trace, _ = play("chainrag:rewriting=off")
    assert not said(trace, Rewritten) and "rewrite" not in calls(trace)
    assert [one.asked for one in said(trace, SubQuestion)] == list(PARTS)
    assert set(evidence(trace)[:3]) != {"The Quiet Harbour", BRIDGE, SECOND}


def test_a_rewriting_sees_all_earlier_pairs_and_names_stay_as_they_are():  # FR-098
    parts = ("Who wrote Marl Days?", "Who wrote Tem Songs?", "When did the latter author die?", "Did Ana Kor live longer than Jon Pell?")  # fmt: skip
    says = model(
        parts,
        answers={"Who wrote Marl": "Ana Kor", "Who wrote Tem": "Jon Pell"},
        rewriting='{"question": "When did Jon Pell die?"}',
    )
    trace, llm = play(says=says, question="Did the author of Marl Days live longer than the author of Tem Songs?")  # fmt: skip
    asked = {one.number: one.asked for one in said(trace, SubQuestion)}
    assert asked == dict(enumerate([*parts[:2], "When did Jon Pell die?", parts[3]], 1))
    (shown,) = [r.messages[-1].text for r in llm.history if r.schema and '"question"' in r.schema]
    assert "1. Who wrote Marl Days? → Ana Kor" in shown
    assert "2. Who wrote Tem Songs? → Jon Pell" in shown


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"question": "Marl"}', "is an answer"),
        ('{"question": "Which town did Ana Kor come from, and was Osk near?"}', ""),
        ('{"question": "Which town did the painter come from?"}', "fills nothing in"),
        ("She came from Marl.", "no question"),
        (json.dumps({"question": "Ana " + "k" * 400}), "too long"),
    ],
)
def test_a_rewriting_that_is_none_leaves_the_sub_question_as_it_was(reply, why):
    earlier = model(PARTS[:2], answers={"Who is the painter": "Ana Kor of Marl"}, rewriting=reply)
    trace, _ = play(says=earlier)
    (made,) = said(trace, Rewritten)
    assert why in made.why
    assert (made.after == PARTS[1]) == bool(why)


def test_a_number_is_filled_in_where_the_llm_cannot():
    method = ChainRAG(sub_questions=f"{PARTS[0]} || #1 >> came from")
    trace, _ = play(method, model(rewriting="no idea"))
    assert [one.asked for one in said(trace, SubQuestion)][1] == "Ana Kor >> came from"
    assert "number was filled in" in said(trace, Rewritten)[0].why


def test_seeds_then_hop_by_hop_with_a_check_after_each():
    says = model(enough=lambda shown: "Yes." if "Marl lies beside the Tem" in shown else "no")
    method = "chainrag:decomposition=none,seeds=1,max_expansions=3,similar_edges=off"
    trace, _ = play(method, says, "Who is Ana Kor?")
    grown = said(trace, ContextGrew)
    assert [{s.text for s in g.sentences} for g in grown] == [
        {"Ana Kor was an artist."},
        {"She came from Marl."},
        {"Marl lies beside the Tem.", "The Quiet Harbour is a painting by the painter Ana Kor."},
    ]
    assert [(g.number, g.expansion, g.words) for g in grown] == [(1, 0, 5), (1, 1, 9), (1, 2, 25)]
    assert calls(trace) == ["enough", "enough", "enough", "answer"]
    assert [e.sentences for e in said(trace, Expand)] == [g.sentences for g in grown[:2]]


@pytest.mark.parametrize("reply", ["no", "No.", "maybe", "It is known that yes", "", "{}"])
def test_whatever_is_no_yes_goes_on_until_the_limit(reply):  # FR-096
    method = "chainrag:decomposition=none,max_expansions=2,seeds=1"
    trace, llm = play(method, model(enough=reply), "Who is Ana Kor?")
    assert len(said(trace, Expand)) == 2 and trace.answer.text == "the Tem"
    assert calls(trace).count("enough") == len(said(trace, ContextGrew)) == 3
    assert len(llm.history) == 4


def test_a_repeated_sub_question_is_asked_once():  # FR-096
    trace, _ = play(says=model([". Who designed Osk?", "1. Who designed Osk?", "2) Where is Osk?"]))
    assert [one.text for one in said(trace, SubQuestion)] == ["Who designed Osk?", "Where is Osk?"]


def test_each_kind_of_edge_can_be_left_out():
    method = "chainrag:decomposition=none,seeds=1,entity_edges=off,similar_edges=off"
    trace, _ = play(method, model(enough="no"), "Who is Ana Kor?")
    assert {one.edges for one in said(trace, Expand)} == {("adjacent",)}
    assert {s.title for g in said(trace, ContextGrew) for s in g.sentences} == {BRIDGE}
    trace, _ = play(f"{method},adjacent_edges=off", model(enough="no"))
    assert not said(trace, Expand) and calls(trace).count("enough") == 1


def test_the_words_of_a_context_have_a_cap():
    trace, _ = play("chainrag:decomposition=none,words=100,reader=none")
    assert max(grown.words for grown in said(trace, ContextGrew)) <= 100
    search = ChainRAG(words=100)._search()
    assert search.words == 100 and search.seeds == 3


def test_the_code_profile_expands_seven_seeds_and_checks_twice():
    trace, llm = play("chainrag:profile=code,max_expansions=3", model(enough="no"))
    expanded = [g.number for g in said(trace, ContextGrew) if g.expansion]
    assert (
        calls(trace).count("enough") == len(PARTS) + len(set(expanded)) < len(PARTS) + len(expanded)
    )
    assert max(len(g.sentences) for g in said(trace, ContextGrew) if not g.expansion) > 3
    answers = [r.messages[-1].text for r in llm.history if r.messages[-1].text.endswith("Answer:")]
    assert f"{PARTS[0]} → Ana Kor" in answers[1] and "Ana Kor come from? → Marl" in answers[2]


def test_what_stays_unanswered_is_carried_on_as_a_summary():
    trace, llm = play(
        says=model(answers={"Who is the painter": "unknown"}, summary="Ana Kor paints.")
    )
    first = said(trace, SubAnswered)[0]
    assert (first.answer, first.summary) == (None, "Ana Kor paints")
    assert trace.stopped == "max_hops" and "sub-question 1" in said(trace, Stopped)[0].note
    later = [r.messages[-1].text for r in llm.history if r.messages[-1].text.endswith("yes or no:")]
    assert "not found. Ana Kor paints" not in later[0]
    assert all(f"{PARTS[0]} → not found. Ana Kor paints" in shown for shown in later[1:])


def test_both_integrations_answer_and_the_contexts_stand_beside():
    def says(request):
        last = request.messages[-1].text
        if QUESTION in last and "[1]" in last:
            return "the river Tem"
        return model()(request)

    trace, _ = play("chainrag:integration=both", says)
    assert (trace.answer.text, trace.answer.constructed) == ("the Tem", "the river Tem")
    assert calls(trace)[-2:] == ["answer_pairs", "answer"]
    trace, _ = play("chainrag:integration=contexts", says)
    assert (trace.answer.text, trace.answer.constructed) == ("the river Tem", None)


def test_one_integration_that_fails_leaves_the_other():
    def says(request):
        last = request.messages[-1].text
        return LLMError("down") if QUESTION in last and "→" in last else model()(request)

    trace, _ = play("chainrag:integration=both", says)
    assert trace.error is None and trace.answer.text == "the Tem"


def test_gold_sub_questions_need_no_llm_and_each_finds_its_document():
    method = ChainRAG(sub_questions=GOLD, reader="none", max_expansions=0)
    trace = answer(QUESTION, method, fake_tools())
    assert trace.error is None and trace.stopped == "sufficient" and not said(trace, Generate)
    assert set(evidence(trace)[:3]) == {"The Quiet Harbour", BRIDGE, SECOND}


def test_without_an_llm_the_graph_still_brings_the_bridge():
    trace = answer(QUESTION, parse_method("chainrag:decomposition=none,reader=none"), fake_tools())
    assert trace.error is None and BRIDGE in evidence(trace)
    assert len(said(trace, Expand)) >= 1 and not calls(trace)


def test_chunks_have_no_sentence_graph():
    trace, _ = play("chainrag:unit=chunks")
    assert not said(trace, Expand | RetrieveSentences) and said(trace, Retrieve)
    assert all(isinstance(u, Document) for r in said(trace, Rank) for u in r.units)
    assert "enough" not in calls(trace) and {BRIDGE, SECOND} <= set(evidence(trace))


def test_independent_sub_questions_share_their_batches():
    parts = ("Where is Osk?", "Was Jon Pell a potter?")
    trace, _ = play(says=model(parts), question="Was Jon Pell born in Osk?")
    together = said(trace, Together)
    kinds = [{type(request) for request in one.requests} for one in together]
    assert {RetrieveSentences} in kinds and {Generate} in kinds and trace.hops == 1
    assert [one.answer for one in said(trace, SubAnswered)] == ["the Tem", "the Tem"]


def test_a_comparison_of_equals_is_the_same_every_time():
    method = parse_method("chainrag:decomposition=none,reader=none,scorer=embedder")
    traces = [answer("Zzyzx of the flat?", method, fake_tools()) for _ in range(2)]
    assert traces[0].answer == traces[1].answer
    scores = [(-hit.score, n) for n, hit in enumerate(traces[0].answer.evidence)]
    assert scores == sorted(scores)


def test_a_chinese_question_is_asked_in_chinese():
    question = "这幅画的作者出生在哪里？"
    reply = json.dumps({"sub_questions": ["谁画了 Marl？", "她在哪里出生？"]})
    llm = Scripted(lambda r: reply if r.schema and "sub_q" in r.schema else "否")
    trace = answer(f"{question} Marl", ChainRAG(max_expansions=0), fake_tools(llm))
    assert trace.error is None and len(said(trace, SubQuestion)) == 2
    assert all(re.search("[\u4e00-\u9fff]", r.messages[0].text) for r in llm.history)


@pytest.mark.parametrize("bad", BAD, ids=["empty", "prose", "json", "long", "error"])
@pytest.mark.parametrize("place", range(12))
@pytest.mark.parametrize("method", ["chainrag:integration=both", "chainrag:profile=code"])
def test_any_one_bad_reply_still_ends_with_an_answer_or_a_said_failure(method, place, bad):
    good, seen = model(), []

    def says(request):
        seen.append(request)
        return bad if len(seen) == place + 1 else good(request)

    trace, _ = play(method, says)
    assert "Internal" not in (trace.error or "")
    assert trace.answer.text if trace.stopped != "failed" else trace.error


@pytest.mark.parametrize("bad", BAD[:4], ids=["empty", "prose", "json", "long"])
def test_nothing_but_bad_replies_ends_too(bad):
    trace, _ = play(says=lambda request: bad)
    assert trace.error is None and evidence(trace)
    assert [one.text for one in said(trace, SubQuestion)] == [QUESTION]


def test_a_server_that_is_down_ends_the_run_at_once():
    trace, llm = play(says=lambda request: ServerDown("Nothing answers."))
    assert trace.stopped == "failed" and "Nothing answers" in trace.error
    assert len(llm.history) == 1
