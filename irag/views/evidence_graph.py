"""Graphs of evidence before and after pruning, and the question as it is put anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from irag.match import entity_key
from irag.remarks import Edge as Evidence
from irag.remarks import GraphMade, Rewritten
from irag.text import tokens
from irag.types import Trace, Triple
from irag.views.escape import clean, html, shorten
from irag.views.graph import Edge, Graph, Node
from irag.views.picture import Picture
from irag.views.words import t

__all__ = ["evidence_pictures", "question_pictures"]

SHOWN = 30
"""Most names in one picture; the edges that stayed come first, then the heaviest others."""

STEP, ROW = 230, 46
"""The distance of columns and of rows, in graph units."""


def evidence_pictures(trace: Trace) -> tuple[Picture, ...]:
    """For each graph of evidence what was kept, and before it everything where some was dropped.

    A name stands at the same place in both. An empty graph has no picture.
    """
    drawn: list[Picture] = []
    made = [(s.hop, s.action) for s in trace.steps if isinstance(s.action, GraphMade)]
    for number, (hop, graph) in enumerate(made, 1):
        n = len(graph.kept) + len(graph.dropped)
        if graph.dropped:
            title = t("evidence.before", title=graph.title)
            before = evidence_graph(graph, hop)
            note = _noted(t("evidence.dashed", kept=len(graph.kept), n=n), before)
            drawn.append(Picture(f"evidence-{number}-before", title, note, before))
        if graph.kept:
            after = evidence_graph(graph, hop, dropped=False)
            note = _noted(t("evidence.kept", kept=len(graph.kept), n=n), after)
            drawn.append(Picture(f"evidence-{number}", graph.title, note, after))
    return tuple(drawn)


def _noted(note: str, graph: Graph) -> str:
    return f"{note} {graph.note}".strip()


@dataclass(frozen=True, slots=True)
class _Line:
    """One edge to draw, with its weight's place among all of the graph, 0 to 1."""

    edge: Evidence
    kept: bool
    share: float

    @property
    def ends(self) -> tuple[str, str]:
        return entity_key(self.edge.head), entity_key(self.edge.tail)


def evidence_graph(made: GraphMade, hop: int, dropped: bool = True) -> Graph:
    """The graph from its seeds to the right, kept edges solid, dropped ones dashed and grey.

    An edge is as wide as its weight is great among all; its label says the weight.
    """
    lines, total = _limited(_lines(made))
    places = _places(lines, [entity_key(seed) for seed in made.seeds])
    shown = [line for line in lines if line.kept or dropped]
    names = {
        entity_key(name): clean(name)
        for line in reversed(shown)
        for name in (line.edge.head, line.edge.tail)
    }
    seeds = {entity_key(seed) for seed in made.seeds}
    inside = {end for line in shown if line.kept for end in line.ends}
    nodes = tuple(
        Node(f"e:{key}", names[key], *places[key], hop if key in inside else 0, key in seeds)
        for key in places
        if key in names
    )
    note = "" if len(places) == total else t("graph.note", shown=len(places), n=total)
    return Graph(nodes, _drawn(shown, places, hop), note, STEP)


def _lines(made: GraphMade) -> list[_Line]:
    weights = [edge.weight for edge in (*made.kept, *made.dropped)]
    low, high = min(weights, default=0.0), max(weights, default=0.0)
    return [
        _Line(edge, kept, (edge.weight - low) / (high - low) if high > low else 1.0)
        for edges, kept in ((made.kept, True), (made.dropped, False))
        for edge in edges
    ]


def _limited(lines: Sequence[_Line]) -> tuple[list[_Line], int]:
    """The lines whose names fit into one picture, and how many names there are in all."""
    shown: set[str] = set()
    fitting: list[_Line] = []
    for line in lines:
        if len(shown.union(line.ends)) <= SHOWN:
            shown.update(line.ends)
            fitting.append(line)
    return fitting, len({end for line in lines for end in line.ends})


def _places(lines: Sequence[_Line], seeds: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Columns by distance from the seeds, rows so that branches do not cross."""
    named = {end for line in lines for end in line.ends}
    starts = [seed for seed in dict.fromkeys(seeds) if seed in named]
    below = _branches(lines, starts)
    places: dict[str, tuple[int, int]] = {}
    row = 0

    def place(node: str, column: int) -> int:
        """Put a node in the middle of its branches; returns its row times two."""
        nonlocal row
        rows = [place(branch, column + 1) for branch in below[node]]
        if not rows:
            row += 1
        y = (rows[0] + rows[-1]) // 2 if rows else 2 * row
        places[node] = (STEP * column, y * ROW // 2)
        return y

    inner = {branch for branches in below.values() for branch in branches}
    for root in [node for node in below if node not in inner]:
        place(root, 0)
    return places


def _branches(lines: Sequence[_Line], starts: Iterable[str]) -> dict[str, list[str]]:
    """Each name's branches: what its edges reach first, over kept edges before dropped ones."""
    below: dict[str, list[str]] = {start: [] for start in starts}
    waiting = list(lines)
    while waiting:
        following = next((one for one in waiting if set(one.ends) & below.keys()), waiting[0])
        waiting.remove(following)
        head, tail = following.ends
        known, other = (head, tail) if head in below or tail not in below else (tail, head)
        below.setdefault(known, [])
        if other not in below:
            below[other] = []
            below[known].append(other)
    return below


def _drawn(
    lines: Sequence[_Line], places: dict[str, tuple[int, int]], hop: int
) -> tuple[Edge, ...]:
    between: dict[frozenset[str], int] = {}
    edges = []
    for number, line in enumerate(lines):
        source, target = line.ends
        pair = frozenset((source, target))
        parallel = between[pair] = between.get(pair, -1) + 1
        told = f"{line.edge.label} ({line.edge.weight:.2f})"
        triple = Triple(line.edge.triple or f"edge-{number}", line.edge.head, told, line.edge.tail)
        same_column = places[source][0] == places[target][0]
        bend = (0.22 * parallel + 0.3 * same_column) * (
            1 if places[source] <= places[target] else -1
        )
        width = (1.2 + 3.8 * line.share) if line.kept else (0.6 + 1.9 * line.share)
        ends = f"e:{source}", f"e:{target}"
        edges.append(Edge(triple, *ends, hop if line.kept else 0, line.kept, width, bend))
    return tuple(edges)


def question_pictures(trace: Trace) -> tuple[Picture, ...]:
    """How long the question is each time that it is put anew; none where it never is."""
    put = [step.action for step in trace.steps if isinstance(step.action, Rewritten)]
    if not put:
        return ()
    versions = [trace.question.text, *(one.after for one in put)]
    return (
        Picture("questions", t("questions.title"), t("questions.note"), figure=_figure(versions)),
    )


def _figure(versions: Sequence[str]) -> Any:
    from plotly import graph_objects

    words = [len(tokens(version)) for version in versions]
    figure = graph_objects.Figure()
    figure.add_bar(
        x=words,
        y=[str(number) for number in range(len(versions))],
        orientation="h",
        text=[html(shorten(version, 90)) for version in versions],
        customdata=[html(shorten(version, 400)) for version in versions],
        textposition="inside",
        insidetextanchor="start",
        hovertemplate="%{customdata}<br>%{x}<extra></extra>",
    )
    figure.update_yaxes(autorange="reversed", title=t("questions.version"), type="category")
    figure.update_xaxes(title=t("questions.words"), rangemode="tozero")
    margin = {"l": 8, "r": 8, "t": 8, "b": 8}
    figure.update_layout(height=90 + 44 * len(versions), margin=margin, uniformtext_minsize=9)
    return figure
