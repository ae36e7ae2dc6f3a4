"""The values everything else passes around: frozen, named, standard library only."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

__all__ = [
    "Answer",
    "Citation",
    "Completion",
    "Document",
    "Entity",
    "Gold",
    "Message",
    "Question",
    "Scored",
    "Sentence",
    "Step",
    "StopReason",
    "Trace",
    "Triple",
    "Usage",
    "document_id",
    "triple_id",
]

T_co = TypeVar("T_co", covariant=True)

StopReason = Literal[
    "answered", "no_candidate", "repeated", "max_hops", "sufficient", "cancelled", "failed"
]
"""Why a play ended. "answered": the method says the question is answered; "sufficient": one-shot
evidence was read; "no_candidate": nothing was left to choose; "repeated": the step would repeat."""


def _digest(prefix: str, parts: Sequence[str]) -> str:
    text = "\x00".join(unicodedata.normalize("NFC", part) for part in parts)
    raw = text.encode("utf-8", "surrogatepass")
    return prefix + hashlib.blake2b(raw, digest_size=8).hexdigest()


def document_id(title: str, text: str) -> str:
    """Id of a passage: a hash of its NFC title and text, so it is the same on every machine."""
    return _digest("d", (title, text))


def triple_id(head: str, relation: str, tail: str, document: str, sentence: int) -> str:
    """Id of a triple: a hash of its three parts, its document's id and its 0-based sentence."""
    return _digest("t", (head, relation, tail, document, str(sentence)))


@dataclass(frozen=True, slots=True)
class Document:
    """A passage.

    `sentences` are (start, end) spans into `text`, so highlights are exact. `keys` are the ids it
    has elsewhere ("2wiki:Aretha Franklin", "musique:m06307"); gold resolves through them.
    """

    id: str
    title: str
    text: str
    sentences: tuple[tuple[int, int], ...] = ()
    keys: tuple[str, ...] = ()

    def sentence(self, number: int) -> str:
        """The text of the 0-based sentence; "" when there is none with that number."""
        if not 0 <= number < len(self.sentences):
            return ""
        start, end = self.sentences[number]
        return self.text[start:end]


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact. `source` is (document id, 0-based sentence), or None when an LLM made it up."""

    id: str
    head: str
    relation: str
    tail: str
    source: tuple[str, int] | None = None

    @property
    def grounded(self) -> bool:
        """Whether a sentence of the corpus says it."""
        return self.source is not None

    @property
    def document(self) -> str | None:
        """Id of the document that says it, if any."""
        return self.source[0] if self.source else None

    @property
    def text(self) -> str:
        """The triple as one line of plain text."""
        return f"{self.head} {self.relation} {self.tail}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document, by its 0-based number."""

    document: Document
    number: int

    @property
    def id(self) -> str:
        """Its document's id and its number, zero-padded so that equal scores keep text order."""
        return f"{self.document.id}.{self.number:05d}"

    @property
    def text(self) -> str:
        """The sentence as it stands in the document."""
        return self.document.sentence(self.number).strip()

    @property
    def title(self) -> str:
        """Its document's title."""
        return self.document.title


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the corpus's entity graph, or a community of nodes (`members` are then names).

    `triples` are what the corpus says of it, at most a few dozen, in a fixed order.
    """

    id: str
    name: str
    triples: tuple[Triple, ...] = ()
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gold:
    """What is known to be right about a question; empty means not said, never "none"."""

    answers: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    sentences: tuple[tuple[str, int], ...] = ()
    triples: tuple[tuple[str, str, str], ...] = ()
    sub_questions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `gold.documents` holds titles or keys until they are resolved in a corpus."""

    id: str
    text: str
    gold: Gold = field(default_factory=Gold)
    kind: str = ""
    language: str = "en"
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Scored(Generic[T_co]):
    """A unit with its score; scores compare only within one list."""

    unit: T_co
    score: float


@dataclass(frozen=True, slots=True)
class Usage:
    """What LLM calls cost. `cached` counts the calls that were answered from the cache."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached + other.cached,
        )


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a prompt; role is "system", "user" or "assistant"."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply.

    `text` is what was written, without the prefix and without any thinking; `finish` is "length"
    when the token limit cut it. `logprobs` are the top (token, log-probability) pairs of the first
    token, best first, where they were asked for. `prompt` and `prefix` are exactly what was sent.
    """

    text: str
    finish: Literal["stop", "length"] = "stop"
    usage: Usage = field(default_factory=Usage)
    logprobs: tuple[tuple[str, float], ...] = ()
    prompt: tuple[Message, ...] = ()
    prefix: str = ""
    thinking: str = ""
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Where an answer stands: a (start, end) span of a document's text and its sentence."""

    document: str
    sentence: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method returns.

    `text` is None when no answer was asked for. `evidence` is the final document ranking, best
    first; `citations` is where the answer stands in it, empty when it is not found there.
    `constructed` is the answer that the chain's own builder gave, beside the reader's.
    """

    text: str | None
    evidence: tuple[Scored[Document], ...] = ()
    chain: tuple[Triple, ...] = ()
    citations: tuple[Citation, ...] = ()
    constructed: str | None = None

    @property
    def found_in_evidence(self) -> bool:
        """Whether the answer's words stand in the evidence."""
        return bool(self.citations)


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a play and what came of it.

    `number` counts from 1 over the play; `hop` is 0 before the first hop. `seconds` is wall time;
    for one of a batch it is the batch's time. `cut` names what did not fit the window.
    """

    number: int
    hop: int
    action: Any
    result: Any = None
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    error: str | None = None
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one play did. `method` is a METHOD string; `models` are (role, name) pairs."""

    format: str
    method: str
    settings: tuple[tuple[str, str], ...]
    corpus: str
    models: tuple[tuple[str, str], ...]
    question: Question
    steps: tuple[Step, ...]
    answer: Answer | None
    stopped: StopReason
    started_at: str
    error: str | None = None

    @property
    def usage(self) -> Usage:
        """The sum over all steps."""
        return sum((step.usage for step in self.steps), Usage())

    @property
    def seconds(self) -> float:
        """The sum of all steps' wall time."""
        return sum(step.seconds for step in self.steps)

    @property
    def hops(self) -> int:
        """How many hops were begun."""
        return max((step.hop for step in self.steps), default=0)
