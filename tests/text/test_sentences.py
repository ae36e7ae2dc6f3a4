"""Sentence borders, in English and Chinese."""

import time

import pytest

from irag.text import sentences


def split(text):
    return [text[start:end] for start, end in sentences(text)]


def test_abbreviations_titles_and_initials_do_not_end_a_sentence():  # FR-117
    text = "Ana Kor, Ph.D., met Dr. J. Pell at St. Marl Univ. in Osk. They wrote Marl Days."
    assert split(text) == [text[:57], "They wrote Marl Days."]


def test_scholarly_abbreviations_do_not_end_a_sentence():  # FR-119
    text = "X. campestris pv. vesicatoria was found approx. 3 km from Osk, cf. Fig. 2."
    assert split(text) == [text]


def test_heading_stands_alone_and_closing_quote_stays_with_its_sentence():  # FR-120
    text = 'OSK HARBOUR HISTORY\n"It burned." Ana Kor said. "We left!" she added.'
    assert split(text) == [
        "OSK HARBOUR HISTORY",
        '"It burned."',
        "Ana Kor said.",
        '"We left!" she added.',
    ]


def test_list_markers_and_lone_carriage_returns():  # FR-121
    text = "1. Osk is a port.\r2. Marl is a mine.  \n\n3) Tem is a river."
    assert split(text) == ["1. Osk is a port.", "2. Marl is a mine.", "3) Tem is a river."]


def test_a_line_end_inside_a_paragraph_is_no_border():  # FR-041
    text = "The bridge was designed by Mira\nOduya in 1931. She was born in New\r\nMarl."
    assert split(text) == [
        "The bridge was designed by Mira\nOduya in 1931.",
        "She was born in New\r\nMarl.",
    ]


def test_chinese_marks_end_sentences_without_a_space():
    text = "奥斯克是一个港口。“它很大！”她说得对吗？是的；桥长3.5公里;它在北方。"
    assert split(text) == [
        "奥斯克是一个港口。",
        "“它很大！”",
        "她说得对吗？",
        "是的；",
        "桥长3.5公里;",
        "它在北方。",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It cost 3.5 million. The U.S. Navy paid.", 2),
        ("He lives in Washington, D.C. The house is old.", 2),
        ("Acme Inc. The firm grew.", 2),
        ("Acme Inc. Records grew.", 1),
        ("See No. 5 for more. She said no. Five left.", 3),
        ("J. R. R. Kor wrote it. It sold.", 2),
        ("Is it? Yes! Well... Perhaps.", 4),
        ("Tem ... Reporter is a film.", 1),
        ("A note.[12] Another note.", 2),
        ("The “Hall”; it fell.", 1),
        ("# Osk guide\nOsk is a port.\n- one\n- two", 4),
        ("", 0),
        (" \n\t", 0),
        ("###", 1),
    ],
)
def test_number_of_sentences(text, count):
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    "text", ["  A b.  C d!\n\n\nE f\r\n", "奥斯克。\u3000港口。 x", "One\u2028two. \x0bThree."]
)
def test_only_white_space_lies_outside_the_spans(text):
    at = 0
    for start, end in sentences(text):
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip() != ""
        at = end
    assert text[at:].strip() == ""


@pytest.mark.parametrize("unit", ["Osk is a town. ", " ", ".", "\n", "a", "奥。", "1. ", "A.", '"'])
def test_a_megabyte_takes_linear_time(unit):
    text = unit * (1_000_000 // len(unit))
    started = time.perf_counter()
    sentences(text)
    assert time.perf_counter() - started < 10  # quadratic work would take hours
