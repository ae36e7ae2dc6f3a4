"""How near an answer is to its evidence by a local model, as KGiRAG reports it (5.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.measures.answers import asked
from irag.measures.base import Case, Measure, Score
from irag.types import Answer, Trace

__all__ = ["NO_MODEL", "Cosine", "Modelled", "context_of"]

READ = 3
"""Documents of the ranking that count as the answer's evidence, as many as the reader sees."""

NO_MODEL = Score(None, "no model")
"""Until a model was asked."""


def context_of(answer: Answer) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """An answer's evidence: the triples of its chain, and the sentences of its first documents."""
    documents = [hit.unit for hit in answer.evidence[:READ]]
    sentences = [d.sentence(number) for d in documents for number in range(len(d.sentences))]
    return tuple(triple.text for triple in answer.chain), tuple(sentences)


@dataclass(frozen=True)
class Modelled(Measure):
    """Needs no gold but a model, which a trace does not hold: "no model" until one was asked
    (irag/evaluation). No answer scores 0."""

    def _has_gold(self, case: Case) -> bool:
        return True

    def _of(self, case: Case, trace: Trace, answer: Answer) -> Score:
        if answer.text:
            return NO_MODEL
        return Score(0.0, "no answer") if asked(trace) else Score(None, "not asked")


@dataclass(frozen=True)
class Cosine(Modelled):
    """Cosine between the embeddings of an answer and of its evidence; a negative one is 0."""

    name: ClassVar[str] = "Cosine"
    about: ClassVar[str] = "cosine of the embedder between the answer and its evidence, not gold"
