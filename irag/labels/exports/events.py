"""Everything of a project as JSON lines: the project, its items, and every event as it came."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from irag.labels.acts import Event
from irag.labels.book import Book
from irag.labels.exports.base import (
    Exported,
    Format,
    Incoming,
    Refused,
    Wanted,
    checked,
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
        return checked(Guideline, record)
    if kind == "item":
        item = read_item(record)
        told = [{**origin, "item_id": item.key} for origin in record["origins"]]
        origins = tuple(checked(Origin, origin) for origin in told)
        gold = record["gold"]
        return item, origins, None if gold is None else int(gold)
    if kind == "event":
        return _read_event(record)
    raise ValueError(f"a row is no {kind!r}")


def _read_project(record: dict[str, Any]) -> Project:
    if record["format"] != VERSION:
        raise ValueError(f"its format is not {VERSION}")
    times = {"created": seconds_of(record["created"])}
    project = checked(Project, {**record, **times, "scale": scale_of(record["scale"])})
    if min(project.overlap, project.cap, project.guideline) < 1:
        raise ValueError("overlap, cap and guideline are at least 1")
    return project


def _read_event(record: dict[str, Any]) -> Event:
    shown = record["shown"]
    told = {
        "seq": 0,
        "project_id": "",
        "item_id": record["item_key"],
        "at": seconds_of(record["at"]),
        "shown": None if shown is None else seconds_of(shown),
    }
    return checked(Event, {**record, **told})


FORMAT = Format("events", "All events (JSON lines)", ".jsonl", "", write, read)
