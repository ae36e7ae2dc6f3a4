"""Draws the pictures of a run beside its chain, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views.escape import clean, literal
from irag.views.graph import Graph
from irag.views.pictures import pictures
from irag.views.words import t
from pages.parts.graph import draw_graph

if TYPE_CHECKING:
    from irag.workbench import RunView

__all__ = ["draw_pictures", "height"]

_ROW = 44
"""Letters of titles that fit one row beside the hops."""

_WIDTH = 480
"""About how wide a graph is on the page, in pixels."""


def draw_pictures(run: RunView) -> None:
    """The chosen picture with its note; nothing when the run has none."""
    found = {picture.key: picture for picture in pictures(run.trace)}
    if not found:
        return
    chosen = _chosen({name: clean(one.title) for name, one in found.items()}, run.run_id)
    picture = found[chosen]
    if picture.graph is not None:
        name = f"picture-{run.run_id}-{picture.key}"
        draw_graph(picture.graph, name, picture.title, height(picture.graph))
    if picture.figure is not None:
        st.plotly_chart(picture.figure, key=f"figure-{run.run_id}-{picture.key}")
    st.caption(literal(picture.note))


def _chosen(titles: dict[str, str], run_id: str) -> str:
    """The key of the picture to draw: buttons in a row for a few short titles, else a list."""
    names, key = list(titles), f"pictures-{run_id}"
    if sum(map(len, titles.values())) <= _ROW:
        picked = st.segmented_control(
            t("pictures"),
            names,
            default=names[0],
            format_func=lambda name: literal(titles[name]),
            key=key,
            label_visibility="collapsed",
        )
    else:
        picked = st.selectbox(
            t("pictures"), names, format_func=titles.__getitem__, key=f"{key}-list"
        )
    return picked if picked in titles else names[0]


def height(graph: Graph) -> int:
    """Room for the rows above and below the line, and for arrows that bend around it."""
    if not graph.nodes:
        return 120
    xs, ys = [node.x for node in graph.nodes], [node.y for node in graph.nodes]
    scale = min(1.0, _WIDTH / (max(xs) - min(xs) + graph.step))
    at = {node.id: node.x for node in graph.nodes}
    arcs = (abs(at[e.source] - at[e.target]) * abs(e.bend) for e in graph.edges)
    bent = max(arcs, default=0)  # an arc's height on both sides: nodes stay in the middle
    return min(520, 120 + round(scale * (bent + max(ys) - min(ys))))
