"""Which triples say too little."""

import pytest

from irag.triples import weakness


@pytest.mark.parametrize(
    "fact",
    [
        ("This", "is", "important"),  # FR-025
        ("It", "located in", "Osk"),
        ("Now", "is", "Osk"),
        ("Osk", "is", "Osk"),  # FR-033
        ("osk ", "same as", "Osk"),
        ("The Osk", "is", "osk"),
        ("Osk", "is", "it"),
        ("", "is", "Osk"),
        ("Osk", "-", "Marl"),
        ("...", "is", "Osk"),
        ("这", "是", "港口"),
    ],
)
def test_weak_triples_are_named_with_a_reason(fact):
    assert weakness(*fact)


@pytest.mark.parametrize(
    "fact",
    [
        ("Osk Tower", "located in", "Osk"),
        ("Osk", "twinned with", "Marl"),
        ("Apollo 11", "preceded", "Apollo 12"),  # FR-038
        ("Osk", "is described as", "a port " * 40),  # FR-116
        ("奥斯克", "位于", "维尔德"),
        ("1984", "was written by", "Ana Kor"),  # FR-127
    ],
)
def test_triples_worth_keeping(fact):
    assert weakness(*fact) is None
