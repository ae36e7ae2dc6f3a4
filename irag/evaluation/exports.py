"""An experiment in the forms other tools read: JSON lines, a table, TREC runs and qrels."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from irag.errors import UserError
from irag.evaluation.folder import Plan, Row
from irag.evaluation.report import Comparison, Group, MethodReport, Report
from irag.evaluation.statistics import Flips, Mean
from irag.measures import Case

__all__ = ["load_report", "qrels", "report_json", "results", "run_name", "scores_table", "trec_run"]

REPORT = "irag-report-1"
"""The format name of report.json."""

Rows = Mapping[tuple[str, str], Row]


def ordered(plan: Plan, rows: Rows) -> Iterable[Row]:
    """The rows by method and question, in the plan's order, however they ended."""
    keys = ((method, one.id) for method in plan.methods for one in plan.questions)
    return (rows[key] for key in keys if key in rows)


def results(plan: Plan, rows: Rows) -> str:
    """One JSON object a line, by method and question; the traces stay in the folder."""
    told = (row.to_json() for row in ordered(plan, rows))
    lines = ({name: value for name, value in one.items() if name != "place"} for one in told)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def report_json(report: Report) -> str:
    """The report as one JSON object."""
    return json.dumps({"format": REPORT, **asdict(report)}, ensure_ascii=False, indent=1)


def load_report(text: str) -> Report:
    """The report of a report.json; UserError when it is none. Quick: nothing is computed."""
    try:
        told = json.loads(text)
        if told.pop("format") != REPORT:
            raise ValueError("another format")
        told["methods"] = tuple(_method(one) for one in told["methods"])
        told["comparisons"] = tuple(_comparison(one) for one in told["comparisons"])
        return Report(**told | {name: tuple(told[name]) for name in ("measures", "notes")})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"This is no report ({error}). Run the experiment again.") from error


def _means(told: Any) -> dict[str, Mean]:
    return {name: Mean(**mean) for name, mean in told.items()}


def _method(told: Any) -> MethodReport:
    groups = tuple(Group(g["by"], g["name"], _means(g["means"])) for g in told["groups"])
    lost = {place: tuple(ids) for place, ids in told["lost"].items()}
    shares = tuple(told["hop_recall"])
    made = {"means": _means(told["means"]), "groups": groups, "lost": lost, "hop_recall": shares}
    return MethodReport(**told | made)


def _comparison(told: Any) -> Comparison:
    changed = {name: tuple(ids) for name, ids in told["changed"].items()}
    return Comparison(**told | {"changed": Flips(**changed)})


def scores_table(plan: Plan, rows: Rows) -> tuple[list[str], list[list[str | float | None]]]:
    """Heads and rows: method, question, how it ended, answer, where the chain was lost, scores; an
    empty cell where there is no score."""
    heads = ["method", "question", "stopped", "answer", "lost", *plan.measures]
    table: list[list[str | float | None]] = [
        [
            *(row.method, row.question, row.stopped, row.answer),
            row.lost.place if row.lost else "",
            *(row.scores[name].value for name in plan.measures),
        ]
        for row in ordered(plan, rows)
    ]
    return heads, table


def run_name(number: int, method: str) -> str:
    """A file name and TREC tag for the number-th method: letters, digits, dots and dashes only."""
    return f"{number:02}-{re.sub(r'[^A-Za-z0-9.]+', '-', method).strip('-')[:80]}"


def _named(questions: Iterable[str]) -> Callable[[str], str]:
    """Question ids without white space, still distinct: TREC files are cut at spaces."""
    names: dict[str, str] = {}
    for question in questions:
        name = plain = re.sub(r"\s+", "_", question)
        while name in names.values():
            name += "_"
        names[question] = name or plain
    return names.__getitem__


def trec_run(plan: Plan, rows: Rows, method: str, tag: str) -> str:
    """A TREC run: `question Q0 document rank score tag`. Scores are the ranks turned round, since a
    method's own scores need not fall with the rank."""
    name = _named(one.id for one in plan.questions)
    return "".join(
        f"{name(row.question)} Q0 {document} {rank} {len(row.evidence) - rank + 1} {tag}\n"
        for row in ordered(plan, rows)
        if row.method == method
        for rank, document in enumerate(row.evidence, 1)
    )


def qrels(cases: Sequence[Case]) -> str:
    """TREC qrels: `question 0 document 1`. Every passage that a shared title means is in them, so
    recall by another tool is stricter there."""
    name = _named(case.question.id for case in cases)
    return "".join(
        f"{name(case.question.id)} 0 {document} 1\n"
        for case in cases
        for document in sorted({one for ids in case.documents for one in ids})
    )
