"""Long work in real child processes: in order, killed, stopped, resumed, seen again."""

from __future__ import annotations

import json
import os
import time

import pytest

from irag.corpus import list_corpora
from irag.errors import UnknownName, UserError
from irag.jobs.queue import work_threads
from irag.store.jobs import STALE
from irag.store.tables import JobRow
from tests.corpus.fakes import Desk
from tests.jobs.desk import bench, kill, shelf, towns, until, until_busy


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def file(tmp_path):
    return towns(tmp_path / "files", 8)


def test_two_jobs_run_one_after_the_other_and_the_second_says_that_it_waits(home, file):
    desk = shelf(home, 0.05)
    first, second = desk.add_files("osk", [file]), desk.add_files("marl", [file])
    waiting = desk.jobs.get(second)
    assert (waiting.state, waiting.ahead, desk.jobs.get(first).ahead) == ("waiting", 1, 0)
    last = until(desk.jobs, second, "done")
    assert json.loads(last.result)["added"] == 8
    ended = desk.jobs.get(first)
    assert ended.state == "done" and ended.ended <= last.started
    assert [card.documents for card in list_corpora(home)] == [8, 8]


def test_a_killed_job_is_interrupted_and_resuming_finishes_what_is_left(home, tmp_path):  # FR-148
    desk = shelf(home, 0.2)
    job_id = desk.add_files("osk", [towns(tmp_path / "files", 20)])
    kill(until_busy(desk.jobs, job_id))
    killed = until(desk.jobs, job_id, "interrupted", seconds=5)
    assert killed.resumable and 0 < killed.done < 20
    again = bench(home)  # the app was started anew
    (seen,) = again.jobs("osk")
    assert (seen.id, seen.state) == (job_id, "interrupted")
    again.resume_job(job_id)
    assert until(again.shelf.jobs, job_id, "done").result
    (card,) = list_corpora(home)
    assert (card.documents, card.triples, card.pending) == (20, 20, 0)


def test_cancelling_keeps_what_is_finished_and_the_next_in_line_begins(home, tmp_path, file):
    desk = shelf(home, 0.3)
    job_id = desk.add_files("osk", [towns(tmp_path / "files", 40)])
    following = desk.add_files("marl", [file])
    until_busy(desk.jobs, job_id)
    desk.jobs.cancel(job_id)
    assert desk.jobs.get(job_id).cancelling
    stopped = until(desk.jobs, job_id, "cancelled", seconds=10)
    assert "What is finished is kept" in stopped.note
    assert until(desk.jobs, following, "running", "done").ahead == 0
    card = next(card for card in list_corpora(home) if card.name == "osk")
    assert card.pending == 40 and not card.ready


def test_a_waiting_job_can_be_cancelled_and_never_begins(home, tmp_path, file):
    desk = shelf(home, 0.2)
    desk.add_files("osk", [towns(tmp_path / "files", 20)])
    waiting = desk.add_files("marl", [file])
    until(desk.jobs, waiting, "waiting")
    desk.jobs.cancel(waiting)
    assert until(desk.jobs, waiting, "cancelled", seconds=10).started is None


def test_the_same_command_pressed_thrice_is_one_job(home, file):  # FR-182
    desk = shelf(home, 0.1)
    ids = {desk.add_files("osk", [file]) for _ in range(3)}
    assert len(ids) == 1 and len(desk.jobs.list()) == 1
    until(desk.jobs, ids.pop(), "done")


def test_adding_the_same_files_again_changes_nothing(home, file):  # FR-142
    desk = shelf(home)
    until(desk.jobs, desk.add_files("osk", [file]), "done")
    again = until(desk.jobs, desk.add_files("osk", [file]), "done")
    told = json.loads(again.result)
    assert told["added"] == 0 and (told["documents"], told["triples"]) == (8, 8)
    assert "the same content" in told["notices"][0]


def test_a_command_that_fails_says_why_and_can_be_tried_again(home, file):
    desk = shelf(home)
    other = Desk(home, name="osk")
    other.embedder.name = "other"
    other.add(file)
    failed = until(desk.jobs, desk.add_files("osk", [towns(file.parent, 3, "b.jsonl")]), "failed")
    assert "other (64)" in failed.note and failed.resumable
    with pytest.raises(UserError, match="There is no file or folder"):
        desk.add_files("osk", [file.with_name("gone")])


def test_a_silent_process_counts_as_dead_even_when_its_number_is_alive(home, file):
    desk = shelf(home)
    store = desk.jobs.store
    job_id, _ = store.add("corpus add", "osk", ["corpus", "add", "osk"])
    assert store.take(job_id) and not store.take(job_id) and store.turn(job_id)
    assert desk.jobs.get(job_id).state == "running"
    with store.database.session() as session:
        row = session.get(JobRow, job_id)
        assert row.pid == os.getpid()
        row.heartbeat = time.time() - STALE - 1
        session.add(row)
        session.commit()
    assert desk.jobs.get(job_id).state == "interrupted"
    desk.jobs.cancel(job_id)
    assert desk.jobs.get(job_id).state == "cancelled"


def test_ended_jobs_can_be_taken_off_the_list_and_live_ones_not(home, tmp_path, file):
    desk = shelf(home, 0.1)
    job_id = desk.add_files("osk", [file])
    with pytest.raises(UserError, match="cancel it first"):
        desk.jobs.forget(job_id)
    with pytest.raises(UserError, match="there is nothing to resume"):
        desk.jobs.resume(job_id)
    with pytest.raises(UserError, match="still being done to osk"):
        desk.delete("osk")
    until(desk.jobs, job_id, "done")
    desk.delete("osk")
    assert desk.jobs.list() == () and list_corpora(home) == []
    with pytest.raises(UnknownName, match="Unknown job"):
        desk.jobs.get(job_id)


def test_a_process_that_cannot_be_started_is_a_failed_job(home, file):
    desk = shelf(home)
    object.__setattr__(desk.jobs, "command", (str(home / "no-such-program"),))
    job = desk.jobs.get(desk.add_files("osk", [file]))
    assert job.state == "failed" and "could not be started" in job.note


def test_a_job_leaves_a_core_to_the_app():
    assert 1 <= work_threads() <= max(1, (os.cpu_count() or 1) - 1)
