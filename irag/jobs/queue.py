"""Jobs: long work as child processes that run the command line; one at a time, the others wait."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from irag.errors import UnknownName, UserError
from irag.settings import Settings
from irag.store.jobs import Job, JobStore

__all__ = ["Jobs", "log_of", "work_threads"]

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "irag")
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def work_threads() -> int:
    """Threads of a job: all cores but one, so that a running LLM keeps going."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (usable or 1) - 1)


def log_of(home: Path, job_id: str) -> Path:
    """Where a job's process writes what it says beside its progress."""
    return home / "jobs" / f"{job_id}.log"


@dataclass(frozen=True)
class Jobs:
    """The long work of one home. `command` begins a process of the command line.

    A job's process waits for its turn by itself, so the queue goes on when the app is gone.
    """

    settings: Settings
    store: JobStore
    command: Sequence[str] = COMMAND

    def start(self, arguments: Sequence[str], about: str = "") -> str:
        """Queue a command of the command line and return its job's id.

        The same command, while it waits or runs, is not queued again: its id is returned.
        """
        job_id, fresh = self.store.add(" ".join(arguments[:2]), about, arguments)
        if fresh:
            self._spawn(job_id)
        return job_id

    def list(self, about: str | None = None, limit: int = 50) -> tuple[Job, ...]:
        """The jobs, newest first; about one thing, or all."""
        return self.store.list(about, limit)

    def get(self, job_id: str) -> Job:
        """A job as it is now; UnknownName when there is none with that id."""
        job = self.store.get(job_id)
        if job is None:
            raise UnknownName("job", job_id, (one.id for one in self.store.list(limit=10)))
        return job

    def cancel(self, job_id: str) -> None:
        """Ask a job to stop: between two batches, or within half a minute at the latest."""
        self.get(job_id)
        self.store.cancel(job_id)

    def resume(self, job_id: str) -> None:
        """Start a job's command again, at the end of the queue; UserError when it need not be."""
        job = self.get(job_id)
        if not self.store.again(job_id):
            raise UserError(f"Job {job_id} is {job.state}: there is nothing to resume.")
        self._spawn(job_id)

    def forget(self, *job_ids: str) -> None:
        """Take ended jobs off the list, with their logs."""
        self.store.forget(*job_ids)
        for job_id in job_ids:
            log_of(self.settings.home, job_id).unlink(missing_ok=True)

    def _spawn(self, job_id: str) -> None:
        home = self.settings.home
        log = log_of(home, job_id)
        log.parent.mkdir(parents=True, exist_ok=True)
        command = [*self.command, "--home", str(home), "jobs", "work", job_id]
        try:
            with log.open("ab") as said:
                child = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    cwd=ROOT,
                    env=self._environment(),
                    start_new_session=True,
                )
        except OSError as error:
            self.store.fail(job_id, f"Its process could not be started ({error}). Resume it later.")
            return
        # a child that ended must not stay a zombie, which would look alive
        threading.Thread(target=child.wait, daemon=True, name=f"reap-{job_id}").start()

    def _environment(self) -> dict[str, str]:
        """This process's, with its settings said in full and the threads a job may use."""
        said = {
            f"IRAG_{one.name.upper()}": str(getattr(self.settings, one.name))
            for one in fields(self.settings)
        }
        threads = dict.fromkeys(_THREADS, str(work_threads()))
        return {**os.environ, **{k: v for k, v in said.items() if v}, **threads}
