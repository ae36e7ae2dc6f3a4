"""What a reply looked at: weights over the prompt, made on request by the local transformers."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import pytest

from irag import models
from irag.llm import open_llm
from irag.settings import load
from tests.llm.asking import ask

NAME = "smollm2-135m"


@pytest.mark.slow
def test_weights_are_there_for_each_token_and_later_text_is_never_seen() -> None:
    if not models.present(NAME, load().models):
        pytest.skip(f"{NAME} is not on this machine: python -m irag models pull {NAME}")
    llm = open_llm(f"hf:{NAME}", replace(load(), window=1024))
    request = ask("The river Orrin meets the sea at Marl. Where does the river Orrin meet the sea?")
    weights = llm.attention(request, " At Marl.")
    texts = [token for token, _ in weights]
    assert "".join(texts).endswith(" At Marl.")
    assert sum(weight for _, weight in weights) == pytest.approx(1, abs=0.02)
    assert all(weight >= 0 for _, weight in weights)
    assert weights[-1][1] == 0  # the last token was read by none before it
    other = llm.attention(request, " In the hills of the north.")
    assert [w for _, w in other[:20]] != [w for _, w in weights[:20]]
    assert llm.attention(request, "") == ()
    assert llm.generate([request], lambda n, t: None, Event())[0].text
    llm.close()
