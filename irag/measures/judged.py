"""Scores that an LLM gives an answer against its evidence, as KGiRAG is measured (5.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from irag.measures.base import Score
from irag.measures.similar import Modelled

__all__ = [
    "NO_SCORE",
    "Completeness",
    "Faithfulness",
    "Judged",
    "Relevance",
    "share_of",
]

NO_SCORE = Score(None, "no score")
"""The judge failed, or its reply could not be read."""

_RATIO = re.compile(r"(\d+(?:\.\d+)?)\s*(?:/\s*(\d+(?:\.\d+)?)|(%))?")


@dataclass(frozen=True)
class Judged(Modelled):
    """One aspect of a judge LLM's reply."""


@dataclass(frozen=True)
class Faithfulness(Judged):
    """Whether the evidence supports the answer."""

    name: ClassVar[str] = "Faithfulness"
    about: ClassVar[str] = "a judge LLM: does the evidence support the answer"


@dataclass(frozen=True)
class Completeness(Judged):
    """Whether the answer covers what was asked."""

    name: ClassVar[str] = "Completeness"
    about: ClassVar[str] = "a judge LLM: does the answer cover what was asked"


@dataclass(frozen=True)
class Relevance(Judged):
    """Whether the answer is about the question."""

    name: ClassVar[str] = "Relevance"
    about: ClassVar[str] = "a judge LLM: is the answer about the question"


def share_of(stated: object) -> float | None:
    """A judge's score between 0 and 1 from a number or text: 0.8, "4/5", "80%"; None otherwise.

    >>> share_of("4/5"), share_of("n/a")
    (0.8, None)
    """
    if isinstance(stated, bool) or not isinstance(stated, int | float | str):
        return None
    read = _RATIO.fullmatch(str(stated).strip())
    if read is None:
        return None
    whole = float(read[2]) if read[2] else 100.0 if read[3] else 1.0
    share = float(read[1]) / whole if whole else -1.0
    return share if 0 <= share <= 1 else None
