"""Where a project stands: by person, by question, and on gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from irag.labels.acts import Vote
from irag.labels.book import Book
from irag.labels.progress import pace
from irag.labels.resolving import Source
from irag.labels.values import Item

__all__ = ["GoldScore", "PersonRow", "QuestionRow", "gold_scores", "people", "questions"]

HURRIED_MS = 800
GOLD_WINDOW = 20


@dataclass(frozen=True, slots=True)
class GoldScore:
    """One person's last answers to gold items, oldest first: (when, right, right by the cut)."""

    annotator_id: str
    answers: tuple[tuple[float, bool, bool], ...]

    @property
    def accuracy(self) -> float | None:
        """The share of right grades; None without answers."""
        return _share([right for _, right, _ in self.answers])

    @property
    def cut_accuracy(self) -> float | None:
        """The share on the right side of the cut; None without answers."""
        return _share([right for _, _, right in self.answers])


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One annotator's progress. `hurried`: answers in under 0.8 s. `stale`: by old guidelines."""

    annotator_id: str
    origin: str
    labelled: int
    flagged: int
    skipped: int
    hurried: int
    stale: int
    seconds: float | None
    last: float


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question's progress: its items by where their final label comes from."""

    question_id: str
    question: str
    items: int
    full: int
    sources: tuple[tuple[Source, int], ...]


def gold_scores(book: Book, window: int = GOLD_WINDOW) -> tuple[GoldScore, ...]:
    """Each person's last `window` labels of gold items, against the grades known now."""
    by_person: dict[str, list[Vote]] = {}
    for item_id in book.gold:
        for vote in book.people(item_id):
            if vote.state == "label":
                by_person.setdefault(vote.annotator_id, []).append(vote)
    return tuple(
        GoldScore(person, tuple(_marked(book, vote) for vote in _latest(votes, window)))
        for person, votes in sorted(by_person.items())
    )


def people(book: Book) -> tuple[PersonRow, ...]:
    """Progress by annotator; models are among them, by their origin."""
    votes: dict[str, list[Vote]] = {name: [] for name in book.annotators}
    for some in book.votes.values():
        for vote in some:
            votes[vote.annotator_id].append(vote)
    return tuple(_person(book, name, own) for name, own in votes.items())


def questions(book: Book) -> tuple[QuestionRow, ...]:
    """Progress by question, in the order of the items."""
    rows: dict[str, list[Item]] = {}
    for item in book.items:
        rows.setdefault(item.question_id, []).append(item)
    return tuple(_question(book, items) for items in rows.values())


def _latest(votes: Sequence[Vote], window: int) -> Sequence[Vote]:
    return sorted(votes, key=lambda vote: (vote.at, vote.item_id))[-window:]


def _marked(book: Book, vote: Vote) -> tuple[float, bool, bool]:
    cut, right = book.project.scale.relevant, book.gold[vote.item_id]
    given = vote.grade if vote.grade is not None else -1
    return vote.at, given == right, (given >= cut) == (right >= cut)


def _share(right: Sequence[bool]) -> float | None:
    return sum(right) / len(right) if right else None


def _person(book: Book, name: str, votes: Sequence[Vote]) -> PersonRow:
    states = Counter(vote.state for vote in votes)
    return PersonRow(
        name,
        votes[0].origin,
        states["label"],
        states["flag"],
        states["skip"],
        sum(vote.active_ms is not None and vote.active_ms < HURRIED_MS for vote in votes),
        sum(vote.guideline < book.project.guideline for vote in votes),
        pace([vote.at for vote in votes]),
        max(vote.at for vote in votes),
    )


def _question(book: Book, items: Sequence[Item]) -> QuestionRow:
    sources = Counter(book.finals[item.id].source for item in items)
    full = sum(book.finals[item.id].votes >= book.project.overlap for item in items)
    first = items[0]
    told = tuple(sorted(sources.items()))
    return QuestionRow(first.question_id, first.question, len(items), full, told)
