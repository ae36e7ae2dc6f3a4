from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from irag.errors import ModelError, UnknownName
from irag.models import CATALOGUE, Entry
from irag.models.cli import add_parser
from tests.models.conftest import Shelf


@pytest.fixture(autouse=True)
def own_folder(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRAG_MODELS", str(models))


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["models", *arguments])
    return int(parsed.run(parsed))


def test_pull_then_path_prints_where_it_lies(
    joined: Entry, halves: Shelf, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("pull", "tiny-llm") == 0
    said = capsys.readouterr()
    assert "tiny-llm: 100 % of 0 MB" in said.err
    assert run("path", "tiny-llm") == 0
    assert capsys.readouterr().out.strip() == str(models / "tiny-llm" / "tiny.gguf")


def test_a_failed_pull_is_named_and_the_others_go_on(
    joined: Entry, packed: Entry, halves: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("pull", "tiny-embedder", "tiny-llm") == 1
    said = capsys.readouterr()
    assert "tiny-embedder is not to be had" in said.err and "tiny.gguf" in said.out


def test_a_misspelt_name_stops_before_any_download(joined: Entry, halves: Shelf) -> None:
    with pytest.raises(UnknownName):
        run("pull", "tiny-llm", "tiny-lm")
    assert halves.asked == []


def test_path_of_a_missing_model_names_the_command(joined: Entry) -> None:
    with pytest.raises(ModelError, match="models pull tiny-llm"):
        run("path", "tiny-llm")


def test_list_names_every_model_with_its_state(
    joined: Entry, halves: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    run("pull", "tiny-llm")
    capsys.readouterr()
    run("list", "--json")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == list(CATALOGUE)
    assert [row["name"] for row in rows if row["present"]] == ["tiny-llm"]
    run("list")
    listed = capsys.readouterr().out
    assert all(entry.licence in listed and name in listed for name, entry in CATALOGUE.items())
