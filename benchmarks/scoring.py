"""Small shared arithmetic of the benchmarks: R@k per question and paired intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from irag.corpus import Corpus
from irag.measures import Case, parse_measure
from irag.types import Question, Trace

KS = (2, 3, 5)
RESAMPLES = 10_000


def gold_ids(question: Question, corpus: Corpus) -> list[frozenset[str]]:
    """For each gold document, the ids that its title or key means; empty: not in the corpus."""
    return [frozenset(corpus.resolve(name)) for name in question.gold.documents]


def score(measure: str, trace: Trace, gold: Sequence[frozenset[str]] = ()) -> float:
    """A measure of a trace, by its name; a failed run scores 0, NaN where there is no gold."""
    found = parse_measure(measure).score(Case(trace.question, tuple(gold)), trace).value
    return math.nan if found is None else found


def recall(trace: Trace, gold: Sequence[frozenset[str]], k: int) -> float:
    """Share of the gold documents among the first k; a failed run scores 0."""
    return score(f"R@{k}", trace, gold)


def interval(differences: NDArray[np.float64], seed: int = 0) -> tuple[float, float, float]:
    """Mean with the 2.5 and 97.5 percentiles of a bootstrap over questions."""
    chance = np.random.default_rng(seed)
    draws = chance.integers(0, len(differences), (RESAMPLES, len(differences)))
    means = differences[draws].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(differences.mean()), float(low), float(high)


def print_means(text: str, names: Sequence[str], scores: NDArray[np.float64]) -> None:
    """One line of means in percent; `scores` has a row per question, a column per name. Questions
    without gold (NaN) are left out of a name's mean."""
    means = np.nanmean(scores, axis=0)
    print(f"{text}: " + "  ".join(f"{n} {100 * m:.1f}" for n, m in zip(names, means, strict=True)))


def print_differences(names: Sequence[str], scores: Mapping[str, NDArray[np.float64]]) -> None:
    """Paired differences to the first method, with their 95 % bootstrap intervals."""
    first, *others = scores
    for text in others:
        for column, name in enumerate(names):
            differences = scores[text][:, column] - scores[first][:, column]
            mean, low, high = interval(differences[~np.isnan(differences)])
            span = f"[{100 * low:+.1f}, {100 * high:+.1f}]"
            print(f"{text} - {first}: {name} {100 * mean:+.1f} {span}")
