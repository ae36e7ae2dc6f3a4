"""Timing the local engines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from irag.errors import LLMError
from irag.llm.scripted import Scripted
from irag.llm.timing import time_engines, time_llm
from irag.settings import load


def test_one_call_is_timed_with_a_prompt_of_about_700_tokens() -> None:
    llm = Scripted(lambda request: "word " * 40, delay=0.05)
    figure = time_llm(llm)
    assert 600 <= figure.prompt_tokens <= 720 and figure.written_tokens == 16
    assert figure.seconds >= figure.reading_seconds >= 0.05
    assert figure.note.startswith("reads ") and "tokens a second" in figure.note
    assert not llm.history[1].messages[0].text.startswith(llm.history[0].messages[0].text[:10])


def test_an_engine_that_fails_says_why() -> None:
    failed = time_llm(Scripted(lambda request: LLMError("out of memory"), name="hf:m"))
    assert (failed.engine, failed.seconds, failed.note) == ("hf", None, "out of memory")


def test_engines_run_in_children_and_a_missing_model_is_a_figure_with_a_reason(
    tmp_path: Path,
) -> None:
    settings = replace(load(), models=tmp_path)
    llama, unknown = time_engines(settings, "smollm2-135m", ("llama", "nonsense"))
    assert "models pull smollm2-135m" in llama.note
    assert "Known" in unknown.note
