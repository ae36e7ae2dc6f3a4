"""The entity graph of a corpus around one entity: choose it, look, click, go on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views import corpus_markup
from irag.views.entity_graph import entity_graph
from irag.views.escape import isolate, literal, shorten
from irag.views.graph import Graph, entity_id
from irag.views.words import t
from pages.parts.graph import draw_graph, load_graphs

if TYPE_CHECKING:
    from irag.corpus.browsing import Browsing
    from irag.corpus.lines import Around, Said
    from irag.workbench import Workbench

__all__ = ["draw_entities"]

_SIZES = (10, 20, 40, 80, 140)


def draw_entities(bench: Workbench, name: str) -> None:
    """The picture, what was clicked in it, and the same as a list."""
    browsing = bench.shelf.browse(name)
    entity, depth, limit = _choice(browsing, name)
    if not entity:
        st.caption(t("graph.entity.none"))
        return
    around = browsing.around(entity, depth, limit)
    rings = [[one.triple for one in ring] for ring in around.rings]
    graph = entity_graph(around.centre, rings, around.total, around.more)
    left, right = st.columns([7, 4], gap="large")
    with left:
        label = t("graph.around", name=entity)
        selected = draw_graph(graph, f"entities-{name}", label, _height(graph))
        st.caption(literal(f"{graph.note}. {t('graph.click')}" if graph.note else t("graph.click")))
    with right:
        _clicked(graph, around, selected, name)
    load_graphs()


def _choice(browsing: Browsing, name: str) -> tuple[str, int, int]:
    """The entity in the centre, the rings and the neighbours to show; "" when there is none."""
    centre = f"centre-{name}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            t("graph.entity.search"),
            key=f"search-entities-{name}",
            icon=":material/search:",
            persist_state="session",
            width=240,
            on_change=lambda: st.session_state.pop(centre, None),
        )
        lines = {line.name: line.triples for line in browsing.entities(search)}
        chosen = st.session_state.get(centre) or next(iter(lines), None)
        if chosen and chosen not in lines:
            lines = {chosen: 0, **lines}
        st.session_state[centre] = chosen  # said outright: the browser keeps an old one otherwise
        entity = st.selectbox(
            t("graph.entity"),
            list(lines),
            format_func=lambda one: _label(one, lines.get(one, 0)),
            key=centre,
            persist_state="session",
            width=320,
            disabled=not lines,
        )
        depth = st.segmented_control(
            t("graph.depth"), (1, 2), default=1, key=f"depth-{name}", required=True
        )
        limit = st.selectbox(
            t("graph.neighbours"), _SIZES, index=1, key=f"neighbours-{name}", width=160
        )
    return entity or "", depth or 1, limit


def _label(name: str, triples: int) -> str:
    shown = shorten(name, 60)
    return f"{shown} · {t('triples', n=triples)}" if triples else shown


def _height(graph: Graph) -> int:
    ys = [node.y for node in graph.nodes]
    return min(620, 160 + max(ys) - min(ys))


def _clicked(graph: Graph, around: Around, selected: str, name: str) -> None:
    """The triples of the clicked entity or the clicked triple; without a click, all."""
    every = [one for ring in around.rings for one in ring]
    names = {node.id: node.label for node in graph.nodes}
    shown = [one for one in every if selected in (one.triple.id, *_ends(one))]
    with st.container(key="selected", gap="xsmall"):
        if shown and selected in names:
            st.markdown(f"**{literal(isolate(names[selected]))}**")
            if selected != entity_id(around.centre):
                st.button(
                    t("graph.centre"),
                    icon=":material/adjust:",
                    key="graph.centre",
                    on_click=_move,
                    args=(name, names[selected]),
                )
        elif not shown:
            st.markdown(f"**{t('graph.list')}**")
        st.html(corpus_markup.said((one.triple, one.title, one.text) for one in shown or every))


def _ends(one: Said) -> tuple[str, str]:
    return entity_id(one.triple.head), entity_id(one.triple.tail)


def _move(name: str, entity: str) -> None:
    """Put an entity into the centre."""
    st.session_state[f"centre-{name}"] = entity
