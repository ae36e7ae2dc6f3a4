"""Draws the pictures of a run beside its chain, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views.escape import literal
from irag.views.graph import Graph
from irag.views.pictures import pictures
from irag.views.words import t
from pages.parts.graph import draw_graph

if TYPE_CHECKING:
    from irag.workbench import RunView

__all__ = ["draw_pictures", "height"]

_WIDTH = 480
"""About how wide a graph is on the page, in pixels."""


def draw_pictures(run: RunView) -> None:
    """The chosen picture with its note; nothing when the run has none."""
    found = {picture.key: picture for picture in pictures(run.trace)}
    if not found:
        return
    key = f"pictures-{run.run_id}"
    chosen = st.segmented_control(
        t("pictures"),
        list(found),
        default=next(iter(found)),
        format_func=lambda one: literal(found[one].title),
        key=key,
        label_visibility="collapsed",
    )
    picture = found.get(chosen or next(iter(found)))
    if picture is None:
        return
    if picture.graph is not None:
        name = f"picture-{run.run_id}-{picture.key}"
        draw_graph(picture.graph, name, picture.title, height(picture.graph))
    if picture.figure is not None:
        st.plotly_chart(picture.figure, key=f"figure-{run.run_id}-{picture.key}")
    st.caption(literal(picture.note))


def height(graph: Graph) -> int:
    """Room for the rows above and below the line, and for arrows that bend around it."""
    if not graph.nodes:
        return 120
    xs, ys = [node.x for node in graph.nodes], [node.y for node in graph.nodes]
    scale = min(1.0, _WIDTH / (max(xs) - min(xs) + graph.step))
    bent = 50 * any(edge.bend for edge in graph.edges)
    return min(520, 120 + round(scale * (bent + max(ys) - min(ys))))
