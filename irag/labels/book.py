"""A project read whole at one moment: what exports, agreement and scores are drawn from.

Answers are replayed from the events, which are the truth; the table of current answers only makes
the queue quick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlmodel import col, select

from irag.labels.acts import Event, Vote
from irag.labels.projects import Guideline, Projects
from irag.labels.recording import ANSWERS
from irag.labels.resolving import Final, resolve
from irag.labels.rows import Books, event_of, in_batches, item_of, vote_of
from irag.labels.values import Item, Origin, Project
from irag.store.label_tables import (
    LabelEventRow,
    LabelGuidelineRow,
    LabelItemRow,
    LabelOriginRow,
)

__all__ = ["Book", "read_book", "read_events", "replay", "rulings"]


@dataclass(frozen=True)
class Book:
    """One project with everything in it; items by place, events by number.

    `gold` is the known grade by item id.
    """

    project: Project
    guidelines: tuple[Guideline, ...]
    items: tuple[Item, ...]
    gold: Mapping[str, int]
    origins: tuple[Origin, ...]
    events: tuple[Event, ...]

    @cached_property
    def votes(self) -> Mapping[str, tuple[Vote, ...]]:
        """The answers that hold, by item id, people and models, in the order of annotator ids."""
        return replay(self.events)

    @cached_property
    def finals(self) -> Mapping[str, Final]:
        """What each item's answers come to, by item id; people's answers alone."""
        ruled = rulings(self.events)
        return {
            item.id: resolve(item.id, self.votes.get(item.id, ()), ruled.get(item.id))
            for item in self.items
        }

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        """The ids of everybody whose answer holds."""
        return tuple(sorted({v.annotator_id for votes in self.votes.values() for v in votes}))

    @property
    def version(self) -> int:
        """The number of the newest event: what was drawn from the book holds while it is equal."""
        return self.events[-1].seq if self.events else 0

    def people(self, item_id: str) -> tuple[Vote, ...]:
        """People's answers to an item that hold: labels, flags and skips."""
        return tuple(vote for vote in self.votes.get(item_id, ()) if vote.origin == "human")


def replay(events: Iterable[Event]) -> dict[str, tuple[Vote, ...]]:
    """The answers that hold after events in their order, by item id."""
    current: dict[str, dict[str, Vote]] = defaultdict(dict)
    for event in events:
        if event.kind in ANSWERS:
            current[event.item_id][event.annotator_id] = vote_of(event)
        elif event.kind == "undo":
            current[event.item_id].pop(event.annotator_id, None)
    return {
        item: tuple(vote for _, vote in sorted(votes.items()))
        for item, votes in current.items()
        if votes
    }


def rulings(events: Iterable[Event]) -> dict[str, Event]:
    """The adjudication that holds, by item id; one that was reopened holds no more."""
    ruled: dict[str, Event] = {}
    for event in events:
        if event.kind == "adjudicate":
            ruled[event.item_id] = event
    return {item: event for item, event in ruled.items() if event.state is not None}


def read_events(books: Books, project_id: str, item_ids: Iterable[str]) -> tuple[Event, ...]:
    """The events of some items of a project, in order, however many items."""
    found: list[Event] = []
    mine = LabelEventRow.project_id == project_id
    with books.reading() as session:
        for batch in in_batches(item_ids):
            wanted = select(LabelEventRow).where(mine, col(LabelEventRow.item_id).in_(batch))
            found += map(event_of, session.exec(wanted))
    return tuple(sorted(found, key=lambda event: event.seq))


def read_book(books: Books, project_id: str) -> Book:
    """A project as it is now; UnknownName when there is none."""
    project = Projects(books).get(project_id)
    with books.reading() as session:
        items = session.exec(
            select(LabelItemRow)
            .where(LabelItemRow.project_id == project.id)
            .order_by(col(LabelItemRow.place))
        ).all()
        guidelines = session.exec(
            select(LabelGuidelineRow)
            .where(LabelGuidelineRow.project_id == project.id)
            .order_by(col(LabelGuidelineRow.version), col(LabelGuidelineRow.language))
        ).all()
        origins = session.exec(
            select(LabelOriginRow)
            .where(LabelOriginRow.project_id == project.id)
            .order_by(
                col(LabelOriginRow.item_id), col(LabelOriginRow.run_id), col(LabelOriginRow.hop)
            )
        ).all()
        events = session.exec(
            select(LabelEventRow)
            .where(LabelEventRow.project_id == project.id)
            .order_by(col(LabelEventRow.seq))
        ).all()
    return Book(
        project,
        tuple(Guideline(row.version, row.language, row.text) for row in guidelines),
        tuple(map(item_of, items)),
        {row.id: row.gold for row in items if row.gold is not None},
        tuple(
            Origin(row.item_id, row.run_id, row.method, row.hop, row.rank, row.score)
            for row in origins
        ),
        tuple(map(event_of, events)),
    )
