"""One trace for each place where a chain can be lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irag.actions import Generate, Rank, Retrieve, TriplesOf
from irag.engine import answer
from irag.evaluation.attribution import PLACES, Lost, lost
from irag.llm.scripted import Scripted
from irag.measures import case_of
from irag.measures.seen import hop_recall
from irag.methods import parse_method
from irag.prompts import Passages, fill
from irag.types import Completion, Document, Gold, Question, Step
from tests.fakes import BRIDGE, QUESTION, SECOND, documents, fake_tools, triples
from tests.measures.made import FAILED, document, looked_up, question, ranking, trace, triple

FIRST, NEXT = triple("Osk", "mayor", "Ana", ("p1", 0)), triple("Ana", "home", "Tem", ("p2", 0))
GOLD = question(["Tem"], ["p1", "p2"], triples=(("Osk", "led by", "Ana"), ("Ana", "in", "Tem")))
STORED = {"p1": (FIRST,), "p2": (NEXT,)}


def found(*names: str) -> Step:
    return Step(1, 1, Retrieve("q"), ranking(names))


def ranked(*units) -> Step:
    scored = tuple(replace(one, unit=unit) for unit in units for one in ranking(["x"]))
    return Step(2, 1, Rank("q", tuple(units)), scored)


def read(*shown: Document) -> Step:
    prompt = fill("reader/answer", passages=Passages.of(shown), question="q")
    return Step(3, 1, Generate(prompt), Completion("x"))


BOTH = (document("p1"), document("p2", "Tem. Ana."))


def kirag_like(said, ranked_units=(FIRST, NEXT), chain=(FIRST, NEXT), shown=BOTH):
    steps = (found("p1", "p2"), Step(1, 1, TriplesOf(BOTH)), ranked(*ranked_units), read(*shown))
    played = trace(said, ["p1", "p2"], chain, steps)
    evidence = tuple(replace(hit, unit=one) for hit, one in zip(ranking("ab"), BOTH, strict=True))
    assert played.answer is not None
    return replace(played, answer=replace(played.answer, evidence=evidence))


def place(played, case=None, stored=STORED):
    where = lost(case or looked_up(GOLD), played, stored)
    return where and where.place


def test_a_right_answer_lost_nothing():
    assert place(kirag_like("Tem", chain=())) is None


def test_a_failed_run_is_a_place_of_its_own():
    assert lost(looked_up(GOLD), FAILED, STORED) == Lost("failed", note="The server went away.")


def test_not_retrieved_names_the_document_and_says_when_the_corpus_lacks_it():
    played = trace("Osk", ["p1"], steps=[found("p1"), read(document("p1"))])
    assert lost(looked_up(GOLD), played, STORED) == Lost("not_retrieved", "p2")
    absent = replace(GOLD, gold=replace(GOLD.gold, documents=("p1", "Nowhere")))
    where = lost(looked_up(absent), played, STORED)
    assert where == Lost("not_retrieved", "Nowhere", "not in the corpus")


def test_retrieved_but_no_triple_says_the_gold_fact():
    other = triple("Ana", "likes", "rye", ("p2", 1))
    assert place(kirag_like("Osk"), stored={"p1": (FIRST,), "p2": (other,)}) == "not_extracted"
    assert place(kirag_like("Osk"), stored={"p1": (FIRST,)}) == "not_extracted"


def test_extracted_but_never_a_candidate():
    assert place(kirag_like("Osk", ranked_units=(FIRST,), chain=(FIRST,))) == "not_candidate"


def test_a_candidate_that_was_not_chosen():
    assert place(kirag_like("Osk", chain=(FIRST,))) == "not_chosen"


def test_chosen_and_not_read_or_answered_from_elsewhere_is_ignored():
    where = lost(looked_up(GOLD), kirag_like("Osk", shown=BOTH[:1]), STORED)
    assert where == Lost("ignored", "p2", "not among what the reader saw")
    where = lost(looked_up(GOLD), kirag_like("Veldland"), STORED)
    assert where == Lost("ignored", note="the answer stands in no gold document")


def test_evidence_right_and_the_wrong_part_of_it_answered():
    assert place(kirag_like("Ana")) == "answer_wrong"
    assert place(kirag_like("yes")) == "answer_wrong"
    assert lost(looked_up(GOLD), kirag_like(None), STORED) == Lost("answer_wrong", "", "no answer")


def test_a_method_without_triples_is_judged_by_what_its_reader_saw():
    steps = [found("p1", "p2"), read(document("p1"))]
    assert place(trace("Osk", ["p1", "p2"], steps=steps)) == "not_chosen"
    steps = [found("p1", "p2"), read(document("p1"), document("p2"))]
    assert place(trace("One", ["p1", "p2"], steps=steps)) == "answer_wrong"


def test_an_unanswerable_question_that_was_answered():
    asked = looked_up(Question("q1", "Who?", Gold((), ("p1",)), answerable=False))
    assert place(trace("Tem", ["p1"]), asked) == "unanswerable_answered"
    assert place(trace(None, ["p1"]), asked) is None


def test_retrieval_alone_is_told_up_to_what_it_was_to_do():
    only = replace(kirag_like(None, chain=(FIRST,)), settings=(("reader", "none"),))
    assert place(only) == "not_chosen"
    assert place(replace(kirag_like(None), settings=(("reader", "none"),))) is None


def test_without_gold_documents_a_wrong_answer_cannot_be_placed():
    assert place(trace("Osk", ["p1"]), looked_up(question(["Tem"]))) == "untold"
    assert set(PLACES) >= {"untold", "failed"}


@pytest.mark.parametrize(
    ("method", "expected"),
    [("naive_rag:documents=3", "not_retrieved"), ("kirag:max_hops=1,documents=4", "not_chosen")],
)
def test_played_traces_are_placed(method, expected):
    known = {d.title: d for d in documents()}
    gold = Gold(("the Tem valley",), ("The Quiet Harbour", BRIDGE, SECOND))
    case = case_of(Question("q", QUESTION, gold), lambda n: (known[n].id,), lambda ids: ())
    played = answer(case.question, parse_method(method), fake_tools(Scripted(lambda r: "Osk")))
    where = lost(case, played, triples())
    assert where is not None and where.place == expected, where


def test_gold_documents_are_counted_hop_by_hop():
    later = [replace(step, hop=2) for step in (found("p3"), found("p2"))]
    played = trace("x", ["p1"], steps=[found("p1", "p3"), *later])
    assert hop_recall(looked_up(GOLD), played) == (0.5, 1.0)
    assert hop_recall(looked_up(question()), played) == ()
