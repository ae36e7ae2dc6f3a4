"""Chinese triples by pattern."""

import pytest

from irag.text import sentences
from irag.triples.chinese import chinese_triples
from irag.types import Document


def facts(title, text):
    document = Document("d1", title, text, sentences(text))
    return [(t.source[1], t.head, t.relation, t.tail) for t in chinese_triples(document)]


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("奥斯克是一个港口。", ("奥斯克", "是", "一个港口")),
        ("奥斯克不是首都。", ("奥斯克", "不是", "首都")),
        ("奥斯克位于泰姆河畔。", ("奥斯克", "位于", "泰姆河畔")),
        ("它位于泰姆河畔。", ("奥斯克", "位于", "泰姆河畔")),
        ("安娜·科尔出生于奥斯克。", ("安娜·科尔", "出生于", "奥斯克")),
        ("大桥由米拉·奥杜亚设计。", ("大桥", "设计者是", "米拉·奥杜亚")),
        ("大桥于1931年建成。", ("大桥", "建成于", "1931年")),
        ("奥斯克的市长是乔恩·佩尔。", ("奥斯克", "市长", "乔恩·佩尔")),
        ("奥斯克，维尔德的首都，很大。", ("奥斯克", "是", "维尔德的首都")),
        ("天气很好。", ("奥斯克", "states", "天气很好。")),
    ],
)
def test_each_pattern(sentence, fact):
    assert fact in [found[1:] for found in facts("奥斯克", sentence)]


def test_date_and_place_of_birth_are_two_triples():
    found = facts("港口", "安娜·科尔1951年出生于奥斯克。")
    assert {fact[3] for fact in found} == {"1951年", "奥斯克"}


def test_life_dates_in_brackets_belong_to_the_title():
    found = facts("安娜·科尔 (作家)", "安娜·科尔（1951年－2001年）是一位作家。")
    assert found == [
        (0, "安娜·科尔 (作家)", "出生于", "1951年"),
        (0, "安娜·科尔 (作家)", "去世于", "2001年"),
        (0, "安娜·科尔 (作家)", "是", "一位作家"),
    ]


def test_a_pronoun_after_another_person_is_not_the_title():  # FR-029
    text = "安娜·科尔是作家。她的丈夫是乔恩·佩尔。他去世于2010年。她获得了泰姆奖。"
    found = facts("安娜·科尔", text)
    assert (1, "安娜·科尔", "丈夫", "乔恩·佩尔") in found
    assert (2, "乔恩·佩尔", "去世于", "2010年") in found
    assert (3, "安娜·科尔", "获得了", "泰姆奖") in found
    assert not any("他" in head or "她" in head for _, head, _, _ in found)


def test_an_ambiguous_pronoun_says_nothing():
    found = facts("奥斯克", "它是港口。大桥位于城南。它建于1931年。")
    assert not any(tail == "1931年" for *_, tail in found)


def test_empty_text_gives_nothing():
    assert facts("奥斯克", "") == []
    assert facts("奥斯克", "！！！") == []
