"""Numbers inside names, and names that are nothing but a number or a date."""

from __future__ import annotations

import re

from irag.text import plain, word_set

__all__ = ["is_literal", "is_numeral", "numbers_of"]

_ROMAN = re.compile(r"(?=[ivxlc])(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})")
_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_COUNT = re.compile(r"\d[\d.,:]*")
_DATE_WORDS = word_set(
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec st nd rd th s bc ad bce ce century million billion "
    "thousand percent km kg m cm mm ft mi am pm early late mid of the in on circa c ca"
)
_DIGITS = r"[\d.,:零〇一二三四五六七八九十百千万亿]+"
_UNITS = "年代|年|月|日|号|时|分|秒|世纪|%|米|公里|公斤|吨|元|岁|个"
_CHINESE_LITERAL = re.compile(rf"(?:公元前?|约)?{_DIGITS}(?:(?:{_UNITS})(?:{_DIGITS})?)*")


def numbers_of(name: str) -> tuple[str, ...]:
    """The numbers of a name in order, Roman numerals (I to XCIX, after another word) as written.

    Names whose numbers differ are never one name: Apollo 11 and 12, Henry VII and VIII.
    """
    words = _WORD.findall(plain(name))
    return tuple(
        word
        for place, word in enumerate(words)
        if word[0].isdigit() or (place and _ROMAN.fullmatch(word))
    )


def is_literal(name: str) -> bool:
    """Whether a name is only a number, a quantity or a date: "1931", "12 May 1931", "三百公里".

    Such a name joins facts that have nothing to do with each other.
    """
    folded = plain(name).strip()
    words = _WORD.findall(folded)
    if not any(character.isdecimal() for character in folded):
        return bool(len(folded) > 1 and _CHINESE_LITERAL.fullmatch(folded))
    if _CHINESE_LITERAL.fullmatch("".join(folded.split())):
        return True
    return all(word in _DATE_WORDS or bool(_COUNT.fullmatch(word)) for word in words)


def is_numeral(word: str) -> bool:
    """Whether a word as written is a number in digits or in Roman capitals."""
    roman = word.isascii() and word.isupper() and _ROMAN.fullmatch(word.lower())
    return word[:1].isdecimal() or bool(roman)
