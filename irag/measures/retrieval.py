"""Whether the gold documents stand high in the final ranking; each reading has its own name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from irag.errors import UserError
from irag.measures.base import Case, Measure, Score
from irag.text import locate, normalise_answer
from irag.types import Answer, Document, Trace

__all__ = ["AllGold", "AnswerIn", "Ranked", "Recall", "Success", "nDCG"]


@dataclass(frozen=True)
class Ranked(Measure):
    """A measure over the first k of the ranking; a method that retrieved nothing scores 0."""

    k: int = 5

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UserError(f"{self.name}@{self.k}: k must be at least 1.")

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"

    def _has_gold(self, case: Case) -> bool:
        return bool(case.documents)

    def _of(self, case: Case, trace: Trace, answer: Answer) -> Score:
        top = [hit.unit for hit in answer.evidence[: self.k]]
        return Score(self._value(case, top)) if top else Score(0.0, "no retrieval")

    def _value(self, case: Case, top: Sequence[Document]) -> float:
        """The score of the first k documents, which are at least one."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it scores.")


def _gains(case: Case, top: Sequence[Document]) -> list[int]:
    """1 at each rank where a gold document is found for the first time, 0 elsewhere."""
    left = list(case.documents)
    gains = []
    for document in top:
        fits = next((gold for gold in left if document.id in gold), None)
        if fits is not None:
            left.remove(fits)
        gains.append(int(fits is not None))
    return gains


@dataclass(frozen=True)
class Recall(Ranked):
    """R@k: the share of the gold documents among the first k (KiRAG and HippoRAG code)."""

    name: ClassVar[str] = "R"
    about: ClassVar[str] = "share of the gold documents among the first k"

    def _value(self, case: Case, top: Sequence[Document]) -> float:
        return sum(_gains(case, top)) / len(case.documents)


@dataclass(frozen=True)
class Success(Ranked):
    """Success@k: whether any gold document is among the first k."""

    name: ClassVar[str] = "Success"
    about: ClassVar[str] = "whether any gold document is among the first k"

    def _value(self, case: Case, top: Sequence[Document]) -> float:
        return float(any(_gains(case, top)))


@dataclass(frozen=True)
class AllGold(Ranked):
    """All@k: whether every gold document is among the first k."""

    name: ClassVar[str] = "All"
    about: ClassVar[str] = "whether every gold document is among the first k"

    def _value(self, case: Case, top: Sequence[Document]) -> float:
        return float(sum(_gains(case, top)) == len(case.documents))


@dataclass(frozen=True)
class nDCG(Ranked):  # noqa: N801 - as papers write it
    """nDCG@k with gain 1 for each gold document (Järvelin and Kekäläinen 2002)."""

    name: ClassVar[str] = "nDCG"
    about: ClassVar[str] = "gold documents count more the higher they stand, 1 at best"

    def _value(self, case: Case, top: Sequence[Document]) -> float:
        best = [1] * min(self.k, len(case.documents))
        return _discounted(_gains(case, top)) / _discounted(best)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


@dataclass(frozen=True)
class AnswerIn(Ranked):
    """AnswerIn@k: whether a gold answer's words stand in the first k documents.

    What some papers call R@k on Bamboogle, WebQA and NQ (KiRAG code). A yes or no stands nowhere.
    """

    name: ClassVar[str] = "AnswerIn"
    about: ClassVar[str] = "whether a gold answer's words stand in the first k documents"

    def _has_gold(self, case: Case) -> bool:
        return any(map(normalise_answer, case.question.gold.answers))

    def _value(self, case: Case, top: Sequence[Document]) -> float:
        answers = case.question.gold.answers
        return float(any(locate(a, f"{d.title}\n{d.text}") for d in top for a in answers))
