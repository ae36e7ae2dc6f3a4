"""Labelling itself: an item is shown with a ticket, and an answer brings the ticket back.

An answer is kept only where the ticket is the one that was shown last, so it can never land on
another item; the same press twice is kept once; who comes too late is told so.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlmodel import Session, col, select

from irag.errors import UnknownName, UserError
from irag.labels.acts import (
    FLAGS,
    SKIP_REASONS,
    Accepted,
    Duplicate,
    Event,
    Full,
    Mark,
    Outcome,
    Rest,
    Seat,
    Serving,
    Stale,
    Ticket,
    Turn,
)
from irag.labels.queue import Line
from irag.labels.recording import current_vote, draft, find, keep, last_answer, take_back
from irag.labels.rows import Books, event_of, item_of, new_id
from irag.labels.values import Project
from irag.store.label_tables import LabelEventRow, LabelItemRow, LabelLeaseRow

__all__ = ["LEASE_SECONDS", "Desk", "new_event_id"]

LEASE_SECONDS = 600.0


@dataclass(frozen=True)
class Desk:
    """Where people label. Every call is one short transaction."""

    books: Books
    lease: float = LEASE_SECONDS

    def next(self, seat: Seat, project_id: str) -> Serving | Rest:
        """The item in front of this person: the one shown before, if not answered, else the next.

        Two windows of one person show the same item; the first answer counts.
        """
        with self.books.at(project_id) as (session, project):
            return self._next(session, self._line(session, project, seat))

    def open(self, seat: Seat, project_id: str, item_id: str) -> Serving | Full:
        """One item by its id, also one that was answered; UnknownName when there is none."""
        with self.books.at(project_id) as (session, project):
            item = _item(session, project, item_id)
            line = self._line(session, project, seat)
            if not line.room(item):
                return Full("Enough people have judged this item, or have it before them.")
            return self._serve(session, line, item)

    def submit(self, seat: Seat, ticket: Ticket, mark: Mark) -> Outcome:
        """Keep an answer. UserError when the mark itself is none of this project's.

        Accepted; Duplicate when this event id was kept before; Stale when the ticket is not the
        one that was shown last; Full when others were quicker.
        """
        with self.books.at(ticket.project_id) as (session, project):
            _check(project, mark)
            return self._submit(session, self._line(session, project, seat), ticket, mark)

    def submit_and_next(self, seat: Seat, ticket: Ticket, mark: Mark) -> Turn:
        """Keep an answer and show what comes next, in one transaction."""
        with self.books.at(ticket.project_id) as (session, project):
            _check(project, mark)
            line = self._line(session, project, seat)
            outcome = self._submit(session, line, ticket, mark)
            return Turn(outcome, self._next(session, line))

    def undo(self, seat: Seat, project_id: str, event_id: str, undo_id: str) -> Serving | Stale:
        """Take back one's own answer (`event_id`, as `last` gives it) and show its item again.

        The serving's `mine` is what was taken back. The same `undo_id` again shows the item again;
        Stale when that answer does not hold any more. Nothing is deleted: undo is an event.
        """
        with self.books.at(project_id) as (session, project):
            event = find(session, event_id)
            if event is None or event.annotator_id != seat.annotator_id:
                return Stale("There is no such answer of yours.")
            vote = current_vote(session, event.item_id, seat.annotator_id)
            again = find(session, undo_id) is not None
            if not again and (vote is None or vote.event_id != event_id):
                return Stale("That answer was taken back or changed already.")
            if not again:
                take_back(session, event, undo_id, project.guideline, self.books.clock())
            line = self._line(session, project, seat)
            return self._serve(session, line, _item(session, project, event.item_id), event)

    def note(self, seat: Seat, ticket: Ticket, text: str, event_id: str) -> Outcome:
        """Keep a note on the item in front of a person before it is answered."""
        with self.books.at(ticket.project_id) as (session, _):
            done = find(session, event_id)
            if done is not None:
                return Duplicate(done)
            if not _holds(session, seat, ticket):
                return Stale("This item is not before you any more.")
            who = ticket.project_id, ticket.item_id, seat.annotator_id
            event = Event(0, event_id, *who, "note", note=text, at=self.books.clock())
            return Accepted(keep(session, event))

    def renew(self, seat: Seat, ticket: Ticket) -> bool:
        """Keep an item for another ten minutes; False when it is not before this person."""
        with self.books.at(ticket.project_id) as (session, _):
            row = _holds(session, seat, ticket)
            if row is not None:
                row.expires = self.books.clock() + self.lease
                session.add(row)
            return row is not None

    def release(self, seat: Seat, ticket: Ticket) -> None:
        """Let go of an item unanswered, so that others can have it."""
        with self.books.at(ticket.project_id) as (session, _):
            row = _holds(session, seat, ticket)
            if row is not None:
                session.delete(row)

    def last(self, seat: Seat, project_id: str) -> Event | None:
        """This person's newest answer that still holds: what undo would take back."""
        project = self.books.project(project_id)
        with self.books.reading() as session:
            return last_answer(session, project.id, seat.annotator_id)

    def history(self, seat: Seat, project_id: str, limit: int = 50) -> tuple[Event, ...]:
        """What this person did in a project, the newest first."""
        project = self.books.project(project_id)
        mine = (
            LabelEventRow.project_id == project.id,
            LabelEventRow.annotator_id == seat.annotator_id,
        )
        newest = col(LabelEventRow.seq).desc()
        with self.books.reading() as session:
            rows = session.exec(select(LabelEventRow).where(*mine).order_by(newest).limit(limit))
            return tuple(map(event_of, rows))

    def _line(self, session: Session, project: Project, seat: Seat) -> Line:
        return Line(session, project, seat.annotator_id, self.books.clock())

    def _next(self, session: Session, line: Line) -> Serving | Rest:
        item = self._shown(session, line) or line.next()
        return self._serve(session, line, item) if item is not None else Rest(line.held_count())

    def _shown(self, session: Session, line: Line) -> LabelItemRow | None:
        """The item that was shown last and is not answered yet, where it may still be."""
        mine = (
            LabelLeaseRow.project_id == line.project.id,
            LabelLeaseRow.annotator_id == line.annotator_id,
        )
        newest = col(LabelLeaseRow.shown).desc(), col(LabelLeaseRow.item_id)
        row = session.exec(select(LabelLeaseRow).where(*mine).order_by(*newest)).first()
        item = session.get(LabelItemRow, row.item_id) if row is not None else None
        return item if item is not None and line.room(item) else None

    def _serve(
        self, session: Session, line: Line, item: LabelItemRow, before: Event | None = None
    ) -> Serving:
        row = session.get(LabelLeaseRow, (item.id, line.annotator_id))
        row = row or LabelLeaseRow(
            item_id=item.id,
            annotator_id=line.annotator_id,
            project_id=line.project.id,
            token=secrets.token_hex(8),
            shown=line.now,
            expires=0.0,
        )
        row.expires = line.now + self.lease
        session.add(row)
        session.flush()
        mine = current_vote(session, item.id, line.annotator_id, before)
        ticket = Ticket(line.project.id, item.id, row.token)
        note = draft(session, item.id, line.annotator_id)
        return Serving(ticket, item_of(item), row.expires, mine, note)

    def _submit(self, session: Session, line: Line, ticket: Ticket, mark: Mark) -> Outcome:
        done = find(session, mark.event_id)
        if done is not None:
            return Duplicate(done)
        row = session.get(LabelLeaseRow, (ticket.item_id, line.annotator_id))
        if row is None or row.token != ticket.token:
            return Stale("This item was answered, or shown anew, since it was shown here.")
        item = _item(session, line.project, ticket.item_id)
        shown, late = row.shown, row.expires <= line.now
        session.delete(row)
        if mark.state != "skip" and not line.room(item, strict=not late):
            return Full("Enough people have judged this item meanwhile.")
        event = Event(
            seq=0,
            id=mark.event_id,
            project_id=line.project.id,
            item_id=item.id,
            annotator_id=line.annotator_id,
            kind=mark.state,
            state=mark.state,
            grade=mark.grade,
            note=mark.note,
            guideline=line.project.guideline,
            at=line.now,
            flags=mark.flags,
            reason=mark.reason,
            gold=item.gold,
            shown=shown,
            active_ms=mark.active_ms,
            keyboard=mark.keyboard,
        )
        return Accepted(keep(session, event))


def new_event_id() -> str:
    """An id for one press, made where it was pressed."""
    return new_id("e")


def _check(project: Project, mark: Mark) -> None:
    if not mark.event_id:
        raise UserError("An answer needs an event id of its own.")
    if mark.state not in ("label", "skip", "flag"):
        raise UnknownName("answer", mark.state, ("label", "skip", "flag"))
    if (mark.state == "label") != (mark.grade is not None):
        raise UserError("A label has a grade; a skip or a flag has none.")
    if mark.grade is not None and (
        isinstance(mark.grade, bool) or mark.grade not in project.scale.keys
    ):
        raise UserError(f"{mark.grade!r} is no grade of {project.name}: {project.scale.keys}.")
    if mark.state == "skip" and mark.reason not in SKIP_REASONS:
        raise UnknownName("reason to skip", mark.reason, SKIP_REASONS)
    for flag in mark.flags:
        if flag not in FLAGS:
            raise UnknownName("flag", flag, FLAGS)


def _item(session: Session, project: Project, item_id: str) -> LabelItemRow:
    row = session.get(LabelItemRow, item_id)
    if row is None or row.project_id != project.id:
        raise UserError(f"Project {project.name} has no item {item_id!r}.")
    return row


def _holds(session: Session, seat: Seat, ticket: Ticket) -> LabelLeaseRow | None:
    row = session.get(LabelLeaseRow, (ticket.item_id, seat.annotator_id))
    return row if row is not None and row.token == ticket.token else None
