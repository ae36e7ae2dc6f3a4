"""Splits a long text into passages at sentence borders; nothing is lost or said twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irag.errors import UserError
from irag.text import sentences
from irag.text.words import HAN

__all__ = ["PASSAGE_WORDS", "checked_size", "split"]

PASSAGE_WORDS = 120
MOST_WORDS = 2000

# A Chinese character counts as a word, and so does every 20 letters of an unbroken run.
_WORD = re.compile(rf"[{HAN}]|[^\s{HAN}]{{1,20}}")


def checked_size(words: int) -> int:
    """The size of a passage, when it is one; UserError before any work otherwise."""
    if not 1 <= words <= MOST_WORDS:
        raise UserError(f"A passage of {words} words is not possible: 1 to {MOST_WORDS}.")
    return words


def _pieces(text: str, words: int) -> Iterator[tuple[int, int, int]]:
    """(start, end, words) of sentences; one that is too long is cut between words."""
    for start, end in sentences(text):
        found = [match.span() for match in _WORD.finditer(text, start, end)]
        for first in range(0, len(found), words):
            some = found[first : first + words]
            yield some[0][0], some[-1][1], len(some)


def split(text: str, words: int = PASSAGE_WORDS) -> tuple[str, ...]:
    """Passages of at most `words` words, in order; joined they are the text up to white space."""
    checked_size(words)
    passages: list[str] = []
    begin = end = count = 0
    for start, stop, size in _pieces(text, words):
        if count and count + size > words:
            passages.append(text[begin:end])
            count = 0
        if not count:
            begin = start
        end, count = stop, count + size
    if count:
        passages.append(text[begin:end])
    return tuple(passages)
