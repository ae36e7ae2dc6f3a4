"""The actions that look something up: batched by what they share, each result in its place."""

import pytest

from irag.actions import (
    Expand,
    MatchEntities,
    NamesIn,
    NearEntities,
    Rank,
    RetrieveEntities,
    RetrieveSentences,
    Together,
)
from irag.errors import IragError
from irag.lookups import Lookups
from irag.remarks import (
    REMARKS,
    ContextGrew,
    Edge,
    GraphMade,
    Judged,
    Rewritten,
    SubAnswered,
    SubQuestion,
)
from irag.running import Play
from irag.traces import dumps, loads
from irag.types import Answer, Question, Sentence
from tests.fakes import FakeCorpus, documents, fake_tools, triples


def perform(*actions, tools=None):
    import threading

    outcomes = (tools or fake_tools()).perform(actions, lambda n, text: None, threading.Event())
    return [outcome.result for outcome in outcomes]


def sentences(title):
    document = next(d for d in documents() if d.title == title)
    return tuple(Sentence(document, n) for n in range(len(document.sentences)))


def test_sentences_are_found_ranked_and_expanded_by_kind_of_edge():
    hits, ranked, near = perform(
        RetrieveSentences("Where did Ana Kor come from?", 2),
        Rank("came from Marl", sentences("Ana Kor"), 1),
        Expand(sentences("Ana Kor")[:1], ("adjacent",)),
    )
    assert [hit.unit.title for hit in hits][:1] == ["Ana Kor"]
    assert ranked[0].unit.text == "She came from Marl."
    assert [(n.sentence.text, n.edge) for n in near] == [("She came from Marl.", "adjacent")]


def test_entities_are_named_matched_and_followed():
    names, matched, near, communities = perform(
        NamesIn("Who painted Ana Kor in Marl?"),
        MatchEntities(("ana kor", "Nobody")),
        NearEntities("Where did she come from?", ("e:ana kor",), 5),
        RetrieveEntities("the Tem", 2, "community"),
    )
    assert names == ("Ana Kor", "Marl")
    assert [entity.name for entity in matched] == ["Ana Kor"]
    assert {"Marl", "The Quiet Harbour"} == {one.unit.name for one in near}
    assert communities[0].unit.members


def test_batches_share_k_and_kind_and_results_keep_their_places():
    corpus = FakeCorpus()
    facts = tuple(t for some in triples().values() for t in some)
    results = perform(
        Rank("Ana Kor", facts, 2),
        Together(Rank("Marl", facts, 2), Rank("Marl", sentences("Ana Kor"), 2)),
        tools=fake_tools(corpus=corpus),
    )
    assert corpus.batches["rank"] == [2, 1]
    assert len(results[0]) == 2 and isinstance(results[1][1][0].unit, Sentence)


def test_a_reranker_ranks_where_there_is_one():
    class Backwards:
        name = "backwards"

        def scores(self, queries, texts):
            return [[float(n) for n, _ in enumerate(some)] for some in texts]

    fake = FakeCorpus()
    facts = tuple(t for some in triples().values() for t in some)[:3]
    tools = fake_tools()
    lookups = Lookups(fake, fake, fake, reranker=Backwards())
    ranked = perform(
        Rank("Ana", facts, 3, "reranker"),
        tools=type(tools)(lookups, None),
    )[0]
    assert [one.unit for one in ranked] == list(reversed(facts))


def test_what_is_not_there_is_an_error_that_says_so():
    fake = FakeCorpus()
    tools = type(fake_tools())(Lookups(fake, fake, fake), None)
    for action in (RetrieveSentences("a"), NamesIn("a"), MatchEntities(("a",)), Expand(())):
        (result,) = perform(action, tools=tools)
        assert isinstance(result, IragError) and "none was given" in str(result)


EVERY_REMARK = (
    SubQuestion(1, "Where is it?", "Where is Marl?"),
    SubAnswered(1, None, "nothing"),
    ContextGrew(1, 0, (Sentence(documents()[1], 0),), 9),
    Rewritten("a", "b", "why"),
    GraphMade("tree", (Edge("a", "b", "r", 0.5, "t1"),), (), ("a",)),
    Judged(1, "x", (("faithfulness", 0.5),)),
)


class SaysEverything:
    def solve(self, question):
        for remark in EVERY_REMARK:
            yield from remark
        found = yield from RetrieveSentences(question, 3)
        yield from Expand(tuple(hit.unit for hit in found))
        yield from RetrieveEntities(question, 2)
        return Answer(None)

    def __str__(self):
        return "says"


def test_every_remark_and_unit_survives_json():
    from irag.engine import play

    trace = next(
        play([Play(SaysEverything(), Question("1", "Where did Ana Kor come from?"))], fake_tools())
    )
    assert trace.error is None and {type(r).__name__ for r in EVERY_REMARK} == set(REMARKS)
    assert loads(dumps(trace)) == trace


@pytest.mark.parametrize("remark", EVERY_REMARK, ids=lambda r: type(r).__name__)
def test_every_remark_has_a_line_of_text(remark):
    from irag.types import Step
    from irag.views.step_lines import step_lines

    assert step_lines(Step(1, 1, remark))
