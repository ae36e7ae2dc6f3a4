"""irag runs, models and settings from the command line: what they print, write and refuse."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from irag.cli import main
from irag.settings import load
from irag.store import RunStore, open_database
from irag.views.csv_text import read_csv
from tests.views import traces

SERVER = "openai:http://127.0.0.1:9/v1#llama3"


@pytest.fixture
def irag(tmp_path, capsys, monkeypatch):
    """Runs a command; gives (exit code, stdout, stderr)."""
    monkeypatch.setenv("IRAG_MODELS", str(tmp_path / "models"))
    for name in ("IRAG_HOME", "IRAG_LLM", "IRAG_WINDOW"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments):
        code = main(["--home", str(tmp_path), *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def runs(tmp_path):
    store = RunStore(open_database(load({"home": str(tmp_path)}).database_url))
    for number, text in enumerate(["Where is Osk?", "=1+1 in Osk?", "谁画了静港？"]):
        trace = traces.trace_of(asked=traces.question(text))
        at = f"2026-11-30T10:0{number}:00+00:00"
        store.save(f"r{number}", replace(trace, started_at=at), "scripted")
    store.save("bad", replace(traces.trace_of(), stopped="failed", answer=None, method="naive_rag"), "none")  # fmt: skip
    return store


def test_runs_are_listed_with_the_pages_filters(irag, runs):
    code, out, err = irag("runs", "list", "--limit", "1", "--text", "osk", "--json")
    assert code == 0 and json.loads(out)["run_id"] == "r1" and "1 of 2 runs" in err
    assert "r0" in irag("runs", "list", "--limit", "1", "--offset", "1", "--text", "osk")[1]
    assert irag("runs", "list", "--stopped", "failed")[1].startswith("bad ")
    assert "No run fits" in irag("runs", "list", "--corpus", "other")[1]
    heads, rows = read_csv(irag("runs", "list", "--csv", "--method", "kirag")[1])  # FR-088
    assert [row[heads.index("question")] for row in rows][1] == "=1+1 in Osk?" and len(rows) == 3


def test_a_run_is_shared_as_one_file(irag, runs, tmp_path):
    out = tmp_path / "run.html"
    code, said, _ = irag("runs", "share", "r2", "--out", str(out))
    assert code == 0 and said.strip() == str(out) and "谁画了静港？" in out.read_text("utf-8")
    assert irag("runs", "share", "gone", "--out", str(out))[0] == 2
    code, _, err = irag("runs", "share", "r2", "--out", str(tmp_path / "no" / "x.html"))
    assert code == 2 and "--out" in err


def test_several_runs_are_deleted_and_missing_ones_named(irag, runs):
    code, _, err = irag("runs", "delete", "r0", "gone", "r1")
    assert code == 2 and "'gone'" in err and "r0" not in err
    assert {card.run_id for card in runs.cards()} == {"r2", "bad"}


def test_settings_are_shown_set_and_unset(irag, monkeypatch):
    assert "window = 4096  [default]" in irag("settings")[1]
    assert "window = 512  [settings.toml]" in irag("settings", "set", "window", "512")[1]
    rows = [json.loads(line) for line in irag("settings", "show", "--json")[1].splitlines()]
    assert {"name": "window", "value": "512", "source": "settings.toml"}.items() <= next(
        row for row in rows if row["name"] == "window"
    ).items()
    monkeypatch.setenv("IRAG_WINDOW", "99")
    assert "IRAG_WINDOW goes before" in irag("settings", "set", "window", "600")[1]
    monkeypatch.delenv("IRAG_WINDOW")
    assert "4096" in irag("settings", "unset", "window")[1]
    assert irag("settings", "set", "llm", "gpt:x")[0] == 2
    code, _, err = irag("settings", "set", "windw", "1")
    assert code == 2 and "Known:" in err


def test_a_file_with_an_unknown_key_can_be_mended(irag, tmp_path):
    (tmp_path / "settings.toml").write_text("windw = 3\n")
    assert irag("settings")[0] == 2
    assert irag("settings", "unset", "windw")[0] == 0 and irag("settings")[0] == 0


def test_an_llm_is_added_tried_and_removed(irag):
    assert irag("models", "add", SERVER)[0] == 0
    assert f"LLM {SERVER}" in irag("health")[1]
    code, _, err = irag("models", "test", SERVER)
    assert code == 1 and "Nothing answers" in err
    assert "off the list" in irag("models", "remove", SERVER)[1]
    code, out, _ = irag("models", "test", "scripted", "--json")
    trial = json.loads(out)
    assert code == 0 and trial["reply"] == "A" and all(one["shown"] for one in trial["abilities"])
    assert "schema    works" in irag("models", "test", "scripted")[1]


def test_a_key_in_a_spec_is_refused_without_repeating_it(irag, tmp_path):
    code, out, err = irag("models", "add", f"{SERVER}@sk-abcdefghijklmnop")
    assert code == 2 and "NAME" in err and "abcdefgh" not in out + err
    assert not (tmp_path / "settings.toml").exists()


def test_a_models_files_are_removed_and_the_megabytes_said(irag, tmp_path):
    file = tmp_path / "models" / "smollm2-135m" / "x.gguf"
    file.parent.mkdir(parents=True)
    file.write_bytes(bytes(3_000_000))
    assert "3 MB freed" in irag("models", "remove", "smollm2-135m")[1] and not file.exists()
    assert irag("models", "remove", "smollm2-135m")[0] == 2
    assert "Known" in irag("models", "remove", "smollm")[2]
