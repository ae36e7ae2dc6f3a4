"""What a measure is: a question with its gold looked up, and a trace, give a Score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from irag.types import Answer, Document, Question, Trace

__all__ = ["NO_GOLD", "Case", "Measure", "Score", "case_of", "ended"]

Resolve = Callable[[str], Sequence[str]]
"""The ids of the documents that a title or key means; empty: none in the corpus."""

Look = Callable[[Sequence[str]], Sequence[Document]]
"""The documents with these ids."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its gold looked up in one corpus.

    `documents`: for each gold document the ids that its name means; any of them counts (a title may
    be shared), and none means that the corpus does not hold it. `sentences`: likewise for each gold
    sentence. `lost` names the references that point nowhere.
    """

    question: Question
    documents: tuple[frozenset[str], ...] = ()
    sentences: tuple[frozenset[tuple[str, int]], ...] = ()
    lost: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Score:
    """A number, or None with a note why there is none.

    Notes beside a number: "failed" and "missing" (0, and counted), "no retrieval", "no answer"
    (0, the method gave none). Notes without: "no gold", "not asked", "no model", "no score".
    """

    value: float | None
    note: str = ""

    @property
    def failed(self) -> bool:
        """Whether the play failed or is missing."""
        return self.note in ("failed", "missing")


NO_GOLD = Score(None, "no gold")


def ended(trace: Trace) -> Answer | None:
    """The answer of a play that came to its own end; None when it failed or was cancelled."""
    return None if trace.stopped in ("failed", "cancelled") else trace.answer


@dataclass(frozen=True)
class Measure:
    """The base: `str(measure)` is its name as papers write it; `better` is "more" or "less"."""

    name: ClassVar[str]
    about: ClassVar[str]
    better: ClassVar[str] = "more"

    def __str__(self) -> str:
        return self.name

    def score(self, case: Case, trace: Trace | None) -> Score:
        """The score of one question; a missing or failed play scores 0, where there is gold."""
        if not self._has_gold(case):
            return NO_GOLD
        if trace is None:
            return Score(0.0, "missing")
        answer = ended(trace)
        return Score(0.0, "failed") if answer is None else self._of(case, trace, answer)

    def _has_gold(self, case: Case) -> bool:
        """Whether the question says what this measure compares with."""
        raise NotImplementedError(f"{type(self).__name__} does not say what gold it needs.")

    def _of(self, case: Case, trace: Trace, answer: Answer) -> Score:
        """The score of a play that ended by itself, for a question with gold."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it scores.")


def case_of(question: Question, resolve: Resolve, look: Look) -> Case:
    """Look up a question's gold; what the corpus does not hold is named, and counts as not found.

    A sentence number past the end of its document points nowhere: it is named and left out.
    """
    documents = [(name, frozenset(resolve(name))) for name in question.gold.documents]
    lost = [name for name, ids in documents if not ids]
    sentences = []
    for name, number in question.gold.sentences:
        there = frozenset(
            (one.id, number)
            for one in look(list(resolve(name)))
            if 0 <= number < len(one.sentences)
        )
        if there:
            sentences.append(there)
        else:
            lost.append(f"{name}, sentence {number}")
    return Case(question, tuple(ids for _, ids in documents), tuple(sentences), tuple(lost))
