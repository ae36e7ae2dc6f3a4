"""Events are appended, and what they come to is kept beside them, in the same transaction."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session, col, select

from irag.labels.acts import Event, Vote
from irag.labels.rows import event_of, event_row, vote_of
from irag.store.label_tables import LabelCurrentRow, LabelEventRow

__all__ = ["ANSWERS", "current_vote", "draft", "find", "keep", "last_answer", "take_back"]

ANSWERS = ("label", "skip", "flag", "import")
"""The kinds of events that are somebody's answer."""


def keep(session: Session, event: Event) -> Event:
    """Append an event, and make it its author's answer where it is one; returned as kept.

    A note of None takes the draft that its author saved on the item since their last answer.
    """
    old = session.get(LabelCurrentRow, (event.item_id, event.annotator_id))
    answers = event.kind in ANSWERS
    if answers:
        before = _by_seq(session, old.event_seq) if old is not None else None
        note = draft(session, event.item_id, event.annotator_id)
        told = note if event.note is None else event.note
        event = replace(event, note=told, supersedes=before.id if before else event.supersedes)
    row = event_row(event)
    session.add(row)
    session.flush()
    kept = event_of(row)
    if answers and kept.state is not None:
        current = old or LabelCurrentRow(
            item_id=kept.item_id,
            annotator_id=kept.annotator_id,
            project_id=kept.project_id,
            event_seq=kept.seq,
            state=kept.state,
        )
        current.event_seq, current.state = kept.seq, kept.state
        current.grade, current.origin = kept.grade, kept.origin
        session.add(current)
        session.flush()
    return kept


def take_back(session: Session, event: Event, undo_id: str, guideline: int, at: float) -> Event:
    """Append an undo of an answer that holds, so that its author has none on the item."""
    current = session.get(LabelCurrentRow, (event.item_id, event.annotator_id))
    if current is not None:
        session.delete(current)
    who = event.project_id, event.item_id, event.annotator_id
    undo = Event(0, undo_id, *who, "undo", guideline=guideline, at=at, supersedes=event.id)
    return keep(session, undo)


def find(session: Session, event_id: str) -> Event | None:
    """The event with this id, in any project."""
    row = session.exec(select(LabelEventRow).where(LabelEventRow.id == event_id)).first()
    return event_of(row) if row is not None else None


def current_vote(
    session: Session, item_id: str, annotator_id: str, before: Event | None = None
) -> Vote | None:
    """A person's answer to an item that holds, or what `before` said where none does."""
    row = session.get(LabelCurrentRow, (item_id, annotator_id))
    event = before if row is None else _by_seq(session, row.event_seq)
    return vote_of(event) if event is not None else None


def draft(session: Session, item_id: str, annotator_id: str) -> str | None:
    """The newest note that a person wrote on an item, with an answer or before it."""
    noted = (
        LabelEventRow.item_id == item_id,
        LabelEventRow.annotator_id == annotator_id,
        col(LabelEventRow.note).is_not(None),
    )
    newest = col(LabelEventRow.seq).desc()
    return session.exec(select(LabelEventRow.note).where(*noted).order_by(newest).limit(1)).first()


def last_answer(session: Session, project_id: str, annotator_id: str) -> Event | None:
    """The newest answer of a person that still holds."""
    mine = (
        LabelCurrentRow.project_id == project_id,
        LabelCurrentRow.annotator_id == annotator_id,
    )
    newest = select(LabelCurrentRow.event_seq).where(*mine)
    seq = session.exec(newest.order_by(col(LabelCurrentRow.event_seq).desc()).limit(1)).first()
    return _by_seq(session, seq) if seq is not None else None


def _by_seq(session: Session, seq: int) -> Event:
    return event_of(session.get_one(LabelEventRow, seq))
