"""A job in the words of a page: its state, how far it is, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from irag.errors import UnknownName
from irag.store.jobs import Job
from irag.views.words import measure, t

__all__ = ["JobView", "Problem", "job_view"]

SHOWN = 200
"""Problems and notes that are listed; a page of thousands helps nobody."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or document that did not go in whole, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class JobView:
    """What is shown of a job. `share` is how much of its stage is done, None when that is not
    known; `problems` and `notes` are at most 200 of all there are."""

    title: str
    state: str
    line: str
    share: float | None = None
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    notes: tuple[str, ...] = ()


def job_view(job: Job) -> JobView:
    """The words for a job as it is now."""
    key = f"job.{job.kind}"
    title = (
        t(key, about=job.about) if _known(key) else t("job.other", kind=job.kind, about=job.about)
    )
    if job.live:
        share = min(1.0, job.done / job.total) if job.total else None
        return JobView(title, _state(job), _progress(job), share)
    told = _told(job.result)
    failures = [Problem(*map(str, pair)) for pair in told.get("failures", ()) if len(pair) == 2]
    notes = [str(note) for note in told.get("notices", ())]
    line = job.note or _outcome(told)
    return JobView(
        title,
        _state(job),
        line,
        None,
        tuple(failures[:SHOWN]),
        len(failures),
        tuple(_cut(notes)),
    )


def _known(key: str) -> bool:
    try:
        return bool(t(key, about=""))
    except UnknownName:
        return False


def _state(job: Job) -> str:
    if job.state == "waiting":
        return t("job.waiting", n=job.ahead) if job.ahead else t("job.starting")
    return t("job.cancelling") if job.live and job.cancelling else t(f"job.{job.state}")


def _progress(job: Job) -> str:
    if job.state == "waiting" or not job.stage:
        return ""
    key = f"stage.{job.stage}"
    parts = [t(key) if _known(key) else job.stage]
    if job.stage == "read":
        parts.append(f"{job.done / 1e6:,.1f} of {job.total / 1e6:,.1f} MB")
    elif job.total:
        parts.append(f"{job.done:,} of {job.total:,}")
        if job.rate >= 0.95:
            parts.append(t("job.rate", n=round(job.rate)))
    if job.seconds_left:
        parts.append(t("job.left", time=measure(max(1, round(job.seconds_left)))))
    return " · ".join(parts)


def _told(result: str) -> dict[str, Any]:
    """What the command printed, when that is a JSON object."""
    try:
        told = json.loads(result) if result else {}
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _outcome(told: dict[str, Any]) -> str:
    parts = []
    for name in ("added", "duplicates"):
        if told.get(name):
            parts.append(t(f"job.{name}", n=int(told[name])))
    if told.get("documents") is not None:
        documents, triples = (int(told.get(name) or 0) for name in ("documents", "triples"))
        parts.append(t("job.corpus", documents=documents, triples=triples))
    return "; ".join(parts)


def _cut(notes: Sequence[str]) -> Sequence[str]:
    rest = len(notes) - SHOWN
    return [*notes[:SHOWN], t("job.cut", n=rest)] if rest > 0 else notes
