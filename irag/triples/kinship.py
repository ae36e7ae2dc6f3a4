"""Parents, read off the words themselves: "the son of Jon Pell, a potter, and his wife Eva Marl".

Such phrases hold titles, commas and coordinations that a parser often attaches wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irag.text import word_set
from irag.triples.parsed import PROPER, Parse

__all__ = ["Kin", "kinships"]

_CHILD = word_set("son daughter child sons daughters children grandson granddaughter")
_SPOUSE = word_set("wife husband consort spouse")
_LINKS = word_set("of de del della di da von van der den du le la the y al el bin ibn")
_BEFORE_NAME = ("NN", "NNS", "JJ", "JJS", "JJR", ",", "CC", "DT", "HYPH", "VBN", "PRP$")
_MODIFIERS = 9  # words that may stand between "of" and the name


@dataclass(frozen=True, slots=True)
class Kin:
    """`noun` "of" each of the `names` (token ranges); `spouse` is how the second stands to the
    first, where it is said; `stop` is the token after the phrase."""

    noun: int
    relation: str
    names: tuple[range, ...]
    spouse: str
    stop: int


def kinships(parse: Parse) -> Iterator[Kin]:
    """The parents named in a sentence."""
    words = [word.casefold() for word in parse.words]
    for noun, word in enumerate(words[:-2]):
        of = noun + 2 if words[noun + 1] == "," else noun + 1  # "second son, and child, of"
        if word not in _CHILD or words[of] != "of":
            continue
        first = _name(parse, of + 1)
        if not first:
            continue
        second, spouse = _second(parse, words, first.stop)
        if second and not spouse and words[second.stop : second.stop + 1] in ([","], ["and"]):
            third, named = _second(parse, words, second.stop)
            if third and named:  # "the Duke of Osk and Marl and his wife ..."
                first, second, spouse = range(first.start, second.stop), third, named
        start = noun
        while start and parse.tags[start - 1] in ("DT", "JJ", "JJS", "JJR", "RB", "HYPH", "NN"):
            start -= 1
        yield Kin(
            noun,
            parse.render([*(t for t in range(start, noun + 1) if parse.tags[t] != "RB"), of]),
            (first, second) if second else (first,),
            spouse,
            (second or first).stop,
        )


def _second(parse: Parse, words: list[str], at: int) -> tuple[range | None, str]:
    """The other parent after "and" or "by", and the word that says what it is to the first."""
    if at < len(words) and words[at] == ",":
        at += 1
    if at >= len(words) or words[at] not in ("and", "by", "&"):
        return None, ""
    name = _name(parse, at + 1)
    between = words[at + 1 : name.start] if name else []
    if any(word in _CHILD or word in ("brother", "sister", "father", "mother") for word in between):
        return None, ""
    return name, next((word for word in between if word in _SPOUSE), "")


def _name(parse: Parse, at: int) -> range | None:
    """The name that begins at a token or behind a few modifiers: "King Jon II, Duke of Osk"."""
    for _ in range(_MODIFIERS):
        if at >= len(parse.words) or parse.tags[at] in PROPER:
            break
        if parse.tags[at] not in _BEFORE_NAME:
            return None
        at += 1
    if at >= len(parse.words) or parse.tags[at] not in PROPER:
        return None
    stop = at + 1
    while stop < len(parse.words):
        step = _step(parse, stop)
        if not step:
            break
        stop += step
    return range(at, stop)


def _step(parse: Parse, at: int) -> int:
    """How many tokens from here still belong to the name; 0: it has ended."""
    tag, word = parse.tags[at], parse.words[at]
    following = parse.tags[at + 1] if at + 1 < len(parse.words) else ""
    after = parse.tags[at + 2] if at + 2 < len(parse.words) else ""
    if tag in PROPER or word in ("I", "V", "X") or (tag == "HYPH" and following in PROPER):
        return 1
    if word.casefold() in _LINKS:
        if following in PROPER:
            return 2
        return 3 if after in PROPER and parse.words[at + 1].casefold() in _LINKS else 0
    title = at + 1 < len(parse.words) and parse.words[at + 1][:1].isdigit()
    ranked = word == "," and (following in PROPER or (title and after in PROPER))
    return (2 + bool(title)) if ranked else 0
