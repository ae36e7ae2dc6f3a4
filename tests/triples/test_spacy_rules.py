"""English triples, by the real small spaCy model."""

import pytest

from irag import settings
from irag.errors import ModelError
from irag.text import sentences
from irag.triples import Extraction, open_extractor
from irag.triples.preparing import MASK
from irag.types import Document


@pytest.fixture(scope="module")
def extractor():
    chosen = settings.load()
    folder = chosen.models / "en_core_web_sm"
    if not (folder / "config.cfg").is_file():
        pytest.skip("the spaCy model is not there: python -m irag models pull en_core_web_sm")
    return open_extractor(folder)


def document(title, text):
    return Document(f"d-{title}", title, text, sentences(text))


@pytest.fixture(scope="module")
def facts(extractor):
    def extracted(title, text):
        (found,) = extractor.extract([document(title, text)])
        return [(t.head, t.relation, t.tail) for t in found.triples]

    return extracted


@pytest.mark.parametrize(
    ("title", "text", "fact"),
    [
        ("Ana Kor", "Ana Kor founded Osk Tower.", ("Ana Kor", "founded", "Osk Tower")),
        ("Osk", "Osk is a port.", ("Osk", "is", "a port")),
        ("Osk", "Osk is the capital of Veldland.", ("Osk", "is the capital of", "Veldland")),
        ("Ana Kor", "Ana Kor was born in Osk in 1951.", ("Ana Kor", "was born in", "Osk")),
        ("Ana Kor", "Ana Kor was born in Osk in 1951.", ("Ana Kor", "was born in", "1951")),
        ("Osk", "Ana Kor, a potter, lives in Osk.", ("Ana Kor", "is", "a potter")),
        ("Osk", "Tem Bridge was designed by Ana Kor.", ("Tem Bridge", "was designed by", "Ana Kor")),
        ("Osk", "Marl's mayor is Jon Pell.", ("Marl", "mayor", "Jon Pell")),
        ("Osk", "The director of Marl Days is Ana Kor.", ("Marl Days", "director", "Ana Kor")),
        ("Ana Kor", "She was educated at Osk. Ana Kor died on 3 June 1980.", ("Ana Kor", "died on", "3 June 1980")),
        ("Ana Kor", "Ana Kor ( died 11 November 875) was a queen.", ("Ana Kor", "died on", "11 November 875")),
        ("Ana Kor", "Ana Kor moved to Osk and founded Marl Press.", ("Ana Kor", "founded", "Marl Press")),
        ("Ana Kor", "Ana Kor met Jon Pell and Mira Oduya.", ("Ana Kor", "met", "Mira Oduya")),
        ("Osk", "Ana Kor and Jon Pell founded Osk.", ("Jon Pell", "founded", "Osk")),
        ("Ana Kor", "Ana Kor is a potter who lives in Osk.", ("Ana Kor", "lives in", "Osk")),
        ("Ana Kor", "Ana Kor is a singer. Her husband was Jon Pell.", ("Ana Kor", "husband", "Jon Pell")),
        ("Ana Kor", "Ana Kor was the son of King Jon Pell and his wife Eva Marl.", ("Ana Kor", "was the son of", "Eva Marl")),
        ("Ana Kor", "Ana Kor was the son of King Jon Pell and his wife Eva Marl.", ("King Jon Pell", "wife", "Eva Marl")),
        ("Ana Kor", "Ana Kor ( also Eva)( 1900 – 3 June 1980), OBE, was a queen.", ("Ana Kor", "died on", "3 June 1980")),
        ("Ana Kor", "Ana Kor was born in Osk, the daughter of Jon Pell.", ("Ana Kor", "is the daughter of", "Jon Pell")),
        ("Ana Kor, 2nd Countess of Marl", "Ana Kor, 2nd Countess of Marl was a peer. Marl was the daughter of Jon Pell.", ("Ana Kor, 2nd Countess of Marl", "was the daughter of", "Jon Pell")),
        ("Marl Days", "Marl Days is a 1984 film written and directed by Ana Kor.", ("Marl Days", "written and directed by", "Ana Kor")),
        ("Marl Days", "Marl Days is a film released by Osk Pictures, directed by Ana Kor.", ("Marl Days", "directed by", "Ana Kor")),
        ("Marl Days", "Marl Days is a film. The film stars Jon Pell.", ("Marl Days", "stars", "Jon Pell")),
        ("Live at the Osk", "Live at the Osk is an album by Tem.", ("Live at the Osk", "is an album by", "Tem")),
    ],
)  # fmt: skip
def test_what_a_sentence_says(facts, title, text, fact):
    assert fact in facts(title, text)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Marl Days", 'Ana Kor made a third("Osk Days 3") in 2003.'),
        ("Marl Days", 'Marl Days-based plays and "Osk Days"-like films by "Tem".'),
        ("Marl Days", "Marl Days's end, “Osk Days”, and Marl Days."),
    ],
)
def test_the_parser_s_mask_never_leaks(facts, title, text):
    assert not any(MASK in part for fact in facts(title, text) for part in fact)


def test_a_place_in_a_title_is_not_the_title(facts):
    found = facts("Ana of Marl", "Ana of Marl was a queen. Jon Pell was King of Marl.")
    assert ("Jon Pell", "was King of", "Ana of Marl") not in found
    found = facts("Tem Bridge", "Tem Bridge is a bridge. Jon Pell swam in the Tem.")
    assert ("Jon Pell", "swam in", "Tem Bridge") not in found


def test_a_surname_means_the_person(facts):
    found = facts("Ana Kor", "Ana Kor was a writer. In 1980, Kor moved to Osk.")
    assert ("Ana Kor", "moved to", "Osk") in found


def test_contractions_are_spelled_out(facts):
    found = facts("Osk", "Osk isn't a port. Osk wasn't founded by Ana Kor.")
    assert found == [("Osk", "is not", "a port"), ("Osk", "was not founded by", "Ana Kor")]


def test_negation_stays_in_the_relation(facts):  # FR-027
    found = facts(
        "Ana Kor", "Ana Kor did not write The Quiet Harbour. Jon Pell never lived in Osk."
    )
    assert ("Ana Kor", "did not write", "The Quiet Harbour") in found
    assert ("Jon Pell", "never lived in", "Osk") in found
    assert all("not" in relation or "never" in relation for _, relation, _ in found)


def test_a_pronoun_after_another_person_is_not_the_title(facts):  # FR-029
    found = facts(
        "Ana Kor",
        "Ana Kor (born 1951) is a writer. She moved to Osk in 1980. "
        "Her brother, Jon Pell, is a potter. He died in 2001.",
    )
    assert ("Ana Kor", "was born in", "1951") in found
    assert ("Ana Kor", "moved to", "Osk") in found
    assert ("Ana Kor", "brother", "Jon Pell") in found
    assert not any("2001" in tail and head == "Ana Kor" for head, _, tail in found)
    nodes = {node.casefold() for head, _, tail in found for node in (head, tail)}
    assert not nodes & {"she", "he", "her", "it", "his"}


def test_a_person_in_a_thing_s_passage_does_not_lend_it_her_pronoun(facts):
    text = "Tem Bridge is a bridge designed by Mira Oduya. She was born in Marl."
    assert not any(
        tail == "Marl" and head == "Tem Bridge" for head, _, tail in facts("Tem Bridge", text)
    )


def test_birth_and_death_are_two_triples(facts):  # FR-031
    found = facts("Jon Pell", "Jon Pell was born in Osk and died in Marl.")
    assert found == [("Jon Pell", "was born in", "Osk"), ("Jon Pell", "died in", "Marl")]


def test_the_title_keeps_its_parenthesis(facts):  # FR-036
    found = facts("Jon Pell (potter)", "Jon Pell was a potter. He died in 2001.")
    assert ("Jon Pell (potter)", "died in", "2001") in found
    assert {head for head, _, _ in found} == {"Jon Pell (potter)"}


def test_a_title_that_the_text_never_names_is_no_subject(facts):
    found = facts("notes", "Osk Harbour Board owns Tem Bridge. It hired Jon Pell.")
    assert found == [("Osk Harbour Board", "owns", "Tem Bridge")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_in_a_paragraph_change_nothing(facts, end):  # FR-041, FR-068
    text = "Tem Bridge was designed by Mira\nOduya in 1931. Mira Oduya was born in New\nMarl."
    found = facts("Tem Bridge", text.replace("\n", end))
    assert found == facts("Tem Bridge", text.replace("\n", " "))
    assert ("Tem Bridge", "was designed by", "Mira Oduya") in found
    assert not any("\r" in part or "\n" in part for fact in found for part in fact)


def test_over_long_tails_are_kept_in_full(facts):  # FR-116
    tail = "a port " + "of the old harbour " * 10 + "of Osk"
    assert any(len(t.split()) > 40 for _, _, t in facts("Marl", f"Marl is {tail}."))


def test_what_no_rule_reads_is_kept_whole(facts):
    sentence = "Thanks to 1931, mostly glass."
    assert ("Osk", "states", sentence) in facts("Osk", f"Osk is a port. {sentence}")


def test_every_triple_knows_its_document_and_sentence(extractor):
    texts = [document("Osk", "Osk is a port. Osk has a harbour."), document("Empty", "")]
    first, second = extractor.extract(texts)
    assert [t.source for t in first.triples] == [("d-Osk", 0), ("d-Osk", 1)]
    assert second == Extraction()


def test_alone_or_in_a_batch_gives_the_same(extractor):
    texts = [
        document(f"Osk {n}", f"Osk {n} is a port in Veldland. It was founded in {1900 + n}.")
        for n in range(40)
    ]
    together = list(extractor.extract(texts))
    assert together == [next(extractor.extract([text])) for text in texts]


def test_languages_are_told_apart_by_document(extractor):
    chinese, english = extractor.extract(
        [document("奥斯克", "奥斯克是一个港口。"), document("Osk", "Osk is a port.")]
    )
    assert chinese.triples[0].relation == "是"
    assert english.triples[0].relation == "is"


def test_a_text_beyond_spacy_s_limit_goes_in_pieces(extractor):  # FR-056
    huge = document("Osk", "Osk is a town. " * 2_000)
    small = document("Marl", "Marl is a mine.")
    first, second = extractor.extract([huge, small])
    assert [(t.head, t.tail) for t in first.triples] == [("Osk", "a town")]
    assert [(t.head, t.tail) for t in second.triples] == [("Marl", "a mine")]


def test_an_endless_sentence_is_kept_without_being_parsed(extractor):
    (found,) = extractor.extract([document("Osk", "Osk " + "and Marl " * 2_000)])
    assert len(found.triples) <= 1


@pytest.mark.parametrize(
    "text", ["###", "\ufffd", "\U0001f309 ?!", "1931", "((((", '"""', "- \n- "]
)
def test_odd_text_harms_nobody(extractor, text):  # FR-008
    odd, good = extractor.extract([document("Osk", text), document("Marl", "Marl is a mine.")])
    assert not odd.problem
    assert good.triples


def test_the_name_says_model_and_rules(extractor):
    assert "en_core_web_sm" in extractor.name
    assert "3.8.0" in extractor.name
    assert "rules-" in extractor.name


def test_a_missing_model_says_how_to_get_it(tmp_path):
    with pytest.raises(ModelError, match="models pull"):
        open_extractor(tmp_path)
