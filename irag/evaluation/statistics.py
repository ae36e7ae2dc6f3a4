"""Means with intervals and paired tests; every random draw has a seed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from irag.measures import Score

__all__ = [
    "RESAMPLES",
    "Flips",
    "Mean",
    "flips",
    "holm",
    "interval",
    "mcnemar",
    "mean_of",
    "randomisation",
]

RESAMPLES = 2_000
"""Draws of a bootstrap."""

SIGNINGS = 10_000
"""Draws of a randomisation test."""

_EXACT = 12
"""Up to so many non-zero differences every sign pattern is counted instead of drawn."""

_AT_MOST = 10_000_000
"""Numbers drawn in all: beyond a thousand questions fewer draws, so that memory is bound."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over the `n` questions that have a score, with its 95 % bootstrap interval.

    `failed` of these n failed or are missing and count as 0; `without` more have no score, and
    `why` says why ("no gold"). `value`, `low` and `high` are None when n is 0.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    failed: int = 0
    without: int = 0
    why: str = ""


def mean_of(scores: Sequence[Score], seed: int = 0) -> Mean:
    """The mean of one measure over questions; what has no score is left out and counted."""
    kept = [score for score in scores if score.value is not None]
    notes = [score.note for score in scores if score.value is None]
    why = max(sorted(set(notes)), key=notes.count, default="")
    values = np.array([score.value for score in kept], np.float64)
    if not len(values):
        return Mean(None, None, None, 0, 0, len(notes), why)
    low, high = interval(values, seed)
    failed = sum(score.failed for score in kept)
    return Mean(float(values.mean()), low, high, len(kept), failed, len(notes), why)


def interval(values: Numbers, seed: int = 0) -> tuple[float, float]:
    """The 2.5 and 97.5 percentiles of the mean over resampled questions; at least one value."""
    low, high = np.percentile(_resamples(len(values), seed) @ values / len(values), [2.5, 97.5])
    return float(low), float(high)


@lru_cache(maxsize=16)  # all measures of all methods over as many questions share the draws
def _resamples(n: int, seed: int) -> Numbers:
    """How often each of n questions is in each resample: one row a resample."""
    counts = np.random.default_rng(seed).multinomial(n, [1 / n] * n, _draws(n, RESAMPLES))
    return np.asarray(counts, np.float64)


@lru_cache(maxsize=1)
def _signs(n: int, seed: int) -> Numbers:
    """Signs of n differences: one row a draw."""
    return np.random.default_rng(seed).choice([-1.0, 1.0], (_draws(n, SIGNINGS), n))


def _draws(n: int, wanted: int) -> int:
    return min(wanted, max(1, _AT_MOST // n))


def randomisation(differences: Sequence[float] | Numbers, seed: int = 0) -> float:
    """Two-sided p of a paired randomisation test (Smucker et al. 2007): signs change at random.

    Exact up to 12 non-zero differences, else by 10,000 draws, the observed one among them.
    """
    values = np.array(differences, np.float64)
    moved = values[values != 0]
    observed = abs(values.sum()) - 1e-9
    if len(moved) <= _EXACT:
        patterns = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        return float((abs((2 * patterns - 1) @ moved) >= observed).mean())
    signs = _signs(len(values), seed)
    beyond = int((abs(signs @ values) >= observed).sum())
    return (beyond + 1) / (len(signs) + 1)


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided exact p (McNemar 1947): of the questions that changed, how many got right."""
    changed = gained + lost
    ways = sum(math.comb(changed, k) for k in range(min(gained, lost) + 1))
    return min(1.0, 2 * ways / (1 << changed))


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """The p values corrected for their number (Holm 1979), in the given order."""
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        highest = max(highest, min(1.0, ps[place] * (len(ps) - rank)))
        adjusted[place] = highest
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class Flips:
    """Ids of the questions that one method has right and the other wrong, in order."""

    right: tuple[str, ...]
    wrong: tuple[str, ...]


def flips(before: Mapping[str, float], after: Mapping[str, float]) -> Flips:
    """Which questions a method gets better (`right`) or worse (`wrong`) than the one before; those
    without a score in both are left out."""
    changes = {name: after[name] - old for name, old in before.items() if name in after}
    return Flips(
        tuple(name for name, change in changes.items() if change > 0),
        tuple(name for name, change in changes.items() if change < 0),
    )
