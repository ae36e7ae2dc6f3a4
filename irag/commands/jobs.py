"""irag jobs: what is done in the background: list, show, start, cancel, resume."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from irag.errors import UserError
from irag.jobs import Job, Jobs
from irag.jobs.queue import log_of
from irag.settings import load
from irag.workbench import Workbench

__all__ = ["add_parser"]


def add_parser(subparsers: Any) -> None:
    """Add `jobs`."""
    parser = subparsers.add_parser("jobs", help="long work in the background")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    listed = verbs.add_parser("list", help="the newest jobs")
    listed.add_argument("--limit", type=int, default=20)
    listed.set_defaults(run=list_jobs)
    start = verbs.add_parser("start", help="run a command in the background")
    start.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND", help="corpus add ...")
    start.set_defaults(run=start_job)
    for name, text, function in (
        ("show", "one job, with what it said", show),
        ("cancel", "stop a job; what is finished is kept", cancel),
        ("resume", "go on with a job that did not end its work", resume),
        ("forget", "take an ended job off the list", forget),
        ("work", "what a job's own process runs", work_job),
    ):
        verb = verbs.add_parser(name, help=text)
        verb.add_argument("job_id")
        verb.set_defaults(run=function)
        if name == "show":
            listed = (listed, verb)
    for verb in listed:
        verb.add_argument("--json", action="store_true", help="print JSON")


def _jobs(parsed: argparse.Namespace) -> Jobs:
    return Workbench(load({"home": parsed.home})).shelf.jobs


def _time(moment: float | None) -> str:
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d %H:%M}" if moment else "—"


def _line(job: Job) -> str:
    parts = [job.id, job.state, job.kind, job.about, _time(job.queued)]
    if job.state == "waiting":
        parts.append(f"{job.ahead} before it")
    if job.state == "running" and job.stage:
        left = f", {job.seconds_left:,.0f} s left" if job.seconds_left else ""
        parts.append(f"{job.stage} {job.done:,} of {job.total:,}{left}")
    return "  ".join(part for part in (*parts, job.note) if part)


def list_jobs(parsed: argparse.Namespace) -> int:
    """The newest first."""
    jobs = _jobs(parsed).list(limit=parsed.limit)
    for job in jobs:
        print(json.dumps(asdict(job), ensure_ascii=False) if parsed.json else _line(job))
    if not jobs and not parsed.json:
        print("No jobs yet.")
    return 0


def show(parsed: argparse.Namespace) -> int:
    """One job; its result as it printed it, and the end of its log."""
    jobs = _jobs(parsed)
    job = jobs.get(parsed.job_id)
    if parsed.json:
        print(json.dumps(asdict(job), ensure_ascii=False))
        return 0
    print(_line(job))
    print(f"  python -m irag {' '.join(job.arguments)}")
    print(f"  started {_time(job.started)}, ended {_time(job.ended)}")
    if job.result:
        print(f"  {job.result}")
    log = log_of(jobs.settings.home, job.id)
    if log.is_file():
        for line in log.read_text("utf-8", "replace").splitlines()[-20:]:
            print(f"  | {line}")
    return 0


def start_job(parsed: argparse.Namespace) -> int:
    """Check a command now, and run it in the background."""
    from irag.cli import build_parser

    words = parsed.words
    if not words or words[0] in ("jobs", "ask"):
        raise UserError("Name a command that takes long, for example: corpus add NAME FILES")
    checked = build_parser().parse_args(words)
    if hasattr(checked, "json") and "--json" not in words:
        words = [*words, "--json"]
    job_id = _jobs(parsed).start(words, getattr(checked, "name", ""))
    print(f"Job {job_id}: python -m irag jobs show {job_id}")
    return 0


def cancel(parsed: argparse.Namespace) -> int:
    """Ask a job to stop."""
    _jobs(parsed).cancel(parsed.job_id)
    print(f"Job {parsed.job_id} is asked to stop.")
    return 0


def resume(parsed: argparse.Namespace) -> int:
    """Start a job's command again."""
    _jobs(parsed).resume(parsed.job_id)
    print(f"Job {parsed.job_id} is queued again.")
    return 0


def forget(parsed: argparse.Namespace) -> int:
    """Take an ended job off the list."""
    jobs = _jobs(parsed)
    jobs.forget(jobs.get(parsed.job_id).id)
    print(f"Job {parsed.job_id} is off the list.")
    return 0


def work_job(parsed: argparse.Namespace) -> int:
    """Be the process of a job."""
    from irag.jobs.worker import work

    return work(load({"home": parsed.home}), parsed.job_id)
