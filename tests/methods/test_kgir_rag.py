"""KGIR-RAG: the subgraph, the question as it is put anew, the reflection, and what fails."""

import json

import pytest

from irag.actions import ChainGrew, Generate, NamesIn, Rank, Retrieve
from irag.engine import answer
from irag.errors import LLMError
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.methods.kgir_rag_found import Found
from irag.methods.kgir_rag_subgraph import edges_of, evidence_subgraph, seeds_of, shares
from irag.remarks import GraphMade, Rewritten
from irag.types import Document, Scored, Triple
from tests.fakes import BRIDGE, QUESTION, SECOND, FakeCorpus, fake_tools

NO_LLM = "kgir_rag:documents=3,entities=spacy,rewriting=evidence,reflection=all,reader=none"
PAINTER = "Where does the town lie that Ana Kor came from?"
TOWN = "In which river's valley lies Marl?"
MISSING = {"reasoning": "", "answerable": False, "answer": "", "missing": ""}
FOUND = {**MISSING, "answerable": True, "answer": "the Tem"}
BAD = ["", "I cannot say.", '{"answerable": tr', "x" * 10_000, "[1, 2]", LLMError("down")]


def script(rewrites=(PAINTER, TOWN), reflections=(MISSING, FOUND), names=("The Quiet Harbour",)):
    """Replies from a queue for each purpose; the reader says what it is: a reader."""
    rewritten, reflected = iter(rewrites), iter(reflections)

    def reply(request):
        schema = request.schema or ""
        if '"entities"' in schema:
            return json.dumps({"entities": list(names)})
        if '"missing"' in schema:
            said = next(reflected)
            return json.dumps(said) if isinstance(said, dict) else said
        return json.dumps({"question": next(rewritten)}) if schema else "read"

    return reply


def play(method, reply=None, **corpus):
    llm = Scripted(reply or script())
    return answer(QUESTION, parse_method(method), fake_tools(llm, FakeCorpus(**corpus))), llm


def actions(trace, kind):
    return [step.action for step in trace.steps if isinstance(step.action, kind)]


def purposes(trace):
    return [action.prompt.name.partition("/")[2] for action in actions(trace, Generate)]


def fact(text, document="d", number=0):
    head, relation, tail = text.split("|")
    return Triple(text, head, relation, tail, (document, number))


def edges(**weights):
    return edges_of(Scored(fact(text.replace("_", "|")), w) for text, w in weights.items())


def names_of(kept):
    return ["".join((edge.a, edge.b)) for edge in kept]


# the subgraph


def test_the_tree_leaves_out_the_lightest_edge_of_a_cycle_and_parallel_ones():
    graph = evidence_subgraph(edges(a_r_b=3, b_r_c=2, c_r_a=1, a_q_b=2), ["a"], 0.0, 9)
    assert names_of(graph.kept) == ["ab", "bc"]
    assert [edge.id for edge in graph.dropped] == ["a|q|b", "c|r|a"]


def test_weak_leaves_go_and_a_light_edge_that_leads_to_a_heavy_one_stays():
    some = edges(a_r_b=1, b_r_c=9, a_r_d=2, c_r_e=3)
    assert names_of(evidence_subgraph(some, ["a"], 0.5, 9).kept) == ["ab", "bc"]
    assert names_of(evidence_subgraph(some, ["a"], 0.0, 3).kept) == ["ab", "bc", "ce"]


def test_seeds_are_never_cut_off():
    some = edges(a_r_b=1, b_r_c=9, c_r_d=8)
    assert names_of(evidence_subgraph(some, ["a", "d"], 1.0, 1).kept) == ["cd", "bc", "ab"]
    assert names_of(evidence_subgraph(some, ["b"], 1.0, 1).kept) == ["bc"]


def test_equal_weights_are_ordered_by_id_whatever_the_order_they_come_in():
    some = edges(a_r_b=1, b_r_c=1, c_r_a=1, c_r_d=1)
    turned = tuple(reversed(some))
    assert evidence_subgraph(some, ["a"], 0.5, 2) == evidence_subgraph(turned, ["a"], 0.5, 2)


def test_a_year_joins_no_two_facts_and_a_name_is_not_joined_to_itself():  # FR-116
    some = edges_of(
        Scored(fact(text), 1.0) for text in ("Osk|since|1931", "Marl|since|1931", "Osk|is|the Osk")
    )
    assert len(some) == 2 and some[0].b != some[1].b


@pytest.mark.parametrize(
    ("names", "question", "found"),
    [
        (("Jon Pell",), "", ["jon pell"]),
        (("Apollo 11",), "", []),
        (("nobody",), "Did Jon Pell sail?", ["jon pell"]),
        ((), "Who sailed?", []),
    ],
)
def test_seeds_are_the_names_else_what_stands_in_the_question(names, question, found):
    some = edges_of(Scored(fact(t), 1.0) for t in ("Jon Pell|was|a potter", "Apollo 12|flew|far"))
    assert list(seeds_of(names, question, some)) == found


def test_shares_run_from_0_to_1_and_equal_scores_share_alike():
    assert shares({"a": -3.0, "b": 1.0, "c": -1.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}
    assert shares({"a": 2.0, "b": 2.0}) == {"a": 1.0, "b": 1.0} and shares({}) == {}


def test_documents_are_ranked_by_similarity_and_support_together():
    found = Found("q")
    one, two, three = (Document(name, name, "", ()) for name in "abc")
    found.add("q", (Scored(one, 0.9), Scored(two, 0.6), Scored(three, 0.4)))
    heavy, light = fact("a|r|b", "c"), fact("b|r|d", "a")
    found.take(evidence_subgraph(edges_of([Scored(heavy, 9), Scored(light, 1)]), ["a"], 0, 9))
    assert [(hit.unit.id, hit.score) for hit in found.ranking()] == [("a", 1), ("c", 1), ("b", 0.4)]


# the rounds


def test_without_an_llm_the_facts_lead_to_the_second_hop():
    trace = answer(QUESTION, parse_method(NO_LLM), fake_tools())
    assert {BRIDGE, SECOND} <= {hit.unit.title for hit in trace.answer.evidence}
    assert [t.tail for t in trace.answer.chain] == ["Ana Kor", "Marl", "the Tem"]
    assert [a.triple for a in actions(trace, ChainGrew)] == list(trace.answer.chain)
    assert trace.usage.calls == 0 and trace.answer.text is None


def test_the_question_is_put_anew_until_the_reflection_finds_the_answer():
    trace, llm = play("kgir_rag:documents=3")
    assert [one.after for one in actions(trace, Rewritten)] == [PAINTER, TOWN]
    assert trace.stopped == "answered" and trace.answer.text == "the Tem" and trace.hops == 2
    assert purposes(trace) == ["entities", "rewrite", "reflect"] * 2
    assert trace.answer.citations
    history = [
        r.messages[-1].text for r in llm.history if "Earlier versions" in r.messages[-1].text
    ]
    assert [PAINTER in text for text in history] == [False, True, True, True]


def test_the_reflection_sees_new_passages_only():
    _, llm = play("kgir_rag:documents=3")
    first = next(r for r in llm.history if '"missing"' in (r.schema or ""))
    passages = first.messages[-1].text.partition("Passages:")[2]
    assert BRIDGE in passages and "is a painting by the painter" not in passages


def test_what_is_missing_joins_the_next_query_and_no_query_is_searched_twice():
    missing = {**MISSING, "missing": "the valley"}
    trace, _ = play("kgir_rag:documents=3", script(reflections=(missing, FOUND)))
    searched = [action.query for action in actions(trace, Retrieve)]
    assert searched == [QUESTION, PAINTER, f"{PAINTER} the valley", TOWN]
    trace, _ = play("kgir_rag:documents=3")
    assert [action.query for action in actions(trace, Retrieve)] == [QUESTION, PAINTER, TOWN]


def test_at_the_last_round_the_answer_is_read_directly():
    reply = script(rewrites=(PAINTER, TOWN), reflections=(MISSING, MISSING))
    trace, llm = play("kgir_rag:documents=3,rounds=2", reply)
    assert trace.stopped == "max_hops" and trace.answer.text == "read"
    assert "The Quiet Harbour is a painting by Ana Kor" in llm.history[-1].messages[-1].text


def test_an_answer_beside_something_missing_is_a_guess():
    reflections = ({**FOUND, "missing": "the town", "answer": "Osk"}, FOUND)
    trace, _ = play("kgir_rag:documents=3", script(reflections=reflections))
    assert trace.answer.text == "the Tem" and trace.hops == 2


def test_answerable_without_an_answer_is_read_directly():
    trace, _ = play("kgir_rag:documents=3", script(reflections=({**FOUND, "answer": ""},)))
    assert trace.stopped == "answered" and trace.answer.text == "read"


@pytest.mark.parametrize("again", ["", QUESTION.upper(), "x " * 400])
def test_a_rewrite_that_says_nothing_new_gives_way_to_question_and_facts(again):
    trace, _ = play("kgir_rag:documents=3", script(rewrites=(again, TOWN)))
    first, second = actions(trace, Rewritten)
    assert first.after == f"{QUESTION} The Quiet Harbour is a painting by Ana Kor"
    assert "no new question" in first.why and second.after == TOWN


def test_names_that_the_question_does_not_say_are_not_believed():
    trace, _ = play("kgir_rag:documents=3", script(names=("Jon Pell",)))
    assert actions(trace, NamesIn)[0].text == QUESTION
    assert "quiet harbour" in actions(trace, GraphMade)[0].seeds


def test_a_year_in_the_question_is_no_entity():
    names = ("1964", "The Quiet Harbour")
    question = "Who painted The Quiet Harbour in 1964?"
    for by in ("llm", "spacy"):
        tools = fake_tools(Scripted(script(names=names)))
        method = parse_method(f"{NO_LLM.replace('entities=spacy', f'entities={by}')},rounds=1")
        trace = answer(question, method, tools)
        assert actions(trace, GraphMade)[0].seeds == ("quiet harbour",)


def test_two_unreadable_reflections_end_the_rounds():
    trace, _ = play("kgir_rag:documents=3", script(reflections=("prose", "prose")))
    assert trace.stopped == "no_candidate" and trace.hops == 2 and trace.answer.text == "read"


# the variants


def test_the_variants_do_without_their_part():
    without_subgraph, llm = play("kgir_rag:documents=3,subgraph=off")
    assert not actions(without_subgraph, GraphMade) and not actions(without_subgraph, Rank)
    assert "is a painting by the painter Ana Kor" in llm.history[0].messages[-1].text
    without_rewriting, _ = play("kgir_rag:documents=3,rewriting=off")
    assert purposes(without_rewriting) == ["entities", "answer_chain"]
    assert len(actions(without_rewriting, Retrieve)) == 1
    without_reflection, _ = play("kgir_rag:documents=3,reflection=off")
    assert purposes(without_reflection) == ["entities", "rewrite", "answer_chain"]
    assert len(actions(without_reflection, Retrieve)) == 2


def test_passages_can_weigh_and_a_star_is_the_paper_s_radius():
    by_passage, _ = play("kgir_rag:documents=3,weights=passage")
    assert not actions(by_passage, Rank)
    star, _ = play("kgir_rag:documents=3,radius=1")
    second = actions(star, GraphMade)[1]
    assert all("Ana Kor" in (e.head, e.tail) for e in (*second.kept, *second.dropped))


def test_a_corpus_without_triples_goes_by_its_passages():
    trace, _ = play(NO_LLM, without_triples=True)
    after = actions(trace, Rewritten)[0].after
    assert after.startswith(QUESTION) and "is a painting by the painter Ana Kor" in after
    assert BRIDGE in {hit.unit.title for hit in trace.answer.evidence}


# what fails


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: str(bad)[:12])
@pytest.mark.parametrize("place", range(7))
def test_a_bad_reply_anywhere_ends_with_an_answer_or_a_said_failure(place, bad):
    good, asked = script(reflections=(MISSING, MISSING)), []

    def reply(request):
        asked.append(request)
        if len(asked) == place + 1:
            return bad
        try:
            return good(request)
        except StopIteration:
            return ""

    trace, _ = play("kgir_rag:documents=3,rounds=2", reply)
    assert len(asked) > place
    if trace.error:
        assert place == 6 and isinstance(bad, LLMError)  # the reader's call; the others fall back
        assert trace.error == "down" and trace.stopped == "failed"
    else:
        assert trace.stopped == "max_hops" and trace.answer.evidence
        assert trace.answer.text == "read" or place == 6
