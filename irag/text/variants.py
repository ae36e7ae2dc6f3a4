"""Other ways to compare answers than `normalise_answer`, each under a name of its own.

`official_form` is what the scripts of SQuAD, HotpotQA, 2WikiMultiHopQA and MuSiQue compare: numbers
and dates written differently stay different, and the point of 3.14 is lost. `lenient_form` takes
number words and the usual forms of a date for the same.
"""

from __future__ import annotations

import re
import string
from collections import Counter

from irag.text.answers import normalise_answer

__all__ = ["is_refusal", "lenient_form", "official_f1", "official_form"]

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_OFFICIAL_YES_NO = frozenset({"yes", "no", "noanswer"})

_REFUSALS = frozenset(
    {"", "unknown", "unanswerable", "not answerable", "no answer", "none", "not known", "noanswer"}
    | {"insufficient information", "not enough information", "i dont know", "i do not know"}
    | {
        "cannot be answered",
        "not mentioned",
        "not stated",
        "不知道",
        "无法回答",
        "未知",
        "没有答案",
    }
)

_WRITTEN = {
    0: "zero one two three four five six seven eight nine ten eleven twelve",
    13: "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
}
_NUMBERS = {
    word: number
    for first, words in _WRITTEN.items()
    for number, word in enumerate(words.split(), first)
}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS |= {word: 10 * ten for ten, word in enumerate(_TENS.split(), 2)}
_MONTHS = "january february march april may june july august september october november december"
_MONTH = {
    form: number for number, name in enumerate(_MONTHS.split(), 1) for form in (name, name[:3])
}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_DAY}(?: of)? (?P<month>{_NAMES}) (?P<year>\d{{4}})\b",
        rf"\b(?P<month>{_NAMES}) {_DAY} (?P<year>\d{{4}})\b",
        r"\b(?P<year>\d{4}) (?P<month>\d{1,2}) (?P<day>\d{1,2})\b",
        r"(?P<year>\d{4})年(?P<month>\d{1,2})月(?P<day>\d{1,2})日?",
    )
)

_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")
_WHOLE_TENS = frozenset(str(n) for n in range(20, 100, 10))


def _iso(found: re.Match[str]) -> str:
    month = _MONTH.get(found["month"]) or int(found["month"])
    return f"{found['year']}-{month:02}-{int(found['day']):02}"


def official_form(text: str) -> str:
    """As the official scripts compare an answer: ASCII punctuation and articles go; may be ""."""
    bare = text.lower().translate(_NO_PUNCTUATION)
    return " ".join(_ARTICLE.sub(" ", bare).split())


def official_f1(prediction: str, gold: str) -> float:
    """HotpotQA's F1, by white space; 0 between yes, no or noanswer and anything else."""
    left, right = official_form(prediction), official_form(gold)
    if left != right and (left in _OFFICIAL_YES_NO or right in _OFFICIAL_YES_NO):
        return 0.0
    words = Counter(left.split()), Counter(right.split())
    shared = (words[0] & words[1]).total()
    return 2 * shared / (words[0].total() + words[1].total()) if shared else 0.0


def lenient_form(text: str) -> str:
    """`normalise_answer` with dates as year-month-day and number words up to 99 as digits.

    >>> lenient_form("December 24th, 1886") == lenient_form("24 December 1886")
    True
    """
    form = normalise_answer(_HYPHEN.sub(" ", text))
    for pattern in _DATES:
        form = pattern.sub(_iso, form)
    words: list[str] = []
    for word in form.split():
        value = _NUMBERS.get(word)
        if value is not None and 0 < value < 10 and words and words[-1] in _WHOLE_TENS:
            words[-1] = str(int(words[-1]) + value)
        else:
            words.append(word if value is None else str(value))
    return " ".join(words)


def is_refusal(text: str) -> bool:
    """Whether a reply declines to answer ("unknown"), in either language."""
    return normalise_answer(text).replace("'", "") in _REFUSALS
