"""Experiments: plays methods over questions, scores and compares them; never draws a page."""

from irag.evaluation.attribution import PLACES, Lost, lost
from irag.evaluation.experiment import Experiment, Progress, evaluate
from irag.evaluation.folder import Folder, Plan, Planned, Row
from irag.evaluation.report import Comparison, Group, MethodReport, Report, report_of
from irag.evaluation.statistics import Flips, Mean
from irag.evaluation.table import text_table

__all__ = [
    "PLACES",
    "Comparison",
    "Experiment",
    "Flips",
    "Folder",
    "Group",
    "Lost",
    "Mean",
    "MethodReport",
    "Plan",
    "Planned",
    "Progress",
    "Report",
    "Row",
    "evaluate",
    "lost",
    "report_of",
    "text_table",
]
