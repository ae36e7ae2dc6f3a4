"""Labelling candidates: projects, the queue, agreement, exports; it never draws or asks a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from irag.labels.acts import Seat
from irag.labels.desk import Desk
from irag.labels.progress import Progress, progress
from irag.labels.projects import Projects
from irag.labels.rows import Books
from irag.labels.seats import Seats
from irag.store import Database

__all__ = ["Labels"]


@dataclass(frozen=True)
class Labels:
    """Everything of labelling in one database."""

    database: Database

    @cached_property
    def books(self) -> Books:
        """The database as labelling uses it."""
        return Books(self.database)

    @cached_property
    def projects(self) -> Projects:
        """Projects, items, guidelines, gold."""
        return Projects(self.books)

    @cached_property
    def seats(self) -> Seats:
        """Who labels."""
        return Seats(self.books)

    @cached_property
    def desk(self) -> Desk:
        """Labelling itself."""
        return Desk(self.books)

    def progress(self, seat: Seat, project_id: str) -> Progress:
        """How far a person is in a project."""
        return progress(self.books, seat, project_id)
