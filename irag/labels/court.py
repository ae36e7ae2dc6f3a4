"""Disagreements, worst first, and the adjudicator who settles them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from irag.errors import UnknownName, UserError
from irag.labels.acts import CAUSES, Accepted, Duplicate, Event, Seat, State, Vote
from irag.labels.book import Book, rulings
from irag.labels.recording import find, keep
from irag.labels.resolving import Final, split, spread
from irag.labels.rows import Books
from irag.labels.seats import ALONE, require
from irag.labels.values import Item, Scale
from irag.store.label_tables import LabelCurrentRow, LabelItemRow

__all__ = ["Court", "Disagreement", "Ruling", "disagreements"]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item that people judged differently. `votes` are in the order of annotator ids.

    `spread` is in grades; `split`: on both sides of the cut. Show the votes without names.
    """

    item: Item
    votes: tuple[Vote, ...]
    spread: int
    split: bool
    final: Final


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an adjudicator decides. State "flag", without a grade: the item is broken."""

    event_id: str
    state: State
    grade: int | None = None
    cause: str = ""
    confidence: float | None = None
    note: str | None = None


def disagreements(book: Book, least: int = 2) -> tuple[Disagreement, ...]:
    """Items that were judged `least` grades apart or split by the cut, worst first.

    With `least` 1 every difference counts. Adjudicated and gold items are not among them.
    """
    ruled, scale, found = rulings(book.events), book.project.scale, []
    for item in book.items:
        votes = tuple(vote for vote in book.people(item.id) if vote.state != "skip")
        if len(votes) < 2 or item.id in ruled or item.id in book.gold:
            continue
        wide, halved = spread(votes, scale), split(votes, scale)
        if wide >= least or halved:
            found.append(Disagreement(item, votes, wide, halved, book.finals[item.id]))
    return tuple(sorted(found, key=lambda one: (-one.spread, not one.split, one.item.place)))


@dataclass(frozen=True)
class Court:
    """Where disagreements are settled; every ruling is an event."""

    books: Books

    def adjudicate(
        self, seat: Seat, project_id: str, item_id: str, ruling: Ruling, own: bool = False
    ) -> Accepted | Duplicate:
        """Settle an item; the same event id again changes nothing.

        UserError for a role that may not, a ruling unfit for the project, and, without `own`, for
        an item that the adjudicator labelled.
        """
        require(seat, "adjudicator", "owner")
        _check(ruling, self.books.project(project_id).scale)
        event = self._event(seat, project_id, item_id, ruling)
        return self._keep(event, own or seat == ALONE)

    def reopen(self, seat: Seat, project_id: str, item_id: str, event_id: str) -> None:
        """Take an adjudication back; the item is where its labels put it. Both stay as events."""
        require(seat, "adjudicator", "owner")
        told = (0, event_id, self.books.project(project_id).id, item_id, seat.annotator_id)
        self._keep(Event(*told, "adjudicate", at=self.books.clock()), True)

    def _event(self, seat: Seat, project_id: str, item_id: str, ruling: Ruling) -> Event:
        project = self.books.project(project_id)
        who = project.id, item_id, seat.annotator_id
        return Event(
            0,
            ruling.event_id,
            *who,
            "adjudicate",
            state=ruling.state,
            grade=ruling.grade,
            note=ruling.note,
            guideline=project.guideline,
            at=self.books.clock(),
            cause=ruling.cause,
            confidence=ruling.confidence,
        )

    def _keep(self, event: Event, own: bool) -> Accepted | Duplicate:
        with self.books.at(event.project_id) as (session, _):
            done = find(session, event.id)
            if done is not None:
                return Duplicate(done)
            item = session.get(LabelItemRow, event.item_id)
            if item is None or item.project_id != event.project_id:
                raise UserError(f"This project has no item {event.item_id!r}.")
            if not own and _labelled(session, event.item_id, event.annotator_id):
                raise UserError("You labelled this item: somebody else should settle it.")
            return Accepted(keep(session, event))


def _check(ruling: Ruling, scale: Scale) -> None:
    if ruling.state not in ("label", "flag"):
        raise UnknownName("ruling", ruling.state, ("label", "flag"))
    if (ruling.state == "label") != (ruling.grade is not None):
        raise UserError("A ruling has a grade, or says that the item is broken.")
    if ruling.grade is not None and ruling.grade not in scale.keys:
        raise UserError(f"{ruling.grade!r} is no grade of this project: {scale.keys}.")
    if ruling.cause and ruling.cause not in CAUSES:
        raise UnknownName("cause", ruling.cause, CAUSES)
    if ruling.confidence is not None and not 0 <= ruling.confidence <= 1:
        raise UserError("Confidence is a number from 0 to 1.")


def _labelled(session: Session, item_id: str, annotator_id: str) -> bool:
    row = session.get(LabelCurrentRow, (item_id, annotator_id))
    return row is not None and row.state != "skip"
