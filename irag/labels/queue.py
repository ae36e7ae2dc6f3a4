"""Which item comes next for whom; everything here is inside a transaction that holds the lock."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from irag.labels.values import Project
from irag.store.label_tables import (
    LabelCurrentRow,
    LabelEventRow,
    LabelItemRow,
    LabelLeaseRow,
)

__all__ = ["Line", "shuffled"]


def shuffled(project: Project, annotator_id: str, name: str) -> str:
    """Where a name stands in one person's order: the same whenever it is asked."""
    told = f"{project.seed}|{annotator_id}|{name}"
    return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Line:
    """The queue of one person in one project at one moment."""

    session: Session
    project: Project
    annotator_id: str
    now: float

    def next(self, after: str = "") -> LabelItemRow | None:
        """The item to show; `after` is the one just answered, whose group comes first.

        Within a group, and among groups, those with the fewest answers come first; ties in this
        person's own order. Skipped ones come back when nothing else is open, the oldest first.
        """
        group = self._group_of(after) if after else self._group_of(self._last())
        chosen = self._from(group) if group else None
        if chosen is None:
            chosen = self._from(self._best_group())
        return chosen or self._skipped()

    def room(self, item: LabelItemRow, strict: bool = False) -> bool:
        """Whether this person may answer an item: their own answer keeps their place.

        `strict` counts only answers, not what is before other people.
        """
        if item.gold is not None or self._mine(item.id) in ("label", "flag"):
            return True
        taken = self._answers() if strict else self._answers() + self._held()
        return self._one(select(taken).where(LabelItemRow.id == item.id)) < self.project.overlap

    def open_count(self) -> int:
        """How many items this person can still answer, without those they skipped."""
        return int(self._one(select(func.count()).where(*self._open())))

    def held_count(self) -> int:
        """How many items only wait for what other people have before them."""
        mine, answers = self._current(), self._answers()
        free = and_(answers < self.project.overlap, self._held() > 0)
        return int(self._one(select(func.count()).where(self._here(), ~mine, free)))

    def _from(self, group: str | None) -> LabelItemRow | None:
        if group is None:
            return None
        taken = self._answers() + self._held()
        rows = self.session.exec(
            select(LabelItemRow.id, taken).where(LabelItemRow.group_key == group, *self._open())
        ).all()
        return self._get(self._least(rows))

    def _best_group(self) -> str | None:
        taken = func.min(self._answers() + self._held())
        grouped = select(LabelItemRow.group_key, taken).where(*self._open())
        return self._least(self.session.exec(grouped.group_by(LabelItemRow.group_key)).all())

    def _skipped(self) -> LabelItemRow | None:
        current: Any = aliased(LabelCurrentRow)
        mine = and_(
            current.item_id == LabelItemRow.id,
            current.annotator_id == self.annotator_id,
            current.state == "skip",
        )
        oldest = select(LabelItemRow).join(current, mine).where(self._here(), self._free())
        return self.session.exec(oldest.order_by(col(current.event_seq)).limit(1)).first()

    def _least(self, rows: Iterable[tuple[str, Any]]) -> str | None:
        order = [(n, shuffled(self.project, self.annotator_id, name), name) for name, n in rows]
        return min(order, default=(0, "", None))[2]

    def _get(self, item_id: str | None) -> LabelItemRow | None:
        return self.session.get(LabelItemRow, item_id) if item_id else None

    def _group_of(self, item_id: str) -> str:
        item = self._get(item_id)
        return item.group_key if item is not None else ""

    def _last(self) -> str:
        done = select(LabelEventRow.item_id).where(
            LabelEventRow.project_id == self.project.id,
            LabelEventRow.annotator_id == self.annotator_id,
        )
        newest = done.order_by(col(LabelEventRow.seq).desc()).limit(1)
        return self.session.exec(newest).first() or ""

    def _mine(self, item_id: str) -> str:
        row = self.session.get(LabelCurrentRow, (item_id, self.annotator_id))
        return row.state if row is not None else ""

    def _one(self, query: Any) -> int:
        return int(self.session.exec(query).one())

    def _here(self) -> ColumnElement[bool]:
        return col(LabelItemRow.project_id) == self.project.id

    def _open(self) -> tuple[ColumnElement[bool], ...]:
        return self._here(), ~self._current(), self._free()

    def _current(self) -> ColumnElement[bool]:
        mine: Any = aliased(LabelCurrentRow)
        same = mine.item_id == LabelItemRow.id, mine.annotator_id == self.annotator_id
        return exists().where(*same)

    def _free(self) -> ColumnElement[bool]:
        room = self._answers() + self._held() < self.project.overlap
        return or_(col(LabelItemRow.gold).is_not(None), room)

    def _answers(self) -> Any:
        """How many other people have answered an item; skips and models do not count."""
        other: Any = aliased(LabelCurrentRow)
        return (
            select(func.count())
            .where(
                other.item_id == LabelItemRow.id,
                other.annotator_id != self.annotator_id,
                other.state != "skip",
                other.origin == "human",
            )
            .correlate(LabelItemRow)
            .scalar_subquery()
        )

    def _held(self) -> Any:
        """How many other people have an item before them and have not answered it yet."""
        lease: Any = aliased(LabelLeaseRow)
        done: Any = aliased(LabelCurrentRow)
        answered = exists().where(
            done.item_id == lease.item_id,
            done.annotator_id == lease.annotator_id,
            done.state != "skip",
        )
        return (
            select(func.count())
            .where(
                lease.item_id == LabelItemRow.id,
                lease.annotator_id != self.annotator_id,
                lease.expires > self.now,
                ~answered,
            )
            .correlate(LabelItemRow)
            .scalar_subquery()
        )
