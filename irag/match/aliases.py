"""Other forms of a name that mean the same thing, as far as the name itself tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from irag.match.numbers import numbers_of
from irag.match.words import FUNCTION_WORDS, key_words, words_of
from irag.text import word_set

__all__ = ["Alias", "aliases"]

How = Literal["bare", "acronym", "initial", "surname"]

_QUALIFIED = re.compile(r"(?P<bare>.*\S)\s*[(（](?P<qualifier>[^()（）]+)[)）]")
_PLACE = re.compile(r"(?P<bare>[^,，]+)[,，]\s*(?P<qualifier>[^\W\d_][^,，&()（）!?]*)")
_SUFFIXES = word_set("jr sr junior senior esq phd md i ii iii iv v vi inc ltd llc co")


@dataclass(frozen=True, slots=True)
class Alias:
    """A form of a name. `qualifier` holds the folded words that were left out of a bare form."""

    text: str
    how: How
    qualifier: frozenset[str] = frozenset()


def aliases(name: str, person: bool = False) -> tuple[Alias, ...]:
    """The other forms of a name.

    "Boston (band)" and "Osk, Lincolnshire" without what follows; the initials of three capitalised
    words ("Osk Harbour Board": OHB); of a person, "J. Pell" and the surname alone. Names that end
    in a number, a Roman numeral or Jr. keep it: those tell people apart.
    """
    found = list(_bare(name))
    whole = found[0].text if found else name
    found += _acronym(whole)
    if person:
        found += _personal(whole)
    return tuple(found)


def _bare(name: str) -> Iterator[Alias]:
    """The name without its parenthesis or its place."""
    match = _QUALIFIED.fullmatch(name.strip()) or _PLACE.fullmatch(name.strip())
    if not match:
        return
    qualifier = key_words(match["qualifier"])
    inner = FUNCTION_WORDS.intersection(qualifier) - {"of", "the", "upon", "in", "on"}
    if "," in name and "(" not in name and (inner or _SUFFIXES.intersection(qualifier)):
        return
    if key_words(match["bare"]):
        yield Alias(match["bare"].strip(), "bare", frozenset(qualifier) - FUNCTION_WORDS)


def _acronym(name: str) -> Iterator[Alias]:
    words = [word for word in words_of(name) if word.folded not in FUNCTION_WORDS]
    if len(words) >= 3 and all(word.capital and len(word.folded) > 1 for word in words):
        yield Alias("".join(word.written[0] for word in words), "acronym")


def _personal(name: str) -> Iterator[Alias]:
    words = words_of(name)
    if len(words) < 2 or numbers_of(name) or words[-1].folded in _SUFFIXES:
        return
    first, last = words[0], words[-1]
    if first.capital and last.capital and len(last.folded) > 2:
        yield Alias(f"{first.written[0]}. {last.written}", "initial")
        yield Alias(last.written, "surname")
