"""A document as sections: what stands under which headings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from irag.text.words import HAN

__all__ = ["Outline", "Section", "joined", "plausible_title"]

LONGEST_TITLE = 300

_JUNK_TITLE = re.compile(
    r"(microsoft word|word document|untitled|document ?\d*$|无标题|未命名|新建)"
    r"|.*\.(docx?|pdf|tex|dvi|indd|qxd|rtf|wps|html?)$",
    re.IGNORECASE,
)
_SPACE = re.compile(r"[^\S\n]*\n\s*|[^\S\n]+")
_HAN_END = re.compile(rf"[{HAN}，。；：、！？）》」』”]$")
_HAN_START = re.compile(rf"^[{HAN}，。；：、！？（《「『“]")


@dataclass(slots=True)
class Section:
    """What stands under one heading; `titles` are the headings above it, outermost first."""

    titles: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The plain text; each row of a table is a paragraph of its own."""
        return "\n".join(self.lines).strip()


class Outline:
    """Takes headings and lines in reading order.

    `named` is the title a document gives itself, or ""; `otherwise` stands for one that names none
    and has no heading of the first level before its text ends.
    """

    def __init__(self, named: str, otherwise: str) -> None:
        self._named = " ".join(named.split())[:LONGEST_TITLE]
        self._otherwise = otherwise
        self._path: dict[int, str] = {}
        self._sections = [Section((self._named or otherwise,))]

    def heading(self, level: int, name: str) -> None:
        """Begin a section under a heading; level 1 is the outermost."""
        name = " ".join(name.split())[:LONGEST_TITLE]
        if not name:
            return
        first = level == 1 and len(self._sections) == 1
        if first and (not self._named or _begins(self._named, name)):
            self._sections[0].titles = (name,)  # what stands before the title belongs to it
        self._path = {above: n for above, n in self._path.items() if above < level} | {level: name}
        self._sections.append(Section(self._titles()))

    def _titles(self) -> tuple[str, ...]:
        path = tuple(self._path.values())
        top = self._path.get(1, "")
        said = self._named in path or _begins(self._named, top) or _begins(top, self._named)
        return path if said or not self._named else (self._named, *path)

    def add(self, *lines: str) -> None:
        """Lines of text below the last heading; "" is a border between paragraphs."""
        self._sections[-1].lines += lines

    def sections(self) -> tuple[Section, ...]:
        """The sections that have text, in order."""
        return tuple(section for section in self._sections if section.text)


def _begins(whole: str, part: str) -> bool:
    """Whether a title is another with something after it, as in "Osk - Encyclopedia of towns"."""
    folded = part.casefold()
    return bool(part) and bool(re.match(rf"{re.escape(folded)}(?!\w)", whole.casefold()))


def plausible_title(title: object) -> str:
    """A title from a document's properties, or "" when a program put it there."""
    shown = " ".join(title.split()) if isinstance(title, str) else ""
    return "" if len(shown) > LONGEST_TITLE or _JUNK_TITLE.match(shown) else shown


def joined(text: str) -> str:
    """Text on one line: white space becomes one space, and none between two Chinese characters."""
    parts = [part for part in _SPACE.split(text.strip()) if part]
    line = ""
    for part in parts:
        tight = not line or (_HAN_END.search(line) and _HAN_START.match(part))
        line = line + part if tight else f"{line} {part}"
    return line
