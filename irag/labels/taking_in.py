"""What a file brings goes into a project, once, however often it is brought."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from irag.errors import UserError
from irag.labels.acts import FLAGS, Event, Vote
from irag.labels.exports import Incoming
from irag.labels.exports.base import Refused, event_of_vote
from irag.labels.filling import add_guidelines, add_items, add_project, checked_project_name
from irag.labels.guide import supplied
from irag.labels.pooling import item_key
from irag.labels.recording import ANSWERS, keep, take_back
from irag.labels.rows import Books, in_batches, new_id
from irag.labels.values import SCALES, Project
from irag.store.label_tables import LabelEventRow, LabelItemRow, LabelProjectRow

__all__ = ["IMPORTED", "Taken", "take_in"]

IMPORTED = "import"
"""Who a grade is from that names nobody."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of an import: new and known items and events, and what was refused and why."""

    project_id: str
    items: int
    known_items: int
    events: int
    known_events: int
    refused: tuple[Refused, ...]


def take_in(books: Books, incoming: Incoming, project_id: str = "", who: str = IMPORTED) -> Taken:
    """Bring a file's items and answers into a project, "" for the file's own, made where missing.

    One transaction: all that is not refused, or nothing. The same file again changes nothing.
    Grades that name nobody become answers of `who`. UserError where no project can be made.
    """
    target, new = _target(books, incoming, project_id)
    scale = incoming.project.scale if incoming.project else SCALES.get(incoming.scale_name)
    if scale is not None and scale.keys != target.scale.keys:
        raise UserError(f"The file's scale is {scale.keys}, that of {target.name} is not.")
    with books.writing() as session:
        if new:
            _add(session, target, incoming)
        return _Intake(session, target, books.clock()).take(incoming, who)


def _target(books: Books, incoming: Incoming, project_id: str) -> tuple[Project, bool]:
    """The project to fill, and whether it is to be made."""
    own = incoming.project
    named = project_id or (own.id if own else incoming.name)
    with books.reading() as session:
        there = session.exec(
            select(LabelProjectRow.id).where(
                (col(LabelProjectRow.id) == named) | (col(LabelProjectRow.name) == named)
            )
        ).first()
    if there is not None:
        return books.project(there), False
    if own is not None:
        name = checked_project_name(project_id or own.name)
        return replace(own, id=new_id("p") if project_id else own.id, name=name), True
    if incoming.scale_name not in SCALES or not named:
        raise UserError(
            "The file does not say a project and a scale known here. Make a project first "
            "and name it."
        )
    scale, name = SCALES[incoming.scale_name], checked_project_name(named)
    return Project(new_id("p"), name, scale, 2, 1000, 0, books.clock()), True


def _add(session: Session, project: Project, incoming: Incoming) -> None:
    """A new project with every version of the file's guidelines, or those supplied."""
    versions: dict[int, dict[str, str]] = {}
    for one in incoming.guidelines:
        versions.setdefault(one.version, {})[one.language] = one.text
    add_project(session, project, versions.pop(project.guideline, supplied()))
    for version, texts in versions.items():
        add_guidelines(session, project.id, version, texts, project.created)


@dataclass
class _Intake:
    """One import under way."""

    session: Session
    project: Project
    now: float

    def take(self, incoming: Incoming, who: str) -> Taken:
        refused = list(incoming.refused)
        sound = []
        for item in incoming.items:
            if item.key == item_key(item):
                sound.append(item)
            else:
                refused.append(Refused(f"item {item.key}", "its key is not that of its texts"))
        wide = replace(self.project, cap=2**31 - 1)  # the cap holds for runs, not for files
        new, known, _ = add_items(self.session, wide, sound, incoming.origins)
        ids = self._ids()
        self._set_gold(incoming.gold, ids, refused)
        events = [*incoming.events, *self._graded(incoming, who, refused)]
        fresh = self._fresh(events)
        kept = sum(self._keep(event, ids, refused) for event in fresh)
        told = (new, known, kept, len(events) - len(fresh))
        return Taken(self.project.id, *told, tuple(refused))

    def _ids(self) -> dict[str, str]:
        mine = LabelItemRow.project_id == self.project.id
        return dict(self.session.exec(select(LabelItemRow.key, LabelItemRow.id).where(mine)).all())

    def _set_gold(
        self, gold: Mapping[str, int], ids: Mapping[str, str], refused: list[Refused]
    ) -> None:
        for key, grade in gold.items():
            row = self.session.get(LabelItemRow, ids.get(key, ""))
            if row is None or grade not in self.project.scale.keys:
                refused.append(Refused(f"gold of {key}", f"{grade} of an item or scale not here"))
            else:
                row.gold = grade
                self.session.add(row)

    def _graded(self, incoming: Incoming, who: str, refused: list[Refused]) -> list[Event]:
        """Grades by question, hop and candidate as answers to the items that are meant."""
        if not incoming.grades:
            return []
        rows = self.session.exec(
            select(
                LabelItemRow.question_id,
                LabelItemRow.hop,
                LabelItemRow.candidate_id,
                LabelItemRow.key,
            ).where(LabelItemRow.project_id == self.project.id)
        ).all()
        keys: dict[tuple[str, int, str], list[str]] = {}
        for question, hop, candidate, key in rows:
            keys.setdefault((question, hop, candidate), []).append(key)
        events = []
        for own, grade in incoming.grades:
            if own not in keys:
                refused.append(Refused(" ".join(map(str, own)), "no such item in this project"))
            for key in keys.get(own, ()):
                vote = Vote("", who, "label", grade)
                events.append(replace(event_of_vote("qrels", key, vote), at=self.now))
        return events

    def _fresh(self, events: list[Event]) -> list[Event]:
        """The events that are not here yet, under ids that are free for this project."""
        named = {event.id: self._own_id(event.id) for event in events}
        there: dict[str, str] = {}
        for batch in in_batches([*named, *named.values()]):
            wanted = col(LabelEventRow.id).in_(batch)
            there |= dict(
                self.session.exec(
                    select(LabelEventRow.id, LabelEventRow.project_id).where(wanted)
                ).all()
            )
        left = []
        for event in events:
            mine = {there.get(event.id), there.get(named[event.id])}
            if self.project.id not in mine:
                free = event.id if event.id not in there else named[event.id]
                before = event.supersedes
                if free != event.id and before is not None:
                    before = named.get(before, self._own_id(before))
                left.append(replace(event, id=free, supersedes=before))
        return left

    def _own_id(self, event_id: str) -> str:
        told = f"{self.project.id}|{event_id}".encode("utf-8", "surrogatepass")
        return "e" + hashlib.sha1(told, usedforsecurity=False).hexdigest()[:24]

    def _keep(self, event: Event, ids: Mapping[str, str], refused: list[Refused]) -> bool:
        why = _fault(event, self.project)
        if event.item_id not in ids:
            why = "its item is not in this project"
        if why:
            refused.append(Refused(f"event {event.id}", why))
            return False
        mine = replace(event, project_id=self.project.id, item_id=ids[event.item_id])
        if event.kind == "undo":
            undone = replace(mine, id=event.supersedes or "")
            take_back(self.session, undone, event.id, event.guideline, event.at)
        else:
            keep(self.session, mine)
        return True


def _fault(event: Event, project: Project) -> str:
    """Why an event cannot be kept; "" when it can."""
    if not (event.id and event.annotator_id.strip()):
        return "it has no id or annotator"
    if event.kind in ANSWERS and event.state is None:
        return "it says nothing"
    if event.grade is not None and (
        isinstance(event.grade, bool) or event.grade not in project.scale.keys
    ):
        return f"{event.grade!r} is no grade of this project"
    if (event.state == "label") != (event.grade is not None) and event.kind != "gold":
        return "a label has a grade; a skip or a flag has none"
    strange = Counter(event.flags) - Counter(FLAGS)
    return f"unknown flag {', '.join(strange)}" if strange else ""
