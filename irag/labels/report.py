"""The agreement report as JSON and as Markdown."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from irag.labels.agreeing import Agreement
from irag.labels.agreement import Coefficient
from irag.labels.book import Book

__all__ = ["agreement_json", "agreement_markdown", "coefficient_line"]

TITLES = {
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_binary": "Krippendorff's alpha, relevant or not",
    "fleiss": "Fleiss' kappa",
    "percent": "Percent agreement",
    "cohen": "Cohen's kappa",
    "cohen_linear": "Cohen's kappa, linear weights",
    "cohen_quadratic": "Cohen's kappa, quadratic weights",
}


def agreement_json(book: Book, found: Agreement) -> str:
    """Everything that was measured, with the project's scale and cut."""
    told = asdict(found) | {
        "format": "irag-agreement-1",
        "project": book.project.name,
        "relevant_if": book.project.scale.relevant_if,
        "guideline_version": book.project.guideline,
        "left_out": dict(found.left_out),
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def agreement_markdown(book: Book, found: Agreement) -> str:
    """A table of the coefficients, then what was left out; people by their ids."""
    rows = [found.headline, found.binary, *found.others, *found.pairs]
    lines = [
        f"# Agreement: {_cell(book.project.name)}",
        "",
        f"Relevant is {book.project.scale.relevant_if}; guidelines version "
        f"{book.project.guideline}. Intervals: 95 %, bootstrap over items.",
        "",
        "| measure | value | interval | items | annotators | excluded | remark |",
        "|---|---|---|---|---|---|---|",
        *map(_row, rows),
    ]
    lines += ["", *map(_without, found.removed)]
    lines += [f"Left out: {count:,} {why}" for why, count in found.left_out]
    return "\n".join(lines).rstrip() + "\n"


def _without(one: Coefficient) -> str:
    return f"Without {_cell(one.who[0])}: {coefficient_line(replace(one, who=()))}"


def coefficient_line(one: Coefficient) -> str:
    """A coefficient on one line: name, value, interval or reason, and what it rests on."""
    name = " ".join([TITLES[one.name], *([f"({' and '.join(one.who)})"] if one.who else [])])
    if one.value is None:
        return f"{name}: not defined, {one.reason}"
    rests = f"{one.items:,} items, {one.annotators} annotators, {one.excluded:,} excluded"
    return f"{name}: {one.value:.3f} {_interval(one)} ({rests})"


def _interval(one: Coefficient) -> str:
    if one.low is None or one.high is None:
        return one.reason
    return f"[{one.low:.3f}, {one.high:.3f}]"


def _row(one: Coefficient) -> str:
    name = " ".join([TITLES[one.name], *map(_cell, one.who)])
    value = "—" if one.value is None else f"{one.value:.3f}"
    between = _interval(one) if one.low is not None else "—"
    remark = one.reason or one.band if "alpha" in one.name else one.reason
    counts = (str(one.items), str(one.annotators), str(one.excluded))
    return f"| {' | '.join((name, value, between, *counts, remark))} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
