"""Everything of a project as JSON lines: the project, its items, and every event as it came."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, get_args

from irag.labels.acts import Event, Kind, OriginKind, State
from irag.labels.book import Book
from irag.labels.exports.base import (
    Exported,
    Format,
    Incoming,
    Refused,
    Wanted,
    counted,
    json_line,
    plain_item,
    read_item,
    read_lines,
)
from irag.labels.projects import Guideline
from irag.labels.rows import scale_of
from irag.labels.values import Item, Origin, Project, seconds_of, utc_text

__all__ = ["FORMAT", "VERSION"]

VERSION = "irag-labels-1"


def write(book: Book, wanted: Wanted) -> Exported:
    """A line for the project, each version of its guidelines, each item, and each event."""
    keys = {item.id: item.key for item in book.items}
    origins: dict[str, list[Origin]] = {}
    for origin in book.origins:
        origins.setdefault(origin.item_id, []).append(origin)

    def item_line(item: Item) -> str:
        told = {"gold": book.gold.get(item.id), "origins": _plain(origins.get(item.id, ()))}
        return json_line({"row": "item", "item_id": item.id, **plain_item(item), **told})

    lines = [json_line({"row": "project", "format": VERSION, **_project(book.project)})]
    lines += [json_line({"row": "guideline", **asdict(one)}) for one in book.guidelines]
    lines += counted(book.items, item_line)
    lines += [json_line(_event(event, keys[event.item_id])) for event in book.events]
    included = (("items", len(book.items)), ("events", len(book.events)))
    return Exported("\n".join(lines) + "\n", included)


def _project(project: Project) -> dict[str, Any]:
    told = asdict(project) | {"created": utc_text(project.created)}
    return told | {"relevant_if": project.scale.relevant_if}


def _plain(origins: Any) -> list[dict[str, Any]]:
    told = [asdict(origin) for origin in origins]
    return [{name: value for name, value in one.items() if name != "item_id"} for one in told]


def _event(event: Event, key: str) -> dict[str, Any]:
    told = asdict(event) | {"item_key": key, "at": utc_text(event.at)}
    told["shown"] = utc_text(event.shown) if event.shown is not None else None
    del told["project_id"], told["seq"]
    return {"row": "event", **told}


def read(text: str) -> Incoming:
    """The project, items and events of such a text; rows that are none are refused by line."""
    rows, refused = read_lines(text, _row)
    projects = [row for row in rows if isinstance(row, Project)]
    if not projects:
        missing = Refused("the file", f"it has no project line of format {VERSION}")
        return Incoming(refused=(missing, *refused))
    told = [row for row in rows if isinstance(row, tuple)]
    return Incoming(
        project=projects[0],
        guidelines=tuple(row for row in rows if isinstance(row, Guideline)),
        items=tuple(item for item, _, _ in told),
        origins=tuple(origin for _, origins, _ in told for origin in origins),
        gold={item.key: gold for item, _, gold in told if gold is not None},
        events=tuple(row for row in rows if isinstance(row, Event)),
        refused=refused,
    )


def _row(record: dict[str, Any]) -> Any:
    kind = record.pop("row")
    if kind == "project":
        return _read_project(record)
    if kind == "guideline":
        return Guideline(int(record["version"]), str(record["language"]), str(record["text"]))
    if kind == "item":
        item = read_item(record)
        origins = tuple(Origin(item_id=item.key, **told) for told in record["origins"])
        gold = record["gold"]
        return item, origins, None if gold is None else int(gold)
    if kind == "event":
        return _read_event(record)
    raise ValueError(f"a row is no {kind!r}")


def _read_project(record: dict[str, Any]) -> Project:
    if record.pop("format") != VERSION:
        raise ValueError(f"its format is not {VERSION}")
    del record["relevant_if"]
    scale, created = scale_of(record.pop("scale")), seconds_of(record.pop("created"))
    return Project(**record, scale=scale, created=created)


def _read_event(record: dict[str, Any]) -> Event:
    shown = record.pop("shown")
    times = {
        "at": seconds_of(record.pop("at")),
        "shown": seconds_of(shown) if shown is not None else None,
    }
    record["item_id"] = record.pop("item_key")
    record["flags"] = tuple(record["flags"])
    event = replace(Event(seq=0, project_id="", **record), **times)  # type: ignore[arg-type]
    if event.kind not in get_args(Kind) or event.origin not in get_args(OriginKind):
        raise ValueError(f"an event is no {event.kind!r} of a {event.origin!r}")
    if event.state is not None and event.state not in get_args(State):
        raise ValueError(f"a state is no {event.state!r}")
    return event


FORMAT = Format("events", "All events (JSON lines)", ".jsonl", "", write, read)
