"""evaluate(): methods x questions through the one driver, each result kept as it ends."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from irag.actions import Retrieve, RetrieveEntities, RetrieveSentences
from irag.engine import Ended, Event, Play, checked_question, play
from irag.errors import Cancelled, QuestionRefused
from irag.evaluation.attribution import Stored, lost
from irag.evaluation.folder import Folder, Row
from irag.measures import STANDARD, Case, Measure
from irag.measures.seen import hop_recall, seen
from irag.methods import Method
from irag.performing import Tools
from irag.remarks import Judged
from irag.running import FORMAT
from irag.tools import Cancel
from irag.types import Trace, Triple

__all__ = ["Experiment", "Progress", "evaluate", "row_of"]

EVIDENCE = 100
"""How many document ids of a ranking a row keeps."""

_SEARCHES = (Retrieve, RetrieveSentences, RetrieveEntities)


@dataclass(frozen=True)
class Experiment:
    """What is played. `weights`: what a question costs each method, for the time left; any unit."""

    methods: Sequence[Method]
    cases: Sequence[Case]
    tools: Tools
    measures: Sequence[Measure] = STANDARD
    width: int = 8
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is; `failed` counts those of this call; `seconds_left` is None until
    something was played."""

    done: int
    total: int
    failed: int
    method: str = ""
    seconds_left: float | None = None


def evaluate(
    experiment: Experiment,
    folder: Folder,
    tell: Callable[[Progress], None] | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Play what the folder does not hold yet; a failed method or question never stops the others.

    One method after another, its questions in order, `width` at once. Raises Cancelled after Stop;
    everything finished by then is kept, and the same call goes on from there.
    """
    cancel = cancel or threading.Event()
    with folder.writing():
        todo = [
            (method, case)
            for method in experiment.methods
            for case in experiment.cases
            if (str(method), case.question.id) not in folder.rows
        ]
        _Work(experiment, folder, tell or (lambda progress: None)).run(todo, cancel)
    if cancel.is_set():
        raise Cancelled("Stopped. The same command goes on from here.")


class _Work:
    """One call of evaluate()."""

    def __init__(
        self, experiment: Experiment, folder: Folder, tell: Callable[[Progress], None]
    ) -> None:
        self._experiment, self._folder, self._tell = experiment, folder, tell
        ids = sorted({one for case in experiment.cases for ids in case.documents for one in ids})
        found = experiment.tools.lookups.triples.triples_of(ids)
        self._stored: dict[str, tuple[Triple, ...]] = dict(zip(ids, found, strict=True))
        self._began = time.monotonic()
        self._spent = self._left = 0.0
        self._done = self._total = self._failed = 0

    def run(self, todo: Sequence[tuple[Method, Case]], cancel: Cancel) -> None:
        self._left = sum(self._weight(str(method)) for method, _ in todo)
        self._total = len(self._experiment.methods) * len(self._experiment.cases)
        self._done = self._total - len(todo)
        self._progress("")
        plays: list[Play] = []
        cases: list[Case] = []
        for method, case in todo:
            try:
                plays.append(Play(method, checked_question(case.question)))
                cases.append(case)
            except QuestionRefused as error:
                self._keep(case, self._refused(method, case, str(error)))
        ended: deque[Ended] = deque()

        def note(event: Event) -> None:
            if isinstance(event, Ended):
                ended.append(event)

        for _ in play(plays, self._experiment.tools, self._experiment.width, note, cancel):
            while ended:
                one = ended.popleft()
                if one.trace.stopped != "cancelled":
                    self._keep(cases[one.play], one.trace)

    def _keep(self, case: Case, trace: Trace) -> None:
        row = row_of(case, trace, self._experiment.measures, self._stored)
        self._folder.save(row, trace)
        weight = self._weight(trace.method)
        self._spent, self._left = self._spent + weight, self._left - weight
        self._done, self._failed = self._done + 1, self._failed + row.failed
        self._progress(trace.method)

    def _weight(self, method: str) -> float:
        return max(self._experiment.weights.get(method, 1.0), 1e-6)

    def _progress(self, method: str) -> None:
        seconds = time.monotonic() - self._began
        left = seconds * max(0.0, self._left) / self._spent if self._spent else None
        self._tell(Progress(self._done, self._total, self._failed, method, left))

    def _refused(self, method: Method, case: Case, why: str) -> Trace:
        tools, now = self._experiment.tools, datetime.now(UTC).isoformat(timespec="seconds")
        return Trace(
            FORMAT,
            str(method),
            method.settings(),
            tools.corpus,
            tools.models,
            case.question,
            (),
            None,
            "failed",
            now,
            why,
        )


def row_of(case: Case, trace: Trace, measures: Sequence[Measure], stored: Stored) -> Row:
    """What is kept of a finished play beside its trace."""
    answer = trace.answer
    searches = any(isinstance(step.action, _SEARCHES) for step in trace.steps)
    return Row(
        method=trace.method,
        question=case.question.id,
        answer=answer.text if answer else None,
        stopped=trace.stopped,
        error=trace.error,
        evidence=tuple(hit.unit.id for hit in answer.evidence[:EVIDENCE]) if answer else (),
        scores={str(measure): measure.score(case, trace) for measure in measures},
        lost=lost(case, trace, stored),
        searched=not searches or bool(seen(trace).retrieved),
        hop_recall=hop_recall(case, trace),
        judged=tuple(
            dict(step.action.scores) for step in trace.steps if isinstance(step.action, Judged)
        ),
    )
