"""The command line: what it prints, its exit codes, and that every verb explains itself."""

from __future__ import annotations

import json

import pytest

from irag.cli import build_parser, main
from irag.methods import METHODS
from tests.fakes import QUESTION, documents

CHOICE = "kirag:constructor=choose,max_hops=2,documents=4"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with the 12-passage corpus, built by the command line with the real models."""
    folder = tmp_path_factory.mktemp("home")
    rows = [json.dumps({"title": d.title, "text": d.text}) for d in documents()]
    (folder / "mini.jsonl").write_text("\n".join(rows), "utf-8")
    assert main(["--home", str(folder), "corpus", "add", "mini", str(folder / "mini.jsonl")]) == 0
    return folder


@pytest.fixture
def irag(home, capsys, monkeypatch):
    """Runs a command; gives (exit code, stdout, stderr)."""
    monkeypatch.setenv("IRAG_HOME", str(home))
    monkeypatch.delenv("IRAG_LLM", raising=False)

    def run(*arguments):
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_ask_prints_hops_and_the_chain(irag):
    code, out, _ = irag(
        "ask", QUESTION, "--corpus", "mini", "--method", CHOICE, "--llm", "scripted"
    )
    assert code == 0
    assert "(1) " in out and "(2) " in out and "chosen: " in out and "kirag/choose" in out
    assert "stopped: max_hops" in out and "run r" in out


def test_ask_json_has_the_documented_fields_and_the_run_is_saved(irag):
    code, out, _ = irag(
        "ask", QUESTION, "--corpus", "mini", "--llm", "none", "--json",
        "--set", "constructor=none", "--set", "reader=none", "--set", "max_hops=2",
    )  # fmt: skip
    said = json.loads(out)
    assert code == 0 and said["answer"] is None and said["found_in_evidence"] is False
    assert said["hops"] == 2 and said["llm_calls"] == 0 and said["stopped"] == "max_hops"
    assert said["tokens"] == {"prompt": 0, "completion": 0} and said["warnings"] == []
    assert set(said["chain"][0]) == {"head", "relation", "tail", "document", "grounded"}
    assert set(said["evidence"][0]) == {"id", "title", "score"}
    shown = json.loads(irag("runs", "show", said["run_id"])[1])
    assert shown["chain"] == said["chain"]
    again = json.loads(irag("runs", "replay", said["run_id"])[1])
    assert again["chain"] == said["chain"] and again["run_id"] != said["run_id"]
    assert said["run_id"] in irag("runs", "list")[1]
    assert irag("runs", "delete", said["run_id"])[0] == 0
    code, _, err = irag("runs", "show", said["run_id"])
    assert code == 2 and "no run" in err and "runs list" in err


def test_a_failed_run_exits_1_and_says_why(irag):
    code, out, _ = irag("ask", QUESTION, "--corpus", "mini", "--llm", "none")
    assert code == 1 and "needs an LLM" in out and "run r" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "", "--corpus", "mini", "--llm", "none"], "empty"),
        (["ask", "Osk " * 600, "--corpus", "mini", "--llm", "none"], "2,399 characters"),
        (["ask", "Osk?", "--corpus", "nowhere", "--llm", "none"], "nowhere"),
        (["ask", "Osk?", "--corpus", "mini", "--method", "kirg"], "naive_rag"),
        (["ask", "Osk?", "--corpus", "mini", "--method", "kirag:max_hop=3"], "max_hops"),
        (["ask", "Osk?", "--corpus", "mini", "--set", "max_hops=99"], "1 to 10"),
        (["runs", "delete", "r0"], "no run"),
    ],
)
def test_a_users_mistake_is_one_line_and_exit_2(irag, arguments, words):
    code, _, err = irag(*arguments)
    assert code == 2 and words in err and len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_an_unknown_llm_fails_the_run_with_the_known_schemes(irag):
    code, out, _ = irag("ask", "Osk?", "--corpus", "mini", "--llm", "gpt:x")
    assert code in (1, 2)
    assert "llama" in out or code == 2


def test_methods_lists_every_method_with_its_settings(irag):
    code, out, _ = irag("methods", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and [row["name"] for row in rows] == list(METHODS)
    assert all(row["paper"] and row["settings"] for row in rows)


def test_health_names_what_is_missing(irag):
    code, out, _ = irag("health", "--json")
    cards = {card["name"]: card for card in map(json.loads, out.splitlines())}
    assert cards["corpus mini"]["ok"] and cards["database"]["ok"]
    assert code == (0 if all(card["ok"] for card in cards.values()) else 1)


def _parsers(parser, path=()):
    yield path, parser
    for action in parser._actions:
        for name, child in (action.choices or {}).items() if hasattr(action, "add_parser") else ():
            yield from _parsers(child, (*path, name))


def test_every_command_explains_itself(capsys):
    commands = [path for path, _ in _parsers(build_parser())]
    assert ("corpus", "add") in commands and ("models", "pull") in commands
    for path in commands:
        with pytest.raises(SystemExit) as ended:
            main([*path, "--help"])
        assert ended.value.code == 0
        assert "usage: python -m irag" in capsys.readouterr().out
