"""What every format shares: what is asked for, what comes out, what comes in."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

from irag.errors import IragError
from irag.labels.acts import Event, Vote
from irag.labels.book import Book
from irag.labels.projects import Guideline
from irag.labels.values import Item, Origin, Project

__all__ = [
    "Exported",
    "Format",
    "Incoming",
    "Refused",
    "Wanted",
    "brought",
    "by_reason",
    "checked",
    "counted",
    "event_of_vote",
    "json_line",
    "plain_item",
    "read_item",
    "read_lines",
]

T = TypeVar("T")

LARGEST = 2**31 - 1
"""The largest number that every database takes."""

BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
"""What a record that is none raises while it is read."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How an export is wished. `gold`: gold items too. `bom`: a mark by which Excel knows UTF-8.

    `answers` are a question's right answers by its id, for training files.
    """

    gold: bool = False
    bom: bool = False
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exported:
    """An export: its text, what went in, and what was left out, by reason.

    `sidecar` is JSON that goes beside the file, "" where none does.
    """

    text: str
    included: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, int], ...] = ()
    sidecar: str = ""

    @property
    def summary(self) -> str:
        """What went in and what did not, on one line."""
        into = ", ".join(f"{count:,} {what}" for what, count in self.included)
        out = ", ".join(f"{count:,} {why}" for why, count in self.left_out)
        return f"{into}; left out: {out or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A record of a file that was not taken in, with its place and the reason."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a file brings. Events and origins name items by key; gold is by key too.

    `project` is the file's own, None where it tells none; `name` and `scale_name` what it calls
    them. `grades` are labels of items that must be there already.
    """

    project: Project | None = None
    name: str = ""
    scale_name: str = ""
    guidelines: tuple[Guideline, ...] = ()
    items: tuple[Item, ...] = ()
    origins: tuple[Origin, ...] = ()
    gold: Mapping[str, int] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    grades: tuple[tuple[tuple[str, int, str], int], ...] = ()
    refused: tuple[Refused, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `suffix` is the file's; `loss` says what it cannot carry, "" for nothing."""

    name: str
    title: str
    suffix: str
    loss: str
    write: Callable[[Book, Wanted], Exported]
    read: Callable[[str], Incoming] | None = None


def counted(items: Iterable[Item], make: Callable[[Item], T]) -> Iterator[T]:
    """What `make` gives for each item; an error names the item, so that it can be looked at."""
    for item in items:
        try:
            yield make(item)
        except BROKEN as error:
            raise IragError(
                f"Item {item.id} ({item.place}) cannot be exported ({type(error).__name__}: "
                f"{error}). Nothing was written."
            ) from error


def by_reason(reasons: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Reasons with how often each was given, in alphabetical order."""
    return tuple(sorted(Counter(reasons).items()))


def json_line(record: Mapping[str, Any]) -> str:
    """A record on one line."""
    return json.dumps(record, ensure_ascii=False)


def plain_item(item: Item) -> dict[str, Any]:
    """An item as JSON carries it: all but its id, project and place, which a project gives."""
    told = asdict(item)
    for name in ("id", "project_id", "place"):
        del told[name]
    return told


def read_item(told: Mapping[str, Any]) -> Item:
    """The item of such a record; ValueError and its kin when it is none."""
    names = [one.name for one in fields(Item) if one.name not in ("id", "project_id", "place")]
    own = {"id": "", "project_id": "", "place": 0}
    item = checked(Item, {name: told[name] for name in names} | own)
    if not (item.key and item.question_id and item.question):
        raise ValueError("an item has a key, a question and the question's id")
    return item


def checked(kind: type[T], told: Mapping[str, Any]) -> T:
    """A value from a record whose every field is of its type; ValueError names what is not."""
    made = _adapter(cast(Any, kind)).validate_python(dict(told))
    for name in told:
        value = getattr(made, name, 0)
        if isinstance(value, int) and abs(value) > LARGEST:
            raise ValueError(f"{name}: {value} is too large")
    return cast(T, made)


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def event_of_vote(via: str, key: str, vote: Vote) -> Event:
    """An import event that says what a vote says; its id is the vote's content, for any retry."""
    told = (via, key, vote.annotator_id, vote.state, vote.grade, vote.note, vote.at)
    made = hashlib.sha1(repr(told).encode("utf-8", "surrogatepass"), usedforsecurity=False)
    return Event(
        0,
        "e" + made.hexdigest()[:24],
        "",
        key,
        vote.annotator_id,
        "import",
        state=vote.state,
        grade=vote.grade,
        note=vote.note,
        origin=vote.origin,
        guideline=vote.guideline,
        at=vote.at,
        flags=vote.flags,
        reason=vote.reason,
        active_ms=vote.active_ms,
        via=via,
    )


def brought(
    via: str,
    told: Iterable[tuple[Item, Sequence[Vote], int | None]],
    names: tuple[str, str],
    refused: Sequence[Refused],
) -> Incoming:
    """Items, each with its votes and gold, as what a file brings; `names`: project and scale."""
    rows = list(told)
    events = [event_of_vote(via, item.key, vote) for item, votes, _ in rows for vote in votes]
    return Incoming(
        name=names[0],
        scale_name=names[1],
        items=tuple({item.key: item for item, _, _ in rows}.values()),
        gold={item.key: gold for item, _, gold in rows if gold is not None},
        events=tuple({event.id: event for event in events}.values()),
        refused=tuple(refused),
    )


def read_lines(
    text: str, read: Callable[[Any], T], name: str = "line"
) -> tuple[list[T], tuple[Refused, ...]]:
    """The records of JSON lines, and those that were refused with line and reason."""
    taken: list[T] = []
    refused = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            taken.append(read(json.loads(line)))
        except BROKEN as error:
            refused.append(Refused(f"{name} {number}", f"{type(error).__name__}: {error}"))
    return taken, tuple(refused)
