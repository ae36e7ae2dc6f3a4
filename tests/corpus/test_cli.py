"""The corpus commands: exit codes, JSON, progress on stderr; one run with the real models."""

import json

import pytest

from irag import models
from irag.cli import main
from irag.corpus import opening
from irag.settings import load
from tests.corpus.fakes import TOWNS, Desk, SentenceExtractor, WordEmbedder, lines


@pytest.fixture
def desk(tmp_path, monkeypatch):
    made = Desk(tmp_path / "home")
    monkeypatch.setattr(opening, "open_embedder", lambda settings: made.embedder)
    monkeypatch.setattr(opening, "open_extractor_of", lambda settings: made.extractor)
    return made


def run(desk, capsys, *arguments):
    code = main(["--home", str(desk.home), "corpus", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_adding_listing_showing_and_removing(desk, capsys):
    towns = desk.file("towns.jsonl", lines(*TOWNS))
    code, out, err = run(desk, capsys, "add", "osk", towns)
    assert code == 0 and "5 passages added" in out
    assert "vectors: 5 of 5" in err and "a second" in err
    code, out, _ = run(desk, capsys, "list", "--json")
    (card,) = json.loads(out)
    assert (card["name"], card["documents"], card["ready"]) == ("osk", 5, True)
    _, out, _ = run(desk, capsys, "show", "osk", "--json")
    assert json.loads(out)["files"][0]["name"] == "towns.jsonl"
    code, out, _ = run(desk, capsys, "remove", "osk", "--file", "towns.jsonl")
    assert code == 0 and "5 passages removed; the corpus has 0." in out
    assert run(desk, capsys, "remove", "osk")[0] == 0
    assert "No corpus yet" in run(desk, capsys, "list")[1]


def test_a_failed_file_gives_code_1_and_is_named(desk, capsys):
    good, bad = desk.file("a.txt", "Osk is a town."), desk.file("b.txt", "%PDF-1.7")
    code, out, _ = run(desk, capsys, "add", "osk", good, bad, desk.home / "none.txt")
    assert code == 1
    assert "b.txt: a PDF, not text" in out and "none.txt: there is no such file" in out
    assert desk.open().document_count == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "osk"), "name files to add to osk"),
        (("add", "../x", "a.txt"), "cannot be the name of a corpus"),
        (("add", "osk", "a.txt", "--words", "0"), "0 words is not possible"),
        (("show", "none"), "There is no corpus 'none'"),
        (("remove", "none"), "There is no corpus 'none'"),
        (("rebuild", "none"), "There is no corpus 'none'"),
    ],
)
def test_a_users_error_is_one_line_and_code_2(desk, capsys, arguments, said):
    code, out, err = run(desk, capsys, *arguments)
    assert code == 2 and out == "" and said in err and err.count("\n") == 1


def test_stopping_gives_130_and_the_same_command_goes_on(desk, capsys, monkeypatch):
    import os
    import signal

    class Stops(SentenceExtractor):
        def extract(self, documents, sample=0, cancel=None):
            for number, found in enumerate(super().extract(documents)):
                if number == 2:
                    os.kill(os.getpid(), signal.SIGTERM)
                yield found

    towns = desk.file("towns.jsonl", lines(*TOWNS))
    desk.extractor = Stops()
    assert run(desk, capsys, "add", "osk", towns)[0] == 130
    (card,) = json.loads(run(desk, capsys, "list", "--json")[1])
    assert card["pending"] == 5 and not card["ready"]
    desk.extractor = SentenceExtractor()
    assert run(desk, capsys, "add", "osk")[0] == 0
    assert len(desk.extractor.seen) == 2 and desk.open().document_count == 5


def test_the_real_models_find_the_bridge_and_its_triples(tmp_path, capsys):
    chosen = load()
    for name in (chosen.embedder, chosen.spacy_model):
        if not models.present(name, chosen.models):
            pytest.skip(f"{name} is not on this machine")
    desk = Desk(tmp_path / "home", WordEmbedder())
    code, _, err = run(desk, capsys, "add", "osk", desk.file("t.jsonl", lines(*TOWNS)))
    assert code == 0, err
    desk.embedder = opening.open_embedder(chosen)
    corpus = desk.open()
    hits = corpus.search(["Who drew the plans of the bridge over the Tem?"], 3)[0]
    assert "Tem Bridge" in [hit.unit.title for hit in hits]
    triples = [t for some in corpus.triples_of([hit.unit.id for hit in hits]) for t in some]
    assert {t.head for t in triples} >= {"Tem Bridge"}
    best = corpus.rank(["In which year did Tem Bridge open?"], [triples], 1)[0][0]
    assert "1931" in best.unit.text and best.score > 0.5
