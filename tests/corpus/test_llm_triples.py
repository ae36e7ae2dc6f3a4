"""A corpus whose triples an LLM writes: failures, retries, kills, switches and what it all costs."""

import json

import pytest

from irag.corpus import list_corpora
from irag.corpus.browsing import Browsing
from irag.corpus.database import open_engine
from irag.corpus.manifest import Manifest
from irag.corpus.rows import Rows
from irag.errors import AuthenticationFailed, UserError
from irag.llm.scripted import Scripted
from irag.triples import NoTriples
from irag.triples.llm import LLMExtractor
from irag.triples.stored import Stored
from irag.types import document_id
from tests.corpus.fakes import TOWNS, Desk, SentenceExtractor, lines

ROWS = [(f"Town {n}", f"Town {n} lies in Veldland. It has {n} swans.") for n in range(1, 11)]


def answer(request):
    """One true triple for the passage that is asked about."""
    title = request.messages[-1].text.split("Title: ")[1].split("\n")[0]
    return json.dumps({"triples": [[title, "lies in", "Veldland"]]})


def replying(bad):
    """An LLM that answers, but for some titles gives what `bad` says."""

    def reply(request):
        text = request.messages[-1].text
        return next((said for title, said in bad.items() if f"{title}\n" in text), answer(request))

    return Scripted(reply)


def desk_of(tmp_path, llm, rows=ROWS):
    desk = Desk(tmp_path / "home", extractor=LLMExtractor(llm))
    return desk, desk.add(desk.file("a.jsonl", lines(*rows)))


def rows_of(desk):
    return Rows(open_engine(desk.folder), Manifest.read(desk.folder).generation)


def test_a_failed_document_is_listed_with_its_reply_and_retried_alone(tmp_path):  # FR-007
    prose = "I am not able to do that."
    desk, report = desk_of(tmp_path, replying({"Town 7": prose, "Town 8": '{"triples": []}'}))
    assert report.failures == [("Town 7", "no triples: the reply holds no triples")]
    (failed,) = rows_of(desk).failed()
    assert (failed.title, failed.reply) == ("Town 7", prose)
    (card,) = list_corpora(desk.home)
    assert (card.documents, card.failed) == (10, 1) and "corpus retry osk" in card.note
    assert card.ready and card.triples == 8

    llm = replying({})
    desk.extractor = LLMExtractor(llm)
    report = desk.indexer.retry_failed()
    assert not report.failures and len(llm.history) == 1
    assert llm.history[0].sample > 0 < llm.history[0].temperature
    (card,) = list_corpora(desk.home)
    assert (card.documents, card.triples, card.failed) == (10, 9, 0)
    assert desk.titles("Town 7 swans", 1) == ["Town 7"]
    assert len(desk.titles("Town", 50)) == 10
    desk.indexer.retry_failed()
    assert len(llm.history) == 1


def test_a_retry_that_fails_again_asks_anew_the_next_time(tmp_path):
    desk, _ = desk_of(tmp_path, replying({"Town 7": "no"}))
    asked = set()
    for _ in range(3):
        llm = replying({"Town 7": "no"})
        desk.extractor = LLMExtractor(llm)
        assert len(desk.indexer.retry_failed().failures) == 1
        asked |= {request.sample for request in llm.history}
    assert len(asked) == 6 and 0 not in asked
    assert desk.open().document_count == 10


def test_an_empty_reply_is_a_partial_success(tmp_path):  # FR-005
    desk, report = desk_of(tmp_path, replying({"Town 2": "", "Town 3": "   \n"}), ROWS[:4])
    reasons = [("Town 2", "no triples: empty model reply")]
    assert [report.failures[0]] == reasons and len(report.failures) == 2
    assert (report.documents, report.triples) == (4, 2)


def test_no_triples_is_no_warning(tmp_path):  # FR-008
    desk, report = desk_of(tmp_path, Scripted(['{"triples": []}']), [("A", "###")])
    assert not report.failures and not report.notices
    assert list_corpora(desk.home)[0].note == ""


def test_a_cut_reply_keeps_its_triples_and_can_be_retried(tmp_path):  # FR-009
    cut = '[["Town 1","lies in","Veldland"],["Town 1","has","1 swans"],["Town'
    desk, report = desk_of(tmp_path, replying({"Town 1": cut}), ROWS[:2])
    assert "cut at the token limit" in report.failures[0][1]
    assert len(desk.open().triples_of([document_id(*ROWS[0])])[0]) == 2
    assert [one.title for one in rows_of(desk).failed()] == ["Town 1"]


def test_what_was_dropped_is_said_in_the_report(tmp_path):  # FR-021
    reply = json.dumps(
        {"triples": [["Town 1", "lies in", "Veldland"], ["Town 1", "near", "Rome"], 7]}
    )
    desk, report = desk_of(tmp_path, Scripted([reply]), ROWS[:1])
    said = "Triples that were not kept: 1 not in the passage, 1 not three texts."
    assert report.notices == [said] and dict(rows_of(desk).dropped())["not three texts"] == 1


def test_every_triple_can_be_shown_in_its_sentence(tmp_path):
    desk, _ = desk_of(tmp_path, replying({}))
    shown = Browsing.of(desk.home, desk.name).triples(limit=50).rows
    assert len(shown) == 10
    assert all(one.triple.head in one.text and "Veldland" in one.text for one in shown)


def test_a_refused_key_stops_at_once_and_indexes_nothing(tmp_path):  # FR-176
    llm = Scripted(lambda request: AuthenticationFailed("authentication failed"))
    desk = Desk(tmp_path / "home", extractor=LLMExtractor(llm))
    with pytest.raises(AuthenticationFailed):
        desk.add(desk.file("a.jsonl", lines(*ROWS)))
    (card,) = list_corpora(desk.home)
    assert len(llm.history) == 4 and not card.ready and card.pending == 10
    desk.extractor = LLMExtractor(replying({}))
    assert desk.add().triples == 10


def test_building_again_switching_back_and_a_second_corpus_ask_nothing(tmp_path):  # FR-142, FR-148
    llm = replying({})
    kept = tmp_path / "triples.db"
    desk = Desk(tmp_path / "home", extractor=Stored(LLMExtractor(llm), kept))
    file = desk.file("a.jsonl", lines(*ROWS))
    desk.add(file)
    assert len(llm.history) == 10
    desk.indexer.rebuild()
    by_llm, desk.extractor = desk.extractor, SentenceExtractor()
    assert desk.indexer.rebuild().triples == 20
    desk.extractor = by_llm
    assert desk.indexer.rebuild().triples == 10
    gone = document_id(*ROWS[0])
    desk.indexer.remove([gone])
    desk.add(desk.file("one.jsonl", lines(ROWS[0])))
    other = Desk(desk.home, desk.embedder, Stored(LLMExtractor(llm), kept), "twin")
    other.add(file)
    assert len(llm.history) == 10
    ids = [document_id(*row) for row in ROWS]
    assert other.open().triples_of(ids) == desk.open().triples_of(ids)


def test_another_source_is_refused_unless_all_is_extracted_again(tmp_path):
    desk, _ = desk_of(tmp_path, replying({}))
    desk.extractor = SentenceExtractor()
    with pytest.raises(
        UserError, match=r"from llm:scripted, not from spacy.*rebuild osk --triples"
    ):
        desk.add(desk.file("b.jsonl", lines(*TOWNS)))
    with pytest.raises(UserError, match="from llm:scripted"):
        desk.indexer.retry_failed()
    desk.indexer.rebuild()
    assert desk.add(desk.file("b.jsonl", lines(*TOWNS))).documents == 15


def test_other_triples_need_no_other_passage_vectors(tmp_path):
    desk = Desk(tmp_path / "home")
    desk.add(desk.file("a.jsonl", lines(*ROWS)))
    desk.add(desk.file("b.jsonl", lines(*TOWNS)))
    desk.indexer.remove([document_id(*ROWS[3])])
    before = desk.open()
    found = before.documents([document_id(*row) for row in (ROWS[8], *TOWNS)])
    whole = before.vectors(found)
    nearest = before.search_sentences(["Town 7 has 7 swans"], 5)
    desk.extractor = LLMExtractor(replying({title: '{"triples": []}' for title, _ in TOWNS}))
    desk.embedder.passages.clear()
    report = desk.indexer.rebuild(keep_vectors=True)
    assert (report.documents, report.triples) == (14, 9)
    assert len(desk.embedder.passages) == 9  # the triples alone
    after = desk.open()
    assert (after.vectors(found) == whole).all()
    assert after.search_sentences(["Town 7 has 7 swans"], 5) == nearest
    desk.indexer.rebuild()
    assert len(desk.embedder.passages) > 30


def test_a_damaged_vector_file_is_never_taken_over(tmp_path):  # FR-150
    desk = Desk(tmp_path / "home")
    desk.add(desk.file("a.jsonl", lines(*ROWS)))
    (name,) = Manifest.read(desk.folder).segments
    path = desk.folder / "segments" / name / "documents.npy"
    path.write_bytes(b"\0" * path.stat().st_size)
    desk.embedder.passages.clear()
    desk.indexer.rebuild(keep_vectors=True)
    assert len(desk.embedder.passages) == 50 and desk.titles("Town 7 swans", 1) == ["Town 7"]


def test_a_switch_that_is_stopped_and_not_gone_on_mixes_nothing(tmp_path):
    import threading

    from irag.errors import Cancelled

    desk = Desk(tmp_path / "home")
    desk.add(desk.file("a.jsonl", lines(*ROWS)))
    cancel = threading.Event()

    def stop_in_triples(progress) -> None:
        if progress.stage == "triples" and progress.done == 3:
            cancel.set()

    desk.extractor = LLMExtractor(replying({}))
    with pytest.raises(Cancelled):
        desk.indexer.rebuild(stop_in_triples, cancel)
    desk.extractor = SentenceExtractor()
    assert desk.add().triples == 20
    assert Manifest.read(desk.folder).extractor == "spacy:sentences-1"
    for row in ROWS:
        (triples,) = desk.open().triples_of([document_id(*row)])
        assert len(triples) == 2
        assert len(desk.open().vectors(triples)) == 2


def test_a_corpus_without_triples_is_searched_all_the_same(tmp_path):
    desk = Desk(tmp_path / "home", extractor=NoTriples())
    report = desk.add(desk.file("a.jsonl", lines(*ROWS)))
    assert (report.documents, report.triples) == (10, 0) and not report.failures
    assert desk.titles("Town 7 swans", 1, by="bm25") == ["Town 7"]


def test_a_corpus_of_an_older_version_is_brought_up_to_date(tmp_path):
    from sqlalchemy import text

    from irag.corpus.database import begin, forget

    desk = Desk(tmp_path / "home")
    desk.add(desk.file("a.jsonl", lines(*ROWS)))
    with begin(open_engine(desk.folder)) as connection:
        connection.execute(text("DROP TABLE extraction"))
        connection.execute(text("PRAGMA user_version=1"))
    forget(desk.folder)
    seen = len(desk.extractor.seen)
    desk.indexer.rebuild()
    assert len(desk.extractor.seen) == seen and desk.open().triple_count == 20
    assert list_corpora(desk.home)[0].failed == 0
