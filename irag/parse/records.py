"""Lists, named fields and scores of a reply; what cannot be read is said, never guessed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irag.parse.lenient_json import Json
from irag.parse.replies import Unparsed, json_value, without_thinking, yes_no

__all__ = ["Record", "record", "score", "scores", "text_list"]

_MARKED = re.compile(
    r"^\s*(?:[-*•·]\s+|\(\d{1,2}\)\s*|（\d{1,2}）\s*|[①-⑳]\s*|(?:Q|问题?)?\d{1,2}(?:[.):：]\s+|[、．]\s*)"
    r"|[一二三四五六七八九十]{1,2}、\s*)(?P<entry>\S.*)$"
)
_CONTINUES = re.compile(r"^\s{2,}(?P<rest>\S.*)$")
_SEPARATOR = re.compile(r"\s*[,，、;；]\s*(?:and\s+)?")
_LABEL = re.compile(r"^[^\W\d][\w ]{0,30}[:：]\s*")
_NO_ENTRY = re.compile(r"\W*(?:none|nothing|n/a|no (?:entities|names)|无|没有)\W*", re.IGNORECASE)
_WRAPPED = re.compile(r"^(?:\*\*|[\"“'`「《])+|(?:\*\*|[\"”'`」》])+$")

LONGEST_ENTRY = 80  # characters of what commas separate: longer is prose


def text_list(text: str, commas: bool = False) -> tuple[str, ...] | Unparsed:
    """The entries of a list, in order, each once: JSON, numbered or with bullets, English or not.

    `commas`: one line "A, B and C" is a list too, and "none" an empty one. An empty JSON list is a
    result. Lines without a number or bullet, before or after the list, are prose.
    """
    spoken = without_thinking(text)
    value = json_value(text)
    if isinstance(value, dict):
        value = next((inside for inside in value.values() if isinstance(inside, list)), value)
    if isinstance(value, list):
        return _entries(value, text)
    lines = _marked_lines(spoken)
    if not lines and commas:
        lines = _separated(spoken)
        if not lines and _NO_ENTRY.fullmatch(spoken):
            return ()
    found = tuple(dict.fromkeys(line for line in map(_unwrapped, lines) if line))
    reason = "the reply holds no list" if spoken else "empty model reply"
    return found or Unparsed.of(reason, text)


def _entries(values: Sequence[Json], text: str) -> tuple[str, ...] | Unparsed:
    """Texts of a JSON list; an entry that is an object stands for its first text."""
    found = []
    for place, value in enumerate(values, 1):
        if isinstance(value, dict):
            value = next((inside for inside in value.values() if isinstance(inside, str)), None)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return Unparsed.of(f"entry {place} of the list is no text", text)
        found.append(" ".join(str(value).split()))
    return tuple(dict.fromkeys(entry for entry in found if entry))


def _marked_lines(spoken: str) -> list[str]:
    """What stands behind numbers and bullets; an indented line goes on with its entry."""
    found, open_entry = list[str](), False
    for line in spoken.splitlines():
        if marked := _MARKED.match(line):
            found.append(marked["entry"].strip())
            open_entry = True
        elif open_entry and (more := _CONTINUES.match(line)):
            found[-1] += f" {more['rest'].strip()}"
        else:
            open_entry = False
    return found


def _separated(spoken: str) -> list[str]:
    lines = [line for line in spoken.splitlines() if line.strip()]
    if len(lines) != 1:
        return []
    entries = _SEPARATOR.split(_LABEL.sub("", lines[0].strip()).rstrip(".。"))
    if len(entries) > 1 and " and " in entries[-1]:
        entries[-1:] = entries[-1].split(" and ", 1)
    fits = all(len(entry) <= LONGEST_ENTRY for entry in entries)
    return entries if fits and not _NO_ENTRY.fullmatch(lines[0]) else []


def _unwrapped(line: str) -> str:
    return " ".join(_WRAPPED.sub("", line.strip()).split())


@dataclass(frozen=True, slots=True)
class Record:
    """Named fields of a reply, names folded; each reading says Unparsed for what it is not."""

    fields: Mapping[str, Json]

    def text(self, name: str) -> str | Unparsed:
        """A field's text in one line, or a number as text; an empty one is Unparsed."""
        value = self.fields.get(name.casefold())
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return Unparsed.of(f"{name} is no text", str(value))
        line = " ".join(str(value).split())
        return line or Unparsed(f"{name} is empty")

    def flag(self, name: str) -> bool | Unparsed:
        """true or false, or a text that begins with yes or no, 是 or 否."""
        value = self.fields.get(name.casefold())
        return value if isinstance(value, bool) else yes_no(str(value if value is not None else ""))

    def texts(self, name: str) -> tuple[str, ...] | Unparsed:
        """The entries of a list; of a text, what its commas separate."""
        value = self.fields.get(name.casefold())
        if isinstance(value, list):
            return _entries(value, str(value))
        return text_list(value if isinstance(value, str) else "", commas=True)

    def share(self, name: str, scale: float = 1.0) -> float | Unparsed:
        """A score as a share, 0 to 1; see `score`."""
        value = self.fields.get(name.casefold())
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return Unparsed.of(f"{name} is no number", str(value))
        return _share(str(value), scale, name)


def record(text: str, names: Sequence[str]) -> Record | Unparsed:
    """The fields of a JSON object, or "name: value" as prose has it; every name must be there."""
    spoken = without_thinking(text)
    if not spoken:
        return Unparsed.of("empty model reply", text)
    value = json_value(text)
    if isinstance(value, dict):
        fields = {key.strip().casefold(): inside for key, inside in value.items()}
    else:
        fields = {name.casefold(): said for name in names if (said := _said(spoken, name))}
    missing = [name for name in names if name.casefold() not in fields]
    if missing:
        return Unparsed.of(f"the reply says nothing of {', '.join(missing)}", text)
    return Record(fields)


def _said(spoken: str, name: str) -> str:
    """What follows a name and a colon; "" where it stands there twice with different values."""
    pattern = (
        rf"(?<!\w){re.escape(name)}(?!\w)[*_\"”）)]*\s*[:：=]\s*[*_]*([^\n,，;；]*[^\n,，;；\s*_])"
    )
    said = set(re.findall(pattern, spoken, re.IGNORECASE))
    return str(said.pop()) if len(said) == 1 else ""


_SHARE = re.compile(
    r"(?P<value>[-+]?\d+(?:\.\d+)?|\.\d+)"
    r"\s*(?:(?P<percent>[%％])|(?:/|out of)\s*(?P<of>\d+(?:\.\d+)?))?"
)


def score(text: str, scale: float = 1.0) -> float | Unparsed:
    """The one score of a reply as a share, 0 to 1.

    "80 %", "4/5" and "4 out of 5" say their own scale; a bare number is on the scale that was asked
    for, 0 to `scale`. Outside of it, or with two numbers, the reply is Unparsed.
    """
    spoken = without_thinking(text)
    value = json_value(text)
    if isinstance(value, dict):
        numbers = [n for n in value.values() if isinstance(n, int | float) and n is not True]
        spoken = str(numbers[0]) if len(numbers) == 1 and numbers[0] is not False else spoken
    return _share(spoken, scale, "the score") if spoken else Unparsed.of("empty model reply", text)


def scores(text: str, names: Sequence[str], scale: float = 1.0) -> tuple[float, ...] | Unparsed:
    """The named scores of a reply in the order of the names; Unparsed when one cannot be read."""
    found = record(text, names)
    if isinstance(found, Unparsed):
        return found
    read = []
    for name in names:
        value = found.share(name, scale)
        if isinstance(value, Unparsed):
            return Unparsed.of(value.reason, text)
        read.append(value)
    return tuple(read)


def _share(said: str, scale: float, name: str) -> float | Unparsed:
    found = list(_SHARE.finditer(said))
    if len(found) != 1:
        return Unparsed.of(f"{name} is {'no number' if not found else 'several numbers'}", said)
    whole = 100.0 if found[0]["percent"] else float(found[0]["of"] or scale)
    value = float(found[0]["value"]) / whole if whole > 0 else math.nan
    if not 0 <= value <= 1:
        return Unparsed.of(f"{name} is outside 0 to {whole:g}", said)
    return value
