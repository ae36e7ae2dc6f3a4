"""One saved run, step by step: a slider and buttons that show it as it stood after each step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from irag.views import markup
from irag.views.answer import answer_view
from irag.views.escape import isolate, literal
from irag.views.hops import hops
from irag.views.replaying import Moment, moments, stood
from irag.views.words import t
from pages.parts.picture_view import draw_pictures
from pages.parts.result_view import draw_chain
from pages.parts.run_list import close_run, delete_button
from pages.parts.run_view import draw_body, draw_heading, draw_run
from pages.parts.step_view import draw_hop

if TYPE_CHECKING:
    from irag.types import Trace
    from irag.workbench import RunView, Workbench

__all__ = ["draw_replay"]

_SHOWN = 5
"""New documents of each hop that the list of those found so far shows."""


def draw_replay(bench: Workbench, run: RunView) -> None:
    """The run with its controls; one that is under way is shown as it happens."""
    with st.container(horizontal=True, vertical_alignment="center", key="run-bar"):
        st.button(t("runs.all"), icon=":material/arrow_back:", type="tertiary", on_click=close_run)
        st.space("stretch")
        st.page_link(
            "pages/ask.py",
            label=t("runs.again"),
            icon=":material/forum:",
            query_params={"run": run.run_id},
        )
        if not run.running:
            delete_button(bench, [run.run_id], "run.delete")
    if run.running or not run.trace.steps:
        draw_run(bench, run)
    else:
        draw_heading(run)
        st.fragment(_replay)(run)


def _replay(run: RunView) -> None:
    number = _controls(f"replay.{run.run_id}", moments(run.trace))
    if number >= len(run.trace.steps):
        draw_body(run)
        return
    left, right = st.columns([6, 4], gap="large")
    with left, st.container(key="hops"):
        _hops(stood(run.trace, number))
    with right, st.container(key="result"):
        _so_far(replace(run, trace=stood(run.trace, number), running=True))


def _controls(key: str, steps: tuple[Moment, ...]) -> int:
    """Draw the slider and its buttons; the number of steps that are shown."""
    last = len(steps)
    at = int(st.session_state.setdefault(key, last))
    st.caption(_label(steps, at))
    with st.container(horizontal=True, vertical_alignment="center", key="replay-bar"):
        _button("first", "first_page", (key, 0), at <= 0)
        _button("back", "chevron_left", (key, at - 1), at <= 0, shortcut="p")
        st.slider(t("replay"), 0, last, key=key, label_visibility="collapsed", width="stretch")
        _button("forward", "chevron_right", (key, at + 1), at >= last, shortcut="n")
        _button("last", "last_page", (key, last), at >= last)
    return at


def _label(steps: tuple[Moment, ...], at: int) -> str:
    if not at:
        return t("replay.start")
    one = steps[at - 1]
    place = t("reading") if one.reading else t("hop", number=one.hop) if one.hop else ""
    said = literal(isolate(f"{place} · {one.said}" if place else one.said))
    return t("replay.at", number=at, n=len(steps), said=said)


def _button(
    name: str, icon: str, goal: tuple[str, int], disabled: bool, shortcut: str | None = None
) -> None:
    st.button(
        t(f"replay.{name}"),
        key=f"replay.{name}",
        icon=f":material/{icon}:",
        disabled=disabled,
        shortcut=shortcut,
        on_click=_go,
        args=goal,
    )


def _go(key: str, number: int) -> None:
    st.session_state[key] = number


def _hops(trace: Trace) -> None:
    views = hops(trace)
    if not views:
        st.caption(t("replay.nothing"))
    for place, view in enumerate(views, 1):
        draw_hop(view, opened=place == len(views), running=False)


def _so_far(run: RunView) -> None:
    """The chain and the documents as they stand; the answer comes at the end."""
    st.caption(t("replay.later"))
    draw_chain(run, answer_view(run.trace, running=True))
    draw_pictures(run)
    found = [(view, [row for row in view.documents if row.new]) for view in hops(run.trace)]
    if any(rows for _, rows in found):
        st.markdown(f"**{t('replay.evidence')}**")
    for view, rows in found:
        if rows:
            said = t("documents.new", n=len(view.documents), new=len(rows))
            heading = f'<div class="irag-source">{markup.badge(view.number)} {said}</div>'
            st.html(heading + markup.document_rows(rows[:_SHOWN]))
