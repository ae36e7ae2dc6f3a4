"""How scores become a list: rounded, ordered, equal ones by id; and how two lists become one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["DIGITS", "Hit", "fuse", "ordered"]

DIGITS = 4
"""Scores are compared at this many decimals, so that bf16 and threads do not change an order."""

Hit = tuple[str, float]
"""An id and its score."""

_RANK_SHIFT = 60  # Cormack, Clarke and Buettcher 2009


def ordered(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The k best hits, best first, equal (rounded) scores by id."""
    rounded = ((name, round(float(score), DIGITS)) for name, score in hits)
    return sorted(rounded, key=lambda hit: (-hit[1], hit[0]))[:k]


def fuse(lists: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """Reciprocal rank fusion of ranked lists; 1.0 is "first in every list"."""
    scores: dict[str, float] = {}
    scale = (_RANK_SHIFT + 1) / max(len(lists), 1)
    for hits in lists:
        for rank, (name, _) in enumerate(hits, 1):
            scores[name] = scores.get(name, 0.0) + scale / (_RANK_SHIFT + rank)
    return ordered(scores.items(), k)
