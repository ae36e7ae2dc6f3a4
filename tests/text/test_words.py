"""Clean text, tokens, retrieval terms and languages."""

import pytest

from irag.text import bigrams, clean, language_of, retrieval_terms, tokens


def test_nul_becomes_a_visible_mark_and_joins_nothing():  # FR-062
    assert clean("F\x0013 and Osk\x00 Tower") == "F\ufffd13 and Osk\ufffd Tower"


def test_lone_surrogates_are_replaced_and_pairs_are_joined():  # FR-047
    assert clean("Osk \ud83d tower, caf\udce9?") == "Osk \ufffd tower, caf\ufffd?"
    assert clean("\ud83c\udf09") == "\U0001f309"
    clean("Osk \ud83d").encode("utf-8")


def test_line_ends_and_byte_order_marks():  # FR-067, FR-068
    assert clean("\ufeffOsk\r\nwas.\rHere\u2028\tMarl\n") == "Osk\nwas.\nHere\n\tMarl\n"


def test_composed_and_decomposed_text_are_one():  # FR-043
    assert clean("Rene\u0301 Valde\u0300s") == "René Valdès"
    assert retrieval_terms("Rene\u0301") == retrieval_terms("René") == ["rene"]


def test_tokens_are_words_and_chinese_characters():
    assert tokens("Don't pay 3.14, 奥斯克!") == ("Don't", "pay", "3.14", "奥", "斯", "克")


def test_a_chinese_word_inside_a_sentence_shares_terms_with_it():  # FR-045
    sentence = retrieval_terms("图书馆在奥斯克港的北方。", "zh")
    assert set(retrieval_terms("奥斯克港", "zh")) <= set(sentence)
    assert bigrams("港") == ("港",)
    assert bigrams("") == ()


def test_mixed_text_gives_words_and_bigrams():
    assert retrieval_terms("The Tem Bridge 是大桥 ＡＢＣ", "zh") == [
        "the", "tem", "bridge", "是大", "大桥", "abc",
    ]  # fmt: skip


def test_english_function_words_go_unless_nothing_else_is_there():
    assert retrieval_terms("Who is the father of Kor's wife?") == ["who", "father", "kor", "wife"]
    assert retrieval_terms("To Be") == ["to", "be"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Osk is a town.", "en"),
        ("奥斯克是港口。", "zh"),
        ("奥斯克 (Osk) 是 Veldland 的港口", "zh"),
        ("Osk (奥斯克) is a port in the north of Veldland", "en"),
        ("1931", "en"),
        ("", "en"),
    ],
)
def test_language_is_told_by_script(text, language):
    assert language_of(text) == language
