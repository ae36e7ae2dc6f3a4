"""What is judged: projects with their scale, items with their frozen texts, moments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

__all__ = [
    "SCALES",
    "Candidate",
    "Grade",
    "Item",
    "Link",
    "Origin",
    "Passage",
    "Project",
    "Scale",
    "seconds_of",
    "utc_text",
]

CandidateKind = Literal["triple", "sentence", "passage"]


@dataclass(frozen=True, slots=True)
class Grade:
    """One step of a scale; `key` is what is pressed, stored and exported."""

    key: int
    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Grades in rising order; `relevant` is the lowest that counts as relevant."""

    name: str
    grades: tuple[Grade, ...]
    relevant: int

    @property
    def keys(self) -> tuple[int, ...]:
        """The grades' keys, rising."""
        return tuple(grade.key for grade in self.grades)

    @property
    def relevant_if(self) -> str:
        """The cut as exports state it."""
        return f">={self.relevant}"

    def name_of(self, key: int | None) -> str:
        """A grade's name; "" for none."""
        return next((grade.name for grade in self.grades if grade.key == key), "")


SCALES = {
    "grades": Scale(
        "grades",
        (
            Grade(0, "Not relevant", "no help for this question"),
            Grade(1, "Related", "same topic or entity, does not advance the chain"),
            Grade(2, "Useful", "true by the passage and fills part of the gap, or another way on"),
            Grade(3, "Decisive", "the missing hop: the next step or the answer follows from it"),
        ),
        2,  # TREC Deep Learning 2019: grade 1 of passages counts as not relevant
    ),
    "binary": Scale(
        "binary",
        (
            Grade(0, "No", "does not help the chain on"),
            Grade(1, "Yes", "helps the chain on, true by the passage"),
        ),
        1,
    ),
}


@dataclass(frozen=True, slots=True)
class Project:
    """A set of items under one scale and guidelines. `cap`: the most items of one question."""

    id: str
    name: str
    scale: Scale
    overlap: int
    cap: int
    seed: int
    created: float
    guideline: int = 1


@dataclass(frozen=True, slots=True)
class Link:
    """One triple of the chain so far, frozen."""

    id: str
    head: str
    relation: str
    tail: str
    document_id: str = ""

    @property
    def text(self) -> str:
        """The triple as one line."""
        return f"{self.head} {self.relation} {self.tail}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is judged. A sentence or passage has its whole text in `text` and no parts."""

    kind: CandidateKind
    id: str
    head: str
    relation: str
    tail: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a candidate stands; `span` is its sentence, in code points, None when unknown."""

    document_id: str
    title: str
    text: str
    span: tuple[int, int] | None = None

    @property
    def sentence(self) -> str:
        """The sentence as it stands in the passage; "" when not known."""
        return self.text[slice(*self.span)] if self.span else ""

    @property
    def utf16_span(self) -> tuple[int, int] | None:
        """The span in UTF-16 units, as browsers count."""
        if self.span is None:
            return None
        start, end = (len(self.text[:n].encode("utf-16-le", "surrogatepass")) for n in self.span)
        return start // 2, end // 2


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to judge: a question, the chain so far, a candidate, its passage; all frozen.

    `key` says what it is in any project; `place` counts from 1. Scores, ranks, methods, gold and
    labels are no part of it.
    """

    id: str
    project_id: str
    key: str
    place: int
    question_id: str
    question: str
    language: str
    hop: int
    chain: tuple[Link, ...]
    candidate: Candidate
    passage: Passage


@dataclass(frozen=True, slots=True)
class Origin:
    """A run in which an item was a candidate; rank counts from 1."""

    item_id: str
    run_id: str
    method: str
    hop: int
    rank: int
    score: float | None


def utc_text(seconds: float) -> str:
    """A moment as ISO 8601 in UTC, with its offset and milliseconds.

    >>> utc_text(0.25)
    '1970-01-01T00:00:00.250+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def seconds_of(text: str) -> float:
    """Seconds since 1970 of an ISO 8601 text with an offset; ValueError for one without."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} says no time zone")
    return round(moment.timestamp(), 3)
