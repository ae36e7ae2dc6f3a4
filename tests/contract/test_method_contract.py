"""What holds for every method, whatever it does."""

from __future__ import annotations

import json
import re

import pytest

from irag.actions import Stopped
from irag.engine import answer, answer_many, replay
from irag.errors import UserError
from irag.llm.scripted import Scripted
from irag.methods import METHODS, card, parse_method
from irag.running import MAX_STEPS
from irag.traces import dumps, loads
from irag.types import Question
from tests.fakes import BRIDGE, QUESTION, SECOND, FakeCorpus, documents, fake_tools

VARIANTS = [
    "naive_rag:documents=3",
    "naive_generation",
    "bm25:documents=3",
    "dense:documents=3,reader=none",
    "hyde:documents=3",
    "vector_prf:documents=3",
    "vector_prf:documents=3,feedback=5,weights=rocchio,reader=none",
    "qd:documents=9",
    "qd:documents=9,sub_questions=answered",
    "qd:documents=9,sub_questions=answered,reader=none",
    "ircot:documents=3",
    "ircot:documents=3,reader=passages",
    "iter_retgen",
    "self_ask:documents=3",
    "kirag:documents=3,constructor=choose,demonstrations=2",
    "kirag:documents=3,constructor=choose,profile=code",
    "kirag:documents=3,constructor=generate",
    "kirag:documents=3,constructor=none,reader=none",
    "kirag:documents=3,constructor=choose,reader=chain",
    "kirag:documents=3,constructor=choose,reader=trace_triples,examples=similar",
    "kirag:documents=3,constructor=choose,reader=trace_documents",
    "kirag:documents=3,constructor=none,unit=sentence",
    "chainrag",
    "chainrag:profile=code,integration=both",
    "chainrag:unit=chunks,integration=contexts",
    "chainrag:rewriting=off,similar_edges=off",
    "chainrag:decomposition=none,reader=none",
    "kgirag",
    "kgirag:entities=none,keep=best,iterations=2",
    "kgirag:judge=none",
    "kgirag:judge=none,reader=none",
    "kirag:documents=3,constructor=none,unit=document,profile=code",
    "kgir_rag:documents=3",
    "kgir_rag:documents=3,weights=passage,radius=1,reader=passages",
    "kgir_rag:documents=3,entities=spacy,rewriting=evidence,reflection=all,reader=none",
    "kgir_rag:documents=3,subgraph=off",
    "kgir_rag:documents=3,rewriting=off",
    "kgir_rag:documents=3,reflection=off",
]
WANTED = ("Ana Kor", "Marl", "Tem")
STOPS_EARLY = {
    "kirag": {("constructor", "none")},
    "qd": {("sub_questions", "raw")},
    "kgir_rag": {("rewriting", "off"), ("reflection", "off")},
}
"""Settings of iterative methods that need not reach the second hop."""
NEVER_SEARCH = {"naive_generation"}
ASK_FIRST = NEVER_SEARCH | {"hyde", "qd", "self_ask"}
"""Methods that ask the LLM before they search."""


def follow_the_chain(request):
    """Names the candidate that leads on, as a good model would; reads "the Tem"."""
    last = request.messages[-1].text
    if request.schema and "faithfulness" in request.schema:
        return '{"faithfulness": 0.9, "completeness": 0.85, "relevance": 1}'
    if request.schema and any(key in request.schema for key in ('"entities"', '"missing"')):
        return _evidence_named_or_judged(request.schema, last)
    if request.schema and '"follow_up"' in request.schema:
        return _follow_up(last)
    if last.endswith(("Next sentence:", "Reasoning:")):
        return _thought(last)
    if request.schema and "Earlier versions" in last:
        return _shortened(last)
    if request.schema and ("sub_questions" in request.schema or "→" in last):
        return _sub_question(last)
    if request.schema:
        return _by_number(last)
    if request.prefix or "continued" in last or "<" in last:
        return _by_text(request)
    if last.endswith("yes or no:"):
        return "yes"
    asked = re.search(r"^Question: (Who painted|Which town)", last, flags=re.M)
    return {"Who painted": "Ana Kor", "Which town": "Marl"}[asked[1]] if asked else "the Tem"


def _sub_question(text):
    if "this town" in text:
        return '{"question": "What does Marl lie beside?"}'
    if "which town" in text.lower():
        return '{"question": "Which town did Ana Kor come from?"}'
    if QUESTION in text:
        return """{"sub_questions": ["Who painted The Quiet Harbour?",
            "Which town did she come from?", "What does this town lie beside?"]}"""
    return "no"


def _follow_up(text):
    asked = ["Who painted The Quiet Harbour?", "Which town did Ana Kor come from?"]
    asked += ["What does Marl lie beside?", ""]
    if QUESTION not in text:
        return "no"
    known = text.count("→")
    final = "the Tem" if known == len(WANTED) else ""
    return json.dumps({"follow_up": asked[known], "final": final})


def _thought(text):
    """The facts that the passages tell, or after "Next sentence:" the first one not yet thought."""
    facts = [("painter Ana Kor", "The Quiet Harbour is by Ana Kor.")]
    facts += [("came from Marl", "Ana Kor came from Marl.")]
    facts += [("Marl lies", "So the answer is: the Tem.")]
    known = [fact for words, fact in facts if words in text]
    if text.endswith("Reasoning:"):
        return " ".join(known or ["So the answer is: nothing."])
    return next((fact for fact in known if fact not in text), "So the answer is: nothing.")


def _evidence_named_or_judged(schema, text):
    if '"entities"' in schema:
        return json.dumps({"entities": [n for n in ("The Quiet Harbour", *WANTED) if n in text]})
    known = "Marl lies beside the Tem" in text.partition("Passages:")[0]
    return json.dumps({"answerable": known, "answer": "the Tem" if known else "", "missing": ""})


def _shortened(text):
    """The question with the town, else the painter, that the facts tell in place of its words."""
    if "came from Marl" in text:
        return '{"question": "In which river\'s valley lies Marl?"}'
    if "by Ana Kor" in text or "painter Ana Kor" in text:
        return '{"question": "Where does the town lie that Ana Kor came from?"}'
    return '{"question": ""}'


def _by_number(text):
    facts = re.findall(r"^(\d+)\. (.+)$", text, flags=re.M)
    for number, fact in facts:
        if any(fact.endswith(f"| {tail}") for tail in ("Ana Kor", "Marl", "the Tem")):
            return f'{{"chain": [{number}], "answer": "{"the Tem" if "Tem" in fact else ""}"}}'
    return '{"chain": [], "answer": "the Tem"}'


def _by_text(request):
    chain = request.prefix or request.messages[-1].text.rpartition(":")[2]
    for fact in re.findall(r"<([^<>]+)>", request.messages[-1].text):
        if any(fact.endswith(f"; {tail}") for tail in ("Ana Kor", "Marl", "the Tem")) and (
            fact not in chain
        ):
            return f"<{fact}>"
    return "So the answer is: the Tem."


def _tools(**changes):
    return fake_tools(Scripted(follow_the_chain), FakeCorpus(**changes))


@pytest.fixture(params=VARIANTS)
def method(request):
    return parse_method(request.param)


def test_every_method_is_tried_here():
    assert {text.partition(":")[0] for text in VARIANTS} == set(METHODS)


def test_it_ends_within_its_limit_and_says_why(method):
    trace = answer(QUESTION, method, _tools())
    assert trace.error is None and len(trace.steps) < MAX_STEPS
    assert [s.action.reason for s in trace.steps if isinstance(s.action, Stopped)] == [
        trace.stopped
    ]


def test_alone_and_batched_it_does_the_same(method):
    questions = [Question(str(n), text) for n, text in enumerate([QUESTION, "Where is Osk?"] * 3)]
    together = answer_many(questions, method, _tools())
    alone = [answer(question, method, _tools()) for question in questions]
    for one, other in zip(together, alone, strict=True):
        assert [(s.action, s.result) for s in one.steps] == [
            (s.action, s.result) for s in other.steps
        ]
        assert one.answer == other.answer


def test_replaying_its_trace_asks_for_the_same_actions(method):
    trace = answer(QUESTION, method, _tools())
    again = replay(trace, method, fake_tools(Scripted([]), FakeCorpus(empty=True)))
    assert [step.action for step in again.steps] == [step.action for step in trace.steps]
    assert again.answer == trace.answer


def test_its_trace_survives_json(method):
    trace = answer(QUESTION, method, _tools())
    assert loads(dumps(trace)) == trace


def test_its_evidence_and_chain_come_from_the_corpus(method):
    trace = answer(QUESTION, method, _tools())
    known = {document.id for document in documents()}
    assert {hit.unit.id for hit in trace.answer.evidence} <= known
    assert {triple.document for triple in trace.answer.chain} <= known
    assert len({hit.unit.id for hit in trace.answer.evidence}) == len(trace.answer.evidence)


def test_iterative_methods_reach_the_second_hop_and_one_shot_ones_do_not(method):
    trace = answer(QUESTION, method, _tools())
    titles = {hit.unit.title for hit in trace.answer.evidence}
    if method.card.iterative and STOPS_EARLY.get(method.card.name, set()).isdisjoint(
        method.settings()
    ):
        assert {BRIDGE, SECOND} <= titles
        assert [triple.tail for triple in trace.answer.chain] in (
            [],
            ["Ana Kor", "Marl", "the Tem"],
        )
    elif not method.card.iterative:
        assert BRIDGE not in titles


def test_an_empty_corpus_ends_with_no_candidate_and_asks_no_llm(method):  # FR-103
    llm = Scripted(follow_the_chain)
    trace = answer(QUESTION, method, fake_tools(llm, FakeCorpus(empty=True)))
    if method.card.name not in NEVER_SEARCH:
        assert trace.stopped == "no_candidate" and trace.answer.text is None
    assert llm.history == [] or method.card.name in ASK_FIRST


def test_a_corpus_without_triples_falls_back_to_its_passages(method):  # FR-054
    trace = answer(QUESTION, method, _tools(without_triples=True))
    assert trace.error is None
    assert bool(trace.answer.evidence) is (method.card.name not in NEVER_SEARCH)


@pytest.mark.parametrize(
    "reply",
    ["", "   \n", "I cannot do that.", '{"chain": [1', '{"status": "ok"}', "{" + "\n" * 900],
)
def test_bad_replies_never_break_it(method, reply):  # FR-005, FR-011, FR-023, FR-082
    trace = answer(QUESTION, method, fake_tools(Scripted(lambda request: reply)))
    assert trace.error is None
    assert trace.answer.text != '{"status": "ok"}'


def test_question_two_sees_nothing_of_question_one(method):  # FR-110
    llm = Scripted(follow_the_chain)
    tools = fake_tools(llm)
    answer("Is Kestrel Mill near Osk?", method, tools)
    before = len(llm.history)
    trace = answer("Was Jon Pell a potter?", method, tools)
    asked = " ".join(m.text for r in llm.history[before:] for m in r.messages)
    assert "Is Kestrel Mill near Osk?" not in asked
    assert trace.steps[0].number == 1


def test_templates_take_braces_and_dollars_as_they_stand(method):  # FR-092
    llm = Scripted(follow_the_chain)
    question = "What is {x} in $var, %s, {0} harbour?"
    trace = answer(question, method, fake_tools(llm))
    assert trace.error is None
    assert all(question in r.messages[-1].text for r in llm.history)


def test_its_method_string_makes_it_again(method):
    assert parse_method(str(method)) == method


@pytest.mark.parametrize("name", METHODS)
def test_it_has_a_card_with_its_paper_and_every_setting_is_explained(name):
    assert card(name).paper and card(name).summary
    for setting in METHODS[name].described():
        assert setting.label and setting.help
        with pytest.raises(UserError):
            parse_method(f"{name}:{setting.name}=nonsense-1")
