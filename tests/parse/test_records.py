"""Lists, named fields, scores; English and Chinese."""

import pytest

from irag.parse import Unparsed, record, score, scores, text_list, yes_no


@pytest.mark.parametrize(
    ("reply", "entries"),
    [
        ('["Who built it?", "When?"]', ("Who built it?", "When?")),
        ('```json\n{"sub_questions": ["A?", "A?", "B?"]}\n```', ("A?", "B?")),
        ('[{"question": "A?"}, {"question": "B?"}]', ("A?", "B?")),
        ("[]", ()),
        ("Here they are:\n1. Who built it?\n2) When was\n   it built?\nDone.", ("Who built it?", "When was it built?")),
        ("- **Osk**\n* “Marl”\n• Tem", ("Osk", "Marl", "Tem")),
        ("1、谁建的？\n2、何时建的？", ("谁建的？", "何时建的？")),
        ("一、谁建的？\n二、何时？", ("谁建的？", "何时？")),
        ("（1）谁？（问一次）\n（2）何时？", ("谁？（问一次）", "何时？")),
        ("Q1: Who?\nQ2: When?", ("Who?", "When?")),
        ("<think>1. no\n2. no</think>1. Osk", ("Osk",)),
        ("[1990, 2001]", ("1990", "2001")),
    ],
)  # fmt: skip
def test_lists_as_models_write_them(reply, entries):
    assert text_list(reply) == entries


@pytest.mark.parametrize(
    ("reply", "entries"),
    [
        ("Entities: Osk, Marl and Tem.", ("Osk", "Marl", "Tem")),
        ("Osk; Marl", ("Osk", "Marl")),
        ("奥斯克、马尔，天桥。", ("奥斯克", "马尔", "天桥")),
        ("Osk", ("Osk",)),
        ("None.", ()),
        ("无", ()),
    ],
)
def test_commas_separate_where_they_may(reply, entries):
    assert text_list(reply, commas=True) == entries


@pytest.mark.parametrize(
    "reply",
    ["", "<think>1. a", "It grew by 1.5 million.", "Osk, Marl", '[["a"]]', "[true]", '{"a": 1}'],
)
def test_what_is_no_list_is_unparsed(reply):
    assert isinstance(text_list(reply), Unparsed)


def test_prose_is_no_list_of_names():
    prose = "The question, " + "which is long enough to be a sentence of its own, " * 2
    assert isinstance(text_list(prose + "x" * 90, commas=True), Unparsed)
    assert isinstance(text_list("Osk, Marl\nand more", commas=True), Unparsed)


def test_an_entry_that_is_no_text_is_named():
    assert "entry 2" in text_list('["a", null]').reason


@pytest.mark.parametrize(
    ("reply", "share"),
    [("0.8", 0.8), ("Score: 4/5", 0.8), ("80 %", 0.8), ("4 out of 5.", 0.8), ('{"score": 0.8}', 0.8), ("1", 1.0), ("0", 0.0), ("80％", 0.8), ("得分：0.8", 0.8)],
)  # fmt: skip
def test_a_score_is_a_share(reply, share):
    assert score(reply) == pytest.approx(share)


def test_a_bare_number_is_on_the_scale_that_was_asked_for():
    assert score("8", scale=10) == 0.8
    assert score("0.8", scale=10) == pytest.approx(0.08)
    assert isinstance(score("8"), Unparsed)


@pytest.mark.parametrize(
    "reply", ["", "high", "0.8 or 0.9", "-0.2", "120 %", "11/10", "1/0", '{"a": true}']
)
def test_no_score_is_guessed(reply):
    assert isinstance(score(reply), Unparsed)


JUDGED = ("faithfulness", "completeness", "relevance")


@pytest.mark.parametrize(
    "reply",
    [
        '{"faithfulness": 0.9, "completeness": "70%", "relevance": 1}',
        '{"Relevance": 1, "Completeness": "7/10", "Faithfulness": 0.9, "why": "0 of 3"}',
        "**Faithfulness:** 0.9\n**Completeness**: 0.7\nRelevance = 1.0",
        "Faithfulness: 0.9, completeness: 0.7, relevance: 1",
    ],
)
def test_three_scores_by_name(reply):
    assert scores(reply, JUDGED) == pytest.approx((0.9, 0.7, 1.0))


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"faithfulness": 0.9, "completeness": 0.7}', "relevance"),
        ('{"faithfulness": 9, "completeness": 1, "relevance": 1}', "outside"),
        ('{"faithfulness": true, "completeness": 1, "relevance": 1}', "no number"),
        ("Faithfulness: high", "completeness"),
        ("Faithfulness: 1\nFaithfulness: 0\ncompleteness: 1\nrelevance: 1", "faithfulness"),
        ("", "empty"),
    ],
)
def test_a_missing_score_is_named(reply, reason):
    assert reason in scores(reply, JUDGED).reason


def test_a_refusal_is_a_field_not_a_phrase():
    said = record('{"answerable": false, "answer": "Osk, I cannot say"}', ("answerable", "answer"))
    assert said.flag("answerable") is False
    assert said.text("ANSWER") == "Osk, I cannot say"
    assert record('{"answerable": "是", "answer": ""}', ("answerable",)).flag("answerable") is True


def test_fields_of_the_wrong_kind_are_unparsed():
    said = record('{"a": null, "b": "", "c": ["x", "y"], "d": "x, y"}', ("a",))
    for value in (said.text("a"), said.text("b"), said.text("c"), said.flag("a"), said.share("c")):
        assert isinstance(value, Unparsed)
    assert said.texts("c") == said.texts("d") == ("x", "y")
    assert isinstance(said.texts("a"), Unparsed)


def test_fields_may_stand_in_chinese_prose():
    said = record("可回答：否\n缺少：奥斯克的建成年份", ("可回答", "缺少"))
    assert said.flag("可回答") is False
    assert said.text("缺少") == "奥斯克的建成年份"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("足够。", True),
        ("不足", False),
        ("不够，缺少年份。", False),
        ("无法回答", False),
        ("可以", True),
        ("能。", True),
        ("能够回答", True),
        ("信息不足。", False),
        ("是的，足够。", True),
        ("Sufficient.", True),
        ("Insufficient", False),
        ("Not enough.", False),
        ('{"sufficient": "yes"}', True),
        ('{"reason": "no year", "sufficient": "否"}', False),
    ],
)
def test_enough_or_not(reply, said):
    assert yes_no(reply) is said


@pytest.mark.parametrize("reply", ["是否足够", "能源部", '{"a": "yes", "b": "no"}', "也许"])
def test_neither_is_unparsed(reply):
    assert isinstance(yes_no(reply), Unparsed)
