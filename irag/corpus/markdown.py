"""Markdown as sections of plain text: headings, front matter, fenced code, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Section", "sections"]

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_TITLE = re.compile(r"title:[ \t]*[\"']?(.*?)[\"']?[ \t]*")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_RULE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(slots=True)
class Section:
    """What stands under one heading; `titles` are the headings above it, outermost first."""

    titles: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The plain text; each row of a table is a paragraph of its own."""
        return "\n".join(self.lines).strip()


def sections(text: str, title: str) -> Iterator[Section]:
    """Sections with text, in order. `title` stands for the document's where it names none."""
    lines = text.split("\n")
    named, start = _front_matter(lines)
    path: dict[int, str] = {}
    current, fence = Section((named or title,)), ""
    at = start
    while at < len(lines):
        line = lines[at]
        heading = None if fence else _heading(lines, at)
        marks = _FENCE.fullmatch(line)
        if marks and (not fence or _closes(fence, marks)):
            fence = "" if fence else marks[1]
        elif heading:
            if current.text:
                yield current
            level, name, at = heading
            path = {above: t for above, t in path.items() if above < level} | {level: name}
            outer = (named,) if named and named not in path.values() else ()
            current = Section((*outer, *path.values()) or (title,))
        elif not fence and _begins_table(lines, at):
            rows, at = _table(lines, at)
            current.lines += rows
            continue
        else:
            current.lines.append(line if fence else _LINK.sub(r"\1", line))
        at += 1
    if current.text:
        yield current


def _front_matter(lines: list[str]) -> tuple[str, int]:
    """The title in the front matter, and the first line after it."""
    if not lines or lines[0].strip() != "---":
        return "", 0
    for at, line in enumerate(lines[1:], 1):
        if line.strip() in ("---", "..."):
            found = (_TITLE.fullmatch(one) for one in lines[1:at])
            return next((one[1] for one in found if one), ""), at + 1
    return "", 0


def _heading(lines: list[str], at: int) -> tuple[int, str, int] | None:
    """(level, text, last line) of a heading that begins in this line."""
    marked = _HEADING.fullmatch(lines[at])
    if marked and marked[2]:
        return len(marked[1]), _LINK.sub(r"\1", marked[2]), at
    below = lines[at + 1] if at + 1 < len(lines) else ""
    rule = _RULE.fullmatch(below)
    alone = at == 0 or not lines[at - 1].strip()
    if rule and alone and lines[at].strip() and not lines[at].lstrip().startswith(("|", "-", "#")):
        return (1 if rule[1][0] == "=" else 2), lines[at].strip(), at + 1
    return None


def _closes(fence: str, marks: re.Match[str]) -> bool:
    return marks[1].startswith(fence) and not marks[2].strip()


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|").removesuffix("|")
    return [_LINK.sub(r"\1", cell).replace("\\|", "|").strip() for cell in _CELL.split(bare)]


def _begins_table(lines: list[str], at: int) -> bool:
    if "|" not in lines[at] or at + 1 >= len(lines) or "|" not in lines[at + 1]:
        return False
    rule = _TABLE_RULE.fullmatch(lines[at + 1])
    return bool(rule) and len(_cells(lines[at])) == len(_cells(lines[at + 1]))


def _table(lines: list[str], at: int) -> tuple[list[str], int]:
    """Rows that each carry the header, as "Bridge: Tem; Opened: 1931.", and the line after."""
    names = _cells(lines[at])
    rows = [""]
    at += 2
    while at < len(lines) and "|" in lines[at]:
        cells = _cells(lines[at])
        named = [f"{n}: {c}" if n else c for n, c in zip(names, cells, strict=False) if c]
        extra = [cell for cell in cells[len(names) :] if cell]
        if named or extra:
            rows += ["; ".join([*named, *extra]) + ".", ""]
        at += 1
    return rows, at
