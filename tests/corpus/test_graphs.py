"""The graphs a corpus keeps: over sentences and over entities, through every change."""

import numpy as np
import pytest

from irag.types import Sentence
from tests.corpus.fakes import Desk, lines

FACTS = (
    ("Osk", "Osk borders Tem. Osk lies inland."),
    ("Tem", "Tem crosses Marl. Tem freezes often."),
    ("Marl", "Marl neighbours Osk. Marl has schools."),
    ("Jon Pell", "Pell throws pots. Pell admires Osk."),
    ("Pell (town)", "Quiet streets cross hills."),
)


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path / "home")
    made.add(made.file("facts.jsonl", lines(*FACTS)))
    return made


def sentence(corpus, title, number):
    return Sentence(corpus.documents(corpus.resolve(title))[0], number)


def reached(corpus, *given, edges=("entity", "adjacent")):
    found = corpus.neighbours([given], edges)[0]
    return {(n.sentence.title, n.sentence.number, n.edge) for n in found}


def test_sentences_are_joined_by_shared_names_and_by_their_place(desk):
    corpus = desk.open()
    first = sentence(corpus, "Osk", 0)
    near = reached(corpus, first)
    assert ("Osk", 1, "adjacent") in near
    assert {("Tem", 0, "entity"), ("Marl", 0, "entity")} <= near
    assert first.id not in {n.sentence.id for n in corpus.neighbours([[first]], ("entity",))[0]}
    assert reached(corpus, first, edges=("adjacent",)) == {("Osk", 1, "adjacent")}


def test_a_removed_document_is_reached_by_no_edge(desk):
    first = sentence(desk.open(), "Osk", 0)
    desk.open().neighbours([[first]], ("entity",))
    desk.indexer.remove(desk.open().resolve("Tem"))
    corpus = desk.open()
    edges = ("entity", "similar", "adjacent")
    assert "Tem" not in {title for title, _, _ in reached(corpus, first, edges=edges)}
    assert corpus.match_entities([["freezes"]]) == [()]


def test_added_documents_join_the_graphs(desk):
    desk.add(desk.file("more.jsonl", lines(("Kor", "Kor visited Osk. Kor painted."))))
    corpus = desk.open()
    assert ("Kor", 0, "entity") in reached(corpus, sentence(corpus, "Osk", 1))


def test_graphs_are_stored_and_a_damaged_one_is_made_again(desk):
    before = desk.open().match_entities([["Osk"]])[0][0]
    stored = sorted((desk.folder / "graphs").glob("*.entities.npz"))
    assert len(stored) == 1
    stored[0].write_bytes(b"not an archive")
    assert desk.open().match_entities([["Osk"]])[0][0] == before
    assert len(stored[0].read_bytes()) > 100
    desk.add(desk.file("more.jsonl", lines(("Kor", "Kor visited Osk."))))
    desk.open().match_entities([["Osk"]])
    assert len(sorted((desk.folder / "graphs").glob("*.entities.npz"))) == 1


def test_entities_are_found_by_name_meaning_and_relation(desk):
    corpus = desk.open()
    (osk,) = corpus.match_entities([["osk"]])[0]
    assert osk.name == "Osk" and {t.document for t in osk.triples} >= {osk.triples[0].document}
    assert all("Osk" in (t.head, t.tail) for t in osk.triples) and len(osk.triples) == 4
    hits = corpus.search_entities(["Pell throws pots"], 2, "entity")[0]
    assert hits[0].unit.name in ("Pell", "pots")
    near = corpus.near_entities(["Tem borders"], [[osk.id]], 10, -1.0)[0]
    assert {"Tem", "Marl", "Pell"} <= {one.unit.name for one in near}
    assert near == tuple(sorted(near, key=lambda one: (-one.score, one.unit.id)))
    assert corpus.near_entities(["Tem borders"], [["unknown"]], 10, -1.0) == [()]


def test_a_name_in_brackets_is_meant_by_the_bare_one_unless_that_exists(tmp_path):
    desk = Desk(tmp_path / "home")
    rows = lines(
        ("a", "Boston(band) records often."), ("b", "Paris(film) opened slowly. Paris hosts fairs.")
    )
    desk.add(desk.file("a.jsonl", rows))
    corpus = desk.open()
    assert [e.name for e in corpus.match_entities([["Paris"]])[0]] == ["Paris"]


def test_communities_hold_the_triples_among_their_members(desk):
    (first, *_) = desk.open().search_entities(["Osk borders Tem"], 3, "community")[0]
    members = set(first.unit.members)
    assert "Tem" in members and len(members) > 1
    assert all(t.head in members or t.tail in members for t in first.unit.triples)


def test_sentences_are_found_by_meaning_and_deleted_ones_are_not(desk):
    corpus = desk.open()
    best = corpus.search_sentences(["Tem freezes often"], 3)[0]
    assert best[0].unit == sentence(corpus, "Tem", 1) and len(best) == 3
    desk.indexer.remove(corpus.resolve("Tem"))
    assert "Tem" not in {
        hit.unit.title for hit in desk.open().search_sentences(["Tem freezes"], 9)[0]
    }


def test_units_of_each_kind_are_ranked_by_their_stored_vectors(desk):
    corpus = desk.open()
    documents = corpus.documents([corpus.resolve(title)[0] for title, _ in FACTS])
    asked = len(desk.embedder.passages)
    ranked = corpus.rank(["pots and Pell"], [documents], 2)[0]
    sentences = [Sentence(d, n) for d in documents for n in range(len(d.sentences))]
    found = corpus.rank(["Pell throws pots"], [sentences], 1)[0]
    assert ranked[0].unit.title == "Jon Pell" and found[0].unit.number == 0
    assert len(desk.embedder.passages) == asked  # nothing was embedded again
    np.testing.assert_allclose(np.linalg.norm(corpus.vectors(sentences), axis=1), 1, atol=1e-2)


def test_a_corpus_without_triples_has_empty_graphs(tmp_path):
    desk = Desk(tmp_path / "home")
    desk.add(desk.file("a.txt", "Short words."))
    corpus = desk.open()
    assert corpus.search_entities(["words"], 3, "entity") == [()]
    assert corpus.search_entities(["words"], 3, "community") == [()]
    document = corpus.search(["words"], 1)[0][0].unit
    assert corpus.neighbours([[Sentence(document, 0)]], ("entity", "similar"))[0] == ()
