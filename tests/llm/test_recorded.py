"""Replies on file: played back, appended to, never holding a prompt."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from irag.errors import LLMError, UserError
from irag.llm import open_llm
from irag.llm.recorded import Recorded, Recorder
from irag.llm.scripted import Scripted
from irag.settings import load
from tests.llm.asking import ask, generate


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_a_recording_plays_back_what_was_said(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    recorder = Recorder(Scripted(["Osk", "Marl"], window=777), path)
    said = generate(recorder, ask("a"), ask("b"))
    recorder.count(["one two three"])
    played = open_llm(f"recorded:{path}", load())
    assert generate(played, ask("a"), ask("b")) == said
    assert played.window == 777 and played.flags == recorder.flags
    assert played.count(["one two three", "never counted"]) == [3, 2]


def test_no_prompt_and_no_thinking_enter_the_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.gz"
    recorder = Recorder(Scripted(["<think>the passage says so</think>Osk"]), path)
    generate(recorder, ask("a secret passage"))
    recorder.count(["a secret passage"])
    text = gzip.decompress(path.read_bytes()).decode()
    assert "passage" not in text and "Osk" in text and '"seconds"' in text


def test_a_request_that_is_not_in_the_file_is_an_error_alone(tmp_path: Path) -> None:
    generate(Recorder(Scripted(["Osk"]), tmp_path / "r.jsonl"), ask("a"))
    known, unknown = generate(Recorded(tmp_path / "r.jsonl"), ask("a"), ask("b"))
    assert known.text == "Osk"
    assert isinstance(unknown, LLMError) and "no reply to this request" in str(unknown)


def test_errors_are_not_recorded(tmp_path: Path) -> None:
    generate(Recorder(Scripted([LLMError("busy")]), tmp_path / "r.jsonl"), ask())
    assert isinstance(generate(Recorded(tmp_path / "r.jsonl"), ask())[0], LLMError)


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_a_recording_cut_short_is_read_and_gone_on_with(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for n in range(3):
        generate(Recorder(Scripted([str(n)]), path), ask(str(n)))
    path.write_bytes(path.read_bytes()[:-15])
    generate(Recorder(Scripted(["again"]), path), ask("2"))
    replies = generate(Recorded(path), ask("0"), ask("1"), ask("2"))
    assert [reply.text for reply in replies] == ["0", "1", "again"]


def test_another_model_is_not_recorded_into_the_same_file(tmp_path: Path) -> None:
    Recorder(Scripted(name="a"), tmp_path / "r.jsonl")
    with pytest.raises(UserError, match="holds replies of a"):
        Recorder(Scripted(name="b"), tmp_path / "r.jsonl")


@pytest.mark.parametrize("content", [b"", b'{"x": 1}\n', b"\xff\xfe\x00", b"nonsense\n{}\n"])
def test_a_file_that_is_no_recording_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r.jsonl").write_bytes(content)
    with pytest.raises(UserError):
        open_llm(f"recorded:{tmp_path / 'r.jsonl'}", load())


def test_a_missing_file_is_named() -> None:
    with pytest.raises(UserError, match=r"nowhere\.jsonl"):
        open_llm("recorded:nowhere.jsonl", load())
