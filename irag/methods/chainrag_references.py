"""Does a sub-question refer to an earlier answer? Decided on its tokens, never on substrings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irag.text import language_of, tokens, word_set

__all__ = ["fill_numbers", "keeps_names", "refers", "rounds"]

_PERSONAL = word_set("he him she hers it they them theirs itself himself herself themselves")
_POSSESSIVE = word_set("his her its their")
_POINTING = word_set("this these those")
_OF_TWO = word_set("former latter")
_BEFORE_THAT = word_set(
    "of in at on by from for to with about than and or as into near is are was were be did does do "
    "has had have will can could would"
)
"""After one of these, and at the beginning, "that" points; after a noun it begins a clause."""

_NUMBER = re.compile(r"#(\d)(?!\d)")
_TITLE = re.compile('《[^》]*》|“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"')
_CHINESE = re.compile(
    # words in which the characters below refer to nothing come first and win
    "其他|其它|其余|其实|其次|尤其|极其|与其|土耳其|马其顿|吉他|他乡|利他|维他命|"
    "因此|彼此|如此|从此|此外|应该|该隐|那不勒斯|那英|刹那|"
    "(?P<reference>他们|她们|它们|他|她|它|这|那(?!么)|该|此|其|前者|后者|上述|两者)"
)


def _without_titles(text: str) -> str:
    """The text without what stands in quotation marks: a title points at nothing."""
    return _TITLE.sub(" ", text)


def refers(text: str, earlier: int) -> bool:
    """Whether a sub-question leans on one of `earlier` sub-questions before it.

    By a pronoun, a demonstrative or a number (#1). A capitalised word inside a sentence is a name
    ("Who directed Her?"), and a possessive after a name means that name.
    """
    if not earlier:
        return False
    if _NUMBER.search(text):
        return True
    plain = _without_titles(text)
    if language_of(plain) == "zh":
        return any(found["reference"] for found in _CHINESE.finditer(plain))
    words = tokens(plain)
    return any(_leans(words, place, earlier) for place in range(len(words)))


def _leans(words: Sequence[str], place: int, earlier: int) -> bool:
    word = words[place]
    plain = word.lower() if place == 0 and word != word.upper() else word
    plain = plain.replace("’", "'").removesuffix("'s")
    if plain in _POSSESSIVE:
        return not any(_is_name(other) for other in words[1:place])
    if plain == "that":
        return place == 0 or words[place - 1].lower() in _BEFORE_THAT
    if plain in _OF_TWO:
        return earlier > 1
    return plain in _PERSONAL or plain in _POINTING


def _is_name(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def keeps_names(before: str, after: str) -> bool:
    """Whether every name, number and quoted title of a sub-question is still in what it became."""
    left = {word.casefold() for word in tokens(after)}
    names = (word.casefold() for word in tokens(before)[1:] if _is_name(word))
    titles = (found.group() for found in _TITLE.finditer(before))
    numbers = {found[1] for found in _NUMBER.finditer(before)}
    return all(name in left or name in numbers for name in names) and all(
        title[1:-1] in after for title in titles
    )


def fill_numbers(text: str, answers: Sequence[str | None]) -> str:
    """The text with "#1" replaced by the first answer, and so on; where there is none it stays."""

    def answer(found: re.Match[str]) -> str:
        place = int(found[1]) - 1
        known = answers[place] if 0 <= place < len(answers) else None
        return known or found.group()

    return _NUMBER.sub(answer, text)


def rounds(asked: Sequence[str]) -> list[list[str]]:
    """Sub-questions in their order; one that refers to those before it begins a new round."""
    found: list[list[str]] = []
    for number, text in enumerate(asked):
        if not found or refers(text, number):
            found.append([])
        found[-1].append(text)
    return found
