"""python -m irag labels ...: the whole way without a browser."""

from __future__ import annotations

import json

import pytest

from irag.cli import main
from irag.labels import Labels
from irag.labels.acts import Seat
from irag.labels.desk import new_event_id
from irag.settings import load
from irag.store import RunStore, open_database
from tests.labels.making import label_all, trace


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def labels(home):
    database = open_database(load({"home": str(home)}).database_url)
    for number, method in enumerate(
        ("kirag:max_hops=2,reader=none", "kirag:max_hops=1,reader=none")
    ):
        RunStore(database).save(f"r{number}", trace(method=method), "none")
    return Labels(database)


@pytest.fixture
def irag(home, capsys):
    def run(*words):
        code = main(["--home", str(home), "labels", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_from_runs_to_qrels_and_into_a_second_project(irag, labels, tmp_path):
    code, out, _ = irag("project", "First", "--runs", "r0", "r1", "--overlap", "1", "--json")
    made = json.loads(out)
    assert code == 0 and made["items"] > 5
    shown = json.loads(irag("next", "First", "--json")[1])
    answer = ("--item", shown["id"], "--token", shown["token"], "--grade", "3", "--note", "sure")
    code, out, _ = irag("next", "First", *answer, "--json")
    second = json.loads(out)
    assert code == 0 and second["id"] != shown["id"]
    assert irag("next", "First", *answer)[0] == 2  # the ticket was used
    back = json.loads(irag("next", "First", "--undo", "--json")[1])
    assert (back["id"], back["note"]) == (shown["id"], "sure")
    label_all(labels, Seat("local", "you", "owner"), made["project"], [3, 0])
    assert "All is judged." in irag("next", "First")[1]
    path = tmp_path / "out.qrels"
    code, out, err = irag("export", "First", "qrels_triples", "--out", str(path))
    assert code == 0 and "left out: nothing" in err and path.read_text("utf-8")
    assert irag("project", "Second", "--runs", "r0")[0] == 0
    code, out, err = irag("import", str(path), "qrels_triples", "--project", "Second")
    assert code == 0 and "0 refused" in out
    assert "Second" in irag("project")[1]


def test_agreement_is_reported_with_the_methods(irag, labels):
    irag("project", "P", "--runs", "r0", "r1")
    made = labels.projects.get("P")
    for seat in ("ana", "bo"):
        label_all(labels, Seat(seat, seat, "annotator"), made.id, lambda item: 3 * (item.place % 2))
    code, out, _ = irag("agreement", "P")
    assert code == 0 and "| Krippendorff's alpha, ordinal | 1.000 |" in out
    assert "kirag:max_hops=1,reader=none: P@5" in out
    told = json.loads(irag("agreement", "P", "--json")[1])
    assert told["headline"]["value"] == 1.0 and len(told["methods"]) == 2


def test_a_question_set_takes_its_runs_and_names_what_has_none(irag, labels, tmp_path):
    from tests.fakes import QUESTION

    path = tmp_path / "questions.jsonl"
    rows = [{"id": "one", "question": QUESTION}, {"id": "two", "question": "Where is Osk?"}]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    method = "kirag:max_hops=1,reader=none"
    code, out, err = irag("project", "Set", "--questions", str(path), "--methods", method)
    assert code == 1 and "two: no run of kirag" in err
    assert {item.question_id for item in labels.projects.items("Set")} == {"one"}


def test_what_cannot_be_done_is_said_on_one_line(irag, labels, tmp_path):
    irag("project", "P", "--runs", "r0")
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\n", "utf-8")
    for words, code in (
        (("project", "P", "--runs", "nope"), 2),
        (("next", "Nowhere"), 2),
        (("next", "P", "--grade", "3"), 2),
        (("next", "P", "--undo"), 2),
        (("export", "Nowhere", "events"), 2),
        (("import", str(tmp_path / "none"), "events"), 2),
        (("import", str(bad), "csv_long", "--project", "P"), 1),
    ):
        found, out, err = irag(*words)
        assert found == code and len(err.splitlines()) == 1, words


def test_accounts_are_made_and_sign_in_by_the_pin_of_the_environment(irag, labels, monkeypatch):
    monkeypatch.setattr("getpass.getpass", lambda prompt: "pin-of-ada")
    assert irag("annotators", "Ada", "--role", "owner")[0] == 0
    code, out, _ = irag("annotators", "Bo", "--as", "Ada", "--link")
    token = out.partition("key=")[2].strip()
    assert code == 0 and labels.seats.enter_link(token).name == "Bo"
    irag("project", "P", "--runs", "r0")
    assert irag("next", "P")[0] == 2
    monkeypatch.setenv("IRAG_LABEL_PIN", "pin-of-ada")
    assert irag("next", "P", "--as", "Ada")[0] == 0
    monkeypatch.setenv("IRAG_LABEL_PIN", "wrong")
    assert irag("next", "P", "--as", "Ada")[0] == 2
    assert new_event_id() != new_event_id()
