"""Which item comes next for whom; everything here is inside a transaction that holds the lock.

The statements are built once: building them takes longer than running them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, exists, func, or_, select
from sqlmodel import Session, col
from sqlmodel import select as rows_of

from irag.labels.values import Project
from irag.store import label_tables as tables
from irag.store.label_tables import LabelCurrentRow, LabelEventRow, LabelItemRow

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

    def next(self) -> LabelItemRow | None:
        """The item to show; the group of the one that this person did last comes first.

        Within a group, and among groups, those with the fewest answers come first; ties in this
        person's own order. Skipped ones come back when nothing else is open, the oldest first.
        """
        group = self._last_group()
        chosen = self._from(group) if group else None
        if chosen is None:
            best = self._least(self._rows(_statements().groups))
            chosen = self._from(best) if best else None
        return chosen or self._get(self._one(_statements().skipped))

    def room(self, item: LabelItemRow, strict: bool = False) -> bool:
        """Whether this person may answer an item: their own answer keeps their place.

        `strict` counts only answers, not what is before other people.
        """
        if item.gold is not None:
            return True
        mine = self.session.get(LabelCurrentRow, (item.id, self.annotator_id))
        if mine is not None and mine.state != "skip":
            return True
        ((answers, held),) = self._rows(_statements().taken, item=item.id)
        return int(answers if strict else answers + held) < self.project.overlap

    def open_count(self) -> int:
        """How many items this person can still answer, without those they skipped."""
        return int(self._one(_statements().open_count))

    def held_count(self) -> int:
        """How many items only wait for what other people have before them."""
        return int(self._one(_statements().held_count))

    def _from(self, group: str) -> LabelItemRow | None:
        return self._get(self._least(self._rows(_statements().group, group=group)))

    def _last_group(self) -> str:
        done = rows_of(LabelItemRow.group_key).join(
            LabelEventRow, col(LabelEventRow.item_id) == LabelItemRow.id
        )
        mine = done.where(
            LabelEventRow.project_id == self.project.id,
            LabelEventRow.annotator_id == self.annotator_id,
        )
        newest = mine.order_by(col(LabelEventRow.seq).desc()).limit(1)
        return self.session.exec(newest).first() or ""

    def _least(self, rows: Iterable[tuple[str, int]]) -> str | None:
        order = [(n, shuffled(self.project, self.annotator_id, name), name) for name, n in rows]
        return min(order, default=(0, "", None))[2]

    def _get(self, item_id: str | None) -> LabelItemRow | None:
        return self.session.get(LabelItemRow, item_id) if item_id else None

    def _rows(self, statement: Any, **told: str) -> Any:
        bound: dict[str, Any] = {
            "me": self.annotator_id,
            "project": self.project.id,
            "overlap": self.project.overlap,
            "now": self.now,
            **told,
        }
        return self.session.connection().execute(statement, bound).all()

    def _one(self, statement: Any) -> Any:
        rows = self._rows(statement)
        return rows[0][0] if rows else None


@dataclass(frozen=True)
class _Statements:
    """What is asked; bound to `me`, `project`, `overlap`, `now`, and `group` or `item`."""

    group: Select[Any]
    groups: Select[Any]
    skipped: Select[Any]
    taken: Select[Any]
    open_count: Select[Any]
    held_count: Select[Any]


@cache
def _statements() -> _Statements:
    item = tables.LabelItemRow.__table__.c  # type: ignore[attr-defined]
    answers, held = _answers(item), _held(item)
    mine = tables.LabelCurrentRow.__table__.alias().c  # type: ignore[attr-defined]
    own = mine.item_id == item.id, mine.annotator_id == bindparam("me")
    here, answered = item.project_id == bindparam("project"), exists().where(*own)
    free = or_(item.gold.is_not(None), answers + held < bindparam("overlap"))
    is_open = here, ~answered, free
    counted = select(func.count(item.id))
    skips = select(item.id).where(*own, mine.state == "skip", here, free)
    return _Statements(
        group=select(item.id, answers + held).where(item.group_key == bindparam("group"), *is_open),
        groups=select(item.group_key, func.min(answers + held))
        .where(*is_open)
        .group_by(item.group_key),
        skipped=skips.order_by(mine.event_seq).limit(1),
        taken=select(answers, held).where(item.id == bindparam("item")),
        open_count=counted.where(*is_open),
        held_count=counted.where(here, ~answered, answers < bindparam("overlap"), ~free),
    )


def _answers(item: Any) -> Any:
    """How many other people have answered an item; skips and models do not count."""
    other = tables.LabelCurrentRow.__table__.alias().c  # type: ignore[attr-defined]
    counted = select(func.count()).where(
        other.item_id == item.id,
        other.annotator_id != bindparam("me"),
        other.state != "skip",
        other.origin == "human",
    )
    return counted.correlate(tables.LabelItemRow.__table__).scalar_subquery()  # type: ignore[attr-defined]


def _held(item: Any) -> Any:
    """How many other people have an item before them and have not answered it yet."""
    lease = tables.LabelLeaseRow.__table__.alias()  # type: ignore[attr-defined]
    done = tables.LabelCurrentRow.__table__.alias().c  # type: ignore[attr-defined]
    answered = exists().where(
        done.item_id == lease.c.item_id,
        done.annotator_id == lease.c.annotator_id,
        done.state != "skip",
    )
    counted = select(func.count()).where(
        lease.c.item_id == item.id,
        lease.c.annotator_id != bindparam("me"),
        lease.c.expires > bindparam("now"),
        ~answered.correlate(lease),
    )
    return counted.correlate(tables.LabelItemRow.__table__).scalar_subquery()  # type: ignore[attr-defined]
