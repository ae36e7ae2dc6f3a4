"""What people's answers to one item come to, and where that comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from irag.labels.acts import Event, Vote
from irag.labels.values import Scale

__all__ = ["RESOLVED", "Final", "Source", "resolve", "split", "spread"]

Source = Literal[
    "single",
    "unanimous",
    "majority",
    "adjudicated",
    "unresolved",
    "flagged",
    "skipped",
    "unlabelled",
]

RESOLVED = ("single", "unanimous", "majority", "adjudicated")
"""The sources that leave a grade."""


@dataclass(frozen=True, slots=True)
class Final:
    """An item's label in the end, with its provenance; `grade` None where there is none.

    `votes` counts people's labels and flags. "flagged": most of them, or the adjudicator, say that
    the item is broken. Cause and confidence are an adjudicator's.
    """

    item_id: str
    grade: int | None
    source: Source
    votes: int
    cause: str = ""
    confidence: float | None = None
    note: str | None = None


def resolve(item_id: str, votes: Sequence[Vote], ruling: Event | None) -> Final:
    """The final label: an adjudicator's, else one value that more than half of the people gave.

    A flag is a value like a grade. Models' answers and skips never count.
    """
    people = [vote for vote in votes if vote.origin == "human"]
    given = Counter(vote.grade for vote in people if vote.state != "skip")
    count = given.total()
    if ruling is not None:
        told = (ruling.cause, ruling.confidence, ruling.note)
        source: Source = "adjudicated" if ruling.grade is not None else "flagged"
        return Final(item_id, ruling.grade, source, count, *told)
    if not count:
        return Final(item_id, None, "skipped" if people else "unlabelled", 0)
    grade, most = given.most_common(1)[0]
    if 2 * most <= count:
        return Final(item_id, None, "unresolved", count)
    if grade is None:
        return Final(item_id, None, "flagged", count)
    return Final(item_id, grade, _source(count, most), count)


def _source(count: int, most: int) -> Source:
    if count == 1:
        return "single"
    return "unanimous" if most == count else "majority"


def spread(votes: Sequence[Vote], scale: Scale) -> int:
    """How far apart people's answers are, in grades; a flag beside a grade is the whole scale."""
    given = {vote.grade for vote in votes if vote.origin == "human" and vote.state != "skip"}
    grades = [grade for grade in given if grade is not None]
    if grades and None in given:
        return scale.keys[-1] - scale.keys[0]
    return max(grades, default=0) - min(grades, default=0)


def split(votes: Sequence[Vote], scale: Scale) -> bool:
    """Whether people's grades fall on both sides of the scale's cut."""
    sides = {
        vote.grade >= scale.relevant
        for vote in votes
        if vote.origin == "human" and vote.grade is not None
    }
    return len(sides) == 2
