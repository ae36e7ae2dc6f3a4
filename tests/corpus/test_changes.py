"""Adding, removing, rebuilding, merging: what changes and what must not."""

from pathlib import Path

import numpy as np
import pytest

from irag.corpus import Indexer, create, delete, list_corpora, open_corpus
from irag.corpus import indexer as indexer_module
from irag.errors import CorpusError, UserError
from irag.types import document_id
from tests.corpus.fakes import TOWNS, Desk, SentenceExtractor, WordEmbedder, lines


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path / "home")
    made.add(made.file("towns.jsonl", lines(*TOWNS)))
    return made


def test_a_wrong_count_of_vectors_stores_nothing(tmp_path):  # FR-168
    class Short(WordEmbedder):
        def _rows(self, texts):
            return super()._rows(texts)[1:]

    desk = Desk(tmp_path / "home", Short())
    with pytest.raises(Exception, match=r"shape \(4, 64\) for 5 texts"):
        desk.add(desk.file("towns.jsonl", lines(*TOWNS)))
    assert desk.indexer.pending() == 5
    desk.embedder = WordEmbedder()
    assert desk.add().documents == 5


def test_another_embedder_is_refused_by_name_and_dimension(desk):  # FR-160, FR-172
    other = WordEmbedder(16, "words with prefixes")
    expected = r"words \(64\).*words with prefixes \(16\).*rebuild"
    with pytest.raises(CorpusError, match=expected):
        open_corpus(desk.home, desk.name, other)
    with pytest.raises(CorpusError, match=expected):
        Indexer(desk.home, desk.name, other, desk.extractor).add([])
    assert desk.titles("who founded Osk")[0] == "Osk"
    Indexer(desk.home, desk.name, other, desk.extractor).rebuild()
    desk.embedder = other
    assert desk.open().document_count == 5
    assert desk.titles("who founded Osk", k=5, by="bm25")[0] == "Osk"


def test_rebuilding_embeds_again_and_extracts_nothing(desk):
    before = desk.open()
    seen, triples = len(desk.extractor.seen), before.triples_of([document_id(*TOWNS[0])])
    desk.indexer.rebuild()
    after = desk.open()
    assert len(desk.extractor.seen) == seen
    assert after.triples_of([document_id(*TOWNS[0])]) == triples
    assert [file.passages for file in after.sources()] == [5]
    assert after.sources() == before.sources()
    assert after.documents([document_id(*TOWNS[0])]) == before.documents([document_id(*TOWNS[0])])


def test_the_key_changes_with_what_is_in_the_corpus_and_only_then(desk):  # FR-154, FR-156
    first = desk.open().key
    desk.add(desk.file("same.jsonl", lines(*TOWNS)))
    assert desk.open().key == first  # the same bytes: nothing was added
    desk.add(desk.file("more.jsonl", lines(("Eva Marl", "Eva Marl studied law."))))
    second = desk.open().key
    desk.indexer.remove([document_id("Eva Marl", "Eva Marl studied law.")])
    assert len({first, second, desk.open().key}) == 3


def test_adding_ten_to_many_embeds_ten(tmp_path):
    desk = Desk(tmp_path / "home")
    desk.add(desk.file("a.jsonl", lines(*((f"T{n}", f"Town number {n}.") for n in range(300)))))
    desk.embedder.passages.clear()
    desk.extractor.seen.clear()
    desk.add(desk.file("b.jsonl", lines(*((f"N{n}", f"New town {n}.") for n in range(10)))))
    assert sum(text.startswith("N") and ". " in text for text in desk.embedder.passages) == 10
    assert len(desk.embedder.passages) == 30  # 10 documents, 10 sentences, 10 triples
    assert len(desk.extractor.seen) == 10
    assert desk.titles("town number 7") and desk.titles("New town 7")[0] == "N7"


def test_adding_the_same_file_again_is_said_and_costs_nothing(desk):  # FR-074, FR-142
    calls = len(desk.embedder.passages), len(desk.extractor.seen)
    again = desk.file("copy.jsonl", lines(*TOWNS))
    report = desk.add(desk.file("towns.jsonl", lines(*TOWNS)), again)
    assert (report.added, report.documents) == (0, 5)
    assert "copy.jsonl: the same content as towns.jsonl" in report.notices[1]
    assert (len(desk.embedder.passages), len(desk.extractor.seen)) == calls


def test_a_passage_of_two_files_goes_when_the_second_file_goes(desk):  # FR-138, FR-147
    shared = ("Osk", "Osk lies on the Tem. Ana Kor founded Osk in 1204.")
    report = desk.add(desk.file("b.jsonl", lines(shared, ("Extra", "Extra is new."))))
    assert (report.added, report.duplicates) == (1, 1)
    assert desk.indexer.remove(source="towns.jsonl").removed == 4
    assert desk.titles("Osk founded", by="bm25") == ["Osk"]
    assert desk.open().triples_of([document_id(*shared)])[0]
    desk.indexer.remove(source="b.jsonl")
    corpus = desk.open()
    assert (corpus.document_count, corpus.triple_count) == (0, 0)
    assert corpus.triples_of([document_id(*shared)]) == [()]
    with pytest.raises(CorpusError, match="No file 'b.jsonl'"):
        desk.indexer.remove(source="b.jsonl")


def test_a_document_added_again_after_removal_is_found_once(desk):  # FR-080
    gone = document_id(*TOWNS[0])
    desk.indexer.remove([gone])
    assert "Osk" not in desk.titles("who founded Osk")
    desk.add(desk.file("osk.jsonl", lines(TOWNS[0])))
    assert desk.titles("who founded Osk").count("Osk") == 1
    assert len(desk.open().triples_of([gone])[0]) == 2


def test_ids_are_the_same_whatever_the_order_and_titles_stay_apart(tmp_path):  # FR-077, FR-078
    rows = [
        (t, "One text.") for t in ("C++", "C#", "C", "Osk/Marl", "Osk-Marl", "Mercury", "mercury")
    ]
    desks = [Desk(tmp_path / n / "home") for n in ("one", "two")]
    for desk, order in zip(desks, (rows, rows[::-1]), strict=True):
        assert desk.add(desk.file("a.jsonl", lines(*order))).added == 7
    ids = [{d.id for d in desk.open().browse().documents} for desk in desks]
    assert ids[0] == ids[1] and len(ids[0]) == 7


def test_many_small_additions_are_merged_and_nothing_moves(desk):
    one_by_one = [(f"Place {n}", f"Place {n} is home to {n} swans.") for n in range(12)]
    desk.indexer.remove([document_id(*TOWNS[3])])
    for n, row in enumerate(one_by_one):
        desk.add(desk.file(f"p{n}.jsonl", lines(row)))
    corpus = desk.open()
    assert len(corpus._segments) <= indexer_module.MAX_SEGMENTS
    assert corpus.document_count == 16
    together = Desk(desk.home.parent / "at once" / "home", desk.embedder)
    kept = [row for row in TOWNS if row[0] != "Marl"]
    together.add(together.file("all.jsonl", lines(*kept, *one_by_one)))
    whole = together.open()
    for by in ("dense", "bm25", "fused"):
        assert corpus.search(["place of 7 swans"], 16, by) == whole.search(
            ["place of 7 swans"], 16, by
        )
    for row in (*kept, *one_by_one):
        name = [document_id(*row)]
        triples = whole.triples_of(name)
        assert corpus.triples_of(name) == triples
        np.testing.assert_array_equal(corpus.vectors(triples[0]), whole.vectors(triples[0]))


def test_extraction_that_fails_is_told_apart_from_no_triples(tmp_path):  # FR-007, FR-054
    desk = Desk(tmp_path / "home", extractor=SentenceExtractor(fails="prose"))
    report = desk.add(desk.file("a.jsonl", lines(("A", "prose here now."), ("B", "###"))))
    assert report.failures == [("A", "no triples: the reply was prose")]
    assert report.documents == 2
    assert desk.titles("prose here")[0] == "A"


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/passwd", "..\\x", "a\0b", "CON", ".", "", "x" * 61, "-a"]
)
def test_a_name_that_could_be_a_path_or_device_is_refused(tmp_path, name):  # FR-087
    with pytest.raises(UserError, match="cannot be the name of a corpus"):
        create(tmp_path / "home", name)
    with pytest.raises(UserError):
        delete(tmp_path / "home", name)
    assert list(tmp_path.iterdir()) == []


def test_deleting_a_corpus_and_making_it_again_starts_from_nothing(desk):
    delete(desk.home, desk.name)
    assert list_corpora(desk.home) == []
    desk.add(desk.file("b.jsonl", lines(TOWNS[4])))
    assert desk.open().document_count == 1


def test_rebuilding_extracts_again_only_what_failed_or_is_stale(tmp_path):  # FR-007
    desk = Desk(tmp_path / "home", extractor=SentenceExtractor(fails="prose"))
    desk.add(desk.file("a.jsonl", lines(("A", "prose here now."), *TOWNS)))
    desk.extractor = SentenceExtractor()
    assert not desk.indexer.rebuild().failures
    assert desk.extractor.seen == [document_id("A", "prose here now.")]
    assert desk.open().triple_count == 11 and not desk.open().failures()
    desk.extractor.name = "spacy:sentences-2"
    desk.indexer.rebuild()
    assert len(desk.extractor.seen) == 7 and desk.open().triple_count == 11
