"""The chain as a graph that can be clicked: vis-network on the page itself, with no network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components import v2

from irag.views.graph import Graph
from irag.views.pyvis_html import network_script, payload

__all__ = ["draw_graph", "load_graphs"]

_DRAWING = Path(__file__).parents[2] / "assets" / "graph.js"
_HTML = '<div class="graph" role="img"></div>'
_CSS = """
.graph { width: 100%; }
div.vis-tooltip {
  position: absolute; visibility: hidden; padding: .35em .6em; max-width: 26em; z-index: 5;
  white-space: pre-line; pointer-events: none; font: .85rem var(--st-font, sans-serif);
  color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: .4em;
}
"""
# given `exports`, the script makes no global of its own
_BEFORE = "const vis = {};\n(function (exports, module) {\n"
_AFTER = """
})(vis, {});
export default function () {
  if (globalThis.iragVis) return;
  globalThis.iragVis = vis;
  globalThis.dispatchEvent(new Event("irag-vis"));
}
"""


def load_graphs() -> None:
    """Put the script that draws graphs on the page: once, half a megabyte, from this machine."""
    with st.container(key="graph-script"):
        _script()(key="graph.script")


def draw_graph(graph: Graph, key: str, label: str, height: int = 300) -> str:
    """Draw a graph; the id of the node or edge that was clicked last, "" for none.

    `label` is said to those who do not see the picture; `height` is in pixels.
    """
    result = _component()(
        key=key,
        data={**payload(graph), "label": label, "height": height},
        default={"selected": None},
        on_selected_change=lambda: None,
    )
    return str(result.get("selected") or "")


@st.cache_resource(show_spinner=False)
def _script() -> Any:
    return v2.component("irag_vis", js=f"{_BEFORE}{network_script()}{_AFTER}")


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return v2.component("irag_graph", html=_HTML, css=_CSS, js=_DRAWING.read_text("utf-8"))
