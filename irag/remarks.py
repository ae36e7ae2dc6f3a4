"""What methods say of themselves beside chain and hops: each is shown by a drawing of its own.

A remark is recorded in the trace and changes nothing; it never asks for work.
"""

from __future__ import annotations

from dataclasses import dataclass

from irag.actions import Action, Remark
from irag.types import Sentence

__all__ = [
    "REMARKS",
    "ContextGrew",
    "Edge",
    "GraphMade",
    "Judged",
    "Rewritten",
    "SubAnswered",
    "SubQuestion",
]


@dataclass(frozen=True, slots=True)
class SubQuestion(Remark):
    """A sub-question is worked on; `asked` is what it became once its references were filled in."""

    number: int
    text: str
    asked: str


@dataclass(frozen=True, slots=True)
class SubAnswered(Remark):
    """What came of a sub-question: an answer, or None and a summary of what was found."""

    number: int
    answer: str | None
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ContextGrew(Remark):
    """Sentences joined the context of sub-question `number`, best first.

    `expansion` 0 are its seeds; `words` is how many the whole context has then.
    """

    number: int
    expansion: int
    sentences: tuple[Sentence, ...]
    words: int


@dataclass(frozen=True, slots=True)
class Rewritten(Remark):
    """A question was put anew with what is known."""

    before: str
    after: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between two named nodes; `triple` is the id of the fact behind it, "" where none."""

    head: str
    tail: str
    label: str
    weight: float
    triple: str = ""


@dataclass(frozen=True, slots=True)
class GraphMade(Remark):
    """A graph of evidence: the edges that stay and those that were dropped from it.

    `seeds` are the names of the nodes it was grown from.
    """

    title: str
    kept: tuple[Edge, ...]
    dropped: tuple[Edge, ...] = ()
    seeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged(Remark):
    """Scores between 0 and 1 that a judge gave an answer, by name; () when it gave none."""

    iteration: int
    answer: str
    scores: tuple[tuple[str, float], ...]
    note: str = ""


REMARKS: dict[str, type[Action[None]]] = {
    kind.__name__: kind
    for kind in (SubQuestion, SubAnswered, ContextGrew, Rewritten, GraphMade, Judged)
}
"""Every remark of this file by name; a trace on disk refers to them by it."""
