"""Where the parts of a candidate stand in its passage, for whoever highlights them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from irag.labels.values import Item

__all__ = ["Span", "parts_in"]

Part = Literal["head", "relation", "tail"]


@dataclass(frozen=True, slots=True)
class Span:
    """A part's place in the passage's text, in code points."""

    start: int
    stop: int
    part: Part


def parts_in(item: Item) -> tuple[Span, ...]:
    """Head, relation and tail where the sentence says them word for word, in any case of letters.

    In text order and never overlapping: head and tail go before the relation, the longer of them
    first. A part that the sentence says in other words has no span.
    """
    start, stop = item.passage.span or (0, len(item.passage.text))
    candidate = item.candidate
    ends: list[tuple[Part, str]] = [("head", candidate.head), ("tail", candidate.tail)]
    ends.sort(key=lambda end: -len(end[1]))
    found: list[Span] = []
    for part, text in (*ends, ("relation", candidate.relation)):
        span = _first(item.passage.text, (start, stop), text.strip(), found)
        if span is not None:
            found.append(Span(*span, part))
    return tuple(sorted(found, key=lambda span: span.start))


def _first(
    text: str, within: tuple[int, int], wanted: str, taken: list[Span]
) -> tuple[int, int] | None:
    """Where the wanted words stand first, with whole words at both ends, and nothing taken."""
    if not wanted:
        return None
    left = r"(?<![^\W_])" if wanted[0].isascii() and wanted[0].isalnum() else ""
    right = r"(?![^\W_])" if wanted[-1].isascii() and wanted[-1].isalnum() else ""
    pattern = re.compile(f"{left}{re.escape(wanted)}{right}", re.IGNORECASE)
    for match in pattern.finditer(text, *within):
        if all(match.end() <= span.start or span.stop <= match.start() for span in taken):
            return match.span()
    return None
