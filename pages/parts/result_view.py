"""Draws the right side: answer, chain, evidence, and the ways to keep a run."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

import streamlit as st

from irag.views import markup
from irag.views.answer import AnswerView, answer_view, fact
from irag.views.escape import clean, isolate, literal
from irag.views.graph import Graph, chain_graph
from irag.views.hops import documents
from irag.views.pyvis_html import pyvis_html
from irag.views.static_page import static_page
from irag.views.words import t
from pages.parts.graph import draw_graph
from pages.parts.picture_view import draw_pictures, height

if TYPE_CHECKING:
    from irag.types import Trace
    from irag.workbench import RunView

__all__ = ["draw_chain", "draw_result"]

_MARKS = {
    "found": ":green[:material/check_circle:]",
    "failed": ":gray[:material/error:]",
    "cancelled": ":gray[:material/stop_circle:]",
}
_SHOWN = 5
"""Evidence documents shown at once; the others are one click away."""

_CANDIDATES = 4
"""Other candidates of each hop that the graph shows when asked to."""


def draw_result(run: RunView) -> None:
    """The answer with its confidence, the chain, the evidence and the links."""
    view = answer_view(run.trace, run.running)
    _answer(view)
    draw_chain(run, view)
    draw_pictures(run)
    _evidence(view)
    if not run.running:
        _keep(run)


def _answer(view: AnswerView) -> None:
    if view.state == "running":
        st.caption(f":shimmer[{t('answer.running')}]")
        return
    st.html(markup.answer(view))
    if view.text:
        mark = _MARKS.get(view.state, ":gray[:material/help:]")
        st.markdown(f"{mark} {literal(view.confidence)}")
    if view.state == "unasked":
        st.caption(t("answer.unasked.why"))
    if view.error and view.state == "failed":
        st.error(literal(view.error), icon=":material/error:")
    if view.constructed:
        st.caption(literal(t("answer.constructed", text=isolate(view.constructed))))


def draw_chain(run: RunView, view: AnswerView) -> None:
    """The chain as a graph that can be clicked, and as a list that says the same."""
    if not view.chain:
        if not run.running:
            st.caption(t("chain.none"))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{t('chain')}**", width="stretch")
        rest = st.toggle(t("graph.rest"), key="graph.rest", persist_state="session")
    graph = chain_graph(run.trace, candidates=_CANDIDATES if rest else 0)
    selected = draw_graph(graph, f"graph-{run.run_id}", t("graph.alt"), height(graph))
    if graph.note:
        st.caption(literal(graph.note))
    _selected(graph, run.trace, selected)
    st.html(markup.facts(view.chain))


def _selected(graph: Graph, trace: Trace, selected: str) -> None:
    """What was clicked, in words: the triples at an entity, or one triple, with their sentences."""
    names = {node.id: node.label for node in graph.nodes}
    edges = [e for e in graph.edges if selected in (e.triple.id, e.source, e.target)]
    if not edges:
        st.caption(t("graph.hint"))
        return
    known = {document.id: document for document in documents(trace)}
    with st.container(border=True, gap="xsmall", key="selected"):
        if selected in names:
            st.markdown(f":small[**{literal(isolate(names[selected]))}**]")
        st.html(markup.facts([fact(e.triple, e.hop, known) for e in edges], chosen=False))


def _evidence(view: AnswerView) -> None:
    if view.state in ("running", "failed", "cancelled") and not view.evidence:
        return
    st.markdown(f"**{t('evidence')}**")
    if not view.evidence:
        st.caption(t("evidence.none"))
        return
    st.html(markup.evidence(view.evidence[:_SHOWN]))
    rest = view.evidence[_SHOWN:]
    if rest:
        with st.expander(t("evidence.more", n=len(rest)), type="compact"):
            st.html(markup.evidence(rest))


def _keep(run: RunView) -> None:
    with st.container(horizontal=True, key="keep"):
        with st.popover(t("link"), icon=":material/link:"):
            st.caption(t("link.help"))
            st.code(_link(run.run_id), language=None)
        st.download_button(
            t("save"),
            data=lambda: _saved(run.trace),
            file_name=f"{run.run_id}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key="keep.run",
        )
        st.download_button(
            t("share"),
            data=lambda: static_page(run.trace, run.run_id).encode("utf-8", "replace"),
            file_name=f"{run.run_id}.html",
            mime="text/html",
            icon=":material/share:",
            help=t("share.help"),
            on_click="ignore",
            key="keep.page",
        )
        if answer_view(run.trace).chain:
            st.download_button(
                t("save.picture"),
                data=lambda: pyvis_html(chain_graph(run.trace, _CANDIDATES)).encode(
                    "utf-8", "replace"
                ),
                file_name=f"{run.run_id}-chain.html",
                mime="text/html",
                icon=":material/image:",
                on_click="ignore",
                key="keep.picture",
            )


def _saved(trace: Trace) -> bytes:
    from irag.traces import dumps

    return dumps(trace).encode("utf-8", "replace")


def _link(run_id: str) -> str:
    return clean(urljoin(st.context.url or "", f"ask?run={quote(run_id)}"))
