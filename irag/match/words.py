"""The words by which names are looked up: with their places, folded, Chinese by character."""

from __future__ import annotations

import re
from dataclasses import dataclass

from irag.text import plain, word_set
from irag.text.words import HAN, LETTER

__all__ = ["FUNCTION_WORDS", "Word", "key_words", "words_of"]

_SIGN = r"(?<![\w)\]])[-\u2212](?=\d)"
_WORD = re.compile(
    rf"[{HAN}]|(?:{_SIGN})?\d+(?:[.,]\d+)+|(?:{_SIGN})?(?:{LETTER}|\d|\ufffd)+(?:['’](?:{LETTER})+)*[+#]*"
)
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")

FUNCTION_WORDS = word_set(
    "a an the of in on at to for by and or but nor is are was were be been being am it its he him "
    "his she her they them their we us our you your i me my who whom whose which what when where "
    "why how that this these those did do does has have had can could will would shall should may "
    "might must from with without as if than then also both not no so into over under between "
    "during after before since until while because through about against per via all any some "
    "each name"
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text: its span, and the form in which it is compared."""

    start: int
    end: int
    folded: str
    written: str

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.written[0].isupper()

    @property
    def possessive(self) -> bool:
        """Whether it ends in 's, so that a name ends here."""
        return bool(_POSSESSIVE.search(self.written))


def words_of(text: str) -> list[Word]:
    """The words of a text in order; symbols such as C++ and C# and the sign of -5 stay."""
    return [Word(m.start(), m.end(), _folded(m.group()), m.group()) for m in _WORD.finditer(text)]


def _folded(word: str) -> str:
    if word.isascii() and word.isalnum():
        return word.lower()
    bare = _POSSESSIVE.sub("", word).replace("'", "").replace("’", "")
    if _THOUSANDS.fullmatch(bare):
        return bare.replace(",", "")
    return bare.lower() if bare.isascii() else plain(bare).replace("\u2212", "-")


def key_words(name: str) -> tuple[str, ...]:
    """The folded words of a name without its leading article; () where it has no word."""
    found = [_folded(word) for word in _WORD.findall(name)]
    return tuple(found[1:] if found[1:] and found[0] in ("the", "a", "an") else found)
