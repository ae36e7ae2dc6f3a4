"""Adding, searching, removing: what a corpus promises to methods and to people."""

import threading
from pathlib import Path

import numpy as np
import pytest

from irag.actions import Blend
from irag.corpus import create, list_corpora, open_corpus
from irag.errors import CorpusError, UnknownName
from irag.types import Document, Triple, document_id, triple_id
from tests.corpus.fakes import TOWNS, Desk, TableEmbedder, WordEmbedder, lines


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path / "home")
    made.add(made.file("towns.jsonl", lines(*TOWNS)))
    return made


def test_each_way_of_searching_finds_the_passage_that_says_it(desk):
    for by in ("dense", "bm25", "fused", None):
        assert desk.titles("who founded Osk", by=by)[0] == "Osk"
    with pytest.raises(UnknownName, match="bm25, dense, fused"):
        desk.titles("Osk", by="sparse")


def test_search_is_one_batch_with_the_texts_of_the_next_rank(desk):
    corpus = desk.open()
    corpus.search(["who founded Osk", "a potter"], 3, beside=["a bridge"])
    assert desk.embedder.queries == ["who founded Osk", "a potter", "a bridge"]


def test_excluded_documents_are_not_found_and_k_is_still_filled(desk):
    corpus = desk.open()
    first = corpus.search(["who founded Osk"], 2)[0]
    others = corpus.search(["who founded Osk"], 2, exclude=[first[0].unit.id])[0]
    assert len(others) == 2 and others[0].unit.id == first[1].unit.id


def test_bm25_leaves_out_what_shares_no_word(desk):  # FR-045
    assert desk.titles("potter", by="bm25") == ["Jon Pell"]
    assert desk.titles("zorblax", by="bm25") == []


def test_triples_come_by_sentence_and_ranking_uses_the_stored_vectors(desk):  # FR-031
    corpus = desk.open()
    bridge = document_id(*TOWNS[1])
    (triples,) = corpus.triples_of([bridge])
    assert [t.source for t in triples] == [(bridge, 0), (bridge, 1)]
    embedded = len(desk.embedder.passages)
    opened = corpus.rank(["when was Tem Bridge opened"], [triples], 2)[0]
    designed = corpus.rank(["who designed it"], [triples], 2)[0]
    assert (opened[0].unit, designed[0].unit) == (triples[0], triples[1])
    assert len(desk.embedder.passages) == embedded


def test_a_triple_that_is_not_stored_is_embedded_when_ranked(desk):
    made_up = Triple(triple_id("Osk", "founded by", "Kor", "", 0), "Osk", "founded by", "Kor")
    ranked = desk.open().rank(["Osk founded by Kor"], [[made_up]], 5)[0]
    assert ranked[0].score == pytest.approx(1.0, abs=1e-3)


def test_equal_scores_are_ordered_by_id(tmp_path):
    desk = Desk(tmp_path / "home", TableEmbedder({"": [1.0, 0.0]}))
    desk.add(desk.file("a.jsonl", lines(*((f"T{n}", f"Text {n}.") for n in range(40)))))
    hits = desk.open().search(["anything"], 5)[0]
    every = sorted(document_id(f"T{n}", f"Text {n}.") for n in range(40))
    assert [hit.unit.id for hit in hits] == every[:5]


def test_removing_one_leaves_each_other_document_its_own_vector(tmp_path):  # FR-144
    axes = {f"axis{n} ": np.eye(5)[n] for n in range(5)}
    desk = Desk(tmp_path / "home", TableEmbedder(axes))
    desk.add(desk.file("a.jsonl", lines(*((f"D{n}", f"axis{n} here.") for n in range(5)))))
    desk.indexer.remove([document_id("D2", "axis2 here.")])
    corpus = desk.open()
    for n in (0, 1, 3, 4):
        hit = corpus.search([f"axis{n} "], 1)[0][0]
        assert (hit.unit.title, hit.score) == (f"D{n}", 1.0)
    assert all(hit.score == 0 for hit in corpus.search(["axis2 "], 5)[0])


def test_long_vectors_do_not_win_and_similarity_stays_below_one(tmp_path):  # FR-164
    desk = Desk(tmp_path / "home", TableEmbedder({"wrong": [10, 0], "right": [0.6, 0.8]}))
    desk.add(desk.file("a.jsonl", lines(("A", "wrong."), ("B", "right."))))
    hits = desk.open().search(["right"], 2)[0]
    assert [hit.unit.title for hit in hits] == ["B", "A"]
    assert all(-1 <= hit.score <= 1 for hit in hits)


def test_documents_without_a_usable_vector_are_reported_and_never_ranked(tmp_path):  # FR-166
    bad = {"zeros": [0, 0, 0], "nan": [np.nan, 1, 0], "inf": [np.inf, 0, 0], "fine": [1, 0, 0]}
    desk = Desk(tmp_path / "home", TableEmbedder(bad))
    report = desk.add(
        desk.file("a.jsonl", lines(*((w, f"{w} says.") for w in ("zeros", "nan", "inf", "fine"))))
    )
    assert report.documents == 1
    assert desk.titles("fine", by="dense") == desk.titles("says fine", by="bm25") == ["fine"]
    assert [title for title, _ in desk.open().failures()] == ["zeros", "nan", "inf"]
    assert {title for title, _ in report.failures} == {"zeros", "nan", "inf"}


def test_an_emptied_corpus_finds_nothing_for_any_number_of_queries(desk):  # FR-162
    desk.indexer.remove(source="towns.jsonl")
    corpus = desk.open()
    for count in (1, 19, 20, 64):
        for k in (1, 5):
            assert corpus.search(["Osk"] * count, k) == [()] * count


def test_a_corpus_that_was_never_indexed_says_what_to_do(tmp_path):  # FR-146
    create(tmp_path, "new")
    with pytest.raises(CorpusError, match="not indexed yet.*corpus add new"):
        open_corpus(tmp_path, "new", WordEmbedder())
    with pytest.raises(CorpusError, match="no corpus 'other'. Known: new"):
        open_corpus(tmp_path, "other", WordEmbedder())
    (card,) = list_corpora(tmp_path)
    assert not card.ready and "not indexed yet" in card.note


def test_chinese_is_searched_by_bigrams_and_ranked_by_them(tmp_path):  # FR-045
    desk = Desk(tmp_path / "home")
    rows = [
        ("奥斯克", "奥斯克位于泰姆河。"),
        ("马尔", "马尔是一座矿城。"),
        ("泰姆河", "泰姆河流入海。"),
    ]
    desk.add(desk.file("a.jsonl", lines(*rows)))
    corpus = desk.open()
    assert corpus.language == "zh" and corpus.default_way == "bm25"
    assert desk.titles("哪座矿城", k=1) == ["马尔"]
    assert desk.embedder.queries == []
    made = [
        Triple(f"t{n}", *parts)
        for n, parts in enumerate([("马尔", "是", "矿城"), ("奥斯克", "位于", "泰姆河")])
    ]
    assert corpus.rank(["泰姆河在哪里"], [made], 1)[0][0].unit is made[1]


def test_titles_keys_and_ids_resolve(tmp_path):
    desk = Desk(tmp_path / "home")
    rows = '{"title": "&quot;Q&quot; Is", "text": "A novel.", "id": "n1"}\n{"title": "Osk", "text": "One."}\n{"title": "Osk", "text": "Two."}'
    desk.add(
        desk.file("a.jsonl", rows),
        desk.file("musique/corpus.jsonl", '{"pid": "m01", "title": "Tem", "text": "A river."}'),
    )
    corpus = desk.open()
    novel = (document_id("&quot;Q&quot; Is", "A novel."),)
    assert corpus.resolve("n1") == corpus.resolve('"q" is') == corpus.resolve(novel[0]) == novel
    assert len(corpus.resolve("Osk")) == 2
    assert corpus.resolve("musique:m01") == (document_id("Tem", "A river."),)
    assert corpus.resolve("nothing") == ()


def test_browsing_finds_text_and_treats_wildcards_as_letters(desk):
    corpus = desk.open()
    assert [d.title for d in corpus.browse("bridge").documents] == ["Mira Oduya", "Tem Bridge"]
    assert corpus.browse("%").total == 0
    page = corpus.browse(limit=2, offset=4)
    assert page.total == 5 and len(page.documents) == 1
    assert corpus.browse(source="towns.jsonl").total == 5
    with pytest.raises(CorpusError, match="dNO"):
        corpus.documents(["dNO"])


def test_many_threads_get_what_one_gets(desk):  # FR-158
    corpus = desk.open()
    alone = corpus.search([row[0] for row in TOWNS], 3, "fused")
    results, errors = [], []

    def ask() -> None:
        try:
            results.append(corpus.search([row[0] for row in TOWNS], 3, "fused"))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and results == [alone] * 16


def test_a_blend_is_the_weighted_mean_of_its_parts_vectors(tmp_path):
    desk = Desk(tmp_path / "home")
    desk.embedder = TableEmbedder({"north": (1, 0, 0), "east": (0, 1, 0), "between": (0.6, 0.8, 0)})
    desk.add(desk.file("p.jsonl", lines(("A", "north"), ("B", "east"), ("C", "between"))))
    corpus = desk.open()
    stored = corpus.search(["north"], 1)[0][0].unit
    made_up = Document("", "", "east", ())
    embedded = len(desk.embedder.passages)
    alone, both, mixed = corpus.search(
        ["north", Blend((("north", 1.0), ("east", 1.0))), Blend(((stored, 0.6), (made_up, 0.8)))], 3
    )
    assert [hit.unit.title for hit in alone] == ["A", "C", "B"]
    assert both[0].unit.title == "C" and both[0].score == pytest.approx(0.9899, abs=1e-3)
    assert mixed[0].score == pytest.approx(1.0, abs=1e-3) and mixed[0].unit.title == "C"
    assert desk.embedder.passages[embedded:] == ["east"]


def test_keyword_search_takes_the_words_of_a_blends_parts(desk):
    bridge = Document("", "", "potter", ())
    hits = desk.open().search([Blend((("zorblax", 1.0), (bridge, 1.0)))], 3, by="bm25")[0]
    assert [hit.unit.title for hit in hits] == ["Jon Pell"]
