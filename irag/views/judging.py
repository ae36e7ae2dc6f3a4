"""What a judge gave each iteration's answer, as a chart of its scores."""

from __future__ import annotations

from typing import Any

from irag.remarks import Judged
from irag.types import Trace
from irag.views.escape import html, shorten
from irag.views.picture import Picture
from irag.views.words import t

__all__ = ["score_pictures"]


def score_pictures(trace: Trace) -> tuple[Picture, ...]:
    """One chart when a judge spoke; an iteration without scores has a gap, never a zero."""
    judged = [step.action for step in trace.steps if isinstance(step.action, Judged)]
    if not judged:
        return ()
    unread = [one for one in judged if not one.scores]
    note = t("judged.note") + "".join(
        " " + t("judged.none", number=one.iteration, why=one.note) for one in unread
    )
    return (Picture("judged", t("judged.title"), note, figure=_figure(judged)),)


def _figure(judged: list[Judged]) -> Any:
    from plotly import graph_objects

    figure = graph_objects.Figure()
    rounds = [one.iteration for one in judged]
    said = [html(shorten(one.answer, 60)) or "—" for one in judged]
    names = list(dict.fromkeys(name for one in judged for name, _ in one.scores))
    for name in names:
        values = [dict(one.scores).get(name) for one in judged]
        figure.add_scatter(
            x=rounds,
            y=values,
            mode="lines+markers",
            name=html(name),
            customdata=said,
            hovertemplate="%{y:.2f}<br>%{customdata}<extra>%{fullData.name}</extra>",
        )
    figure.update_xaxes(title=t("judged.iteration"), tickvals=rounds, range=_around(rounds))
    figure.update_yaxes(title=t("judged.score"), range=[-0.03, 1.05])
    figure.update_layout(height=260, margin={"l": 8, "r": 8, "t": 8, "b": 8})
    return figure


def _around(rounds: list[int]) -> list[float]:
    return [min(rounds) - 0.3, max(rounds) + 0.3]
