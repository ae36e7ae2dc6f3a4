"""Labelling candidates: projects, the queue, agreement, exports; it never draws or asks a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from irag.errors import UnknownName, UserError
from irag.labels.acts import Seat
from irag.labels.book import Book, read_book
from irag.labels.court import Court
from irag.labels.desk import Desk
from irag.labels.exports import EXPORTS, Exported, Wanted
from irag.labels.progress import Progress, progress
from irag.labels.projects import Projects
from irag.labels.resolving import Final
from irag.labels.rows import Books
from irag.labels.scores import judged, projects_about
from irag.labels.seats import Seats
from irag.labels.taking_in import IMPORTED, Taken, take_in
from irag.store import Database
from irag.types import Trace

__all__ = ["Labels"]

PLAIN = Wanted()


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

    @cached_property
    def court(self) -> Court:
        """Where disagreements are settled."""
        return Court(self.books)

    def progress(self, seat: Seat, project_id: str) -> Progress:
        """How far a person is in a project."""
        return progress(self.books, seat, project_id)

    def book(self, project_id: str) -> Book:
        """A project read whole, for agreement, disagreements, scores and exports."""
        return read_book(self.books, project_id)

    def export(self, name: str, project_id: str, wanted: Wanted = PLAIN) -> Exported:
        """A project in a format of EXPORTS; UnknownName for another."""
        if name not in EXPORTS:
            raise UnknownName("export", name, EXPORTS)
        return EXPORTS[name].write(self.book(project_id), wanted)

    def take_in(self, name: str, text: str, project_id: str = "", who: str = IMPORTED) -> Taken:
        """Bring an exported text in again, into a project or, for "", the one the file names."""
        readable = {one.name: one.read for one in EXPORTS.values() if one.read is not None}
        if name not in EXPORTS:
            raise UnknownName("export", name, readable)
        read = readable.get(name)
        if read is None:
            raise UserError(f"{EXPORTS[name].title} cannot be imported. {EXPORTS[name].loss}")
        return take_in(self.books, read(text), project_id, who)

    def judged(self, project_id: str, trace: Trace) -> dict[tuple[int, str], Final]:
        """The final labels of a run's candidates by (hop, candidate id)."""
        return judged(self.books, project_id, trace)

    def projects_about(self, question: str) -> tuple[str, ...]:
        """The ids of the projects that have items of a question."""
        return projects_about(self.books, question)
