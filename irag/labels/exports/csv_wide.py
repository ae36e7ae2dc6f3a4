"""CSV with a row for each item and a column for each annotator, as statistics programs want it."""

from __future__ import annotations

from irag.labels.acts import Vote
from irag.labels.book import Book
from irag.labels.exports.base import Exported, Format, Wanted, by_reason, counted
from irag.labels.exports.csv_long import ITEM_HEADS, Cell, item_cells
from irag.labels.values import Item
from irag.views.csv_text import csv_text

__all__ = ["FORMAT"]


def write(book: Book, wanted: Wanted) -> Exported:
    """A cell holds the grade, "skip", "flag", or nothing where that person was not asked."""
    people = book.annotators
    heads = (*ITEM_HEADS, "final", "source", *(f"label {name}" for name in people))

    def row(item: Item) -> tuple[Cell, ...]:
        votes = {vote.annotator_id: vote for vote in book.votes.get(item.id, ())}
        final = book.finals[item.id]
        cells = (_cell(votes.get(name)) for name in people)
        own = item_cells(item, book.gold.get(item.id))
        return (*own, final.grade, final.source, *cells)

    kept = [item for item in book.items if wanted.gold or item.id not in book.gold]
    text = csv_text(heads, counted(kept, row))
    left_out = by_reason("gold items" for _ in range(len(book.items) - len(kept)))
    included = (("items", len(kept)), ("annotators", len(people)))
    return Exported("\ufeff" + text if wanted.bom else text, included, left_out)


def _cell(vote: Vote | None) -> Cell:
    return None if vote is None else vote.grade if vote.state == "label" else vote.state


FORMAT = Format(
    "csv_wide",
    "CSV, a column an annotator",
    ".csv",
    "Times, notes, flags and reasons; it cannot be read back.",
    write,
)
