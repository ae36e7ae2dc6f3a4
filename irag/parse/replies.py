"""Short replies: JSON, chosen numbers, one line of answer, yes or no."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from irag.parse.lenient_json import Json, find_values
from irag.text import sentences

__all__ = [
    "Unparsed",
    "answer_line",
    "conclusion",
    "json_value",
    "numbers",
    "without_thinking",
    "yes_no",
]

KEPT_CHARACTERS = 2_000  # of a reply that could not be read


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A reply that could not be read: why, and its beginning (at most 2,000 characters)."""

    reason: str
    text: str = ""

    @classmethod
    def of(cls, reason: str, text: str) -> Unparsed:
        """With the text shortened: a runaway reply is not kept whole."""
        shown = text.strip()
        return cls(
            reason, shown if len(shown) <= KEPT_CHARACTERS else shown[:KEPT_CHARACTERS] + "…"
        )


_TAG = "(?:think|thinking|reasoning)"
_THINKING = re.compile(rf"<{_TAG}>.*?(?:</{_TAG}>|\Z)", re.IGNORECASE | re.DOTALL)
_THINKING_END = re.compile(rf"</{_TAG}>", re.IGNORECASE)


def without_thinking(text: str) -> str:
    """The reply without <think> parts, closed or cut, also where only the closing tag is there."""
    *_, rest = _THINKING_END.split(_THINKING.sub("", text))
    return rest.strip()


def _empty(text: str, spoken: str) -> Unparsed:
    return Unparsed.of("the reply is only thinking" if text.strip() else "empty model reply", text)


def json_value(text: str) -> Json | Unparsed:
    """The longest JSON value of a reply, with fences, prose, reasoning and slips around it.

    A cut value keeps its whole entries. A bare number, string or literal must be the whole reply.
    """
    spoken = without_thinking(text)
    if not spoken:
        return _empty(text, spoken)
    longest = max(find_values(spoken), key=lambda found: found.end - found.start, default=None)
    if longest is not None:
        return longest.value
    try:
        value: Json = json.loads(spoken)
    except (ValueError, RecursionError):
        return Unparsed.of("the reply holds no JSON value", text)
    return value


_PROSE_NUMBER = re.compile(r"(?<![\w.,-])\d{1,3}(?!\w|[.,]\d)")
_NONE_OF_THEM = re.compile(r"\bnone\b|都不|没有", re.IGNORECASE)


def _whole_numbers(value: Json) -> list[int] | None:
    """The numbers of a list, or of an object's first list or else number; None: there is none."""
    if isinstance(value, dict):
        fields = [inside for key, inside in value.items() if key != "answer"]
        fields.sort(key=lambda inside: not isinstance(inside, list))
        found = (_whole_numbers(inside) for inside in fields)
        return next((named for named in found if named is not None), None)
    if isinstance(value, list):
        flat = [_whole_numbers(entry) or [] for entry in value]
        return [number for entry in flat for number in entry]
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return [int(value)] if value.is_integer() else None
    if isinstance(value, str):
        return [int(value)] if re.fullmatch(r"\s*\d{1,3}\s*", value) else None
    return [value] if isinstance(value, int) else None


def _chosen(named: Iterable[int], limit: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for number in named if 1 <= number <= limit))


def numbers(text: str, limit: int) -> tuple[int, ...] | Unparsed:
    """The 1-based candidate numbers that a reply names, in its order, each once, 1 to `limit`.

    From JSON ({"chain": [3, 1]}, [3, 1]) or prose ("3 and 1"). Empty: it says that none fits.
    """
    spoken = without_thinking(text)
    if not spoken:
        return _empty(text, spoken)
    value = json_value(spoken)
    stated = None if isinstance(value, Unparsed) else _whole_numbers(value)
    if stated is None:
        stated = [int(number) for number in _PROSE_NUMBER.findall(spoken)]
        if not stated and not _NONE_OF_THEM.search(spoken):
            return Unparsed.of("the reply names no candidate number", text)
    chosen = _chosen(stated, limit)
    if stated and not chosen:
        return Unparsed.of(f"the reply names only numbers outside 1 to {limit}", text)
    return chosen


_CONCLUSION = re.compile(
    r"(?:\bso,? the (?:final )?answer is|所以答案是|因此答案是)\s*[:：]?", re.IGNORECASE
)
_MARKER = re.compile(
    r"(?:\banswer\b[*_]*\s*(?:is\b|[:：])|^\s*A\s*:|(?:答案|回答)\s*(?:是|为|[:：]))\s*[:：]?",
    re.IGNORECASE | re.MULTILINE,
)
_BECAUSE = re.compile(r",?\s+\(?(?:because|since it|as stated|according to)\b.*|[，,]因为.*")
_PLAIN_YES_NO = re.compile(r"((?i:yes|no))[,.;:]?\s+(?=[a-z])|(是的|不是|是|否)[，。,]")
_LAST_STOP = re.compile(r"(?<!\.\w)(?<!\b[A-Z])[.。]+$")
_WRAPPING = (("`", "`"), ('"', '"'), ("“", "”"), ("'", "'"), ("「", "」"), ("<", ">"))
_JSON_OPENS = re.compile(r"(?:```\w*\s*)?\{")


def _unwrapped(line: str) -> str:
    stripped = line.replace("**", "").replace("__", "").strip()
    for opening, closing in _WRAPPING:
        inside = stripped[1:-1]
        if stripped.startswith(opening) and stripped.endswith(closing) and inside.strip():
            return _unwrapped(inside)
    return stripped


def _first_sentence(line: str) -> str:
    spans = sentences(line)
    return line[spans[0][0] : spans[0][1]] if spans else line.strip()


def _answer_field(spoken: str) -> str:
    value = json_value(spoken)
    answer = value.get("answer") if isinstance(value, dict) else None
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        return ""
    return str(answer).strip()


def answer_line(text: str) -> str | Unparsed:
    """The answer of a reply, in one line, without label, explanation, quotes or last full stop.

    What follows "so the answer is", else "answer is" or "答案是", else the first line; of it the
    first sentence. A reply {"answer": ...} gives that field.
    """
    spoken = without_thinking(text)
    if not spoken:
        return _empty(text, spoken)
    if _JSON_OPENS.match(spoken):
        return _answer_field(spoken) or Unparsed.of("the reply is JSON without an answer", text)
    marker = _CONCLUSION.search(spoken) or _MARKER.search(spoken)
    rest = spoken[marker.end() :] if marker else spoken
    line = next((one for one in rest.splitlines() if one.strip(" \t*_.:`")), "")
    if not line:
        return Unparsed.of("the reply names no answer", text)
    answer = _BECAUSE.sub("", _first_sentence(_unwrapped(line)))
    short = _PLAIN_YES_NO.match(answer)
    if short:
        return short.group(1) or short.group(2)
    return _unwrapped(_LAST_STOP.sub("", answer)) or answer


def conclusion(text: str) -> str | Unparsed:
    """The answer that reasoning comes to, behind "so the answer is" and the like; as answer_line.

    Unparsed where it has not come to one.
    """
    spoken = without_thinking(text)
    if _CONCLUSION.search(spoken) or _MARKER.search(spoken):
        return answer_line(text)
    return Unparsed.of("the reply comes to no answer", text)


_YES = re.compile(
    r"\W*(?:yes|true|correct|sufficient|enough)\b"
    r"|\W*(?:是|对|正确|足够|充分|充足|可以|能够|能回答|能(?!\w))(?!否)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\W*(?:no|false|not|insufficient|cannot)\b|\W*(?:否|不|无法|没有|信息不足)", re.IGNORECASE
)
_BARE = re.compile(r"\W*(?:yes|no|true|false|是|否|是的|不是|足够|不足|不够)\W*", re.IGNORECASE)


def yes_no(text: str) -> bool | Unparsed:
    """Whether a reply says yes; Unparsed when it begins with neither yes nor no.

    Of a JSON object, its first true or false, or its one field that is the word itself.
    """
    value = json_value(text)
    if isinstance(value, dict):
        said = [inside for inside in value.values() if isinstance(inside, bool)]
        words = [one for one in value.values() if isinstance(one, str) and _BARE.fullmatch(one)]
        value = said[0] if said else None
        if not said and len(words) == 1:
            text = words[0]
    if isinstance(value, bool):
        return value
    answer = answer_line(text)
    if isinstance(answer, Unparsed):
        return answer
    if _YES.match(answer):
        return True
    if _NO.match(answer):
        return False
    return Unparsed.of("the reply says neither yes nor no", text)
