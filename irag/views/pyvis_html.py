"""A graph as pyvis draws it: one HTML file that needs no network, and its plain numbers."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from irag.errors import IragError
from irag.views.escape import arrow, shorten
from irag.views.graph import Edge, Graph, Node
from irag.views.palette import colour

__all__ = ["network_script", "payload", "pyvis_html"]

_REMOTE = re.compile(
    r"<link\b[^>]*\bhref=[\"']https?://[^>]*>"
    r"|<script\b[^>]*\bsrc=[\"']https?://[^>]*>\s*</script>",
    re.IGNORECASE,
)
_HEADINGS = re.compile(r"<center>\s*<h1>.*?</h1>\s*</center>", re.S)
_STYLE = """<style>
html, body, .card { margin: 0; height: 100%; font-family: sans-serif; }
#mynetwork { border: 0; float: none; }
div.vis-tooltip { white-space: pre-line; max-width: 28em; }
</style>
</head>"""
_OPTIONS = (
    '{"physics": {"enabled": false}, "interaction": {"hover": true, "tooltipDelay": 120,'
    ' "multiselect": false}, "nodes": {"font": {"multi": false}}, "edges": {"font":'
    ' {"multi": false}}}'
)


def pyvis_html(graph: Graph, height: str = "100vh") -> str:
    """The graph as one HTML page that loads nothing; names are only ever text in it.

    Write it as UTF-8: the names stand in it as they are.
    """
    page = _network(graph, height).generate_html()
    page = _HEADINGS.sub("", _REMOTE.sub("", page))
    return "<!doctype html>\n" + page.replace("</head>", _STYLE, 1)


def payload(graph: Graph) -> dict[str, list[dict[str, Any]]]:
    """Nodes and edges as vis-network reads them, JSON types only."""
    nodes, edges, *_ = _network(graph, "100%").get_network_data()
    return {"nodes": nodes, "edges": edges}


@lru_cache(maxsize=1)
def network_script() -> str:
    """The vis-network script that pyvis brings along, so that nothing is fetched."""
    found = find_spec("pyvis")  # importing it would load IPython
    if found is None or found.origin is None:
        raise IragError("pyvis is not installed, so no graph can be drawn: pip install pyvis")
    folder = Path(found.origin).parent / "templates" / "lib" / "vis-9.1.2"
    return (folder / "vis-network.min.js").read_text("utf-8")


def _network(graph: Graph, height: str) -> Any:
    from pyvis.network import Network

    # an undirected Network would drop parallel and reverse edges
    network = Network(height=height, width="100%", directed=True, cdn_resources="in_line")
    network.templateEnv.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    for node in graph.nodes:
        network.add_node(node.id, **_drawn_node(node, graph.step))
    for edge in graph.edges:
        network.add_edge(edge.source, edge.target, **_drawn_edge(edge, graph.step))
    network.set_options(_OPTIONS)
    return network


def _drawn_node(node: Node, step: int) -> dict[str, Any]:
    return {
        "label": shorten(node.label, 40) or "—",
        "title": node.label or "—",
        "x": node.x,
        "y": node.y,
        "physics": False,
        "shape": "dot",
        "size": 13 if node.chain else 7,
        "color": colour(node.hop),
        "opacity": 1.0 if node.chain else 0.75,
        "font": {"size": 17 if node.chain else 13, "multi": False},
        "widthConstraint": {"maximum": step - 14},
    }


def _drawn_edge(edge: Edge, step: int) -> dict[str, Any]:
    smooth: dict[str, Any] | bool = False
    if edge.bend:
        side = "curvedCW" if edge.bend > 0 else "curvedCCW"
        smooth = {"enabled": True, "type": side, "roundness": abs(edge.bend)}
    return {
        "id": edge.triple.id,
        "label": shorten(edge.triple.relation, (step - 40) // 7) if edge.chain else "",
        "title": arrow(edge.triple),
        "width": edge.width,
        "color": {
            **dict.fromkeys(("color", "highlight", "hover"), colour(edge.hop)),
            "opacity": 1.0 if edge.chain else 0.55,
        },
        "dashes": not edge.chain,
        "smooth": smooth,
        "font": {"size": 15, "multi": False, "align": "horizontal", "vadjust": -12},
    }
