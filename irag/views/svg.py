"""A graph as an inline SVG picture: no script, sharp on paper, in the colours of what is around."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from irag.views.escape import arrow, html, shorten
from irag.views.graph import Edge, Graph, Node
from irag.views.palette import colour

__all__ = ["svg"]

_MARGIN, _LINE = 60, 17
_BIG, _SMALL = 15, 12
"""Letters of the chain's names and of the other candidates', in graph units."""


def svg(graph: Graph, label: str) -> str:
    """The graph as one `<svg>` element, "" for an empty graph; `label` is said to who cannot see.

    Names are text in it, never markup; titles give each name and triple whole.
    """
    if not graph.nodes:
        return ""
    places = {node.id: node for node in graph.nodes}
    colours = sorted({colour(edge.hop) for edge in graph.edges})
    parts = [
        *(_arrowhead(tint) for tint in colours),
        *(_edge(edge, places[edge.source], places[edge.target], graph) for edge in graph.edges),
        *(_node(node, graph.step) for node in graph.nodes),
    ]
    x, y, width, height = _frame(graph)
    return (
        f'<svg class="irag-graph" role="img" aria-label="{html(label)}" '
        f'viewBox="{x} {y} {width} {height}" '
        f'style="max-width:{width}px;min-width:{2 * width // 3}px">{"".join(parts)}</svg>'
    )


def _frame(graph: Graph) -> tuple[int, int, int, int]:
    """Left, top, width and height with room for names below and for arrows that bend."""
    xs, ys = [node.x for node in graph.nodes], [node.y for node in graph.nodes]
    side = _MARGIN + graph.step // 3
    places = {node.id: node for node in graph.nodes}
    bows = (_middle(edge, places[edge.source], places[edge.target])[0][1] for edge in graph.edges)
    top, bottom = min([*ys, *bows]) - _MARGIN // 2, max(ys) + _MARGIN
    return min(xs) - side, top, max(xs) - min(xs) + 2 * side, bottom - top


def _arrowhead(tint: str) -> str:
    return (
        f'<marker id="head-{tint[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="11" '
        'markerHeight="11" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0 10 5 0 10z" fill="{tint}"/></marker>'
    )


def _edge(edge: Edge, source: Node, target: Node, graph: Graph) -> str:
    tint = colour(edge.hop)
    middle, bow = _middle(edge, source, target)
    start, end = _cut(source, bow), _cut(target, bow)
    dashes = "" if edge.chain else ' stroke-dasharray="5 4" opacity="0.6"'
    loop = source.id == target.id
    path = (
        f"M{source.x} {source.y - 12} c-45 -55 45 -55 0 0"
        if loop
        else f"M{start[0]} {start[1]} Q{bow[0]} {bow[1]} {end[0]} {end[1]}"
    )
    drawn = (
        f'<path d="{path}" fill="none" stroke="{tint}" stroke-width="{edge.width:.1f}"{dashes} '
        f'marker-end="url(#head-{tint[1:]})"><title>{html(arrow(edge.triple))}</title></path>'
    )
    if not edge.chain:
        return drawn
    room = max(4, (graph.step - 40) // 7)
    said = shorten(edge.triple.relation, room)
    return drawn + _text(said, middle[0], middle[1] - (52 if loop else 8), _SMALL)


def _middle(edge: Edge, source: Node, target: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    """The middle of an arrow, and the point that it bends towards."""
    x, y = (source.x + target.x) / 2, (source.y + target.y) / 2
    dx, dy = target.x - source.x, target.y - source.y
    bow = x + edge.bend * dy, y - edge.bend * dx
    return (round((x + bow[0]) / 2), round((y + bow[1]) / 2)), (round(bow[0]), round(bow[1]))


def _cut(node: Node, towards: tuple[int, int]) -> tuple[int, int]:
    """The point on a node's rim in some direction."""
    dx, dy = towards[0] - node.x, towards[1] - node.y
    share = (_radius(node) + 3) / ((dx * dx + dy * dy) ** 0.5 or 1)
    return round(node.x + share * dx), round(node.y + share * dy)


def _radius(node: Node) -> int:
    return 11 if node.chain else 6


def _node(node: Node, step: int) -> str:
    size = _BIG if node.chain else _SMALL
    lines = list(_wrapped(node.label or "—", (step - 14) / size * 1.8))
    names = "".join(
        _text(line, node.x, node.y + _radius(node) + _LINE * (place + 1), size)
        for place, line in enumerate(lines)
    )
    opacity = "" if node.chain else ' opacity="0.75"'
    return (
        f'<g{opacity}><circle cx="{node.x}" cy="{node.y}" r="{_radius(node)}" '
        f'fill="{colour(node.hop)}"><title>{html(node.label)}</title></circle>{names}</g>'
    )


def _text(said: str, x: int, y: int, size: int) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}">{html(said)}</text>'


def _width(text: str) -> float:
    """About how wide a text is, in letters; East Asian ones count double."""
    return sum(1.8 if unicodedata.east_asian_width(one) in "WF" else 1.0 for one in text)


def _wrapped(label: str, room: float) -> Iterator[str]:
    """A name on at most two lines of `room` letters, the last one shortened."""
    words = _pieces(shorten(label, 80))
    first = next(words)
    for word in words:
        if _width(first + word) > room:
            yield first.strip()
            yield _fitting("".join([word, *words]).strip(), room)
            return
        first += word
    yield _fitting(first.strip(), room)


def _pieces(label: str) -> Iterator[str]:
    """Words with the space before them; East Asian text by character."""
    word = ""
    for one in label:
        if word and (one == " " or unicodedata.east_asian_width(one) in "WF"):
            yield word
            word = ""
        word += one
    yield word


def _fitting(text: str, room: float) -> str:
    if _width(text) <= room:
        return text
    return text[: max(1, int(room * len(text) / _width(text)) - 1)] + "…"
