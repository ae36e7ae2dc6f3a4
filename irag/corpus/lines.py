"""What is shown of a corpus in lists: documents, triples as said, entities, failures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from irag.types import Triple

__all__ = ["Around", "DocumentLine", "EntityLine", "Failure", "Found", "Said"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """Some of what matches, and how many match in all."""

    total: int
    rows: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A document in a list; `start` is how its text begins. `pending`: it waits to be indexed."""

    id: str
    title: str
    start: str
    triples: int
    pending: bool = False
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A triple with its document's title and the sentence that says it."""

    triple: Triple
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class EntityLine:
    """A head or tail, as most triples spell it, and in how many triples it is."""

    name: str
    triples: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A document of which something could not be done, and why."""

    id: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Around:
    """Triples around an entity, ring by ring; `total` entities are there, `more` says or more."""

    centre: str
    rings: tuple[tuple[Said, ...], ...]
    total: int
    more: bool = False
