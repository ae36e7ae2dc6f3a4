"""Which names of a dictionary stand in a text: longest first, at word borders, never by accident.

One look-up a group of words, whatever the size of the dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from irag.match.aliases import Alias, aliases
from irag.match.keys import entity_key
from irag.match.numbers import is_numeral
from irag.match.words import FUNCTION_WORDS, Word, key_words, words_of
from irag.text import word_set
from irag.text.words import HAN

__all__ = ["Mention", "NameIndex"]

_BORDER = re.compile(r"\n\s*\n|[;。；]|(?<=\w{3})(?<!Mrs)\.\s")
_TOUCHING = re.compile(r"[^\S\n]*\n?[^\S\n]*(?:[-\u2010-\u2013&/]\s?)?")
_ABBREVIATED = re.compile(r"\.[^\S\n]?")
_ONE_HAN = re.compile(f"[{HAN}]")
_BEFORE_NAMES = FUNCTION_WORDS | word_set(
    "mr mrs ms dr sir lady lord dame king queen prince princess emperor empress pope president "
    "minister chancellor governor senator general colonel captain major professor judge bishop "
    "film films movie actor actress director writer author singer band city town village river "
    "january february march april june july august september october november december director's"
)
"""Capitalised words before a name that are no part of it."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a text and the names it may mean; more than one: the text does not tell which."""

    start: int
    end: int
    names: tuple[str, ...]


@dataclass(slots=True)
class _Entry:
    """What one group of words may mean."""

    exact: list[str] = field(default_factory=list)
    others: list[tuple[str, Alias]] = field(default_factory=list)


class NameIndex:
    """A dictionary of names, compiled; build it once and ask it often.

    Case, accents, hyphens, a leading article and the possessive 's do not matter. A form counts
    for the name written so before it counts as an alias; initials and a surname alone count only
    where they mean one name.
    """

    def __init__(self, names: Iterable[str], people: Collection[str] = ()) -> None:
        """`people` are those of the names that are persons: they are known by surname as well."""
        self._entries: dict[str, _Entry] = {}
        self._longest: dict[str, int] = {}
        persons = frozenset(people)
        for name in dict.fromkeys(names):
            if entry := self._entry(name):
                entry.exact.append(name)
                for alias in aliases(name, name in persons):
                    if other := self._entry(alias.text):
                        other.others.append((name, alias))

    def _entry(self, form: str) -> _Entry | None:
        words = key_words(form)
        if not words or (len(words) == 1 and _ONE_HAN.fullmatch(words[0])):
            return None
        self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))
        return self._entries.setdefault(" ".join(words), _Entry())

    def find(self, text: str) -> tuple[Mention, ...]:
        """Every mention, in the text's order, none inside another.

        A name that is part of a longer one in the text is no mention, whether or not the
        dictionary has the longer one: "York" in "New York", "Henry" in "Henry VIII".
        """
        words = words_of(text)
        cased, said = _is_cased(words), frozenset(word.folded for word in words)
        found, at = list[Mention](), 0
        while at < len(words):
            for stop in self._stops(words, at):
                span, first = words[at:stop], words[at].start
                if _stands_alone(text, words, (at, stop), cased) and (
                    names := self._meaning(span, said, cased)
                ):
                    found.append(Mention(first, _end(text, first, span[-1].end), names))
                    at = stop - 1
                    break
            at += 1
        return tuple(found)

    def lookup(self, name: str) -> tuple[str, ...]:
        """The names that a name on its own means: written so, else by alias; () where none."""
        words = words_of(name)
        if words[1:] and words[0].folded in ("the", "a", "an"):
            words = words[1:]
        return self._meaning(words, frozenset(word.folded for word in words), cased=False)

    def key(self, name: str) -> str:
        """The entity key of the one name that this means, else the name's own."""
        names = self.lookup(name)
        return entity_key(names[0] if len(names) == 1 else name)

    def _stops(self, words: Sequence[Word], at: int) -> Iterator[int]:
        """Where groups of words that begin here may end, longest first."""
        longest = self._longest.get(words[at].folded, 0)
        return iter(range(min(at + longest, len(words)), at, -1))

    def _meaning(self, words: Sequence[Word], said: frozenset[str], cased: bool) -> tuple[str, ...]:
        """The names these words mean in a text that says the words `said`."""
        entry = self._entries.get(" ".join(word.folded for word in words))
        if entry is None:
            return ()
        if entry.exact:
            return tuple(n for n in entry.exact if _written_as(words, n, cased))
        bare = [(name, alias) for name, alias in entry.others if alias.how == "bare"]
        if bare:
            told = {name: len(alias.qualifier & said) for name, alias in bare}
            most = max(told.values())
            return tuple(n for n in told if told[n] == most and _written_as(words, n, cased))
        names = list(dict.fromkeys(name for name, _ in entry.others))
        how = entry.others[0][1].how
        if len(names) > 1 or (how == "acronym" and not words[0].written.isupper()):
            return ()
        return tuple(n for n in names if _written_as(words, n, cased))


def _is_cased(words: Sequence[Word]) -> bool:
    """Whether capitals tell names from other words: not in lower case, headlines or Chinese."""
    longer = [
        word
        for word in words
        if len(word.written) > 2 and word.written[0].isalpha() and word.folded not in FUNCTION_WORDS
    ]
    capitals = sum(word.capital for word in longer)
    return capitals > 0 and (len(longer) < 4 or capitals < 0.9 * len(longer))


def _written_as(words: Sequence[Word], name: str, cased: bool) -> bool:
    """Whether these words may be a name: no "it", and no "place of birth" for Place of birth.

    In a cased text a name with one capital is not meant where none is written.
    """
    if len(words) == 1 and (words[0].folded in FUNCTION_WORDS or len(words[0].folded) < 2):
        return False
    if not cased or not all(word.written.islower() for word in words):
        return True
    return sum(part[0].isupper() for part in name.split()) != 1


def _end(text: str, start: int, end: int) -> int:
    """Where a mention ends: a parenthesis that opens in it closes in it."""
    open_one = max(text.rfind("(", start, end), text.rfind("（", start, end))
    return end + (open_one >= 0 and text[end : end + 1] in (")", "）"))


def _stands_alone(text: str, words: Sequence[Word], span: tuple[int, int], cased: bool) -> bool:
    """Whether what stands before and after is no part of the same name."""
    start, stop = span
    inside = zip(words[start : stop - 1], words[start + 1 : stop], strict=True)
    if any(_BORDER.search(text, max(a.end - 4, a.start), b.start) for a, b in inside):
        return False
    before = words[start - 1] if start else None
    after = words[stop] if stop < len(words) else None
    last = words[stop - 1]
    if after and not last.possessive and _touch(text, last, after):
        year = stop + 1 < len(words) and words[stop + 1].folded == "年"
        if is_numeral(after.written) and not year:
            return False
        if cased and after.capital and after.folded not in FUNCTION_WORDS:
            return False
    if not (cased and before and before.capital) or before.possessive:
        return True
    return before.folded in _BEFORE_NAMES or not _touch(text, before, words[start])


def _touch(text: str, first: Word, second: Word) -> bool:
    """Whether two words in a row may belong to one name: "St. Pell" may, "Osk. Pell" may not."""
    gap = text[first.end : second.start]
    short = len(first.written) <= 2 and _ABBREVIATED.fullmatch(gap)
    return bool(short or _TOUCHING.fullmatch(gap))
