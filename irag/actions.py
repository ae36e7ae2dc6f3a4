"""What a method may ask for. An action says what is wanted; it never does anything itself."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

from irag.errors import IragError
from irag.prompts import Prompt
from irag.types import (
    Answer,
    Completion,
    Document,
    Entity,
    Scored,
    Sentence,
    StopReason,
    Triple,
)

__all__ = [
    "ACTIONS",
    "Action",
    "Blend",
    "ChainGrew",
    "Choose",
    "Chosen",
    "DocumentsOf",
    "Expand",
    "Flow",
    "Generate",
    "HopStarted",
    "MatchEntities",
    "NamesIn",
    "NearEntities",
    "Neighbour",
    "Query",
    "Rank",
    "Remark",
    "Retrieve",
    "RetrieveEntities",
    "RetrieveSentences",
    "Stopped",
    "Together",
    "TriplesOf",
]

T = TypeVar("T")
U = TypeVar("U", Triple, Sentence, Document)
R = TypeVar("R")

Flow = Generator["Action[Any]", Any, R]
"""A method at work: yields actions, is sent their results, returns R."""


class Action(Generic[T]):
    """A request whose result has type T: `result = yield from SomeAction(...)`."""

    __slots__ = ()

    def __iter__(self) -> Generator[Action[Any], Any, T]:
        result = yield self
        return cast(T, result)


class Remark(Action[None]):
    """Said, shown and recorded; nothing is done."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class HopStarted(Remark):
    """A hop begins; hops count from 1."""

    number: int
    query: str = ""


@dataclass(frozen=True, slots=True)
class ChainGrew(Remark):
    """A triple was appended to the chain; `how` says by which rule."""

    triple: Triple
    how: str = ""


@dataclass(frozen=True, slots=True)
class Stopped(Remark):
    """Why the method ends; always said."""

    reason: StopReason
    note: str = ""


@dataclass(frozen=True, slots=True)
class Blend:
    """A query that is the weighted mean of vectors: a text's as a query, a document's as a passage.

    A document need not be in the corpus. Keyword search takes all the words of its parts alike.
    """

    parts: tuple[tuple[str | Document, float], ...]

    def __str__(self) -> str:
        texts = [part for part, _ in self.parts if isinstance(part, str)]
        return " + ".join([*texts, f"{len(self.parts) - len(texts)} passages"])


Query = str | Blend
"""What documents are searched with."""


@dataclass(frozen=True, slots=True)
class Retrieve(Action[tuple[Scored[Document], ...]]):
    """The k best documents for a query, best first; fewer when fewer match.

    `by` None means the corpus's own default (dense, or BM25 for Chinese). `beside` are texts that
    the next Rank will need: they are embedded in the same batch.
    """

    query: Query
    k: int = 10
    by: Literal["dense", "bm25", "fused"] | None = None
    exclude: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TriplesOf(Action[tuple[Triple, ...]]):
    """The stored triples of these documents, in the documents' order, then by sentence."""

    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class DocumentsOf(Action[tuple[Document, ...]]):
    """The documents with these ids, in their order."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rank(Action[tuple[Scored[U], ...]]):
    """The k units (triples, sentences or documents) that best answer the query, best first; ties
    by id.

    `scorer` "embedder" is the corpus's bi-encoder; "reranker" a cross-encoder, or the bi-encoder
    where the workbench has none (the trace's models say which).
    """

    query: str
    units: tuple[U, ...]
    k: int = 20
    scorer: Literal["embedder", "reranker"] = "embedder"


@dataclass(frozen=True, slots=True)
class RetrieveSentences(Action[tuple[Scored[Sentence], ...]]):
    """The k best sentences of the corpus for a query, best first; ties by id."""

    query: str
    k: int = 100


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A sentence reached over an edge of the sentence graph from the sentence with id `of`.

    `edge` is "entity", "similar" or "adjacent" (ChainRAG 3.1); weights compare within one kind.
    """

    sentence: Sentence
    edge: str
    of: str
    weight: float


@dataclass(frozen=True, slots=True)
class Expand(Action[tuple[Neighbour, ...]]):
    """What the sentence graph joins to these sentences, which are never among the neighbours.

    A sentence reached by several edges comes once for each kind, by its strongest edge. In the
    order of `edges`, then by weight, best first, then by id.
    """

    sentences: tuple[Sentence, ...]
    edges: tuple[str, ...] = ("entity", "similar", "adjacent")


@dataclass(frozen=True, slots=True)
class NamesIn(Action[tuple[str, ...]]):
    """The named entities of a text, in its order, without repeats (spaCy; patterns in Chinese)."""

    text: str


@dataclass(frozen=True, slots=True)
class MatchEntities(Action[tuple[Entity, ...]]):
    """The corpus's entities that these names mean, in the names' order; () where none does."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetrieveEntities(Action[tuple[Scored[Entity], ...]]):
    """The k entities, or communities of entities, nearest to a query; best first, ties by id."""

    query: str
    k: int = 50
    unit: Literal["entity", "community"] = "entity"


@dataclass(frozen=True, slots=True)
class NearEntities(Action[tuple[Scored[Entity], ...]]):
    """The k entities one relation away from these, nearest to the query first; ties by id.

    Those with a cosine of `least` or below, and the entities themselves, are left out.
    """

    query: str
    entities: tuple[str, ...]
    k: int = 30
    least: float = -1.0


@dataclass(frozen=True, slots=True)
class Generate(Action[Completion]):
    """One LLM call. `schema` is a JSON schema as text, or None; `purpose` names it on the page."""

    prompt: Prompt
    max_tokens: int = 64
    schema: str | None = None
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which option was chosen (0-based; None: the reply named none) and each one's probability.

    `probabilities` is empty where the LLM gives no log-probabilities.
    """

    option: int | None
    probabilities: tuple[float, ...]
    completion: Completion


@dataclass(frozen=True, slots=True)
class Choose(Action[Chosen]):
    """One of at most 20 options, shown as letters A to T; one token is asked."""

    prompt: Prompt
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, init=False)
class Together(Action[tuple[Any, ...]]):
    """Independent requests, done as one batch; an error comes back as a value (IragError)."""

    requests: tuple[Action[Any], ...]

    def __init__(self, *requests: Action[Any]) -> None:
        object.__setattr__(self, "requests", tuple(requests))


ACTIONS: dict[str, type[Action[Any]]] = {
    kind.__name__: kind
    for kind in (
        HopStarted,
        ChainGrew,
        Stopped,
        Retrieve,
        RetrieveSentences,
        RetrieveEntities,
        MatchEntities,
        NearEntities,
        NamesIn,
        TriplesOf,
        DocumentsOf,
        Expand,
        Rank,
        Generate,
        Choose,
        Together,
    )
}
"""Every action by name; a trace on disk refers to them by it."""

MethodFlow = Flow[Answer]
Outcome = Any | IragError
