"""Saved runs: kept whole, found again, removed; and the traces inside them."""

from __future__ import annotations

import json
import threading

import pytest

from irag.engine import answer
from irag.errors import IragError, TraceError, UserError
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.store import RunStore, open_database
from irag.store.tables import SchemaVersion
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
