"""Many people at once, and a machine that stops: no acknowledged label is lost."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from irag.labels.acts import Full, Seat, Serving
from irag.labels.exports import Incoming
from irag.labels.pooling import item_key
from irag.labels.projects import NewProject
from irag.labels.taking_in import take_in
from irag.labels.values import Candidate, Item, Passage
from irag.store.jobs import Beat, JobStore
from tests.labels.making import label, labels_at

ROOT = Path(__file__).resolve().parents[2]


def filled(labels, items, overlap):
    made = labels.projects.create(NewProject("Many", overlap=overlap, cap=1000))
    rows = []
    for number in range(items):
        candidate = Candidate("triple", f"t{number}", "a", "is", str(number), f"a is {number}")
        passage = Passage("d", "t", "a is all.", (0, 9))
        question = f"q{number % 20}"
        item = Item("", "", "", 0, question, f"Who is {question}?", "en", 1, (), candidate, passage)
        rows.append(replace(item, key=item_key(item)))
    take_in(labels.books, Incoming(items=tuple(rows)), made.id)
    return made


def start(folder, project_id, names, count):
    words = [
        sys.executable,
        "-m",
        "tests.labels.writer",
        str(folder),
        project_id,
        names,
        str(count),
    ]
    return subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def said(process):
    out, error = process.communicate(timeout=240)
    assert not error, error
    return [line.split() for line in out.splitlines()]


@pytest.mark.slow
def test_twelve_writers_lose_nothing_while_a_job_reports(tmp_path):  # FR-195
    labels = labels_at(tmp_path)
    made = filled(labels, 200, 12)
    jobs, over = JobStore(labels.database), threading.Event()
    job_id, _ = jobs.add("index", "sample", ["corpus", "rebuild", "sample"])
    jobs.take(job_id)

    def report():
        while not over.is_set():
            assert jobs.beat(job_id, "running", Beat("reading", 1, 2)) is not None
            time.sleep(0.02)

    reporter = threading.Thread(target=report)
    reporter.start()
    names = [f"w{'x' * number}" for number in range(12)]
    groups = [",".join(names[start::4]) for start in range(4)]
    processes = [start(tmp_path, made.id, group, 200) for group in groups]
    printed = [line for process in processes for line in said(process)]
    over.set()
    reporter.join()
    assert len(printed) == 12 * 200
    events = {event.id: event for event in labels.book(made.id).events}
    assert {(e, i, n) for e, i, n in printed} == {
        (event.id, event.item_id, event.annotator_id) for event in events.values()
    }
    assert all(event.grade == len(event.annotator_id) % 4 for event in events.values())


def test_overlap_holds_however_many_come_at_once(tmp_path):
    labels = labels_at(tmp_path)
    made = filled(labels, 30, 2)
    seats = [Seat(f"s{number}", "", "annotator") for number in range(6)]

    def work(seat):
        turn = labels.desk.next(seat, made.id)
        while isinstance(turn, Serving):
            turn = labels.desk.submit_and_next(seat, turn.ticket, label(1)).serving

    threads = [threading.Thread(target=work, args=(seat,)) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = Counter(event.item_id for event in labels.book(made.id).events)
    assert set(counts.values()) == {2} and len(counts) == 30
    assert isinstance(
        labels.desk.open(Seat("late", "", "annotator"), made.id, counts.popitem()[0]), Full
    )


@pytest.mark.slow
def test_a_kill_loses_no_acknowledged_label(tmp_path):
    labels = labels_at(tmp_path)
    made = filled(labels, 400, 1)
    acknowledged = set()
    for seconds in (0.05, 0.2, 0.4):
        process = start(tmp_path, made.id, "ana", 400)
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        lines = [first, *process.stdout.read().splitlines(keepends=True)]
        process.wait()
        acknowledged |= {line.split()[0] for line in lines if line.endswith("\n")}
        kept = {event.id for event in labels.book(made.id).events}
        assert acknowledged <= kept and len(kept - acknowledged) <= 1
        acknowledged = kept
    assert 3 <= len(acknowledged) < 400
