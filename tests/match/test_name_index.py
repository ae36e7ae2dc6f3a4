"""Which names of a dictionary stand in a text, and which only seem to."""

import time

import pytest

from irag.match import NameIndex, aliases, mentioned, stands_in


def names_in(index, text):
    return [(text[m.start : m.end], *m.names) for m in index.find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Osk Harbour Board owns it", ["Osk Harbour Board"]),  # FR-034
        ("the OSK HARBOUR BOARD owns it", ["OSK HARBOUR BOARD"]),
        ("The Osk-Harbour  Board owns it", ["Osk-Harbour  Board"]),
        ("Osk's Osk Harbour Board's bridge", ["Osk's", "Osk Harbour Board's"]),
        ("She was born in Osk\nHarbour.", ["Osk"]),
        ("Osk. Harbour Board", ["Osk"]),
    ],
)
def test_spellings_of_a_name_are_found_longest_first(text, found):
    index = NameIndex(["Osk", "Osk Harbour Board"])
    text = text.replace("\nHarbour", "\n\nHarbour")
    assert [text[m.start : m.end] for m in index.find(text)] == found


def test_a_line_break_inside_a_name_changes_nothing():  # FR-041
    text = "The bridge was designed by Mira\nOduya in 1931. She was born in New\nMarl."
    index = NameIndex(["Mira Oduya", "New Marl", "Marl"])
    flat = text.replace("\n", " ")
    assert [m.names for m in index.find(text)] == [("Mira Oduya",), ("New Marl",)]
    assert index.find(text) == index.find(flat)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["York"], "New York is a city."),
        (["York"], "It stands near York Castle."),
        (["New York"], "She wrote for the New York Times."),
        (["York"], "Yorkshire and new yorkers"),
        (["Apollo", "Apollo 12"], "Apollo 11 landed."),  # FR-038
        (["Apollo 1"], "Apollo 11 landed."),
        (["Henry", "Henry VII"], "Henry VIII ruled."),
        (["1984"], "It was 1985."),
        (["Report SR-2023-052"], "Report SR-2023-053 covers Osk Tower."),
        (["Marathon"], "She ran a marathon in Osk."),
        (["Place of birth"], "What is the place of birth of Mira Oduya?"),
        (["It", "Her"], "It was her book about Osk."),
        (["C"], "C++ and C#"),
        (["阿波罗"], "阿波罗11号登月"),
        (["京"], "北京很大"),
        (["5 Osk"], "-5 Osk"),
        ([""], "anything"),
        (["!!!"], "anything"),
    ],
)
def test_a_name_is_never_matched_by_accident(names, text):
    assert NameIndex(names).find(text) == ()


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["York"], "He lives in York."),
        (["York"], "Is York older than Osk?"),
        (["Henry"], "King Henry ruled."),
        (["Apollo"], "Apollo was a god."),
        (["titanic"], "who directed the film Titanic?"),
        (["Titanic"], "who directed titanic"),
        (["René Marl"], "RENE MARL wrote it."),
        (["1984"], "Who wrote 1984?"),
        (["奥斯克"], "奥斯克1931年建成"),
        (["C++"], "She wrote it in C++."),
        (["Osk"], "Osk Was Built By Whom And What Happened There In Spring"),
    ],
)
def test_a_name_that_stands_there_is_found(names, text):
    assert mentioned(names, text) == tuple(names)
    assert stands_in(names[0], text)


def test_chinese_names_are_found_by_characters():
    index = NameIndex(["北京", "奥斯克", "奥斯克港"])
    found = names_in(index, "奥斯克港位于北京东部。")
    assert found == [("奥斯克港", "奥斯克港"), ("北京", "北京")]


def test_what_stands_in_parentheses_tells_namesakes_apart():  # FR-036
    index = NameIndex(["Jon Pell (footballer)", "Jon Pell (potter)"])
    asked = index.find("In which year did the potter Jon Pell die?")
    assert [m.names for m in asked] == [("Jon Pell (potter)",)]
    (unclear,) = index.find("When was Jon Pell born?")
    assert unclear.names == ("Jon Pell (footballer)", "Jon Pell (potter)")


def test_films_that_differ_in_the_year_are_told_apart_by_it():
    index = NameIndex(["Marl (1950 film)", "Marl (2015 film)"])
    (mention,) = index.find("Who directed the 2015 film Marl in Osk?")
    assert mention.names == ("Marl (2015 film)",)


def test_the_plain_name_comes_before_an_alias():
    index = NameIndex(["Boston (band)", "Boston"])
    assert names_in(index, "She heard Boston (band).") == [("Boston (band)", "Boston (band)")]
    assert index.lookup("boston") == ("Boston",)
    assert index.lookup("Boston (band)") == ("Boston (band)",)
    assert index.lookup("Boston (album)") == ()


def test_a_surname_alone_counts_only_for_one_person():
    people = ["Mira Oduya", "Ana Kor", "Jon Kor", "Henry VIII", "Sam Pell Jr."]
    index = NameIndex(people, people)
    assert index.lookup("Oduya") == index.lookup("M. Oduya") == ("Mira Oduya",)
    assert index.lookup("Kor") == index.lookup("Henry") == index.lookup("Pell") == ()
    assert NameIndex(people).lookup("Oduya") == (), "nobody said that she is a person"


def test_initials_are_written_in_capitals_and_mean_one_name():
    index = NameIndex(["Osk Harbour Board"])
    assert names_in(index, "The OHB and an ohb.") == [("OHB", "Osk Harbour Board")]
    assert NameIndex(["Osk Harbour Board", "Old Hill Bridge"]).lookup("OHB") == ()


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Boston (band)", ["Boston"]),
        ("奥斯克（乐队）", ["奥斯克"]),
        ("Osk, Lincolnshire", ["Osk"]),
        ("Crosby, Stills & Nash", []),
        ("Sam Pell, Jr.", []),
        ("Lock, Stock and Two Barrels", []),
        ("(Untitled)", []),
    ],
)
def test_bare_forms(name, bare):
    assert [one.text for one in aliases(name) if one.how == "bare"] == bare


def test_looking_up_does_not_depend_on_the_size_of_the_dictionary():
    small = NameIndex([f"Place {i} of Osk" for i in range(100)])
    large = NameIndex([f"Place {i} of Osk" for i in range(20_000)])
    text = "From Place 7 of Osk to Marl and back to Place 42 of Osk in a day. " * 20

    def seconds(index):
        times = []
        for _ in range(5):
            began = time.perf_counter()
            assert len(index.find(text)) == 40
            times.append(time.perf_counter() - began)
        return min(times)

    assert seconds(large) < 10 * seconds(small)
