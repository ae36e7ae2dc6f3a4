"""What every extractor gives and how it is named; here is no model and no rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from irag.tools import Cancel
from irag.types import Document, Triple

__all__ = ["Counts", "Extraction", "Extractor", "NoTriples", "counted", "said", "source_of"]

Counts = tuple[tuple[str, int], ...]
"""(reason, how often), the most frequent first."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor made of one document.

    `problem` says why something is missing; "" means that `triples` is all there is, also when it
    is empty. `dropped` counts what was not kept, by reason. `reply` is the beginning of a reply
    that caused a problem.
    """

    triples: tuple[Triple, ...] = ()
    dropped: Counts = ()
    problem: str = ""
    reply: str = ""


class Extractor(Protocol):
    """Turns documents into triples, batch first.

    `name` holds everything that decides what comes out: model and version, rules or prompt. Where
    it differs from the name kept with stored triples, they are stale. It begins with its source,
    see `source_of`.
    """

    @property
    def name(self) -> str:
        """Source, model, its version, the rules' or the prompt's version."""

    def extract(
        self, documents: Sequence[Document], sample: int = 0, cancel: Cancel | None = None
    ) -> Iterator[Extraction]:
        """One result per document, in order; lazily, a batch at a time.

        Another `sample` asks a model anew; rules give the same again. Raises Cancelled, and
        IragError for what would fail every document, such as a refused key.
        """


class NoTriples:
    """For corpora that are searched by passages and sentences alone."""

    name = "none"

    def extract(
        self, documents: Sequence[Document], sample: int = 0, cancel: Cancel | None = None
    ) -> Iterator[Extraction]:
        """() for each."""
        return (Extraction() for _ in documents)


def source_of(name: str) -> str:
    """How a person asks for the extractor of this name.

    >>> source_of("spacy:en_core_web_sm-3.8.0+rules-3"), source_of("imported:llama3@1f+none")
    ('spacy', 'imported:llama3')
    >>> source_of("imported:llama3@1f+spacy:en_core_web_sm-3.8.0+rules-3")
    'imported:llama3+spacy'
    >>> source_of("llm:hf:qwen2.5-coder-0.5b+prompt-2a")
    'llm:hf:qwen2.5-coder-0.5b'
    """
    kind, _, rest = name.partition(":")
    if kind == "llm":
        return f"llm:{rest.rpartition('+prompt-')[0]}"
    if kind == "imported":
        label, _, stamp = rest.partition("@")
        others = source_of(stamp.partition("+")[2])
        return f"imported:{label}" + (f"+{others}" if others != "none" else "")
    return kind


def counted(reasons: Iterable[str]) -> Counts:
    """How often each reason was given."""
    return tuple(Counter(reasons).most_common())


def said(dropped: Counts) -> str:
    """The counts as text: "3 not in the passage, 1 said twice"."""
    return ", ".join(f"{count:,} {reason}" for reason, count in dropped)
