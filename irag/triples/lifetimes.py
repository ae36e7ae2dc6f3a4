"""Dates and places in the brackets after a name: (born 12 May 1900 in Osk), (1900 – 1980)."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["lifetime_facts"]

_MONTH = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_ERA = r"(?:\s*(?:BC|BCE|AD|CE|C\.E\.|B\.C\.))?"
_DATE = re.compile(
    rf"(?:(?:c\.|ca\.|circa|about|around|before|after|fl\.)\s*)?"
    rf"(?:(?P<day>{_DAY}\s+{_MONTH}(?:,?\s+\d{{3,4}}{_ERA})?|{_MONTH}\s+{_DAY},?\s+\d{{3,4}}{_ERA})"
    rf"|{_MONTH},?\s+\d{{3,4}}{_ERA}|AD\s+\d{{1,4}}|\d{{1,4}}\s*(?:BC|BCE|AD|CE)\b|\d{{3,4}}(?!\d){_ERA})"
)
_LOST_DASH = re.compile(rf"(\d{{4}}) ?(?=\d{{1,2}}\s+{_MONTH}|{_MONTH}|\d{{4}}(?!\d))")
_DASH = re.compile(r"\s*[-–—−]\s*")
_EVENT = re.compile(r"\b(?P<verb>born|b\.|died|d\.|[a-z]+ed)\b\.?\s*(?P<rest>.*)", re.DOTALL)
_PLACE = re.compile(r"^[\s,]*(?:(?:in|at|near)\s+)?(?P<place>[^\W\d_].*?)[\s,;]*$")
_LIKE_A_PLACE = re.compile(r"(?:the (?:\w+ ){0,3})?[A-Z\u00c0-\u00de\u0100-\u017f]")
_PARTS = re.compile(r";|,\s*(?=died\b|d\.)")
_RELATION = {"born": "was born", "b.": "was born", "died": "died", "d.": "died"}

Fact = tuple[str, str]


def _dated(verb: str, text: str) -> Iterator[Fact]:
    """(relation, tail) pairs of one event: its date, then its place."""
    date = _DATE.search(text)
    place = _PLACE.match(text[date.end() :] if date else "")
    earlier = _PLACE.match(text[: date.start()]) if date else None
    if date:
        yield f"{verb} {'on' if date['day'] else 'in'}", date.group().strip(" ,")
    for found in (place, earlier):
        if found and _LIKE_A_PLACE.match(found["place"]):
            yield f"{verb} in", found["place"]
            return


def _range(segment: str) -> tuple[str, str] | None:
    first = _DATE.search(segment)
    dash = _DASH.search(segment, first.end()) if first else None
    if not dash or not _DATE.search(segment, dash.end()):
        return None
    return segment[: dash.start()], segment[dash.end() :]


def _segment(segment: str, person: bool, named: bool) -> Iterator[Fact]:
    event = _EVENT.search(segment)
    if event and (verb := event["verb"]) and _DATE.search(event["rest"]):
        relation = _RELATION.get(verb, f"was {verb}")
        ends = _range(event["rest"])
        rest = ends[0] if ends else event["rest"]
        name = _DATE.split(rest)[0].strip(" ,")
        if verb == "born" and name[:1].isupper() and not re.search(r"\b(?:in|on)\b", name):
            yield "was born as", name
            rest = rest[rest.find(name) + len(name) :]
        yield from _dated(relation, rest)
        if ends:
            yield from _dated("died", re.sub(r"^(?:died|d\.)\s*", "", ends[1]))
        return
    ends = _range(segment)
    if ends:
        days = _DATE.search(ends[0])
        lived = person or bool(days and days["day"])
        yield from _dated("was born" if lived else "began", ends[0])
        yield from _dated("died" if lived else "ended", ends[1])
    elif event and event["verb"] == "born" and event["rest"][:1].isupper():
        yield "was born as", event["rest"].strip(" ,")
    elif named and _DATE.match(segment.strip()):
        yield from _dated("was born", segment)


def lifetime_facts(bracketed: str, person: bool) -> list[Fact]:
    """(relation, tail) pairs said by what stands in brackets after a name.

    `person`: the passage is about one, so that a bare range of years is a life.
    """
    text = _LOST_DASH.sub(r"\1–", bracketed)
    facts: list[Fact] = []
    named = False
    for segment in _PARTS.split(text):
        facts += _segment(segment, person, named)
        named = named or "born" in segment
    return list(dict.fromkeys(facts))
