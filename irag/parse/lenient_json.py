"""A reader of JSON as models write it: single quotes, bare keys, trailing commas, cut ends, LaTeX.

A hand-written descent in linear time: nothing is ever evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

from irag.text import clean

__all__ = ["Found", "Json", "find_values"]

Json = Union[dict[str, "Json"], list["Json"], str, int, float, bool, None]  # noqa: UP007

MAX_CHARACTERS = 100_000  # far above any reply; bounds the work on a runaway one
MAX_STARTS = 300  # brackets tried as the beginning of a value
MAX_DEPTH = 40

_SPACE = re.compile(r"\s*+")
_QUOTES = {'"': '"', "'": "'", "“": "”"}
_AFTER_STRING = re.compile(r"\s*+(?:[,:\]}]|$)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(r"[^\W\d]\w*+")
_LITERALS: dict[str, Json] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n", "b": "", "f": ""}
_STARTS = re.compile(r"[{\[]")

# A single backslash before a LaTeX command is often also a legal JSON escape. Backspace, form feed
# and carriage return before a letter are never meant; tab and line end are, unless the word is one
# of these commands.
_LATEX = re.compile(
    r"[bfr][a-zA-Z]|(?:nabla|neq?|neg|not|notin|nu|tau|text\w*|theta|times|tan|to|top|tilde|tfrac)"
    r"(?![a-zA-Z])"
)


class _Broken(Exception):
    """No value can be read from here."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value, the span of text it was read from, and whether the text ended inside it."""

    value: Json
    start: int
    end: int
    cut: bool


@dataclass(slots=True)
class _Reader:
    text: str
    at: int
    cut: bool = False
    depth: int = 0

    def peek(self) -> str:
        """The next character that is no white space; "" (and `cut`) at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        if self.at >= len(self.text):
            self.cut = True
            return ""
        return self.text[self.at]

    def value(self) -> Json:
        opening = self.peek()
        if opening in ("{", "["):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise _Broken
            value: Json = self.mapping() if opening == "{" else self.array()
            self.depth -= 1
            return value
        if opening in _QUOTES:
            return self.string(_QUOTES[opening])
        return self.scalar()

    def array(self) -> list[Json]:
        self.at += 1
        values: list[Json] = []
        while (following := self.peek()) != "]":
            if self.cut:
                return values
            if following == "," and values:
                self.at += 1
                continue
            value = self.value()
            if self.cut:
                # The last entry is whole only where whole records stand inside it.
                if _holds_records(value):
                    values.append(value)
                return values
            values.append(value)
            if self.peek() not in (",", "]", ""):
                raise _Broken
        self.at += 1
        return values

    def mapping(self) -> dict[str, Json]:
        self.at += 1
        fields: dict[str, Json] = {}
        while (following := self.peek()) != "}":
            if self.cut:
                return fields
            if following == "," and fields:
                self.at += 1
                continue
            key = self.key(following)
            colon = self.peek()
            if colon == ":":
                self.at += 1
            elif not self.cut:
                raise _Broken
            value = None if self.cut else self.value()
            if not self.cut or (isinstance(value, list | dict) and value):
                fields[key] = value
            if self.cut:
                return fields
            if self.peek() not in (",", "}", ""):
                raise _Broken
        self.at += 1
        return fields

    def key(self, opening: str) -> str:
        if opening in _QUOTES:
            return self.string(_QUOTES[opening])
        word = _WORD.match(self.text, self.at)
        if not word:
            raise _Broken
        self.at = word.end()
        return word.group()

    def scalar(self) -> Json:
        number = _NUMBER.match(self.text, self.at)
        word = number or _WORD.match(self.text, self.at)
        if not word or not (number or word.group() in _LITERALS):
            raise _Broken
        self.at = word.end()
        if self.at == len(self.text) and self.depth:
            self.cut = True  # 1 may be the beginning of 12
        if not number:
            return _LITERALS[word.group()]
        digits = word.group()
        return int(digits) if re.fullmatch(r"-?\d{1,18}", digits) else float(digits)

    def string(self, closing: str) -> str:
        """To the quote before a comma, colon or bracket: an apostrophe inside is text."""
        self.at += 1
        parts: list[str] = []
        stops = re.compile(rf"[^\\{closing}]*+")
        while True:
            run = stops.match(self.text, self.at)
            if run:
                parts.append(run.group())
                self.at = run.end()
            if self.at >= len(self.text):
                self.cut = True
                break
            if self.text[self.at] == "\\":
                parts.append(self.escape())
            elif _AFTER_STRING.match(self.text, self.at + 1):
                self.at += 1
                break
            else:
                parts.append(closing)
                self.at += 1
        return clean("".join(parts))

    def escape(self) -> str:
        self.at += 1
        letter = self.text[self.at : self.at + 1]
        if letter == "u":
            digits = self.text[self.at + 1 : self.at + 5]
            if re.fullmatch("[0-9a-fA-F]{4}", digits):
                self.at += 5
                return chr(int(digits, 16))
        if letter in _ESCAPES and not _LATEX.match(self.text, self.at):
            self.at += 1
            return _ESCAPES[letter]
        if letter and letter in "\"'\\/":
            self.at += 1
            return letter
        return "\\"


def _holds_records(value: Json) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(entry, list | dict) and entry for entry in inside)


def find_values(text: str) -> Iterator[Found]:
    """Every outermost object or list in a text, in order; what cannot be read is passed over.

    In a value that the end of the text cuts, whole entries are kept and the unfinished one is not.
    """
    text = text[:MAX_CHARACTERS]
    at = 0
    for _ in range(MAX_STARTS):
        opening = _STARTS.search(text, at)
        if not opening:
            return
        reader = _Reader(text, opening.start())
        try:
            value = reader.value()
        except _Broken:
            at = opening.end()
            continue
        if value or not reader.cut:
            yield Found(value, opening.start(), reader.at, reader.cut)
        at = max(reader.at, opening.end())
