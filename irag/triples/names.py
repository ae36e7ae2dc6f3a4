"""The named entities of short texts, such as questions: spaCy's, or patterns in Chinese."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from irag.errors import ModelError
from irag.match import entity_key
from irag.text import language_of

__all__ = ["SpacyNames"]

_NUMBERS = frozenset({"CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY", "TIME"})
_CAPITALS = re.compile(
    r"(?:[A-Z\d][\w.'’&-]*)(?:\s+(?:(?:of|the|and|de|da|del|der|van|von|in|on|for|to|a|la|le)\s+)*"
    r"[A-Z\d(][\w.'’&)-]*)*"
)
_QUOTED = re.compile(r"[“\"「『《‘]([^”\"」』》’]{1,60})[”\"」』》’]")
_CHINESE_BREAK = re.compile(
    r"[，。？！、；：\s?!,;]|的|是|在|于|由|和|与|跟|哪|谁|什么|多少|几|何|吗|呢|位于|出生|之前|之后|以及|或"
)
_ASKING = frozenset(
    re.split(
        " ",
        "who what which when where why how whose whom is are was were do does did has have had can "
        "could will would should in on at of for from by to the a an and or if according",
    )
)


class SpacyNames:
    """A NameFinder over a spaCy package folder; the model is loaded at the first use."""

    def __init__(self, model: Path) -> None:
        self._folder = model
        self._lock = threading.Lock()

    def names(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """The names of each text, in its order, without repeats.

        Quoted parts and runs of capitalised words count too: small models miss titles of works.
        """
        english = [text for text in texts if language_of(text) != "zh"]
        with self._lock:
            parsed = iter(list(self._pipeline.pipe(english))) if english else iter(())
        return [
            _distinct(_chinese(text) if language_of(text) == "zh" else _english(next(parsed)))
            for text in texts
        ]

    @cached_property
    def _pipeline(self) -> Any:
        try:
            import spacy

            return spacy.load(self._folder)
        except (ImportError, OSError, ValueError) as error:
            raise ModelError(
                f"The spaCy model {self._folder} could not be opened ({error}). Get it with "
                "`python -m irag models pull en_core_web_sm`."
            ) from error


def _english(parsed: Any) -> Iterator[tuple[int, str]]:
    """(where it begins, name) of every name; a name inside a longer one is left out later."""
    for entity in parsed.ents:
        if entity.label_ not in _NUMBERS:
            yield entity.start_char, entity.text
    for found in _QUOTED.finditer(parsed.text):
        yield found.start(1), found.group(1)
    for found in _CAPITALS.finditer(parsed.text):
        words = found.group().split()
        start = found.start()
        while words and words[0].casefold() in _ASKING:
            start += len(words[0]) + 1
            words.pop(0)
        if words and not all(word.isdigit() for word in words):
            yield start, " ".join(words)


def _chinese(text: str) -> Iterator[tuple[int, str]]:
    for found in _QUOTED.finditer(text):
        yield found.start(1), found.group(1)
    start = 0
    for gap in [*_CHINESE_BREAK.finditer(text), None]:
        end = gap.start() if gap else len(text)
        part = text[start:end].strip('《》「」“”"')
        if len(part) >= 2:
            yield start, part
        start = gap.end() if gap else end


def _distinct(found: Iterator[tuple[int, str]]) -> tuple[str, ...]:
    """Names in the order of the text; one inside a longer one is left out."""
    spans = sorted({(start, start + len(name), name) for start, name in found})
    kept: list[tuple[int, int, str]] = []
    for span in sorted(spans, key=lambda one: (one[0] - one[1], one[0])):
        if not any(other[0] <= span[0] and span[1] <= other[1] for other in kept):
            kept.append(span)
    names: dict[str, str] = {}
    for _, _, name in sorted(kept):
        stripped = re.sub(r"['’]s$", "", name.strip(" .,?!;:"))
        if entity_key(stripped):
            names.setdefault(entity_key(stripped), stripped)
    return tuple(names.values())
