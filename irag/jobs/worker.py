"""A job's own process: waits for its turn, runs its command, says how far it is."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
import traceback
from contextlib import redirect_stdout
from dataclasses import dataclass

from irag.corpus.progress import Progress
from irag.errors import Cancelled, IragError, UnknownName
from irag.jobs.queue import log_of
from irag.settings import Settings
from irag.store import open_database
from irag.store.jobs import Beat, Job, JobState, JobStore

__all__ = ["work"]

EVERY = 1.0  # seconds between two heartbeats
TURN_EVERY = 0.3
GRACE = 15.0
"""Seconds from asking to insisting: SIGTERM stops between batches, a second one at once, and after
three times as long the process ends as it stands, which is safe: work is kept batch by batch."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended."""

    state: JobState
    note: str = ""
    result: str = ""


class Pulse(threading.Thread):
    """Beats in the name of this process's job, and hands down that it is to stop."""

    def __init__(self, store: JobStore, job_id: str) -> None:
        super().__init__(daemon=True, name="pulse")
        self.state: JobState = "waiting"
        self.asked = False
        self._store, self._job_id = store, job_id
        self._now = Beat()
        self._over = threading.Event()
        self._stops: list[float] = []

    def report(self, progress: Progress) -> None:
        """So far is the command; told at the next beat."""
        self._now = Beat(
            progress.stage, progress.done, progress.total, progress.rate, progress.seconds_left
        )

    def run(self) -> None:
        """Until `end`."""
        while not self._over.wait(EVERY):
            try:
                stop = self._store.beat(self._job_id, self.state, self._now)
            except IragError as error:
                print(f"no heartbeat: {error}", file=sys.stderr, flush=True)
                continue
            if stop is not False and not self._over.is_set():
                self.asked = stop is True
                self._insist()

    def end(self, outcome: Outcome) -> None:
        """Say how the job ended, after the last beat."""
        self._over.set()
        if threading.current_thread() is not self:
            self.join()
        self._store.beat(self._job_id, self.state, self._now)
        self._store.end(self._job_id, outcome.state, outcome.note, outcome.result)

    def _insist(self) -> None:
        now = time.monotonic()
        if self._stops and now - self._stops[0] > 3 * GRACE:
            self.end(_stopped(self.asked))
            os._exit(130)
        if not self._stops or (len(self._stops) == 1 and now - self._stops[0] > GRACE):
            self._stops.append(now)
            os.kill(os.getpid(), signal.SIGTERM)


def work(settings: Settings, job_id: str) -> int:
    """Take a job and see it through; 0 when it is done, 1 when it is not."""
    store = JobStore(open_database(settings.database_url))
    if not store.take(job_id):
        print(f"job {job_id}: another process has it, or it does not wait", file=sys.stderr)
        return 1
    job = store.get(job_id)
    if job is None:
        raise UnknownName("job", job_id, ())
    pulse = Pulse(store, job_id)
    outcome = Outcome("interrupted")
    signal.signal(signal.SIGTERM, _stop_now)
    pulse.start()
    try:
        while not store.turn(job_id):
            time.sleep(TURN_EVERY)
        pulse.state = "running"
        outcome = _outcome(settings, job, pulse)
    except (Cancelled, KeyboardInterrupt):
        outcome = _stopped(pulse.asked)
    except IragError as error:
        outcome = Outcome("failed", str(error))
    except Exception as error:
        traceback.print_exc()
        said = f"Internal error ({type(error).__name__}: {error})."
        outcome = Outcome("failed", f"{said} More in {log_of(settings.home, job_id)}")
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pulse.end(outcome)
    return 0 if outcome.state == "done" else 1


def _outcome(settings: Settings, job: Job, pulse: Pulse) -> Outcome:
    from irag.cli import build_parser

    written = io.StringIO()
    try:
        parsed = build_parser().parse_args(["--home", str(settings.home), *job.arguments])
        parsed.report = pulse.report
        with redirect_stdout(written):
            parsed.run(parsed)
    except SystemExit:
        return Outcome(
            "failed", f"This version of irag has no command {' '.join(job.arguments)!r}."
        )
    return Outcome("done", result=written.getvalue().strip())


def _stopped(asked: bool) -> Outcome:
    if asked:
        return Outcome("cancelled", "Stopped by you. What is finished is kept.")
    return Outcome("interrupted", "Its process was ended from outside. What is finished is kept.")


def _stop_now(number: int, frame: object) -> None:
    """SIGTERM where no command listens for it: while waiting, or while it loads its models."""
    raise Cancelled
