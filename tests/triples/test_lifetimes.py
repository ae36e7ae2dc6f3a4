"""Dates and places in brackets after a name."""

import pytest

from irag.triples.lifetimes import lifetime_facts


@pytest.mark.parametrize(
    ("bracketed", "facts"),
    [
        ("born 1951", [("was born in", "1951")]),
        ("died 11 November 875", [("died on", "11 November 875")]),
        ("12 May 1900 – 3 June 1980", [("was born on", "12 May 1900"), ("died on", "3 June 1980")]),
        ("May 12, 1900- June 3, 1980", [("was born on", "May 12, 1900"), ("died on", "June 3, 1980")]),
        ("10 May 190027 June 1980", [("was born on", "10 May 1900"), ("died on", "27 June 1980")]),
        ("1903-1967", [("was born in", "1903"), ("died in", "1967")]),
        ("c. 14 BC – AD 33", [("was born in", "c. 14 BC"), ("died in", "AD 33")]),
        (
            "6 May 1859 Osk – 10 June 1899, State of Marl, Veldland",
            [
                ("was born on", "6 May 1859"),
                ("was born in", "Osk"),
                ("died on", "10 June 1899"),
                ("died in", "State of Marl, Veldland"),
            ],
        ),
        (
            "Marl, 6 May 1859 – Osk, 10 June 1899",
            [
                ("was born on", "6 May 1859"),
                ("was born in", "Marl"),
                ("died on", "10 June 1899"),
                ("died in", "Osk"),
            ],
        ),
        (
            "born Ana Maria Kor; 30 January 1957",
            [("was born as", "Ana Maria Kor"), ("was born on", "30 January 1957")],
        ),
        (
            "established 1989 in Osk",
            [("was established in", "1989"), ("was established in", "Osk")],
        ),
        (
            "born 1919 in Marl, died 5 June 2002 in Osk",
            [
                ("was born in", "1919"),
                ("was born in", "Marl"),
                ("died on", "5 June 2002"),
                ("died in", "Osk"),
            ],
        ),
        ("OHB", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_brackets_say_of_a_person(bracketed, facts):
    assert lifetime_facts(bracketed, person=True) == facts


def test_years_of_what_is_no_person_are_no_life():
    assert lifetime_facts("1914–1918", person=False) == [("began in", "1914"), ("ended in", "1918")]
