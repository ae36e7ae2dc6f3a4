"""How far people agree, with intervals, and with the reason wherever a value is not defined.

Grades are a matrix, a row for each item and a column for each annotator, as places in the scale;
-1 where somebody gave none. Skips, flags, gold items and models' answers are no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

__all__ = [
    "COEFFICIENTS",
    "Coefficient",
    "Undefined",
    "alpha",
    "cohen",
    "confusion",
    "counts_of",
    "fleiss",
    "measured",
    "percent",
]

Matrix = NDArray[numpy.int64]
Weights = Literal["unweighted", "linear", "quadratic"]
RESAMPLES = 500
LEVEL = 0.95
_FEWEST = 0.5  # of the resamples must have a value for an interval


@dataclass(frozen=True, slots=True)
class Undefined:
    """Why a coefficient has no value here."""

    reason: str


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A value with its 95 % bootstrap interval over items; `value` None: `reason` says why.

    `items` and `annotators` are those it rests on, `excluded` the items that could not count.
    `who` are the two people of a pair, () for everybody.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    items: int
    annotators: int
    excluded: int
    reason: str = ""
    who: tuple[str, ...] = ()

    @property
    def band(self) -> str:
        """How alpha is read (Krippendorff 2004, 11.4): good, tentative, poor; "" without value."""
        if self.value is None:
            return ""
        return "good" if self.value >= 0.8 else "tentative" if self.value >= 0.667 else "poor"


def counts_of(grades: Matrix, size: int) -> Matrix:
    """How often each of `size` grades was given to each item: one row an item."""
    return numpy.stack([(grades == key).sum(axis=1) for key in range(size)], axis=1)


def percent(grades: Matrix, size: int) -> float | Undefined:
    """The share of pairs of labels on one item that are equal, a mean over items with two."""
    counts = _paired(counts_of(grades, size))
    if not len(counts):
        return _NO_PAIRS
    n = counts.sum(axis=1)
    return float(((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean())


def alpha(
    grades: Matrix, size: int, level: Literal["nominal", "ordinal"] = "ordinal"
) -> float | Undefined:
    """Krippendorff's alpha, which takes any number of labels an item from two on."""
    from krippendorff import alpha as krippendorff_alpha

    counts = _paired(counts_of(grades, size))
    if not len(counts):
        return _NO_PAIRS
    if (counts.sum(axis=0) > 0).sum() == 1:
        return _ALL_EQUAL
    value = krippendorff_alpha(
        value_counts=counts, value_domain=list(range(size)), level_of_measurement=level
    )
    return float(value)


def fleiss(grades: Matrix, size: int) -> float | Undefined:
    """Fleiss' kappa (1971) over the items with as many labels as most items have."""
    counts = _paired(counts_of(grades, size))
    if not len(counts):
        return _NO_PAIRS
    n = counts.sum(axis=1)
    raters = int(numpy.bincount(n).argmax())
    counts = counts[n == raters]
    share = counts.sum(axis=0) / counts.sum()
    expected = float((share**2).sum())
    if math.isclose(expected, 1.0):
        return _ALL_EQUAL
    observed = ((counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))).mean()
    return float((observed - expected) / (1 - expected))


def confusion(grades: Matrix, size: int) -> Matrix:
    """How often the first person's grade (row) met the second's (column)."""
    both = grades[(grades >= 0).all(axis=1)]
    table = numpy.zeros((size, size), dtype=numpy.int64)
    numpy.add.at(table, (both[:, 0], both[:, 1]), 1)
    return table


def cohen(grades: Matrix, size: int, weights: Weights = "unweighted") -> float | Undefined:
    """Cohen's kappa of two columns, weighted by the distance of grades or its square."""
    table = confusion(grades, size)
    if not table.sum():
        return Undefined("these two judged no item in common")
    rows, columns = numpy.indices((size, size))
    distance = numpy.abs(rows - columns)
    cost = {"unweighted": distance > 0, "linear": distance, "quadratic": distance**2}[weights]
    expected = float((cost * numpy.outer(table.sum(axis=1), table.sum(axis=0))).sum() / table.sum())
    if expected == 0:
        return _ALL_EQUAL
    return 1 - float((cost * table).sum()) / expected


_NO_PAIRS = Undefined("no item has labels of two people")
_ALL_EQUAL = Undefined("all labels are equal, so the disagreement expected by chance is 0")

Measure = Callable[[Matrix, int], float | Undefined]

COEFFICIENTS: dict[str, Measure] = {
    "alpha_ordinal": alpha,
    "alpha_nominal": lambda grades, size: alpha(grades, size, "nominal"),
    "fleiss": fleiss,
    "percent": percent,
}
"""What is measured over everybody; the first is the headline."""

PAIRS: dict[str, Measure] = {
    "cohen": cohen,
    "cohen_linear": lambda grades, size: cohen(grades, size, "linear"),
    "cohen_quadratic": lambda grades, size: cohen(grades, size, "quadratic"),
}


def measured(
    name: str, grades: Matrix, size: int, seed: int = 0, who: tuple[str, ...] = ()
) -> Coefficient:
    """One coefficient with its interval; items are resampled with a seed, so it comes out equal."""
    measure = COEFFICIENTS.get(name) or PAIRS[name]
    given = grades >= 0
    usable = _usable(name, grades, size)
    people = int((given & usable[:, None]).any(axis=0).sum())
    excluded = int(given.any(axis=1).sum() - usable.sum())
    value = measure(grades, size)
    counted = (int(usable.sum()), people, excluded)
    if isinstance(value, Undefined):
        return Coefficient(name, None, None, None, *counted, value.reason, who)
    low, high, reason = _interval(measure, grades[usable], size, seed)
    return Coefficient(name, value, low, high, *counted, reason, who)


def _usable(name: str, grades: Matrix, size: int) -> Any:
    n = (grades >= 0).sum(axis=1)
    paired = n >= 2
    if name == "fleiss" and paired.any():
        return n == int(numpy.bincount(n[paired]).argmax())
    return paired


def _interval(
    measure: Measure, grades: Matrix, size: int, seed: int
) -> tuple[float | None, float | None, str]:
    """Percentile bootstrap (Efron and Tibshirani 1993, chapter 13)."""
    chance = numpy.random.default_rng(seed)
    drawn = chance.integers(0, len(grades), size=(RESAMPLES, len(grades)))
    values = [measure(grades[rows], size) for rows in drawn]
    defined = [value for value in values if not isinstance(value, Undefined)]
    if len(grades) < 2 or len(defined) < _FEWEST * RESAMPLES:
        return None, None, "too few items for an interval"
    edge = (1 - LEVEL) / 2
    low, high = numpy.quantile(defined, (edge, 1 - edge))
    return float(low), float(high), ""


def _paired(counts: Matrix) -> Matrix:
    paired: Matrix = counts[counts.sum(axis=1) >= 2]
    return paired


def pairs(annotators: Sequence[str]) -> list[tuple[int, int]]:
    """Every two columns."""
    return list(combinations(range(len(annotators)), 2))
