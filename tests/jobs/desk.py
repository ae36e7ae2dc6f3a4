"""A home whose jobs are real processes with fake models, and what tests do with it."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

from irag.jobs import Job, Jobs, Shelf
from irag.settings import Settings
from irag.store import open_database
from irag.store.jobs import JobStore
from irag.workbench import Workbench

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "tests.jobs.fake_irag")


def shelf(home: Path, seconds: float = 0.0) -> Shelf:
    """The corpora of a home; its jobs' extractor takes so many seconds a document."""
    url = f"sqlite:///{home / 'irag.db'}"
    chosen = Settings(home, home / "models", url)
    command = ("env", f"IRAG_FAKE_SECONDS={seconds}", f"PYTHONPATH={ROOT}", *COMMAND)
    return Shelf(home, Jobs(chosen, JobStore(open_database(url)), command))


def bench(home: Path, seconds: float = 0.0) -> Workbench:
    """A Workbench over a home whose jobs have fake models."""
    made = shelf(home, seconds)
    opened = Workbench(made.jobs.settings)
    opened.__dict__["shelf"] = made
    return opened


def until(jobs: Jobs, job_id: str, *states: str, seconds: float = 40.0) -> Job:
    """The job once it is in one of the states."""
    end = time.monotonic() + seconds
    while (job := jobs.get(job_id)).state not in states:
        assert (job.live or "interrupted" in states) and time.monotonic() < end, job
        time.sleep(0.05)
    return job


def until_busy(jobs: Jobs, job_id: str) -> Job:
    """The job once it is at its triples."""
    end = time.monotonic() + 40
    while (job := until(jobs, job_id, "running")).stage != "triples" or not job.done:
        assert time.monotonic() < end, job
        time.sleep(0.05)
    return job


def kill(job: Job) -> None:
    assert job.pid is not None
    os.kill(job.pid, signal.SIGKILL)


def towns(folder: Path, count: int, name: str = "towns.jsonl") -> Path:
    """A file of small documents."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"title": f"Town {n}", "text": f"Town {n} has {n} swans."} for n in range(count)]
    path = folder / name
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path
