"""The protocols behind the actions; it knows no backend."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from irag.actions import Neighbour, Query
from irag.errors import IragError
from irag.types import (
    Completion,
    Document,
    Entity,
    Message,
    Scored,
    Sentence,
    Triple,
)

__all__ = [
    "LLM",
    "Cancel",
    "EntityGraph",
    "Flags",
    "NameFinder",
    "Request",
    "Reranker",
    "Retriever",
    "Scorer",
    "SentenceGraph",
    "TripleSource",
]

U = TypeVar("U", Triple, Sentence, Document)

Cancel = threading.Event
"""Set when the person pressed Stop; backends look at it between tokens and between batches."""

EmitText = Callable[[int, str], None]
"""Called with (index of the request, the whole text so far) as text is written."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What an LLM can do. `schema` False: the schema is described in the prompt and parsed."""

    streams: bool = False
    schema: bool = False
    logprobs: bool = False
    prefix: bool = False
    concurrent: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One call. `prefix` is a beginning of the reply that the model continues; `schema` a JSON
    schema as text; `logprobs` how many alternatives of the first token are wanted (0: none);
    `sample` tells repeated samples of one request apart in the cache."""

    messages: tuple[Message, ...]
    max_tokens: int = 64
    stop: tuple[str, ...] = ()
    schema: str | None = None
    prefix: str = ""
    logprobs: int = 0
    temperature: float = 0.0
    seed: int = 0
    sample: int = 0


@runtime_checkable
class LLM(Protocol):
    """A language model, batch first.

    `generate` returns one Completion or IragError per request, in order: one bad prompt never
    fails the others. It raises nothing but Cancelled. `window` is in tokens, prompt and reply.
    `Completion.text` holds neither the prefix nor the stop string.
    """

    @property
    def name(self) -> str:
        """The LLM SPEC it was opened with."""

    @property
    def window(self) -> int:
        """Tokens of prompt and reply together."""

    @property
    def flags(self) -> Flags:
        """What it can do."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; may be an upper bound."""

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """One result per request, in order."""

    def close(self) -> None:
        """Free the weights; further calls are an error."""


class Retriever(Protocol):
    """Searches the documents of one corpus. Batch first; ties are ordered by id."""

    def search(
        self,
        queries: Sequence[Query],
        k: int,
        by: str | None = None,
        exclude: Sequence[str] = (),
        beside: Sequence[str] = (),
    ) -> list[tuple[Scored[Document], ...]]:
        """At most k documents per query, best first. `exclude` are document ids. `beside` are
        texts embedded in the same batch, so that a following `rank` embeds nothing. Documents
        that match nothing (BM25 score 0) are left out."""


class TripleSource(Protocol):
    """Gives documents and their stored triples."""

    def documents(self, ids: Sequence[str]) -> tuple[Document, ...]:
        """Documents in the order of their ids; CorpusError for one that is not here."""

    def triples_of(self, documents: Sequence[str]) -> list[tuple[Triple, ...]]:
        """One tuple per document id, by sentence, then as extracted."""


class Scorer(Protocol):
    """Scores units against a query; vectors of what is stored are pre-computed."""

    def rank(
        self, queries: Sequence[str], units: Sequence[Sequence[U]], k: int
    ) -> list[tuple[Scored[U], ...]]:
        """At most k units per query, best first; ties by id."""


class Reranker(Protocol):
    """Reads a query and a text together (a cross-encoder); slower and better than a Scorer."""

    @property
    def name(self) -> str:
        """The model's name, for the trace."""

    def scores(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """One score per text of each query; higher is better, within one query only."""


class SentenceGraph(Protocol):
    """The sentences of one corpus and the edges between them (ChainRAG, section 3.1)."""

    def search_sentences(
        self, queries: Sequence[str], k: int
    ) -> list[tuple[Scored[Sentence], ...]]:
        """At most k sentences per query, best first; ties by id."""

    def neighbours(
        self, sentences: Sequence[Sequence[Sentence]], edges: Sequence[str]
    ) -> list[tuple[Neighbour, ...]]:
        """What the edges of these kinds join to each group; see the action Expand."""


class EntityGraph(Protocol):
    """The entities that the triples of one corpus name, and their communities."""

    def match_entities(self, names: Sequence[Sequence[str]]) -> list[tuple[Entity, ...]]:
        """The entities each group of names means, in the names' order, without repeats."""

    def search_entities(
        self, queries: Sequence[str], k: int, unit: str
    ) -> list[tuple[Scored[Entity], ...]]:
        """At most k entities ("entity") or communities ("community") per query, best first."""

    def near_entities(
        self, queries: Sequence[str], entities: Sequence[Sequence[str]], k: int, least: float
    ) -> list[tuple[Scored[Entity], ...]]:
        """The nearest to each query of what one relation joins to its entities (ids)."""


class NameFinder(Protocol):
    """Finds named entities in short texts."""

    def names(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """The names of each text, in its order, without repeats."""
