"""The projects: how far each is, and how a new one is made from saved runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from irag.labels.acts import Seat
from irag.labels.guide import LANGUAGES, supplied
from irag.labels.pooling import Choice
from irag.labels.projects import NewProject, ProjectCard
from irag.labels.values import SCALES
from irag.views.escape import clean, isolate, literal
from irag.views.words import t
from pages.parts.saying import attempt, say

if TYPE_CHECKING:
    from irag.store import RunCard
    from irag.workbench import Workbench

__all__ = ["close_project", "draw_projects", "open_project"]

_RUNS = 2000
"""So many of the newest runs can be chosen from."""
_HOPS = 8
_KINDS = ("triple", "sentence", "passage")


def open_project(project_id: str) -> None:
    """Label in one project."""
    st.query_params.clear()
    st.query_params["project"] = project_id


def close_project() -> None:
    """Back to all projects."""
    st.query_params.clear()


def draw_projects(bench: Workbench, seat: Seat) -> None:
    """Every project, and a new one; only the owner makes one."""
    left, right = st.columns([6, 4], gap="large")
    with left:
        cards = bench.labels.projects.list()
        if not cards:
            st.markdown(f"**{t('projects.none')}**")
        for card in cards:
            _row(bench, seat, card)
    with right:
        if seat.role == "owner":
            _new(bench)
        else:
            st.caption(t("projects.owner"))


def _row(bench: Workbench, seat: Seat, card: ProjectCard) -> None:
    project = card.project
    with (
        st.container(border=True, key=f"project-{project.id}"),
        st.container(horizontal=True, vertical_alignment="center"),
    ):
        with st.container(gap="xxsmall", width="stretch"):
            st.markdown(f"**{literal(isolate(project.name))}**")
            st.caption(literal(_facts(bench, seat, card)))
        st.page_link(
            "pages/review.py",
            label=t("projects.review"),
            icon=":material/fact_check:",
            query_params={"project": project.id},
        )
        st.button(
            t("projects.open"),
            key=f"open-{project.id}",
            type="primary",
            on_click=open_project,
            args=(project.id,),
        )


def _facts(bench: Workbench, seat: Seat, card: ProjectCard) -> str:
    mine = bench.labels.progress(seat, card.project.id)
    return " · ".join(
        (
            t("projects.items", n=card.items),
            t("projects.questions", n=card.questions),
            t("projects.answers", n=card.answers),
            t("desk.left", done=mine.answered, total=mine.total),
        )
    )


def _new(bench: Workbench) -> None:
    cards = bench.runs.cards(_RUNS)
    with st.container(border=True):
        st.markdown(f"**{t('projects.new')}**")
        if not cards:
            st.caption(t("projects.runs"))
            return
        st.text_input(t("projects.name"), key="project.name", max_chars=80)
        chosen = _chosen(cards)
        _settings()
        st.button(
            t("projects.make"),
            type="primary",
            icon=":material/add:",
            key="project.make",
            on_click=_make,
            args=(bench, [card.run_id for card in chosen]),
        )


def _chosen(cards: Sequence[RunCard]) -> list[RunCard]:
    """The runs of the chosen questions and methods; all of them where nothing is chosen."""
    asked = _several("from", dict.fromkeys(card.question for card in cards))
    methods = _several("methods", dict.fromkeys(card.method for card in cards))
    chosen = [
        card
        for card in cards
        if (not asked or card.question in asked) and (not methods or card.method in methods)
    ]
    st.caption(t("projects.chosen", n=len(chosen)))
    return chosen


def _several(what: str, names: Sequence[Any] | dict[str, None]) -> list[str]:
    return st.multiselect(
        t(f"projects.{what}"),
        list(names),
        format_func=lambda name: clean(str(name)),
        placeholder=t(f"projects.{what}.every"),
        key=f"project.{what}",
    )


def _settings() -> None:
    with st.container(horizontal=True):
        st.selectbox(
            t("projects.scale"), list(SCALES), format_func=_scale_name, key="project.scale"
        )
        st.number_input(t("projects.overlap"), 1, 20, 2, key="project.overlap")
        st.number_input(t("projects.cap"), 1, 1000, 30, key="project.cap")
    st.multiselect(
        t("projects.hops"),
        range(1, _HOPS + 1),
        placeholder=t("projects.hops.every"),
        key="project.hops",
    )
    st.pills(
        t("projects.kinds"),
        _KINDS,
        selection_mode="multi",
        default=_KINDS[:1],
        format_func=lambda kind: t(f"kind.{kind}"),
        key="project.kinds",
    )
    texts = supplied()
    with st.expander(t("projects.guidelines")):
        for tongue in LANGUAGES:
            label = t(f"projects.guidelines.{tongue}")
            st.text_area(label, texts[tongue], height=240, key=f"project.guide.{tongue}")


def _scale_name(name: str) -> str:
    return t(f"scale.{name}")


def _make(bench: Workbench, run_ids: Sequence[str]) -> None:
    attempt(lambda: _made(bench, run_ids))


def _made(bench: Workbench, run_ids: Sequence[str]) -> None:
    """The project of the form, filled; what the runs brought is said on its page."""
    told = {name: st.session_state[f"project.{name}"] for name in _FIELDS}
    projects = bench.labels.projects
    new = NewProject(told["name"], told["scale"], int(told["overlap"]), int(told["cap"]))
    project = projects.create(new)
    texts = {tongue: st.session_state[f"project.guide.{tongue}"] for tongue in LANGUAGES}
    if texts != supplied():
        projects.revise(project.id, texts)
    choice = Choice(hops=tuple(told["hops"]), kinds=tuple(told["kinds"]) or _KINDS[:1])
    loaded = ((run_id, bench.runs.load(run_id)) for run_id in run_ids)
    runs = [(run_id, trace) for run_id, trace in loaded if trace is not None]
    added = projects.add_runs(project.id, runs, choice)
    lines = [t("projects.made", items=added.items, runs=len(runs), capped=added.capped)]
    lines += [t("projects.without", run=run, why=why) for run, why in added.without]
    say(" ".join(lines), error=not added.items)
    open_project(project.id)


_FIELDS = ("name", "scale", "overlap", "cap", "hops", "kinds")
