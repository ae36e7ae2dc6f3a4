"""Tables as CSV that a spreadsheet opens as text: no cell of ours is ever taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from irag.views.escape import clean

__all__ = ["csv_text", "read_csv"]

Cell = str | int | float | None

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""What a spreadsheet takes for the beginning of a formula, and our own mark."""


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Rows as CSV. Numbers stay numbers, None is an empty cell; a text that begins like a formula
    gets an apostrophe before it, which `read_csv` takes off again. Write it as UTF-8 with a BOM."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return written.getvalue()


def read_csv(text: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The heads and rows of a table that `csv_text` wrote, each text as it was."""
    heads, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    return tuple(heads), [tuple(map(_plain, row)) for row in rows]


def _safe(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = clean(cell)
    return f"'{text}" if text.startswith(_RISKY) else text


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else cell
