"""Stored triples of others: their forms, their stray mark-up, their sentences."""

import gzip
import json
from pathlib import Path

import pytest

from irag.errors import UserError
from irag.text import sentences
from irag.triples import NoTriples, source_of
from irag.triples.foreign import Foreign, read_foreign, to_line
from irag.triples.imported import Imported
from irag.types import Document, document_id

SHARED = Path(__file__).parents[3] / "shared" / "data"
OSK = ("Osk", "Osk lies on the Tem. Ana Kor founded it in 1204. It is the capital of Veldland.")


def document(title, text):
    return Document(document_id(title, text), title, text, sentences(text))


def written(path, *rows):
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def row(head, relation, tail, **place):
    return {"title": "Osk", **place, "head": head, "relation": relation, "tail": tail}


def imported(path, *documents):
    return list(Imported("others", path, NoTriples()).extract(documents))


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_our_own_form_is_read_as_it_was_written(tmp_path, name):
    records = [
        Foreign(("Osk", "lies on", "Tem"), "Osk", "d1", 0),
        Foreign(("C < D", "is", "> text"), "Osk"),
        Foreign(("Osk", "founded by", "Ana Kor"), "", "d1"),
        Foreign(
            (r"$\frac{1}{2}\rho v^2$", "a  \u00a0 b", '奥"斯"克\nx'), "Drag law", "d2", 3
        ),  # FR-019
    ]
    path = written(tmp_path / name, *(json.loads(to_line(record)) for record in records))
    reading = read_foreign(path)
    assert reading.records == records and not reading.mended and not reading.lost


def test_triples_by_sentence_are_read_and_stray_mark_up_is_taken_off_or_counted(tmp_path):
    facts = [
        ["* <Osk", "lies on", "Tem"],
        ["triplets:<Osk", "capital of", "Veldland"],
        ["Text>Osk", "founded in", "1204"],
        ["Osk", "near", ">\n(Note: there are only two triplets"],
        ["Osk", "", "Tem"],
    ]
    reading = read_foreign(written(tmp_path / "a.jsonl", {"title": "Osk", "triples": {"1": facts}}))
    assert [record.fact[0] for record in reading.records] == ["Osk"] * 3
    assert {record.sentence for record in reading.records} == {1}
    assert reading.mended == 3
    assert reading.lost == {"with stray mark-up inside": 1, "with an empty part": 1}


def test_open_ie_output_finds_the_passage_by_its_text(tmp_path):
    passage = {"title": OSK[0], "text": OSK[1], "extracted_entities": []}
    facts = [["Osk", "capital of", "Veldland"], ["only", "two"]]
    path = written(tmp_path / "a.jsonl", {**passage, "extracted_triples": facts})
    reading = read_foreign(path)
    assert reading.records[0].document == document_id(*OSK)
    assert reading.lost == {"with an empty part": 1}
    (found,) = imported(path, document(*OSK))
    assert [t.source[1] for t in found.triples] == [2]


def test_triples_of_chunks_find_their_passage_beside_them(tmp_path):
    written(tmp_path / "corpus.jsonl.gz", {"chunk_id": "c1", "source_title": "Osk", "text": OSK[1]})
    triple = {"chunk_id": "c1", "subject": "Osk", "relation": "founded by", "object": "Ana Kor"}
    path = written(tmp_path / "triples.jsonl", triple, {**triple, "chunk_id": "c9"})
    reading = read_foreign(path)
    assert reading.records == [Foreign(("Osk", "founded by", "Ana Kor"), "Osk", document_id(*OSK))]
    assert reading.lost == {"line of another form": 1}


def test_bad_lines_are_counted_and_a_strange_file_is_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    good = json.dumps(row("Osk", "lies on", "Tem"))
    path.write_text(f"{good}\nnot json\n[1]\n" + '{"title": "Osk"}\n')
    assert read_foreign(path).lost == {"line that is no JSON object": 2, "line of another form": 1}
    with pytest.raises(UserError, match="of no known form. Write one triple a line"):
        read_foreign(written(tmp_path / "b.jsonl", {"name": "Osk"}))
    with pytest.raises(UserError, match="holds no triples"):
        read_foreign(written(tmp_path / "c.jsonl"))
    (tmp_path / "d.jsonl.gz").write_bytes(b"not gzip")
    with pytest.raises(UserError, match=r"d\.jsonl\.gz cannot be read"):
        read_foreign(tmp_path / "d.jsonl.gz")
    with pytest.raises(UserError, match="cannot be read"):
        read_foreign(tmp_path / "none.jsonl")


def test_a_sentence_comes_from_the_file_else_from_the_words(tmp_path):
    path = written(
        tmp_path / "a.jsonl",
        row("Osk", "lies on", "Tem", sentence=0),
        row("Osk", "lies on", "the Tem", sentence=2),  # not what sentence 2 says
        row("Osk", "founded by", "Ana Kor"),
        row("Osk", "capital", "Veldland", sentence=77),
        row("Scott Derrickson", "nationality", "America", sentence=0),
        row("Osk", "lies on", "Tem", sentence=0),
    )
    (found,) = imported(path, document(*OSK))
    assert [(t.tail, t.source[1]) for t in found.triples] == [
        ("Tem", 0), ("the Tem", 0), ("Ana Kor", 1), ("Veldland", 2),
    ]  # fmt: skip
    assert dict(found.dropped) == {"no sentence says it": 1, "said twice": 1}


def test_a_document_named_by_id_keeps_its_sentences_whatever_the_words(tmp_path):
    name = document_id(*OSK)
    path = written(tmp_path / "a.jsonl", row("Ana Kor", "built", "town", document=name, sentence=2))
    (found,) = imported(path, document(*OSK))
    assert found.triples[0].source == (name, 2)


def test_titles_meet_whatever_their_entities_case_and_accents(tmp_path):
    path = written(tmp_path / "a.jsonl", row("Osk", "lies on", "Tem", title="&quot;ÓSK&quot;"))
    (found,) = imported(path, document('"Osk"', OSK[1]))
    assert len(found.triples) == 1


def test_passages_of_which_it_says_nothing_go_to_the_rest(tmp_path):
    from tests.corpus.fakes import SentenceExtractor

    path = written(tmp_path / "a.jsonl", row("Osk", "lies on", "Tem"))
    rest = SentenceExtractor()
    made = Imported("others", path, rest)
    found = list(made.extract([document("Marl", "Marl is a mining town."), document(*OSK)]))
    assert [len(one.triples) for one in found] == [1, 1] and len(rest.seen) == 1
    assert source_of(made.name) == "imported:others+spacy"
    written(path, row("Osk", "lies on", "the Tem"))
    assert Imported("others", path, rest).name != made.name


@pytest.mark.parametrize(
    ("name", "least", "mended"),
    [
        ("hotpotqa/kg2rag_triples_llama3-8b.jsonl.gz", 75_000, 1_800),
        ("musique/openie_train_gpt35.jsonl.gz", 17_200, 0),
        ("2wiki/llm_kg_qwen2.5-7b/triples_resolved.jsonl.gz", 6_296, 0),
    ],
)
def test_the_published_files_are_read(name, least, mended):
    if not (SHARED / name).is_file():
        pytest.skip(f"{name} is not on this machine")
    reading = read_foreign(SHARED / name)
    assert len(reading.records) >= least and reading.mended >= mended
    assert not any("<" in part for record in reading.records for part in record.fact)
