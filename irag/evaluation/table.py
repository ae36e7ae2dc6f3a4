"""The Report as a text table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from irag.evaluation.attribution import PLACES
from irag.evaluation.report import Comparison, MethodReport, Report
from irag.evaluation.statistics import Mean
from irag.measures import parse_measure

__all__ = ["cell", "text_table"]


def cell(measure: str, mean: Mean) -> str:
    """A mean as a table shows it: quality in percent, costs in their unit, "-" without a score."""
    if mean.value is None or mean.low is None or mean.high is None:
        return f"- ({mean.why})" if mean.why else "-"
    scale = 100 if parse_measure(measure).better == "more" else 1
    low, high = scale * mean.low, scale * mean.high
    return f"{scale * mean.value:.1f} [{low:.1f}, {high:.1f}]"


def text_table(report: Report) -> str:
    """Means with 95 % intervals and n, comparisons with the baseline, and where chains were lost.

    Quality in percent; failed questions count as 0 and are counted.
    """
    lines = [f"{report.questions} questions, corpus {report.corpus}, seed {report.seed}"]
    for one in report.methods:
        lines += ["", *_method(report, one)]
    if report.comparisons:
        lines += ["", f"against {report.baseline} (p after Holm's correction)"]
        lines += _columns([_comparison(one) for one in report.comparisons])
    lines += [f"note: {note}" for note in report.notes]
    return "\n".join(lines) + "\n"


def _method(report: Report, one: MethodReport) -> list[str]:
    played = f"{one.played} of {report.questions} played, {one.failed} failed"
    if one.ruined:
        return [f"{one.method}: FAILED, not ranked ({played}): {one.ruined}"]
    rows = [
        [name, cell(name, mean), f"n={mean.n}" + (f", {mean.failed} failed" if mean.failed else "")]
        for name, mean in one.means.items()
    ]
    lines = [f"{one.method} ({played})", *_columns(rows)]
    if one.hop_recall:
        shares = " ".join(f"{100 * share:.1f}" for share in one.hop_recall)
        lines.append(f"  gold documents found by hop: {shares}")
    if one.lost:
        places = ", ".join(f"{PLACES[place]} {len(ids)}" for place, ids in one.lost.items())
        lines.append(f"  lost: {places}")
    return lines


def _comparison(one: Comparison) -> list[str]:
    scale = 100 * one.difference, 100 * one.low, 100 * one.high
    return [
        one.method,
        one.measure,
        f"{scale[0]:+.1f} [{scale[1]:+.1f}, {scale[2]:+.1f}]",
        f"p={one.corrected:.3f} ({one.test})",
        f"n={one.n}, {len(one.changed.right)} better, {len(one.changed.wrong)} worse",
    ]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(text.ljust(w) for text, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
