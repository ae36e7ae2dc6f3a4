"""The sentences behind each sub-question: its seeds, and what each expansion joined to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from irag.actions import Expand, Neighbour
from irag.remarks import ContextGrew
from irag.types import Sentence, Trace, Triple, triple_id
from irag.views.calls import failed, parts
from irag.views.escape import clean
from irag.views.graph import Edge, Graph, Node
from irag.views.picture import Picture
from irag.views.words import t

__all__ = ["sentence_pictures"]

COLUMN, ROW = 250, 58
"""The distance of expansions and of the sentences of one, in graph units."""

SHOWN = 10
"""Sentences drawn of each expansion, best first."""

KINDS = ("entity", "similar", "adjacent")


def sentence_pictures(trace: Trace) -> tuple[Picture, ...]:
    """One picture for each sub-question whose context grew; none for other traces."""
    grown: dict[int, list[ContextGrew]] = {}
    for step in trace.steps:
        if isinstance(step.action, ContextGrew):
            grown.setdefault(step.action.number, []).append(step.action)
    joins = _joins(trace) if grown else {}
    return tuple(
        Picture(
            f"sentences-{number}",
            t("sentences.title", number=number),
            _note(some, joins),
            graph=_graph(some, joins),
        )
        for number, some in sorted(grown.items())
    )


Joins = dict[str, list[Neighbour]]
"""The edges that lead to a sentence, by its id, in the order in which they were found."""


def _joins(trace: Trace) -> Joins:
    joins: Joins = {}
    for step in trace.steps:
        for action, result in parts(step):
            if isinstance(action, Expand) and result and not failed(result):
                for near in result:
                    joins.setdefault(near.sentence.id, []).append(near)
    return joins


def _graph(grown: Sequence[ContextGrew], joins: Joins) -> Graph:
    """Seeds in the left column, each expansion to the right of the one before."""
    drawn = [(one, one.sentences[:SHOWN]) for one in grown]
    nodes = tuple(
        Node(
            sentence.id,
            _label(sentence),
            COLUMN * one.expansion,
            ROW * place - ROW * (len(some) - 1) // 2,
            one.expansion + 1,
            one.expansion == 0,
        )
        for one, some in drawn
        for place, sentence in enumerate(some)
    )
    shown = {sentence.id: sentence for _, some in drawn for sentence in some}
    reached = _reached(drawn, joins)
    edges = tuple(
        _edge(near, shown[near.of], place == 0, 0.15 * place)
        for some in reached.values()
        for place, near in enumerate(some)
    )
    total = sum(len(one.sentences) for one in grown)
    note = "" if len(nodes) == total else t("sentences.limit", shown=len(nodes), n=total)
    return Graph(nodes, edges, note, COLUMN)


def _reached(drawn: Iterable[tuple[ContextGrew, Sequence[Sentence]]], joins: Joins) -> Joins:
    """The edges over which a sentence was reached from what was there before it."""
    before: set[str] = set()
    reached: Joins = {}
    for _, some in drawn:
        for sentence in some:
            edges = {(n.of, n.edge): n for n in joins.get(sentence.id, ()) if n.of in before}
            reached[sentence.id] = list(edges.values())
        before |= {sentence.id for sentence in some}
    return reached


def _edge(near: Neighbour, of: Sentence, first: bool, bend: float) -> Edge:
    """An edge in the colour of its kind; the first one that reached a sentence names its kind."""
    kind = t(f"sentences.{near.edge}") if near.edge in KINDS else clean(near.edge)
    made = triple_id(near.of, near.edge, near.sentence.id, "", 0)
    triple = Triple(made, _label(of), kind, _label(near.sentence))
    colour = KINDS.index(near.edge) + 1 if near.edge in KINDS else 0
    return Edge(triple, near.of, near.sentence.id, colour, first, 2.0 if first else 1.0, bend)


def _label(sentence: Sentence) -> str:
    return ": ".join(clean(part) for part in (sentence.title, sentence.text) if part)


def _note(grown: Sequence[ContextGrew], joins: Joins) -> str:
    """What each expansion added and by which kinds of edge, in words."""
    reached = _reached([(one, one.sentences) for one in grown], joins)
    said = []
    for one in grown:
        count = len(one.sentences)
        if not one.expansion:
            said.append(t("sentences.seeds", n=count, words=one.words))
            continue
        by = Counter(reached[s.id][0].edge for s in one.sentences if reached[s.id])
        kinds = ", ".join(f"{by[k]} {t(f'sentences.{k}')}" for k in KINDS if by[k])
        said.append(
            t("sentences.added", n=count, number=one.expansion, kinds=kinds, words=one.words)
        )
    return " ".join(said)
