"""Projects for tests: traces of the fake corpus, a clock that a test moves, short answers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from irag.engine import answer
from irag.labels import Labels
from irag.labels.acts import Mark, Seat, Serving
from irag.labels.desk import new_event_id
from irag.labels.projects import NewProject
from irag.labels.rows import Books
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.store import open_database
from tests.fakes import QUESTION, fake_tools

ANA, BO, CY = (Seat(name, name, "annotator") for name in ("ana", "bo", "cy"))


@dataclass
class Clock:
    at: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


def labels_at(path, clock=None) -> Labels:
    labels = Labels(open_database(f"sqlite:///{path / 'irag.db'}"))
    if clock is not None:
        labels.__dict__["books"] = Books(labels.database, clock)
    return labels


def trace(question=QUESTION, method="kirag:max_hops=2,reader=none"):
    return answer(question, parse_method(method), fake_tools(Scripted([""] * 50)))


def project(labels, runs=(), **told):
    new = NewProject(**{"name": "Harbours", "seed": 7} | told)
    made = labels.projects.create(new)
    labels.projects.add_runs(made.id, runs or [("r1", trace())])
    return made


def label(grade, event_id="", **told) -> Mark:
    return Mark(event_id or new_event_id(), "label", grade, **told)


def label_all(labels, seat, project_id, grades):
    """Answer everything in the queue; `grades` by candidate text, or a repeated list."""
    cycle = itertools.cycle(grades) if not callable(grades) else None
    turn = labels.desk.next(seat, project_id)
    count = 0
    while isinstance(turn, Serving):
        grade = next(cycle) if cycle else grades(turn.item)
        turn = labels.desk.submit_and_next(seat, turn.ticket, label(grade)).serving
        count += 1
    return count
