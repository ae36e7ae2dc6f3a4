"""Markdown as sections of plain text: headings, front matter, fenced code, tables."""

from __future__ import annotations

import html
import re

from irag.corpus.formats.front_matter import front_matter
from irag.corpus.formats.outline import Outline, Section
from irag.corpus.formats.tables import row_line

__all__ = ["sections"]

LONGEST_HEADING = 1000  # characters of the line

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_BOLD = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_RULE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CELL = re.compile(r"(?<!\\)\|")


def sections(text: str, title: str) -> tuple[Section, ...]:
    """Sections with text, in order. `title` stands for the document's where it names none."""
    lines = text.split("\n")
    named, at = front_matter(lines)
    outline, fence = Outline(named, title), ""
    closing = max((n for n, line in enumerate(lines) if "-->" in line), default=-1)
    while at < len(lines):
        line = lines[at]
        marks = _FENCE.fullmatch(line)
        if marks and (not fence or _closes(fence, marks)):
            fence = "" if fence else marks[1]
        elif fence:
            outline.add(line)
        elif heading := _heading(lines, at):
            level, name, at = heading
            outline.heading(level, name)
        elif _begins_table(lines, at):
            rows, at = _table(lines, at)
            outline.add(*rows)
            continue
        elif "<!--" in line and at <= closing:
            seen, at = _without_comment(lines, at)
            outline.add(_plain(seen))
        else:
            outline.add(_plain(line))
        at += 1
    return outline.sections()


def _plain(text: str) -> str:
    """A line without the marks of links and bold type; entities are characters."""
    return html.unescape(_BOLD.sub(r"\1", _LINK.sub(r"\1", text)))


def _without_comment(lines: list[str], at: int) -> tuple[str, int]:
    """A line without what no reader sees, and the line where that ends; one does."""
    last = next(n for n in range(at, len(lines)) if "-->" in lines[n])
    return _COMMENT.sub("", "\n".join(lines[at : last + 1])), last


def _heading(lines: list[str], at: int) -> tuple[int, str, int] | None:
    """(level, text, last line) of a heading that begins in this line."""
    if len(lines[at]) > LONGEST_HEADING:
        return None
    marked = _HEADING.fullmatch(lines[at])
    if marked and marked[2]:
        return len(marked[1]), _plain(marked[2]), at
    below = lines[at + 1] if at + 1 < len(lines) else ""
    rule = _RULE.fullmatch(below)
    alone = at == 0 or not lines[at - 1].strip()
    if rule and alone and lines[at].strip() and not lines[at].lstrip().startswith(("|", "-", "#")):
        return (1 if rule[1][0] == "=" else 2), _plain(lines[at].strip()), at + 1
    return None


def _closes(fence: str, marks: re.Match[str]) -> bool:
    return marks[1].startswith(fence) and not marks[2].strip()


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|").removesuffix("|")
    return [_plain(cell).replace("\\|", "|").strip() for cell in _CELL.split(bare)]


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
        line = row_line(names, _cells(lines[at]))
        rows += [line, ""] if line else []
        at += 1
    return rows, at
