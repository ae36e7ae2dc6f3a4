"""The files that an experiment's folder holds beside its rows and traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from irag.evaluation import Plan, Report, Row, text_table
from irag.evaluation.exports import (
    qrels,
    report_json,
    results,
    run_name,
    scores_table,
    trec_run,
)
from irag.measures import Case
from irag.views.csv_text import csv_text

__all__ = ["write_files"]


def write_files(
    folder: Path,
    plan: Plan,
    rows: Mapping[tuple[str, str], Row],
    cases: Sequence[Case],
    report: Report,
) -> None:
    """results.jsonl, scores.csv, report.txt, report.json, qrels.txt and runs/NN-method.trec; each
    replaces the one before it."""
    heads, table = scores_table(plan, rows)
    (folder / "results.jsonl").write_text(results(plan, rows), "utf-8")
    (folder / "scores.csv").write_text(csv_text(heads, table), "utf-8-sig", newline="")
    (folder / "report.txt").write_text(text_table(report), "utf-8")
    (folder / "report.json").write_text(report_json(report), "utf-8")
    (folder / "qrels.txt").write_text(qrels(cases), "utf-8")
    runs = folder / "runs"
    runs.mkdir(exist_ok=True)
    for number, method in enumerate(plan.methods, 1):
        name = run_name(number, method)
        (runs / f"{name}.trec").write_text(trec_run(plan, rows, method, name), "utf-8")
