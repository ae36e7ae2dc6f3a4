"""Stored triples of others in a corpus, and a corpus's triples written out and read again."""

import gzip
import json
from pathlib import Path

import pytest

from irag import workbench
from irag.cli import main
from irag.corpus import opening
from irag.corpus.manifest import Manifest
from irag.llm.scripted import Scripted
from irag.types import document_id
from tests.corpus.fakes import TOWNS, Desk, lines

SHARED = Path(__file__).parents[3] / "shared" / "data" / "hotpotqa"
IDS = [document_id(*row) for row in TOWNS]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    made = Desk(tmp_path / "home")
    monkeypatch.setattr(opening, "open_embedder", lambda settings: made.embedder)
    monkeypatch.setattr(opening, "open_extractor_of", lambda settings: made.extractor)
    made.add(made.file("towns.jsonl", lines(*TOWNS)))
    return made


def run(desk, capsys, *arguments):
    code = main(["--home", str(desk.home), "corpus", *map(str, arguments)])
    told = capsys.readouterr()
    return code, told.out, told.err


def stored(desk, *rows):
    return desk.file("others.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


LIES = {"title": "Osk", "head": "Osk", "relation": "stands on", "tail": "the Tem"}
FOUNDED = {"title": "Osk", "head": "Osk", "relation": "founder", "tail": "Ana Kor", "sentence": 1}


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_what_was_written_out_is_read_again_as_it_was(desk, capsys, tmp_path, name):
    before, path = desk.open().triples_of(IDS), tmp_path / name
    code, out, _ = run(desk, capsys, "export-triples", "osk", path)
    assert code == 0 and "10 triples of osk written" in out
    content = path.read_bytes()
    text = (gzip.decompress(content) if name.endswith("gz") else content).decode()
    assert set(json.loads(text.splitlines()[0])) == {
        "title", "document", "sentence", "head", "relation", "tail",
    }  # fmt: skip
    run(desk, capsys, "rebuild", "osk", "--triples", "none")
    assert desk.open().triple_count == 0
    code, out, _ = run(desk, capsys, "import-triples", "osk", path)
    assert code == 0 and desk.open().triples_of(IDS) == before
    again = tmp_path / "again" / name
    again.parent.mkdir()
    run(desk, capsys, "export-triples", "osk", again)
    assert again.read_bytes() == content


def test_triples_of_others_take_the_place_of_the_corpuss_own_and_all_is_counted(desk, capsys):
    stray = {**LIES, "title": "Nowhere"}
    file = stored(desk, LIES, FOUNDED, stray, {**LIES, "tail": "Rome"}, {**LIES, "head": ""})
    code, out, _ = run(desk, capsys, "import-triples", "osk", file, "--label", "llama3")
    assert code == 0
    assert "others.jsonl: 3 of 4 triples name a passage; 1 of 2 titles are no passage's." in out
    assert "Not read: 1 with an empty part." in out
    assert "Of the corpus's 5 titles, 4 have none of them." in out
    assert "Triples that were not kept: 1 no sentence says it." in out
    assert "Passages of which it says nothing have no triples." in out
    assert Manifest.read(desk.folder).extractor.startswith("imported:llama3@")
    found = desk.open().triples_of(IDS)
    assert [(t.tail, t.source[1]) for t in found[0]] == [("the Tem", 0), ("Ana Kor", 1)]
    assert not any(found[1:])


def test_the_rest_can_come_from_spacy_and_later_passages_go_the_same_way(desk, capsys):
    file = stored(desk, LIES, {**LIES, "title": "New"})
    run(desk, capsys, "import-triples", "osk", file, "--label", "llama3", "--rest", "spacy")
    found = desk.open().triples_of(IDS)
    assert [len(some) for some in found] == [1, 2, 2, 2, 2]
    new = ("New", "Osk stands on the Tem. New is new there.")
    assert run(desk, capsys, "add", "osk", desk.file("new.jsonl", lines(new)))[0] == 0
    (triples,) = desk.open().triples_of([document_id(*new)])
    assert [t.relation for t in triples] == ["stands on"]
    _, out, _ = run(desk, capsys, "show", "osk", "--json")
    assert json.loads(out)["extractor"].startswith("imported:llama3@")


def test_a_file_that_names_no_passage_changes_nothing(desk, capsys):
    key = desk.open().key
    file = stored(desk, {**LIES, "title": "Nowhere"})
    code, _, err = run(desk, capsys, "import-triples", "osk", file)
    assert code == 2 and "none names a passage of osk" in err
    code, _, err = run(desk, capsys, "import-triples", "osk", file, "--label", "../x")
    assert code == 2 and "cannot name imported triples" in err
    assert desk.open().key == key


def test_an_llm_is_chosen_by_its_spec_and_remembered(desk, capsys, monkeypatch):
    reply = json.dumps({"triples": [["Osk", "lies on", "Tem"]]})
    llm = Scripted(lambda request: reply if "Title: Osk\n" in request.messages[-1].text else "no")
    monkeypatch.setattr(workbench, "open_llm", lambda spec, settings: llm)
    code, out, _ = run(desk, capsys, "rebuild", "osk", "--triples", "llm:scripted")
    assert code == 1 and "4 problems" in out
    _, out, _ = run(desk, capsys, "show", "osk")
    assert "triples by llm:scripted+prompt-" in out and "corpus retry osk" in out
    asked = len(llm.history)
    code, out, _ = run(desk, capsys, "retry", "osk")
    assert code == 1 and len(llm.history) == asked + 8
    _, out, _ = run(desk, capsys, "show", "osk", "--json")
    failed = json.loads(out)["failed_extractions"]
    assert [one["title"] for one in failed] == [title for title, _ in TOWNS[1:]]
    assert failed[0]["reply"] == "no"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("nonsense", "Unknown source of triples 'nonsense'. Known: imported:LABEL, llm"),
        ("llm:none", "No language model is there"),
        ("llm:nonsense:x", "Unknown LLM"),
        ("imported:never", "were never imported into osk"),
    ],
)
def test_a_source_that_cannot_be_is_a_users_error(desk, capsys, source, said):
    code, _, err = run(desk, capsys, "rebuild", "osk", "--triples", source)
    assert code == 2 and said in err and err.count("\n") == 1


def test_hotpotqa_is_indexed_with_the_stored_llama_triples(tmp_path, monkeypatch, capsys):
    if not SHARED.is_dir():
        pytest.skip("the shared question sets are not here")
    with gzip.open(SHARED / "corpus.jsonl.gz", "rt", encoding="utf-8") as all_lines:
        some = [line for line, _ in zip(all_lines, range(300), strict=False)]
    desk = Desk(tmp_path / "home", name="hotpot")
    monkeypatch.setattr(opening, "open_embedder", lambda settings: desk.embedder)
    file = desk.file("h.jsonl", "".join(some))
    assert run(desk, capsys, "add", "hotpot", file, "--triples", "none")[0] == 0
    path = SHARED / "kg2rag_triples_llama3-8b.jsonl.gz"
    code, out, _ = run(desk, capsys, "import-triples", "hotpot", path, "--label", "llama3")
    assert code == 0 and "triples had stray mark-up, which was taken off." in out
    corpus = desk.open()
    ids = [document.id for document in corpus.browse(limit=300).documents]
    triples = [t for some in corpus.triples_of(ids) for t in some]
    assert corpus.document_count == 300 and len(triples) > 1_000
    assert all(t.source is not None for t in triples)
