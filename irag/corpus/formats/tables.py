"""Tables as sentences: a line a row, and each line carries the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from irag.text.words import HAN

__all__ = ["Cell", "row_line", "table_lines"]

MOST_HEADING_ROWS = 3
LONGEST_NAME = 60

_HAN = re.compile(f"[{HAN}]")
_ENDED = re.compile(r"[.!?。！？]$")


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell on one line; `names`: it is marked as a heading of its row or column."""

    text: str
    names: bool = False


def row_line(names: Sequence[str], values: Sequence[str]) -> str:
    """ "Bridge: Tem; Opened: 1931." or "桥：特姆桥，建成：1931。"; "" for an empty row."""
    han = bool(_HAN.search("".join((*names, *values))))
    colon, comma, stop = ("：", "，", "。") if han else (": ", "; ", ".")
    padded = [*names, *[""] * (len(values) - len(names))]
    pairs = zip(padded, values, strict=False)
    said = [f"{name}{colon}{value}" if name else value for name, value in pairs if value]
    line = comma.join(dict.fromkeys(said))  # a cell over two columns says it once
    return f"{line}{'' if _ENDED.search(line) else stop}" if line else ""


def table_lines(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """The rows as lines with borders between them; heading rows become the names of the columns."""
    rows = [row for row in rows if any(cell.text for cell in row)]
    count = _heading_rows(rows)
    names = _names(rows[:count])
    lines = [""]
    for row in rows[count:]:
        values = [cell.text for cell in row]
        if names:
            line = row_line(names, values)
        elif len(row) > 1 and row[0].names and row[0].text:
            rest = list(dict.fromkeys(value for value in values[1:] if value))
            line = row_line([row[0].text], [", ".join(rest)])
        else:
            line = row_line([], values)
        if line:
            lines += [line, ""]
    return lines if len(lines) > 1 else ["", "; ".join(dict.fromkeys(filter(None, names))), ""]


def _heading_rows(rows: Sequence[Sequence[Cell]]) -> int:
    marked = 0
    while marked < len(rows) and all(cell.names or not cell.text for cell in rows[marked]):
        marked += 1
    if marked:
        return min(marked, MOST_HEADING_ROWS)
    if len(rows) < 2 or any(cell.names for row in rows for cell in row):
        return 0
    first = [cell.text for cell in rows[0]]
    names = len(set(first)) == len(first) > 1 and all(
        0 < len(name) <= LONGEST_NAME and not re.search(r"\d|[.。]$", name) for name in first
    )
    return int(names)


def _names(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """One name a column; those of several heading rows stand in a line."""
    width = max((len(row) for row in rows), default=0)
    columns = [[row[n].text for row in rows if n < len(row)] for n in range(width)]
    return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]
