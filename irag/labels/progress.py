"""How far labelling is: for one person, for everybody, and for each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from sqlmodel import Session, col, select

from irag.labels.acts import Seat
from irag.labels.queue import Line
from irag.labels.rows import Books
from irag.store.label_tables import LabelCurrentRow, LabelEventRow

__all__ = ["Progress", "pace", "progress"]

RECENT = 20
PAUSE = 180.0
"""Seconds between two answers from which on the person was away."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one person is. `seconds` is their usual time an item, None before two answers."""

    labelled: int
    flagged: int
    skipped: int
    open: int
    seconds: float | None

    @property
    def answered(self) -> int:
        """What they need not see again."""
        return self.labelled + self.flagged

    @property
    def total(self) -> int:
        """What they answered, skipped or can still answer."""
        return self.answered + self.skipped + self.open

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at this pace."""
        left = self.open + self.skipped
        return None if self.seconds is None else self.seconds * left


def progress(books: Books, seat: Seat, project_id: str) -> Progress:
    """How far a person is in a project."""
    project = books.project(project_id)
    mine = (
        LabelCurrentRow.project_id == project.id,
        LabelCurrentRow.annotator_id == seat.annotator_id,
    )
    with books.reading() as session:
        states = Counter(session.exec(select(LabelCurrentRow.state).where(*mine)).all())
        line = Line(session, project, seat.annotator_id, books.clock())
        seconds = pace(_times(session, project.id, seat.annotator_id))
        return Progress(states["label"], states["flag"], states["skip"], line.open_count(), seconds)


def pace(times: Sequence[float]) -> float | None:
    """The median seconds between answers at these moments, pauses left out; None for fewer than
    two."""
    ordered = sorted(times)
    gaps = [b - a for a, b in zip(ordered, ordered[1:], strict=False) if b - a < PAUSE]
    return median(gaps) if gaps else None


def _times(session: Session, project_id: str, annotator_id: str) -> Sequence[float]:
    answers = (
        LabelEventRow.project_id == project_id,
        LabelEventRow.annotator_id == annotator_id,
        col(LabelEventRow.kind).in_(("label", "flag", "skip")),
    )
    newest = col(LabelEventRow.seq).desc()
    return session.exec(
        select(LabelEventRow.at).where(*answers).order_by(newest).limit(RECENT)
    ).all()
