"""Whether the right sentences were pointed at and the right facts chained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from irag.match import same_name
from irag.measures.base import Case, Measure, Score
from irag.text import token_f1
from irag.types import Answer, Trace, Triple

__all__ = ["ChainF1", "SupportF1", "says", "support"]

SAME_FACT = 0.6  # KiRAG code: token F1 from which two triples count as one

GoldTriple = tuple[str, str, str]


def f1(right: int, said: int, wanted: int) -> float:
    """F1 of `right` hits among `said` and `wanted`."""
    return 2 * right / (said + wanted) if right else 0.0


def support(answer: Answer) -> tuple[tuple[str, int], ...]:
    """The sentences a method points at, as (document id, 0-based number), without repeats.

    Those behind its chain; without a chain, those where its answer stands.
    """
    chain = [triple.source for triple in answer.chain if triple.source]
    return tuple(dict.fromkeys(chain or [(c.document, c.sentence) for c in answer.citations]))


@dataclass(frozen=True)
class SupportF1(Measure):
    """HotpotQA's supporting-fact F1 over sentences."""

    name: ClassVar[str] = "SupportF1"
    about: ClassVar[str] = "F1 between the sentences pointed at and the gold sentences"

    def _has_gold(self, case: Case) -> bool:
        return bool(case.sentences)

    def _of(self, case: Case, trace: Trace, answer: Answer) -> Score:
        said = support(answer)
        if not said:
            return Score(0.0, "no support")
        found = sum(bool(gold.intersection(said)) for gold in case.sentences)
        return Score(f1(found, len(said), len(case.sentences)))


def says(triple: Triple, gold: GoldTriple) -> bool:
    """Whether a triple states a gold fact: both ends are the same, or most of its words are.

    Relations are worded freely, so the ends decide, in either direction.
    """
    ends, wanted = (triple.head, triple.tail), (gold[0], gold[2])
    if any(all(map(same_name, ends, some)) for some in (wanted, wanted[::-1])):
        return True
    return token_f1(triple.text, " ".join(gold)) >= SAME_FACT


def matched(chain: Sequence[Triple], gold: Sequence[GoldTriple]) -> int:
    """The most pairs of a triple and the gold fact it states, each used once."""
    taken: dict[int, int] = {}

    def place(number: int, seen: set[int]) -> bool:
        for at, fact in enumerate(gold):
            if at in seen or not says(chain[number], fact):
                continue
            seen.add(at)
            if at not in taken or place(taken[at], seen):
                taken[at] = number
                return True
        return False

    return sum(place(number, set()) for number in range(len(chain)))


@dataclass(frozen=True)
class ChainF1(Measure):
    """F1 between the chain's triples and the gold facts, each matched once."""

    name: ClassVar[str] = "ChainF1"
    about: ClassVar[str] = "F1 between the chain's triples and the gold facts"

    def _has_gold(self, case: Case) -> bool:
        return bool(case.question.gold.triples)

    def _of(self, case: Case, trace: Trace, answer: Answer) -> Score:
        gold = case.question.gold.triples
        if not answer.chain:
            return Score(0.0, "no chain")
        return Score(f1(matched(answer.chain, gold), len(answer.chain), len(gold)))
