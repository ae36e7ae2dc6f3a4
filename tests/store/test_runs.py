"""Saved runs: kept whole, found again, removed; and the traces inside them."""

from __future__ import annotations

import json
import threading
import time

import pytest

from irag.engine import answer
from irag.errors import IragError, TraceError, UserError
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.store import RunStore, open_database
from irag.store.tables import RunRow, SchemaVersion
from irag.traces import dumps, loads
from tests.fakes import fake_tools


@pytest.fixture
def runs(tmp_path):
    return RunStore(open_database(f"sqlite:///{tmp_path / 'irag.db'}"))


def _trace(question="Where is Osk?", reply="Osk"):
    return answer(question, parse_method("naive_rag"), fake_tools(Scripted([reply])))


def test_a_run_comes_back_as_it_was(runs):
    trace = _trace()
    runs.save("r1", trace, "scripted")
    assert runs.load("r1") == trace and runs.load("r2") is None
    (card,) = runs.cards()
    assert (card.run_id, card.answer, card.corpus, card.llm) == ("r1", "Osk", "fake", "scripted")


def test_lone_surrogates_can_be_saved(runs):  # FR-047
    trace = _trace("caf\udce9 Osk?", "caf\ud83d")
    runs.save("r1", trace, "scripted")
    assert "Osk?" in runs.load("r1").question.text


def test_runs_are_filtered_and_newest_first(runs):
    for number in range(3):
        runs.save(f"r{number}", _trace(), "scripted")
    assert len(runs.cards(limit=2)) == 2
    assert runs.cards(corpus="other") == () and len(runs.cards(method="naive")) == 3
    assert runs.cards(method="%") == () and runs.cards(stopped="failed") == ()


def test_the_question_is_searched_as_text_and_pages_do_not_overlap(runs):
    for number, question in enumerate(["Where is OSK?", "50% of Osk?", "谁画了静港？", "Who?"]):
        runs.save(f"r{number}", _trace(question), "scripted")
    assert {card.run_id for card in runs.cards(text=" osk ")} == {"r0", "r1"}
    assert [card.run_id for card in runs.cards(text="50%")] == ["r1"]
    assert [card.run_id for card in runs.cards(text="静港")] == ["r2"]
    assert runs.cards(text="_ho") == () and runs.count(text="osk") == 2
    first, second = runs.cards(limit=2), runs.cards(limit=2, offset=2)
    assert [card.run_id for card in first + second] == [card.run_id for card in runs.cards()]


def test_a_card_says_what_the_run_cost_and_a_removed_corpus_is_still_named(runs):
    trace = _trace()
    runs.save("r1", trace, "scripted")
    (card,) = runs.cards()
    assert card.llm_calls == 1 and card.hops == trace.hops and card.seconds == trace.seconds
    assert card.tokens == trace.usage.prompt_tokens + trace.usage.completion_tokens > 0
    assert runs.corpora() == ("fake",) and runs.count(corpus="other") == 0


def test_ten_thousand_runs_are_listed_without_reading_a_trace(runs):
    rows = [
        RunRow(id=f"r{n:05}", question=f"Is {n} a prime?", corpus="c", method="kirag", stopped="answered",
               started_at=f"2026-11-30T10:00:00+{n:05}", trace=b"not a trace" * 50)
        for n in range(10_000)
    ]  # fmt: skip
    with runs.database.session() as session:
        session.bulk_save_objects(rows)
        session.commit()
    began = time.perf_counter()
    page = runs.cards(limit=25, offset=5000, text="PRIME", corpus="c", stopped="answered")
    assert runs.count(text="prime") == 10_000 and time.perf_counter() - began < 2
    assert [card.run_id for card in page[:2]] == ["r04999", "r04998"]


def test_several_are_deleted_at_once_and_those_missing_are_named(runs):
    for number in range(3):
        runs.save(f"r{number}", _trace(), "scripted")
    with pytest.raises(UserError, match="no run 'gone', 'away'"):
        runs.delete("r0", "gone", "r1", "away")
    assert [card.run_id for card in runs.cards()] == ["r2"]


def test_a_damaged_trace_in_the_database_is_said_with_what_to_do(runs):
    runs.save("r1", _trace(), "scripted")
    with runs.database.session() as session:
        row = session.get(RunRow, "r1")
        row.trace = row.trace[:40]
        session.add(row)
        session.commit()
    with pytest.raises(TraceError, match="r1 is damaged.*Delete the run"):
        runs.load("r1")


def test_deleting_a_run_that_is_not_there_is_said(runs):
    runs.save("r1", _trace(), "scripted")
    runs.delete("r1")
    assert runs.load("r1") is None
    with pytest.raises(UserError, match="no run 'r1'"):
        runs.delete("r1")


def test_many_threads_save_at_once_and_nothing_is_lost(runs):
    trace, problems = _trace(), []

    def work(name):
        try:
            for number in range(20):
                runs.save(f"{name}-{number}", trace, "scripted")
        except IragError as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == [] and len(runs.cards(limit=1000)) == 160


def test_a_database_of_a_newer_version_is_left_alone(tmp_path):
    url = f"sqlite:///{tmp_path / 'irag.db'}"
    database = open_database(url)
    with database.session() as session:
        session.merge(SchemaVersion(id=1, version=99))
        session.commit()
    open_database.cache_clear()
    with pytest.raises(IragError, match="newer version"):
        open_database(url)


def test_a_damaged_database_is_said_with_its_path(tmp_path):
    path = tmp_path / "irag.db"
    path.write_bytes(b"not a database" * 500)
    with pytest.raises(IragError, match=r"irag\.db"):
        open_database(f"sqlite:///{path}")
    assert path.read_bytes().startswith(b"not a database")


@pytest.mark.parametrize(
    "damage",
    [
        lambda t: t[: len(t) // 2],
        lambda t: "[]",
        lambda t: "{}",
        lambda t: json.dumps({**json.loads(t), "format": "irag-trace-9"}),
        lambda t: t.replace('"HopStarted"', '"os.system"'),
        lambda t: json.dumps({**json.loads(t), "documents": {}}),
        lambda t: json.dumps({**json.loads(t), "trace": {"!": "Usage"}}),
    ],
)
def test_a_damaged_trace_is_a_trace_error(damage):
    with pytest.raises(TraceError):
        loads(damage(dumps(_trace())))
