"""Clean text, its words, its terms for keyword search, and its language."""

from __future__ import annotations

import re
import unicodedata

__all__ = [
    "HAN",
    "LETTER",
    "bigrams",
    "clean",
    "language_of",
    "plain",
    "retrieval_terms",
    "tokens",
    "word_set",
]

HAN = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
LETTER = rf"[^\W_{HAN}]|[\u0300-\u036f]"
_IS_HAN = re.compile(f"[{HAN}]")


def word_set(words: str) -> frozenset[str]:
    """The words of a space-separated list: long word lists stay readable."""
    return frozenset(words.split())


_LINE_END = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def clean(text: str) -> str:
    """Text as the corpus keeps it: NFC, lines end in "\\n", no byte order mark.

    One rule for what cannot be kept: every control character but tab and line end (NUL included),
    and every lone surrogate, becomes U+FFFD, so that it neither joins two words nor is lost.
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _LINE_END.sub("\n", text.replace("\ufeff", ""))
    return unicodedata.normalize("NFC", _CONTROL.sub("\ufffd", text))


_TOKEN = re.compile(rf"[{HAN}]|\d+(?:[.,]\d+)+|(?:{LETTER}|\d)+(?:['’](?:{LETTER})+)*")
_TERM = re.compile(rf"([{HAN}]+)|\d+(?:[.,]\d+)+|(?:{LETTER}|\d)+")
_FUNCTION_WORDS = word_set("a an the of in on at to for by and or is are was were be been s")


def tokens(text: str) -> tuple[str, ...]:
    """The words as they are written, in order, without punctuation; Chinese by character."""
    return tuple(_TOKEN.findall(text))


def bigrams(run: str) -> tuple[str, ...]:
    """Neighbouring pairs of characters; a single character stands for itself."""
    return tuple(run[i : i + 2] for i in range(len(run) - 1)) or ((run,) if run else ())


def retrieval_terms(text: str, language: str = "en") -> list[str]:
    """Terms for keyword search: NFKC, lower case, no accents; Chinese runs as character bigrams.

    English loses its articles, prepositions and forms of "be", unless nothing else is there.
    """
    terms: list[str] = []
    for found in _TERM.finditer(plain(text)):
        terms.extend(bigrams(found.group()) if found.group(1) else (found.group(),))
    if language == "en":
        terms = [term for term in terms if term not in _FUNCTION_WORDS] or terms
    return terms


def language_of(text: str) -> str:
    """ "zh" where at least half of the words are Chinese (1.5 characters a word), else "en"."""
    found = tokens(text)
    chinese = sum(1 for token in found if _IS_HAN.fullmatch(token))
    words = sum(1 for token in found if token[0].isalpha()) - chinese
    return "zh" if chinese and chinese / 1.5 >= words else "en"


def plain(text: str) -> str:
    """NFKC, case-folded, without accents."""
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(c for c in spread if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", kept)
