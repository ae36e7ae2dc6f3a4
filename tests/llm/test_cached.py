"""Replies that are kept: hits, misses, errors, many threads and processes."""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from irag.errors import LLMError
from irag.llm.cached import Cached, cached
from irag.llm.scripted import Scripted
from irag.settings import load
from tests.llm.asking import ask, generate


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "llm.db"


def test_a_hit_is_counted_and_reaches_no_model(file: Path) -> None:
    model = Scripted(["<think>hm</think>Osk"])
    first, again = (generate(Cached(model, file), ask())[0] for _ in range(2))
    assert (again.text, again.thinking, again.prompt) == ("Osk", "hm", ask().messages)
    assert (first.usage.cached, again.usage.cached) == (0, 1)
    assert again.usage.prompt_tokens == first.usage.prompt_tokens
    assert len(model.history) == 1


def test_only_what_is_missing_reaches_the_model_and_types_are_the_same(file: Path) -> None:
    # FR-158
    model = Scripted(lambda request: request.messages[0].text.upper())
    llm = Cached(model, file)
    generate(llm, ask("a"))
    told: list[tuple[int, str]] = []
    replies = llm.generate(
        [ask("b"), ask("a"), ask("c")], lambda *t: told.append(t), threading.Event()
    )
    assert [reply.text for reply in replies] == ["B", "A", "C"]
    assert [type(reply.usage.prompt_tokens) for reply in replies] == [int] * 3
    assert [request.messages[0].text for request in model.history] == ["a", "b", "c"]
    assert {n: text for n, text in told} == {0: "B", 1: "A", 2: "C"}


@pytest.mark.parametrize(
    "change",
    [{"prefix": "x"}, {"max_tokens": 9}, {"stop": ("x",)}, {"sample": 1}, {"temperature": 0.5}]
    + [{"seed": 1}, {"schema": "{}"}, {"logprobs": 3}],
)
def test_everything_that_matters_is_in_the_key(file: Path, change: dict[str, object]) -> None:
    model = Scripted(["one", "two"])
    llm = Cached(model, file)
    generate(llm, ask(), replace(ask(), **change))
    assert len(model.history) == 2


def test_another_model_has_its_own_replies(file: Path) -> None:
    generate(Cached(Scripted(["one"], name="a"), file), ask())
    assert generate(Cached(Scripted(["two"], name="b"), file), ask())[0].text == "two"


def test_weights_that_changed_are_another_model(tmp_path: Path) -> None:
    weights = tmp_path / "w.gguf"
    settings = replace(load(), home=tmp_path)
    texts = []
    for n, said in enumerate(("old", "new")):
        weights.write_bytes(b"x" * (n + 1))
        llm = cached(Scripted([said], name=f"llama:{weights}"), settings)
        texts.append(generate(llm, ask())[0].text)
    assert texts == ["old", "new"]


@pytest.mark.parametrize("reply", [LLMError("busy"), ""])
def test_errors_and_empty_replies_are_asked_for_again(file: Path, reply: str | LLMError) -> None:
    llm = Cached(Scripted([reply, "Osk"]), file)
    generate(llm, ask())
    assert generate(llm, ask())[0].text == "Osk"


def test_many_threads_share_one_file(file: Path) -> None:
    llm = Cached(Scripted(lambda request: request.messages[0].text), file)
    questions = [ask(f"question {n % 20}") for n in range(200)]
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda request: generate(llm, request)[0], questions))
    assert [reply.text for reply in replies] == [q.messages[0].text for q in questions]


def _fill(file: Path, start: int) -> int:
    llm = Cached(Scripted(lambda request: request.messages[0].text), file)
    return sum(generate(llm, ask(str(n)))[0].text == str(n) for n in range(start, start + 25))


def test_several_processes_open_a_new_file_at_once(file: Path) -> None:
    context = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    with ProcessPoolExecutor(4, mp_context=context) as pool:
        assert list(pool.map(_fill, [file] * 4, [0, 5, 10, 15])) == [25] * 4
    silent = Cached(Scripted([]), file)
    assert all(generate(silent, ask(str(n)))[0].usage.cached for n in range(40))


def test_a_damaged_file_costs_a_warning_and_no_reply(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.mkdir()
    file.write_bytes(b"this is no database, whatever its name says" * 50)
    with caplog.at_level(logging.WARNING):
        assert generate(Cached(Scripted(["Osk"]), file), ask())[0].text == "Osk"
    assert str(file) in caplog.text
