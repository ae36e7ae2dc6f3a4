"""Triples that a model wrote: as JSON, in angle brackets or as lines of three fields."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from irag.parse.lenient_json import Json, find_values
from irag.parse.replies import Unparsed, without_thinking

__all__ = ["TripleRecords", "triples"]


@dataclass(frozen=True, slots=True)
class TripleRecords:
    """What a reply holds: (head, relation, tail) texts in order, each once.

    `rejected` counts the records that were no three texts; `cut`: the reply ended inside one.
    """

    facts: tuple[tuple[str, str, str], ...]
    rejected: int = 0
    cut: bool = False


_HEAD = ("head", "subject", "source", "from", "entity1", "s")
_RELATION = ("relation", "predicate", "relationship", "verb", "type", "label", "edge", "p")
_TAIL = ("tail", "object", "target", "to", "value", "entity2", "o")

Fact = tuple[str, str, str]


def _field(value: Json) -> str:
    """One line of text; "" for what is no text or number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def _fact(record: Json) -> Fact | None:
    if isinstance(record, dict):
        named = {key.strip().casefold(): value for key, value in record.items()}
        parts = [
            next((_field(named[name]) for name in names if name in named), "")
            for names in (_HEAD, _RELATION, _TAIL)
        ]
    elif isinstance(record, list) and len(record) == 3:
        parts = [_field(value) for value in record]
    else:
        return None
    head, relation, tail = parts
    return (head, relation, tail) if head and relation and tail else None


def _records(value: Json) -> list[Json] | None:
    """The records of a JSON value; None when it is no list of records and no record."""
    if isinstance(value, dict):
        if {key.strip().casefold() for key in value} & set(_HEAD):
            return [value]
        return next((inside for inside in value.values() if isinstance(inside, list)), None)
    if not isinstance(value, list):
        return None
    if len(value) == 3 and _fact(value) and any(isinstance(entry, str) for entry in value):
        return [value]
    return value


def _collected(facts: Iterable[Fact | None], cut: bool) -> TripleRecords:
    every = list(facts)
    whole = [fact for fact in every if fact]
    return TripleRecords(tuple(dict.fromkeys(whole)), len(every) - len(whole), cut)


def _from_json(spoken: str) -> TripleRecords | None:
    lists = [(_records(found.value), found.cut) for found in find_values(spoken)]
    known = [(records, cut) for records, cut in lists if records is not None]
    if not known:
        return None
    facts = [_fact(record) for records, _ in known for record in records]
    return _collected(facts, any(cut for _, cut in known))


_BRACKETED_LINE = re.compile(r"^[^\w<]*+<(?P<inside>.+)>[\s.,;]*$", re.MULTILINE)
_BRACKETED = re.compile(r"<([^<>\n]+)>")
_LIST_MARKER = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+")


def _split(inside: str, separators: tuple[str, ...]) -> Fact | None:
    for separator in separators:
        parts = [" ".join(part.split()) for part in inside.split(separator)]
        if len(parts) == 3 and all(parts):
            return parts[0], parts[1], parts[2]
    return None


def _from_brackets(spoken: str) -> TripleRecords | None:
    """<head; relation; tail>, one a line (angle brackets may stand in a field) or several."""
    facts: list[Fact | None] = []
    for line in spoken.splitlines():
        whole = _BRACKETED_LINE.match(line)
        fact = _split(whole["inside"], (";", " | ")) if whole else None
        facts += [fact] if fact else [_split(one, (";", "|")) for one in _BRACKETED.findall(line)]
    cut = spoken.rfind("<") > spoken.rfind(">")
    return _collected(facts, cut) if any(facts) else None


def _from_lines(spoken: str) -> TripleRecords | None:
    """Lines with the fields apart by tabs, " | " or "; "; other lines are prose, not records."""
    facts = [
        _split(_LIST_MARKER.sub("", line), ("\t", " | ", "; ")) for line in spoken.splitlines()
    ]
    return _collected([fact for fact in facts if fact], cut=False) if any(facts) else None


def triples(text: str) -> TripleRecords | Unparsed:
    """The triples of a reply; an empty list that the model wrote is a result, prose is not."""
    spoken = without_thinking(text)
    if not spoken:
        reason = "the reply is only thinking" if text.strip() else "empty model reply"
        return Unparsed.of(reason, text)
    for read in (_from_json, _from_brackets, _from_lines):
        records = read(spoken)
        if records is not None:
            return records
    return Unparsed.of("the reply holds no triples", text)
