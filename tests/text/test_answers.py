"""When answers are the same, and where they stand."""

import pytest

from irag.text import exact_match, locate, normalise_answer, token_f1


@pytest.mark.parametrize(
    ("prediction", "gold", "same"),
    [
        ("(3.14)", "3.14", True),  # FR-112
        ("3.14", "314", False),
        ("1,200", "1200", True),
        ("1.200", "1200", False),
        ("-5", "5", False),
        ("10²", "102", False),
        ("10:30", "1030", False),
        ("1914\u20131918", "1914-1918", True),  # FR-114
        ("\u22125 \u00b0C", "-5 \u00b0C", True),
        ("10 %", "10%", True),
        ("Osk", "A", False),  # FR-219
        ("who", "The Who", True),
        ("!!!", "!!!", True),
        ("A", "A", True),
        ("", "The", False),
        ("It was Osk, I think.", "Osk", False),  # FR-223
        ("Ren\u00e9 Vald\u00e8s", "Rene\u0301 Valde\u0300s", True),  # FR-043
        ("奥斯克 市。", "奥斯克市", True),
        ("ＯＳＫ", "osk", True),
        ("Louis IV", "Louis VI", False),
    ],
)
def test_exact_match(prediction, gold, same):
    assert exact_match(prediction, gold) is same
    assert (token_f1(prediction, gold) == 1.0) is same


def test_repeated_tokens_count_once_for_each_time():  # FR-221
    assert token_f1("Osk Osk Osk", "Osk") == 0.5
    assert token_f1("New Marl", "New New Marl") == pytest.approx(0.8)


def test_f1_lies_between_and_is_never_below_exact_match():
    assert 0 < token_f1("It was Osk, I think.", "Osk") < 1  # FR-223
    assert token_f1("奥斯克港", "奥斯克市") == pytest.approx(0.75)
    assert token_f1("yes, Osk", "yes") == 0.0
    assert token_f1("", "Osk") == 0.0


def test_a_range_is_two_numbers():
    assert normalise_answer("1914–1918") == "1914 1918"


@pytest.mark.parametrize(
    ("answer", "text", "found"),
    [
        ("Osk", "In Oskar and in Osk.", "Osk"),
        ("osk", "The OSK and Osk here, osk too.", "osk"),
        ("mira oduya", "By Mira\nOduya.", "Mira\nOduya"),
        ("Kor", "Ana Kor's house", "Kor"),
        ("O'Brien Hall", "at O’Brien-Hall", "O’Brien-Hall"),
        ("René Valdès", "by Rene Valdes.", "Rene Valdes"),
        ("the Osk Tower", "an Osk tower", "Osk tower"),
        ("U.S.", "the US Navy", "US"),
        ("1200", "It is 1,200 m long.", "1,200"),
        ("1914", "1914–1918", "1914"),
        ("12 May 1900", "(12 May, 1900)", "12 May, 1900"),
        ("奥斯克", "他住在奥斯克市。", "奥斯克"),
        ("港口", "\ufffd它是港 口", "港 口"),
    ],
)
def test_an_answer_is_found_as_it_stands(answer, text, found):
    start, end = locate(answer, text)
    assert text[start:end] == found


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("3.1", "It is 3.14."),
        ("31", "In 1931."),
        ("200", "It is 1,200 m."),
        ("5", "It was -5 °C."),
        ("F1", "The F13"),
        ("yes", "yes"),
        ("No.", "no"),
        ("是", "这是港口"),
        ("", "Osk"),
        ("!!!", "Osk!!!"),
        ("Osk", ""),
    ],
)
def test_an_answer_is_not_found_inside_something_else(answer, text):
    assert locate(answer, text) is None
