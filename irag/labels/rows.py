"""Between the tables and the values, and the one way to write: a short locked transaction."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select

from irag.errors import UnknownName
from irag.labels.acts import Event, Vote
from irag.labels.values import Candidate, Grade, Item, Link, Passage, Project, Scale
from irag.store import Database
from irag.store.label_tables import LabelEventRow, LabelItemRow, LabelProjectRow
from irag.store.tables import SchemaVersion

__all__ = [
    "Books",
    "event_of",
    "event_row",
    "in_batches",
    "item_of",
    "item_row",
    "new_id",
    "now",
    "project_of",
    "scale_of",
    "scale_text",
    "vote_of",
]

T = TypeVar("T")
BATCH = 500
"""Ids asked for at once: SQLite takes 999 in its older versions."""

TRIES = 4
_writing = threading.Lock()
"""Writers of one process queue here, in turn; those of other processes wait for the database."""

_IN_DETAILS = (
    "flags", "reason", "cause", "confidence", "gold", "shown", "active_ms", "keyboard", "via",
)  # fmt: skip


def now() -> float:
    """Seconds since 1970 in whole milliseconds, so that exports give them back exactly."""
    return round(time.time(), 3)


def new_id(letter: str) -> str:
    """A fresh id that nobody can guess."""
    return letter + secrets.token_hex(8)


@dataclass(frozen=True)
class Books:
    """The database as labelling uses it."""

    database: Database
    clock: Callable[[], float] = now

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A short session that writes nothing."""
        with self.database.session() as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction that alone may write, from its first statement to its commit."""
        with _writing, self.database.session() as session:
            _begin(session)
            yield session
            session.commit()

    @contextmanager
    def at(self, project_id: str) -> Iterator[tuple[Session, Project]]:
        """Such a transaction on one project, by its id or its name."""
        with self.writing() as session:
            yield session, self._project(session, project_id)

    def project(self, project_id: str) -> Project:
        """A project by its id or its name; UnknownName when there is none."""
        with self.reading() as session:
            return self._project(session, project_id)

    def _project(self, session: Session, project_id: str) -> Project:
        own = col(LabelProjectRow.id) == project_id
        wanted = select(LabelProjectRow).where(own | (col(LabelProjectRow.name) == project_id))
        row = session.exec(wanted).first()
        if row is None:
            raise UnknownName("label project", project_id, self._names(session))
        return project_of(row)

    def _names(self, session: Session) -> Sequence[str]:
        return session.exec(select(LabelProjectRow.name)).all()


def _begin(session: Session) -> None:
    """Let nobody else write until the commit, and wait in turn for that.

    SQLite gives its write lock; elsewhere the one row of `schema_version` is locked. A second try
    loses nothing, because nothing was done yet.
    """
    connection = session.connection()
    if connection.dialect.name != "sqlite":
        session.exec(select(SchemaVersion).with_for_update()).one()
        return
    for left in reversed(range(TRIES)):
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        except OperationalError:
            if not left:
                raise


def in_batches(ids: Iterable[T]) -> Iterator[tuple[T, ...]]:
    """Ids, without repeats, in portions that any database takes in one IN list."""
    left = iter(dict.fromkeys(ids))
    while batch := tuple(islice(left, BATCH)):
        yield batch


def scale_text(scale: Scale) -> str:
    """A scale as JSON."""
    return json.dumps(asdict(scale), ensure_ascii=False)


def scale_of(stored: dict[str, Any]) -> Scale:
    """The scale of such JSON; KeyError, TypeError or ValueError when it is none."""
    told = stored["grades"]
    grades = tuple(Grade(int(g["key"]), str(g["name"]), str(g["meaning"])) for g in told)
    scale = Scale(str(stored["name"]), grades, int(stored["relevant"]))
    if scale.relevant not in scale.keys or list(scale.keys) != sorted({*scale.keys} & {*range(10)}):
        raise ValueError("a scale's keys rise from 0 to 9 at most, and its cut is one of them")
    return scale


def project_of(row: LabelProjectRow) -> Project:
    """The value of a project's row."""
    told = row.model_dump() | {"scale": scale_of(json.loads(row.scale))}
    return Project(**told)


def item_of(row: LabelItemRow) -> Item:
    """The value of an item's row."""
    chain = tuple(Link(**link) for link in json.loads(row.chain))
    span = None if row.start is None or row.stop is None else (row.start, row.stop)
    return Item(
        row.id,
        row.project_id,
        row.key,
        row.place,
        row.question_id,
        row.question,
        row.language,
        row.hop,
        chain,
        Candidate(row.kind, row.candidate_id, row.head, row.relation, row.tail, row.text),  # type: ignore[arg-type]
        Passage(row.document_id, row.title, row.passage, span),
    )


def item_row(item: Item) -> LabelItemRow:
    """The row of an item, without gold."""
    candidate, passage = item.candidate, item.passage
    start, stop = passage.span or (None, None)
    return LabelItemRow(
        id=item.id,
        project_id=item.project_id,
        key=item.key,
        group_key=f"{item.project_id}|{item.hop}|{item.question_id}",
        place=item.place,
        question_id=item.question_id,
        question=item.question,
        language=item.language,
        hop=item.hop,
        chain=json.dumps([asdict(link) for link in item.chain], ensure_ascii=False),
        kind=candidate.kind,
        candidate_id=candidate.id,
        head=candidate.head,
        relation=candidate.relation,
        tail=candidate.tail,
        text=candidate.text,
        document_id=passage.document_id,
        title=passage.title,
        passage=passage.text,
        start=start,
        stop=stop,
    )


def event_row(event: Event) -> LabelEventRow:
    """The row of an event; its number is the database's to give."""
    told = asdict(event)
    details = {name: told.pop(name) for name in _IN_DETAILS}
    del told["seq"]
    kept = {name: value for name, value in details.items() if value not in (None, "", (), False)}
    return LabelEventRow(**told, details=json.dumps(kept, ensure_ascii=False))


def event_of(row: LabelEventRow) -> Event:
    """The value of an event's row."""
    told = row.model_dump(exclude={"details"}) | json.loads(row.details)
    return Event(**told | {"flags": tuple(told.get("flags", ()))})


def vote_of(event: Event) -> Vote:
    """What an event says as its author's answer to the item."""
    assert event.state is not None, "only an event with a state is an answer"
    return Vote(
        event.item_id,
        event.annotator_id,
        event.state,
        event.grade,
        event.flags,
        event.reason,
        event.note,
        event.origin,
        event.guideline,
        event.at,
        event.active_ms,
        event.id,
    )
