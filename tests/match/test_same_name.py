"""Whether two names mean one entity."""

import pytest

from irag.match import is_literal, ngram_overlap, numbers_of, same_name


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Osk Harbour Board", "the OSK-HARBOUR  BOARD"),
        ("the potter Jon Pell", "Jon Pell"),
        ("director Mira Oduya", "mira oduya"),
        ("Boston (band)", "Boston"),
        ("Osk, Lincolnshire", "Osk"),
        ("René Marl", "Rene Marl"),
        ("Osk Habour Board of Veldland and the Isles", "Osk Harbour Board of Veldland and the Isles"),
        ("Marl (1950 film)", "Marl"),
    ],
)  # fmt: skip
def test_one_entity(first, second):
    assert same_name(first, second)
    assert same_name(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("York", "New York"),
        ("york", "new york"),
        ("Apollo 11", "Apollo 12"),  # FR-038
        ("Apollo", "Apollo 11"),
        ("1984", "1985"),
        ("Henry VIII", "Henry VII"),
        ("Louis IV", "Louis VI"),
        ("Report SR-2023-052 on the harbour", "Report SR-2023-053 on the harbour"),
        ("Jon Pell (potter)", "Jon Pell (footballer)"),
        ("Marl (town)", "Eva Marl"),
        ("the film 1984 of Osk", "the film 1985 of Osk"),
        ("", "Osk"),
        ("3.14", "314"),  # FR-112
        ("C++", "C"),
    ],
)
def test_two_entities(first, second):
    assert not same_name(first, second)
    assert not same_name(second, first)


def test_overlap_is_a_share_of_the_first_name():
    assert ngram_overlap("Marl", "Eva Marl") == 1.0
    assert ngram_overlap("Eva Marl", "Marl") == pytest.approx(2 / 5)
    assert ngram_overlap("", "Marl") == 0.0
    assert ngram_overlap("Li", "li") == 1.0


def test_numbers_of_a_name():
    assert numbers_of("Henry VIII in 1984") == ("viii", "1984")
    assert numbers_of("I, Claudius") == ()


@pytest.mark.parametrize(
    ("name", "literal"),
    [
        ("1931", True),  # FR-116
        ("12 May 1931", True),
        ("1914\u20131918", True),  # FR-114
        ("\u22125 \u00b0C", True),
        ("10 %", True),
        ("1931年5月", True),
        ("三百公里", True),
        ("Apollo 11", False),
        ("Henry VIII", False),
        ("May", False),
        ("百度", False),
        ("", False),
    ],
)
def test_numbers_and_dates_are_literals(name, literal):
    assert is_literal(name) is literal
