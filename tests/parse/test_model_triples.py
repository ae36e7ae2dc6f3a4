"""Triples from replies, good and bad."""

from pathlib import Path

import pytest

from irag.parse import Unparsed, triples


def facts(reply):
    found = triples(reply)
    assert not isinstance(found, Unparsed), found
    return found.facts


@pytest.mark.parametrize(
    ("reply", "fact"),
    [
        (  # FR-001
            'Sure! Here you go:\n```json\n[["Lake Orrin","located in","Veldland"]]\n```',
            ("Lake Orrin", "located in", "Veldland"),
        ),
        (  # FR-004
            '{"subject":"Kestrel Mill","predicate":"built in","object":"1823"}',
            ("Kestrel Mill", "built in", "1823"),
        ),
        ('["Kestrel Mill","built in",1823]', ("Kestrel Mill", "built in", "1823")),
        (  # FR-013
            '<think>Maybe {"triples": [["X","guess","Y"]]}? No, X is wrong.</think>'
            '{"triples": [["Osk","capital of","Veldland"]]}',
            ("Osk", "capital of", "Veldland"),
        ),
        (  # FR-013, a template that opens the thinking itself
            '{"triples": [["X","guess","Y"]]}</think><Osk; capital of; Veldland>',
            ("Osk", "capital of", "Veldland"),
        ),
        (  # FR-015
            "Using the schema {subject, predicate, object} I found: "
            '{"triples":[["Tem Bridge","opened","1931"]]} (see {note})',
            ("Tem Bridge", "opened", "1931"),
        ),
        ("{'triples': [['Osk','capital of','Veldland'],],}", ("Osk", "capital of", "Veldland")),
        ('{triples:[["O\'Brien Hall","in","Osk"]]}', ("O'Brien Hall", "in", "Osk")),  # FR-024
        ("{'triples':[['O'Brien Hall','in','Osk']]}", ("O'Brien Hall", "in", "Osk")),
        ("<Osk; capital of; Veldland>", ("Osk", "capital of", "Veldland")),
        ("1. Osk | capital of | Veldland", ("Osk", "capital of", "Veldland")),
        ('[["奥斯克","位于","维尔德"]]', ("奥斯克", "位于", "维尔德")),
    ],
)
def test_one_triple_however_it_is_wrapped(reply, fact):
    assert facts(reply) == (fact,)


def test_model_text_is_never_evaluated(tmp_path):  # FR-003
    target = tmp_path / "touched"
    for reply in (
        "{'triples': [['Kestrel Mill','built in',...]]}",
        f"__import__('pathlib').Path({str(target)!r}).touch()",
    ):
        found = triples(reply)
        assert isinstance(found, Unparsed)
        assert found.text == reply
    assert not Path(target).exists()


@pytest.mark.parametrize("reply", ["", "   \n"])
def test_an_empty_reply_says_so(reply):  # FR-005
    assert triples(reply) == Unparsed("empty model reply")


def test_a_refusal_differs_from_no_triples():  # FR-007, FR-008
    assert isinstance(triples("I am not able to do that."), Unparsed)
    nothing = triples('{"triples": []}')
    assert (nothing.facts, nothing.rejected, nothing.cut) == ((), 0, False)
    assert triples("[]").facts == ()


def test_prose_instead_of_json_is_unparsed_with_its_text():  # FR-023
    prose = "The capital of Veldland is Osk, which lies on the Tem."
    assert triples(prose) == Unparsed("the reply holds no triples", prose)


def test_a_cut_reply_keeps_its_whole_triples():  # FR-009
    whole = '[["A1 Motorway","crosses","River Tem"],["River Tem","flows into","Lake Orrin"]'
    for end in (',["Lake Orrin","loc', ',["Lake Orrin","in","Veld', ",[", ","):
        found = triples(whole + end)
        assert found.cut
        assert [fact[0] for fact in found.facts] == ["A1 Motorway", "River Tem"]
    objects = triples(
        '{"triples":[{"head":"a","relation":"b","tail":"c"},{"head":"x","relation":"y"'
    )
    assert (objects.facts, objects.cut) == ((("a", "b", "c"),), True)
    assert triples("<a; b; c>. <d; e").cut


def test_endless_white_space_fails_and_is_kept_short():  # FR-011
    found = triples("{" + "\n" * 8000 + "x" * 50_000)
    assert isinstance(found, Unparsed)
    assert len(found.text) < 2_100
    assert triples("{" + "\n" * 8000) == Unparsed("the reply holds no triples", "{")


def test_delimiters_in_the_text_break_no_field():  # FR-018
    reply = "<Bex; uses; <|> operator>\n<Bex; designed by; Ana Kor>\n<##; starts; a comment>"
    assert facts(reply) == (
        ("Bex", "uses", "<|> operator"),
        ("Bex", "designed by", "Ana Kor"),
        ("##", "starts", "a comment"),
    )


def test_latex_with_single_backslashes_is_restored():  # FR-019
    reply = r'{"triples":[["Drag law","is written","$\frac{1}{2}\rho v^2 \times \nabla \beta \alpha$"]]}'
    assert facts(reply)[0][2] == r"$\frac{1}{2}\rho v^2 \times \nabla \beta \alpha$"


def test_legal_escapes_still_decode():
    assert facts(r'[["a\nb", "is\t\u00e9", "\"c\" \\ \ud83c\udf09"]]') == (
        ("a b", "is é", '"c" \\ \U0001f309'),
    )


def test_broken_records_are_counted_and_cost_nobody_else():  # FR-021
    found = triples(
        '[{"head":"Osk","relation":"capital of","tail":null},{"head":"Osk","relation":"on"},'
        '{"head":"Tem","relation":"flows into","tail":"Lake Orrin"},["only","two"],'
        '["a","b","c","d"],"text",7]'
    )
    assert found.facts == (("Tem", "flows into", "Lake Orrin"),)
    assert found.rejected == 6


def test_directions_are_kept_and_repeats_go():  # FR-042
    found = triples('[["Ana","knows","Jon"],["Jon","knows","Ana"],["Ana","knows","Jon"]]')
    assert found.facts == (("Ana", "knows", "Jon"), ("Jon", "knows", "Ana"))


@pytest.mark.parametrize("unit", ["{", "[", '["', "{'a':", "<", '[["a","b"', "\\"])
def test_a_runaway_reply_is_read_in_bounded_time(unit):
    read = triples(unit * 50_000)
    assert isinstance(read, Unparsed) or not read.facts
