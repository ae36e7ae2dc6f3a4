"""The Report: what an experiment found, as values; report_of() needs the rows alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irag.errors import UnknownName
from irag.evaluation.attribution import PLACES
from irag.evaluation.folder import Plan, Row
from irag.evaluation.statistics import (
    Flips,
    Mean,
    flips,
    holm,
    interval,
    mcnemar,
    mean_of,
    randomisation,
)
from irag.measures import Measure, parse_measure

__all__ = ["Comparison", "Group", "MethodReport", "Report", "report_of"]


@dataclass(frozen=True, slots=True)
class Group:
    """Means over the questions of one kind, or of one number of hops; `by` is "kind" or "hops"."""

    by: str
    name: str
    means: Mapping[str, Mean]


@dataclass(frozen=True, slots=True)
class MethodReport:
    """One method. `ruined` says why its numbers mean nothing (every question failed, or no search
    found anything); it then has no means. `lost`: question ids by the place where the chain was
    lost; `hop_recall`: the mean share of gold documents come across by the end of each hop."""

    method: str
    played: int
    failed: int
    ruined: str
    means: Mapping[str, Mean]
    groups: tuple[Group, ...]
    lost: Mapping[str, tuple[str, ...]]
    hop_recall: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One method against the baseline under one measure, over the questions both have a score for.

    `p` is McNemar's exact for EM, else the randomisation test's; `corrected` is Holm's over all
    methods compared under this measure.
    """

    method: str
    measure: str
    n: int
    difference: float
    low: float
    high: float
    test: str
    p: float
    corrected: float
    changed: Flips


@dataclass(frozen=True, slots=True)
class Report:
    """Everything an experiment found; numbers are shares of 1, costs in their own unit."""

    corpus: str
    questions: int
    seed: int
    measures: tuple[str, ...]
    baseline: str
    methods: tuple[MethodReport, ...]
    comparisons: tuple[Comparison, ...]
    notes: tuple[str, ...]


Rows = Mapping[str, Row]  # of one method, by question id


def report_of(plan: Plan, rows: Mapping[tuple[str, str], Row], baseline: str = "") -> Report:
    """The report over what was played so far; the baseline is the first method unless named."""
    baseline = baseline or plan.methods[0]
    if baseline not in plan.methods:
        raise UnknownName("method of this experiment", baseline, plan.methods)
    order = [one.id for one in plan.questions]
    by_method = {
        method: {name: rows[method, name] for name in order if (method, name) in rows}
        for method in plan.methods
    }
    methods = tuple(_method(plan, name, some) for name, some in by_method.items())
    sound = [one.method for one in methods if one.played and not one.ruined]
    compared = [name for name in sound if name != baseline] if baseline in sound else []
    return Report(
        plan.corpus,
        len(order),
        plan.seed,
        plan.measures,
        baseline,
        methods,
        tuple(
            found
            for measure in map(parse_measure, plan.measures)
            if measure.better == "more"
            for found in _comparisons(measure, baseline, compared, by_method, plan.seed)
        ),
        plan.notes,
    )


def _method(plan: Plan, name: str, rows: Rows) -> MethodReport:
    some = list(rows.values())
    ruined = _ruined(some)
    places = {place: tuple(r.question for r in some if r.lost and r.lost.place == place)
              for place in PLACES}  # fmt: skip
    return MethodReport(
        name,
        len(some),
        sum(row.failed for row in some),
        ruined,
        {} if ruined else _means(plan, some),
        () if ruined else tuple(_groups(plan, rows)),
        {place: ids for place, ids in places.items() if ids},
        _by_hop(some),
    )


def _ruined(rows: Sequence[Row]) -> str:
    """Why no number of a method can be compared; "" when some can."""
    if rows and all(row.failed for row in rows):
        reasons = Counter(row.error or "no reason given" for row in rows)
        return f"every question failed: {reasons.most_common(1)[0][0]}"
    if rows and not any(row.searched for row in rows):
        return "no search found anything: is the corpus empty?"
    return ""


def _means(plan: Plan, rows: Sequence[Row]) -> dict[str, Mean]:
    return {m: mean_of([row.scores[m] for row in rows], plan.seed) for m in plan.measures}


def _groups(plan: Plan, rows: Rows) -> list[Group]:
    """By kind and by number of hops, where there is more than one."""
    labels = {
        "kind": {one.id: one.kind for one in plan.questions},
        "hops": {one.id: str(one.hops) if one.hops else "" for one in plan.questions},
    }
    groups = []
    for by, label in labels.items():
        names = sorted(set(label.values()))
        for name in names if len(names) > 1 else ():
            some = [row for key, row in rows.items() if label[key] == name]
            groups.append(Group(by, name, _means(plan, some)))
    return groups


def _by_hop(rows: Sequence[Row]) -> tuple[float, ...]:
    """A question that stopped earlier keeps what it had."""
    shares = [row.hop_recall for row in rows if row.hop_recall]
    last = max(map(len, shares), default=0)
    return tuple(sum(s[min(hop, len(s) - 1)] for s in shares) / len(shares) for hop in range(last))


def _comparisons(
    measure: Measure,
    baseline: str,
    others: Sequence[str],
    rows: Mapping[str, Rows],
    seed: int,
) -> list[Comparison]:
    before = _scores(rows[baseline], str(measure))
    found = []
    for other in others:
        after = _scores(rows[other], str(measure))
        if before.keys() & after.keys():
            found.append(_comparison(str(measure), other, before, after, seed))
    corrected = holm([one.p for one in found])
    return [replace(one, corrected=p) for one, p in zip(found, corrected, strict=True)]


def _comparison(
    measure: str, method: str, before: Mapping[str, float], after: Mapping[str, float], seed: int
) -> Comparison:
    differences = np.array([after[key] - old for key, old in before.items() if key in after])
    changed = flips(before, after)
    if measure == "EM":
        test, p = "McNemar", mcnemar(len(changed.right), len(changed.wrong))
    else:
        test, p = "randomisation", randomisation(differences, seed)
    low, high = interval(differences, seed)
    mean, n = float(differences.mean()), len(differences)
    return Comparison(method, measure, n, mean, low, high, test, p, p, changed)


def _scores(rows: Rows, measure: str) -> dict[str, float]:
    scores = {key: row.scores[measure].value for key, row in rows.items()}
    return {key: value for key, value in scores.items() if value is not None}
