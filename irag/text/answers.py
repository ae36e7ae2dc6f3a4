"""When two answers are the same, how far they overlap, and where an answer stands in a text.

After the official SQuAD script (Rajpurkar et al. 2016): lower case, no punctuation, no articles,
single spaces, token F1 over multisets; yes/no as in HotpotQA's (Yang et al. 2018). Departures:
- Numbers stay apart: the official script deletes the point of 3.14 and the sign of -5. Here a
  decimal point and a sign stay, thousands commas go (1,200 = 1200), and other punctuation between
  two digits becomes a space (1914-1918 is two tokens, and is not 19141918).
- Text is NFKC; every kind of dash is one; Unicode punctuation goes too, not only ASCII's.
- Chinese has no spaces and counts by character.
- What would become empty ("A", "!!!") keeps its articles, or else its punctuation.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from irag.text.words import HAN, LETTER, plain

__all__ = ["exact_match", "is_yes_no", "locate", "normalise_answer", "token_f1"]

_DASH = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_RAISED = re.compile("(?<=\\d)(?=[\u00b2\u00b3\u00b9\u2070-\u2079\u00bc-\u00be\u2150-\u215e])")
_SIGN = r"(?<![\w)\]])(?<!\d )-(?=\d)"
_PIECE = re.compile(
    rf"(?P<number>(?:{_SIGN})?\d+(?:[.,]\d+)*)|(?P<between>(?<=\d)[^\w\s]+(?=\d))|(?P<rest>[^\d]|\d)"
)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_HAN_SPACE = re.compile(rf"(?<=[{HAN}])\s+|\s+(?=[{HAN}])")
_ANSWER_TOKEN = re.compile(rf"[{HAN}]|[^\s{HAN}]+")
_YES_NO = frozenset({"yes", "no", "是", "否", "不是", "是的"})


def _dashes(text: str) -> str:
    return _DASH.sub("-", text)


def _number(digits: str) -> str:
    return digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits


def _without_punctuation(text: str) -> str:
    def kept(piece: re.Match[str]) -> str:
        if piece["number"]:
            return _number(piece["number"])
        if piece["between"]:
            return " "
        mark = piece.group()
        if mark == "°":
            return " "
        dropped = unicodedata.category(mark)[0] == "P" or mark in "$+<=>^`|~"
        return "" if dropped else mark

    return _PIECE.sub(kept, text)


def normalise_answer(text: str) -> str:
    """The form in which answers are compared; empty only for white space."""
    spaced = _dashes(unicodedata.normalize("NFKC", _RAISED.sub(" ", text))).lower()
    bare = _without_punctuation(spaced)
    for form in (_ARTICLE.sub(" ", bare), bare):
        if form.strip():
            return _HAN_SPACE.sub("", " ".join(form.split()))
    return " ".join(spaced.split())


def is_yes_no(answer: str) -> bool:
    """Whether an answer is only yes or no, in either language."""
    return normalise_answer(answer) in _YES_NO


def exact_match(prediction: str, gold: str) -> bool:
    """Whether two answers are the same after normalisation."""
    return normalise_answer(prediction) == normalise_answer(gold)


def token_f1(prediction: str, gold: str) -> float:
    """F1 over the multisets of tokens, 0 to 1; 0 between a yes or no and anything else."""
    forms = normalise_answer(prediction), normalise_answer(gold)
    if forms[0] == forms[1]:
        return 1.0
    if forms[0] in _YES_NO or forms[1] in _YES_NO:
        return 0.0
    left, right = (Counter(_ANSWER_TOKEN.findall(form)) for form in forms)
    shared = (left & right).total()
    return 2 * shared / (left.total() + right.total()) if shared else 0.0


# A number with its point and commas is one word, so that 3.1 is not found in 3.14, nor 200 in
# 1,200; "U.S." is one word; the 's of a possessive is a word of its own.
_WORD = re.compile(
    rf"[{HAN}]|(?:{_SIGN})?\d+(?:[.,:]\d+)*(?:{LETTER}|\d)*|(?:[^\W\d_]\.){{2,}}"
    rf"|(?:{LETTER}|\d)+(?:'(?!s\b)(?:{LETTER})+)*"
)
_LEADING_ARTICLE = re.compile(r"\s*(?:the|an?)\s+", re.IGNORECASE)


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    """Folded words with their places; the text keeps its length under these replacements."""
    for word in _WORD.finditer(_dashes(text).replace("’", "'")):
        raw = word.group()
        key = raw if raw.isdigit() else plain(_number(raw)).replace("'", "")
        if not any(c.isdigit() for c in raw):
            key = key.replace(".", "")
        yield key, word.start(), word.end()


def _find(answer: str, text: str, words: list[tuple[str, int, int]]) -> tuple[int, int] | None:
    wanted = [key for key, _, _ in _words(answer)]
    if not wanted:
        return None
    offsets, line = [], "\0"
    keys = [key for key, _, _ in words]
    place = 0
    for key in keys:
        offsets.append(place)
        place += len(key) + 1
    line += "\0".join(keys) + "\0"
    needle = "\0" + "\0".join(wanted) + "\0"
    best: tuple[int, tuple[int, int]] | None = None
    surface = answer.strip()
    at = line.find(needle)
    while at >= 0:
        first = bisect_right(offsets, at) - 1
        span = words[first][1], words[first + len(wanted) - 1][2]
        written = text[span[0] : span[0] + len(surface)]
        rank = 0 if written == surface else 1 if written.casefold() == surface.casefold() else 2
        if best is None or rank < best[0]:
            best = rank, span
        if rank == 0:
            break
        at = line.find(needle, at + 1)
    return best[1] if best else None


def locate(answer: str, text: str) -> tuple[int, int] | None:
    """The (start, end) span of an answer's words in a text; None when they are not there.

    As written first, then in other letter case, then with other punctuation, spacing, accents or
    thousands commas, then without a leading article; whole words and whole numbers only. A yes or
    no stands nowhere: None.
    """
    if is_yes_no(answer):
        return None
    words = list(_words(text))
    found = _find(answer, text, words)
    if found is None and (article := _LEADING_ARTICLE.match(answer)):
        found = _find(answer[article.end() :], text, words)
    return found
