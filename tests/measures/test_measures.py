"""Each measure on an example worked by hand, and what failed, missing and unknown questions give."""

from __future__ import annotations

import random

import ir_measures
import pytest

from irag.errors import UnknownName, UserError
from irag.measures import MEASURES, STANDARD, Score, parse_measure, parse_measures
from irag.types import Answer, Citation, Gold, Question, Step, Usage
from tests.measures.made import FAILED, looked_up, question, trace, triple


def value(name, case, played):
    return parse_measure(name).score(case, played).value


def test_a_name_is_read_and_printed_as_papers_write_it():
    names = "R@2 Success@5 All@2 nDCG@10 AnswerIn@3 EM F1 SupportF1 ChainF1 LLMCalls Hops"
    assert " ".join(map(str, parse_measures(names + " R@2"))) == names
    assert parse_measure("R@5") == parse_measure(" R@5 ")
    with pytest.raises(UnknownName, match="nDCG@k"):
        parse_measure("recall@5")
    for wrong in ("R", "R@", "R@x", "R@0", "EM@5", ""):
        with pytest.raises(UserError):
            parse_measures(wrong)


# FR-225
def test_part_all_and_any_of_the_gold_have_names_of_their_own():
    case = looked_up(question(documents=["p1", "p2"]))
    played = trace(evidence=["p1", "p3", "p2"])
    assert value("R@2", case, played) == 0.5
    assert value("All@2", case, played) == 0.0 and value("All@3", case, played) == 1.0
    assert value("Success@2", case, played) == 1.0


# FR-225
def test_two_passages_of_one_title_are_told_apart_by_id_and_count_once_by_title():
    by_title = looked_up(question(documents=["Osk", "p2"]), {"Osk": ("p1", "p9")})
    assert value("R@2", by_title, trace(evidence=["p1", "p9"])) == 0.5
    assert value("nDCG@2", by_title, trace(evidence=["p9", "p2"])) == 1.0
    by_id = looked_up(question(documents=["p1", "p2"]), {"Osk": ("p1", "p9")})
    assert value("R@2", by_id, trace(evidence=["p9", "p2"])) == 0.5


@pytest.mark.parametrize("seed", range(5))
def test_recall_and_ndcg_agree_with_ir_measures(seed):
    chance = random.Random(seed)
    names = [f"p{n}" for n in range(1, 10)]
    gold = chance.sample(names, chance.randint(1, 5))
    found = chance.sample(names, chance.randint(1, 9))
    qrels = [ir_measures.Qrel("q1", name, 1) for name in gold]
    run = [ir_measures.ScoredDoc("q1", name, -rank) for rank, name in enumerate(found)]
    case, played = looked_up(question(documents=gold)), trace(evidence=found)
    for ours, theirs in [("R@3", "R@3"), ("R@5", "R@5"), ("nDCG@10", "nDCG@10"), ("nDCG@3",) * 2,
                         ("Success@2", "Success@2")]:  # fmt: skip
        expected = ir_measures.calc_aggregate([ir_measures.parse_measure(theirs)], qrels, run)
        assert value(ours, case, played) == pytest.approx(next(iter(expected.values())))


def test_the_best_over_all_gold_answers_counts_and_the_first_under_its_own_name():
    case = looked_up(question(answers=["the River Tem", "Tem"]))
    assert value("EM", case, trace("Tem")) == 1.0
    assert value("F1", case, trace("Tem")) == 1.0
    assert value("FirstF1", case, trace("Tem")) == pytest.approx(2 / 3)
    assert value("F1", case, trace("Tem valley")) == pytest.approx(2 / 3)


def test_chinese_answers_count_by_character():
    case = looked_up(question(answers=["北京大学"]))
    assert value("F1", case, trace("北京")) == pytest.approx(2 / 3)
    assert value("OfficialF1", case, trace("北京")) == 0.0


def test_numbers_and_dates_written_differently_are_the_same_only_to_the_lenient_measure():
    for gold, said in [("nine", "9"), ("24 December 1886", "December 24th, 1886"),
                       ("2001-05-05", "5 May 2001"), ("2001年5月5日", "May 5, 2001"),
                       ("twenty-one", "21")]:  # fmt: skip
        case = looked_up(question(answers=[gold]))
        got = {name: value(name, case, trace(said)) for name in ("EM", "OfficialEM", "LenientEM")}
        assert got == {"EM": 0.0, "OfficialEM": 0.0, "LenientEM": 1.0}, said
    other = looked_up(question(answers=["24 December 1886"]))
    assert value("LenientEM", other, trace("24 December 1887")) == 0.0


def test_the_official_form_loses_a_decimal_point_and_ours_keeps_it():
    case = looked_up(question(answers=["314"]))
    assert value("OfficialEM", case, trace("3.14")) == 1.0 and value("EM", case, trace("3.14")) == 0


def test_a_yes_or_no_shares_nothing_with_other_answers():
    case = looked_up(question(answers=["no"]))
    assert value("F1", case, trace("no way")) == 0.0 == value("OfficialF1", case, trace("no way"))


# FR-228
@pytest.mark.parametrize("name", ["EM", "F1", "R@5", "nDCG@10", "SupportF1", "ChainF1"])
def test_without_gold_there_is_no_score_not_zero(name):
    for played in (trace("Tem", ["p1"]), FAILED, None):
        assert parse_measure(name).score(looked_up(question()), played) == Score(None, "no gold")


@pytest.mark.parametrize("name", ["EM", "F1", "R@5", "nDCG@10", "ChainF1"])
def test_a_failed_or_missing_question_scores_0_and_says_so(name):
    asked = question(answers=["Tem"], documents=["p1"], triples=(("a", "b", "c"),))
    for played, note in ((FAILED, "failed"), (None, "missing")):
        score = parse_measure(name).score(looked_up(asked), played)
        assert score == Score(0.0, note) and score.failed


def test_a_method_that_was_only_to_retrieve_has_no_answer_score():
    case = looked_up(question(answers=["Tem"]))
    only = trace(None, ["p1"], settings=(("reader", "none"),))
    assert parse_measure("EM").score(case, only) == Score(None, "not asked")
    assert parse_measure("EM").score(case, trace(None, ["p1"])) == Score(0.0, "no answer")


def test_no_retrieval_scores_0_and_is_told_apart():
    case = looked_up(question(documents=["p1"]))
    assert parse_measure("R@5").score(case, trace("Tem")) == Score(0.0, "no retrieval")


def test_an_unanswerable_question_is_right_when_nothing_is_claimed():
    asked = Question("q1", "Who?", Gold(), answerable=False)
    for said, right in ((None, 1.0), ("Unknown.", 1.0), ("I don't know", 1.0), ("Tem", 0.0)):
        assert (
            value("EM", looked_up(asked), trace(said))
            == right
            == value("F1", looked_up(asked), trace(said))
        )


def test_support_is_the_chains_sentences_else_where_the_answer_stands():
    asked = question(sentences=(("p1", 0), ("p2", 1)))
    chain = [triple("a", "b", "c", ("p1", 0)), triple("c", "d", "e", ("p3", 0))]
    case = looked_up(asked)
    assert value("SupportF1", case, trace("e", ["p1"], chain)) == 0.5
    cited = Answer("e", citations=(Citation("p2", 1, 0, 1), Citation("p2", 1, 3, 4)))
    assert value("SupportF1", case, trace(answer=cited)) == pytest.approx(2 / 3)
    assert parse_measure("SupportF1").score(case, trace("e")).note == "no support"


# FR-227
def test_support_past_the_end_or_of_a_missing_title_is_named_and_does_not_stop_anything():
    asked = question(["Osk"], ["p1", "Missing title"],
                     sentences=(("p1", 5), ("Missing title", 0), ("p1", 1)))  # fmt: skip
    case = looked_up(asked)
    assert case.lost == ("Missing title", "p1, sentence 5", "Missing title, sentence 0")
    assert value("R@5", case, trace(evidence=["p1"])) == 0.5
    chain = [triple("a", "b", "c", ("p1", 1))]
    assert value("SupportF1", case, trace("Osk", ["p1"], chain)) == 1.0


def test_a_chain_is_matched_fact_by_fact_each_once():
    asked = question(triples=(("Ana Kor", "born in", "Marl"), ("Marl", "lies on", "the Tem")))
    same = triple("Ana Kor", "came from", "Marl")
    case = looked_up(asked)
    assert value("ChainF1", case, trace("x", chain=[same])) == pytest.approx(2 / 3)
    assert value("ChainF1", case, trace("x", chain=[same, same])) == 0.5
    turned = triple("The Tem", "flows past", "Marl")
    assert value("ChainF1", case, trace("x", chain=[turned, same])) == 1.0
    assert value("ChainF1", case, trace("x", chain=[triple("Osk", "is", "a port")])) == 0.0


def test_cost_needs_no_gold_and_a_failed_play_costs_what_it_cost():
    steps = [Step(1, 2, None, usage=Usage(2, 30, 4), seconds=1.5)]
    case = looked_up(question())
    failed = trace(steps=steps, answer=None, stopped="failed")
    for played in (trace("x", steps=steps), failed):
        got = [value(name, case, played) for name in ("LLMCalls", "Tokens", "Seconds", "Hops")]
        assert got == [2.0, 34.0, 1.5, 2.0]
    assert parse_measure("LLMCalls").score(case, None) == Score(None, "missing")


def test_the_answers_words_in_the_first_documents_are_no_recall():
    case = looked_up(question(answers=["Two"], documents=["p1"]))
    assert value("AnswerIn@1", case, trace(evidence=["p2"])) == 1.0
    assert value("R@1", case, trace(evidence=["p2"])) == 0.0


def test_every_measure_says_what_it_is_and_stays_in_its_range():
    case = looked_up(question(["Tem"], ["p1"], triples=(("a", "b", "c"),)))
    for name, kind in MEASURES.items():
        assert kind.about and kind.better in ("more", "less")
        one = parse_measure(name) if not hasattr(kind, "k") else parse_measure(f"{name}@5")
        for played in (trace("Tem", ["p1"]), trace("", []), FAILED, None):
            number = one.score(case, played).value
            assert number is None or number >= 0
            assert number is None or kind.better == "less" or number <= 1
    assert len(STANDARD) == 15
