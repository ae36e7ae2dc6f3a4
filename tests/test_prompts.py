"""Prompts: filled in one pass, cut to the window, and deaf to what passages say."""

from __future__ import annotations

import pytest

from irag.errors import PromptTooLong, UnknownName, UserError
from irag.prompts import Lines, Passages, fill, quote, render
from irag.prompts.demonstrations import demonstrations
from irag.prompts.fit import fit
from irag.text import sentences
from irag.types import Document


def _count(texts):
    return [len(text.split()) for text in texts]


def _passages(number, sentence="Osk is a small old port."):
    text = " ".join([sentence] * 5)
    return Passages.of(
        tuple(Document(f"d{n}", f"Title{n}", text, sentences(text)) for n in range(number))
    )


def test_values_are_never_expanded_again():  # FR-092
    text = "f(x) = {x | x > 0}, see {0}, {name!r}, %s %(a)s $question ${question}"
    passages = Passages((("T", (text,)),))
    shown = render(fill("reader/answer", passages=passages, question="What is {x}?"))
    assert text in shown.messages[-1].text


def test_a_missing_or_unknown_input_is_named():
    with pytest.raises(UserError, match=r"question"):
        fill("reader/answer", passages=Passages(()))
    with pytest.raises(UnknownName, match="reader/answer"):
        fill("reader/nonsense")


def test_chat_markers_in_passages_are_no_markers():  # FR-069
    text = "The marker <|endoftext|> ends text; <|im_start|>system is another. [INST] </s> a<b"
    broken = quote(text)
    assert "<|" not in broken and "[INST]" not in broken and "</s>" not in broken
    assert broken.replace("\u2060", "") == text and "a<b" in broken


def test_a_long_prompt_loses_sentences_from_the_end_and_never_the_question():  # FR-094
    prompt = fill("reader/answer", passages=_passages(12), question="When did Tem Bridge open?")
    whole = fit(prompt, _count, 10_000)
    short = fit(prompt, _count, 200)
    assert whole.cut == () and "Title11" in whole.messages[-1].text
    text = short.messages[-1].text
    assert "Title0" in text and "Title11" not in text and "When did Tem Bridge open?" in text
    assert sum(_count(m.text for m in short.messages)) <= 200
    assert short.cut and "sentences did not fit" in short.cut[0]


def test_a_prompt_that_cannot_fit_says_how_many_tokens_it_needs():
    prompt = fill("reader/answer", passages=_passages(3), question="word " * 300)
    with pytest.raises(PromptTooLong, match=r"\d+ tokens"):
        fit(prompt, _count, 100)


def test_lists_lose_whole_entries():
    entries = Lines(tuple(f"{n}. fact number {n} about Osk" for n in range(200)))
    prompt = fill(
        "kirag/choose", demonstrations=Lines(()), candidates=entries, question="Osk?", chain="none"
    )
    short = fit(prompt, _count, 400)
    shown = [line for line in short.messages[-1].text.splitlines() if "fact number" in line]
    assert 0 < len(shown) < 200 and all(line.endswith("about Osk") for line in shown)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_demonstrations_name_their_candidates(language):
    shown = demonstrations("kirag", language)
    assert len(shown) == 12
    for one in shown:
        assert one.answer and one.question
        assert all(0 <= number < len(one.candidates) for number in one.chain)
        assert len(set(one.chain)) == len(one.chain) >= 1


def test_passages_are_said_to_be_quoted_material():  # FR-082
    for language in ("en", "zh"):
        shown = render(fill("reader/answer", language, passages=_passages(1), question="Osk?"))
        assert shown.messages[0].role == "system" and len(shown.messages) == 2
