"""Draws a run, live or saved: hops on the left as they happen, the result on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views import markup
from irag.views.escape import isolate, literal
from irag.views.hops import hops
from irag.views.words import t
from pages.parts.result_view import draw_result
from pages.parts.step_view import draw_hop

if TYPE_CHECKING:
    from irag.workbench import RunView, Workbench

__all__ = ["draw_body", "draw_heading", "draw_run"]

_EVERY = 0.5
"""Seconds between two looks at a run under way."""


def draw_run(bench: Workbench, run: RunView) -> None:
    """The run, looked at again and again while it is under way and drawn once when it is over."""
    if run.running:
        st.fragment(_watch, run_every=_EVERY)(bench, run.run_id)
    else:
        st.fragment(_draw)(run)


def _watch(bench: Workbench, run_id: str) -> None:
    run = bench.view(run_id)
    if run is None or not run.running:
        st.rerun()
    else:
        _draw(run)


def _draw(run: RunView) -> None:
    draw_heading(run)
    draw_body(run)


def draw_body(run: RunView) -> None:
    """The hops on the left, the result on the right."""
    left, right = st.columns([6, 4], gap="large")
    with left, st.container(key="hops"):
        _hops(run)
    with right, st.container(key="result"):
        draw_result(run)


def draw_heading(run: RunView) -> None:
    """The question, and how it was asked."""
    trace = run.trace
    st.markdown(f"##### {literal(isolate(trace.question.text))}")
    parts = [trace.method, trace.corpus.partition("@")[0], run.llm or t("llm.none")]
    parts.append(trace.started_at[:16].replace("T", " "))
    st.caption(literal(" · ".join(part for part in parts if part)))


def _hops(run: RunView) -> None:
    views = hops(run.trace, run.pending)
    for place, view in enumerate(views):
        draw_hop(view, opened=run.running and place == len(views) - 1)
    if run.running:
        if not views:
            waits = run.waiting not in ("", "starting")
            st.caption(f":shimmer[{literal(run.waiting if waits else t('run.starting'))}…]")
        if st.session_state.get("ask.stopping") == run.run_id:
            st.caption(f":shimmer[{t('stopping')}]")
        return
    why = t("stopped", why=t(f"stopped.{run.trace.stopped}"))
    st.caption(f":material/flag: {literal(why)}")
    if views:
        st.html(markup.costs(views))
