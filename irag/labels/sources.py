"""Where the runs of a project come from: saved runs, a question set, an experiment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from irag.errors import UserError
from irag.evaluation.folder import Folder
from irag.store import RunStore
from irag.types import Question, Trace

__all__ = ["experiment_runs", "runs_of", "saved_runs"]


def saved_runs(runs: RunStore, run_ids: Iterable[str]) -> Iterator[tuple[str, Trace]]:
    """Saved runs with their traces, for Projects.add_runs; UserError for a missing one."""
    for run_id in run_ids:
        trace = runs.load(run_id)
        if trace is None:
            raise UserError(f"There is no run {run_id!r}. `runs list` shows those there are.")
        yield run_id, trace


def experiment_runs(folder: Folder, methods: Sequence[str] = ()) -> Iterator[tuple[str, Trace]]:
    """The plays of an experiment with their traces, of these METHODs or of all.

    Their run ids are `name|METHOD|question id`. A play that failed has whatever it ranked before.
    """
    for method, question in list(folder.rows):
        if not methods or method in methods:
            yield f"{folder.path.name}|{method}|{question}", folder.trace(method, question)


def runs_of(
    questions: Sequence[Question], methods: Sequence[str], cards: Iterable[tuple[str, str, str]]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Runs of a question set: ids, the newest of each question and method; and pairs without one.

    `cards` are (run id, question, METHOD) of saved runs, the newest first.
    """
    newest: dict[tuple[str, str], str] = {}
    for run_id, question, method in cards:
        newest.setdefault((question, method), run_id)
    wanted = [(question, method) for question in questions for method in methods]
    found = [newest[q.text, m] for q, m in wanted if (q.text, m) in newest]
    return tuple(found), tuple((q.id, m) for q, m in wanted if (q.text, m) not in newest)
