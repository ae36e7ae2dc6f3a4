"""Which names and triples are the same."""

import pytest

from irag.match import entity_key, ground, same_triple, triple_key
from irag.types import Triple


def triple(head, relation, tail, document="d1"):
    return Triple(f"{head}{tail}{document}", head, relation, tail, (document, 0))


@pytest.mark.parametrize(
    "name",
    ["Osk Harbour Board", "OSK HARBOUR BOARD", "The Osk  Harbour \nBoard", "Osk-Harbour Board"],
)
def test_spellings_of_one_name_share_a_key(name):  # FR-034
    assert entity_key(name) == "osk harbour board"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Report SR-2023-052", "Report SR-2023-053"),  # FR-038
        ("Louis IV", "Louis VI"),
        ("Apollo 11", "Apollo 12"),
        ("3.14", "314"),
        ("-5", "5"),
        ("C++", "C"),  # FR-077
        ("C#", "C"),
        ("F\ufffd13", "F13"),  # FR-062
        ("Marl (town)", "Eva Marl"),  # FR-036
        ("007", "7"),  # FR-127
        ("Jon Pell (potter)", "Jon Pell (footballer)"),
    ],
)
def test_different_names_stay_apart(first, second):
    assert entity_key(first) != entity_key(second)


def test_every_name_has_a_key_and_forms_are_composed():
    assert entity_key("The") == "the"
    assert entity_key("!!!") == "!!!"
    assert entity_key("Rene\u0301") == entity_key("René")  # FR-043


def test_the_same_words_from_two_documents_are_one_triple():
    assert same_triple(
        triple("Osk", "is in", "Veldland"), triple("osk", "is in", "Veldland.", "d2")
    )
    assert triple_key(triple("Osk", "was born", "in Marl")) == triple_key(
        triple("Osk", "was born in", "Marl")
    )
    assert not same_triple(
        triple("Ana", "teaches", "Jon"), triple("Jon", "teaches", "Ana")
    )  # FR-042


def test_a_generated_triple_is_matched_to_the_nearest_candidate():
    candidates = [
        triple("Jon Pell", "was born in", "Osk"),
        triple("Jon Pell", "died in", "Marl"),
        triple("Jon Pell", "died in", "Marl", "d2"),
    ]
    assert ground("Jon Pell; died in; Marl", candidates) == (1, 1.0)
    index, f1 = ground("Jon Pell was then born in the Osk", candidates)
    assert index == 0
    assert 0.6 <= f1 < 1


def test_an_invented_triple_matches_nothing():
    assert ground("Mira Oduya painted harbours", [triple("Jon Pell", "died in", "Marl")]) is None
    assert ground("anything", []) is None
