"""One JSON line an item, complete in itself: texts, final label with its provenance, answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from irag.labels.acts import Vote
from irag.labels.book import Book
from irag.labels.exports.base import (
    Exported,
    Format,
    Incoming,
    Wanted,
    brought,
    by_reason,
    counted,
    json_line,
    plain_item,
    read_item,
    read_lines,
)
from irag.labels.exports.votes import plain_vote, read_vote
from irag.labels.values import Item

__all__ = ["FORMAT"]

VERSION = "irag-resolved-1"


def write(book: Book, wanted: Wanted) -> Exported:
    """Every item, also those without a label: `final.source` says why there is none."""
    project = book.project
    shared = {
        "format": VERSION,
        "project": project.name,
        "scale": project.scale.name,
        "relevant_if": project.scale.relevant_if,
        "guideline_version": project.guideline,
    }

    def line(item: Item) -> str:
        final = asdict(book.finals[item.id])
        del final["item_id"]
        votes = [plain_vote(vote) for vote in book.votes.get(item.id, ())]
        gold = book.gold.get(item.id)
        relevant = final["grade"] is not None and final["grade"] >= project.scale.relevant
        told = {"final": final, "relevant": relevant, "gold": gold, "votes": votes}
        return json_line({**shared, **plain_item(item), **told})

    kept = [item for item in book.items if wanted.gold or item.id not in book.gold]
    lines = list(counted(kept, line))
    left_out = by_reason("gold items" for _ in range(len(book.items) - len(kept)))
    return Exported("".join(f"{one}\n" for one in lines), (("items", len(lines)),), left_out)


def read(text: str) -> Incoming:
    """Items with the answers that hold."""
    rows, refused = read_lines(text, _row)
    names = rows[0][1] if rows else ("", "")
    return brought("resolved", (told for told, _ in rows), names, refused)


def _row(record: dict[str, Any]) -> tuple[tuple[Item, list[Vote], int | None], tuple[str, str]]:
    if record["format"] != VERSION:
        raise ValueError(f"its format is not {VERSION}")
    votes = [read_vote(vote) for vote in record["votes"]]
    gold = record["gold"]
    told = read_item(record), votes, None if gold is None else int(gold)
    return told, (str(record["project"]), str(record["scale"]))


FORMAT = Format(
    "resolved",
    "Resolved labels (JSON lines)",
    ".jsonl",
    "Earlier answers, undo and adjudications; a final label is worked out again from the answers.",
    write,
    read,
)
