"""Sentences made easy to parse: names that could mislead the parser are masked by one plain name.

A film called "Live at the Rainbow" is no verb, so the title at a sentence's beginning and short
quoted names go in as one word and come back as they were written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from irag.types import Document

__all__ = ["MASK", "Prepared", "base_title", "prepare"]

MASK = "Caroline"  # a word that the tagger surely takes for a name

_LIST_MARKER = re.compile(r"^\s*(?:\(?(?:\d{1,3}|[a-z])[.)]|[-*+•·–]|#{1,6})\s+")
_DISAMBIGUATOR = re.compile(r"\s+\([^()]*\)$")
# Slips of detokenised corpora: "born( 12 May", "German- born".
_BEFORE_BRACKET = re.compile(r"(?<=\w)\((?=[\s\"“]|[A-Za-z]{4,} )")
_AFTER_BRACKET = re.compile(r"\(\s+")
_BROKEN_HYPHEN = re.compile(r"(?<=[^\W\d_])- (?!(?:and|or|to)\b)(?=[^\W\d_])")
_BRACKETED = re.compile(r"\s*\((?P<inside>[^()]*(?:\([^()]*\)[^()]*)*)\)")
_COPULA = re.compile(r"\b(?:is|was|are|were|has|had)\b")
_LEAD = 80  # characters of a first sentence in which brackets belong to its name
_HONOURS = re.compile(r"(?:,\s+[A-Z]{2,6})+(?=,?\s+(?:is|was)\b)")  # "Ana Kor, OBE, was"
_QUOTED = re.compile(r"\"\s*([^\"]{1,80}?)\s*\"|“([^”]{1,80})”")
_NAME_LIKE = re.compile(r"[A-Z0-9\u00c0-\u00de][^.!?]*[^.,!?\s]$|[A-Z0-9][\w ]*[!?]$")


@dataclass(slots=True)
class Prepared:
    """A sentence as it is parsed; `names` maps offsets of masks to what they stand for.

    `bracketed` is what stood in brackets right after the passage's topic.
    """

    text: str
    names: dict[int, str] = field(default_factory=dict)
    bracketed: str = ""
    about_title: bool = False


def base_title(title: str) -> str:
    """A title without its disambiguating parenthesis."""
    return _DISAMBIGUATOR.sub("", title) or title


def _tidy(sentence: str) -> str:
    text = " ".join(_LIST_MARKER.sub("", sentence).split())
    text = _AFTER_BRACKET.sub("(", _BEFORE_BRACKET.sub(" (", text))
    return _BROKEN_HYPHEN.sub("-", text)


def _lead_bracket(text: str) -> tuple[str, str]:
    """The text without the brackets before its first verb, and what stood in them."""
    inside: list[str] = []
    while found := _BRACKETED.search(text):
        verb = _COPULA.search(text)
        if found.start() > _LEAD or (verb and verb.start() < found.start()):
            break
        inside.append(found["inside"].strip())
        text = text[: found.start()] + text[found.end() :]
    return _HONOURS.sub("", text, count=1), "; ".join(inside)


def prepare(document: Document, number: int) -> Prepared:
    """One sentence of a document, masked."""
    text = _tidy(document.sentence(number))
    bracketed = ""
    if number == 0:
        text, bracketed = _lead_bracket(text)
    name = " ".join(base_title(document.title).split())
    start = 1 if text[:1] in "\"“'" else 0
    head = text[start : start + len(name)]
    after = text[start + len(name) : start + len(name) + 1]
    opens = bool(name) and head.casefold() == name.casefold() and not after.isalnum()
    names: dict[int, str] = {}
    if opens:
        end = start + len(name)
        if start and text[end : end + 1] in ('"', "”", "'"):
            end += 1
        names[0] = name
        text = MASK + text[end:]
    return _mask_quotes(Prepared(text, names, bracketed, opens))


def _mask_quotes(prepared: Prepared) -> Prepared:
    if prepared.text.count('"') % 2:
        return prepared
    parts: list[str] = []
    at = length = 0
    for found in _QUOTED.finditer(prepared.text):
        name = (found.group(1) or found.group(2) or "").strip()
        if not _NAME_LIKE.match(name):
            continue
        before = prepared.text[at : found.start()]
        gap = " " if before and not before[-1].isspace() and before[-1] not in "(" else ""
        parts += [before, gap]
        length += len(before) + len(gap)
        prepared.names[length] = name
        parts.append(MASK)
        length += len(MASK)
        at = found.end()
        if at < len(prepared.text) and prepared.text[at].isalnum():
            parts.append(" ")
            length += 1
    parts.append(prepared.text[at:])
    prepared.text = "".join(parts)
    return prepared
