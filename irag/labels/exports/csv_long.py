"""CSV with a row for each answer, and one for each item that has none; every text stays text."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping

from irag.labels.acts import Vote
from irag.labels.book import Book
from irag.labels.exports.base import (
    BROKEN,
    Exported,
    Format,
    Incoming,
    Refused,
    Wanted,
    brought,
    by_reason,
    counted,
    plain_item,
    read_item,
)
from irag.labels.exports.votes import plain_vote, read_vote
from irag.labels.values import Item
from irag.views.csv_text import csv_text, read_csv

__all__ = ["FORMAT", "ITEM_HEADS", "item_cells"]

Cell = str | int | float | None

ITEM_HEADS = (
    "item_key", "question_id", "question", "language", "hop", "chain", "kind", "candidate_id",
    "head", "relation", "tail", "text", "document_id", "title", "passage", "span_start",
    "span_end", "sentence", "gold",
)  # fmt: skip
_PROJECT_HEADS = ("project", "scale", "relevant_if")
_VOTE_HEADS = (
    "annotator", "origin", "state", "grade", "flags", "reason", "noted", "note",
    "guideline_version", "at", "active_ms",
)  # fmt: skip
HEADS = (*_PROJECT_HEADS, *ITEM_HEADS, *_VOTE_HEADS)
_UNLABELLED = ("", "", "unlabelled", *[None] * (len(_VOTE_HEADS) - 3))


def item_cells(item: Item, gold: int | None) -> tuple[Cell, ...]:
    """An item's cells under ITEM_HEADS; the chain is JSON."""
    told = plain_item(item)
    span = item.passage.span or (None, None)
    return (
        item.key,
        *(told[name] for name in ("question_id", "question", "language", "hop")),
        json.dumps(told["chain"], ensure_ascii=False),
        *(told["candidate"][name] for name in ("kind", "id", "head", "relation", "tail", "text")),
        *(told["passage"][name] for name in ("document_id", "title", "text")),
        *span,
        item.passage.sentence,
        gold,
    )


def _vote_cells(vote: Vote) -> tuple[Cell, ...]:
    told = plain_vote(vote)
    told["flags"] = " ".join(vote.flags)
    told["noted"] = "no" if vote.note is None else "yes"
    return tuple(told[name] for name in _VOTE_HEADS)


def write(book: Book, wanted: Wanted) -> Exported:
    """Answers that hold, of people and models; `noted` tells an empty note from none."""
    project = book.project
    shared = (project.name, project.scale.name, project.scale.relevant_if)

    def rows(item: Item) -> list[tuple[Cell, ...]]:
        own = (*shared, *item_cells(item, book.gold.get(item.id)))
        votes = [_vote_cells(vote) for vote in book.votes.get(item.id, ())]
        return [(*own, *vote) for vote in votes or [_UNLABELLED]]

    kept = [item for item in book.items if wanted.gold or item.id not in book.gold]
    lines = [row for some in counted(kept, rows) for row in some]
    text = csv_text(HEADS, lines)
    answers = sum(len(book.votes.get(item.id, ())) for item in kept)
    left_out = by_reason("gold items" for _ in range(len(book.items) - len(kept)))
    included = (("items", len(kept)), ("answers", answers))
    return Exported("\ufeff" + text if wanted.bom else text, included, left_out)


def read(text: str) -> Incoming:
    """Items with the answers that hold; rows that are none are refused by number."""
    try:
        heads, rows = read_csv(text)
    except (csv.Error, ValueError) as error:
        return Incoming(refused=(Refused("the file", f"no CSV ({error})"),))
    missing = set(HEADS) - set(heads)
    if missing:
        return Incoming(refused=(Refused("the file", f"no column {', '.join(sorted(missing))}"),))
    told: list[tuple[Item, list[Vote], int | None]] = []
    refused, names = [], ("", "")
    for number, row in enumerate(rows, 2):
        cells = dict(zip(heads, row, strict=False))
        try:
            gold = int(cells["gold"]) if cells["gold"] else None
            told.append((_item(cells), _votes(cells), gold))
            names = (cells["project"], cells["scale"])
        except BROKEN as error:
            refused.append(Refused(f"row {number}", f"{type(error).__name__}: {error}"))
    return brought("csv", told, names, refused)


def _item(cells: Mapping[str, str]) -> Item:
    parts = {name: cells[name] for name in ("kind", "head", "relation", "tail", "text")}
    span = (int(cells["span_start"]), int(cells["span_end"])) if cells["span_start"] else None
    return read_item(
        {
            **{name: cells[name] for name in ("question_id", "question", "language", "hop")},
            "key": cells["item_key"],
            "chain": json.loads(cells["chain"]),
            "candidate": {"id": cells["candidate_id"], **parts},
            "passage": {
                "document_id": cells["document_id"],
                "title": cells["title"],
                "text": cells["passage"],
                "span": span,
            },
        }
    )


def _votes(cells: Mapping[str, str]) -> list[Vote]:
    if cells["state"] == "unlabelled":
        return []
    told = {
        **cells,
        "grade": int(cells["grade"]) if cells["grade"] else None,
        "flags": cells["flags"].split(),
        "note": cells["note"] if cells["noted"] == "yes" else None,
        "active_ms": cells["active_ms"] or None,
    }
    return [read_vote(told)]


FORMAT = Format(
    "csv_long",
    "CSV, a row an answer",
    ".csv",
    "Earlier answers, undo, adjudications, guidelines and the runs an item came from. Characters "
    "that no text can hold, such as lone surrogates, are replaced.",
    write,
    read,
)
