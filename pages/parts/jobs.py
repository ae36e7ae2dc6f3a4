"""The work in the background: how far it is, what came of it, with Cancel, Resume and Dismiss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from irag.jobs.telling import JobView, job_view
from irag.views import corpus_markup
from irag.views.escape import isolate, literal
from irag.views.words import t
from pages.parts.saying import attempt

if TYPE_CHECKING:
    from irag.jobs import Job
    from irag.workbench import Workbench

__all__ = ["draw_jobs"]

_EVERY = 1.0
"""Seconds between two looks at jobs under way."""

_SHOWN = 3
"""Ended jobs that stay on the page until they are dismissed, the newest."""

_ICONS = {
    "waiting": ":gray[:material/hourglass_empty:]",
    "running": ":blue[:material/sync:]",
    "done": ":green[:material/check_circle:]",
    "failed": ":red[:material/error:]",
    "cancelled": ":gray[:material/stop_circle:]",
    "interrupted": ":orange[:material/power_off:]",
}


def draw_jobs(bench: Workbench, about: str | None) -> None:
    """The jobs of one corpus, or all; looked at again and again while one is under way."""
    jobs = _shown(bench, about)
    if any(job.live for job in jobs):
        st.fragment(_watch, run_every=_EVERY)(bench, about)
    else:
        _draw(bench, jobs)


def _shown(bench: Workbench, about: str | None) -> list[Job]:
    jobs = bench.jobs(about)
    ended = [job.id for job in jobs if not job.live][:_SHOWN]
    return [job for job in jobs if job.live or job.id in ended]


def _watch(bench: Workbench, about: str | None) -> None:
    jobs = _shown(bench, about)
    live = {job.id for job in jobs if job.live}
    key = f"jobs-live-{about or ''}"
    before = st.session_state.get(key, live)
    st.session_state[key] = live
    if before - live:  # one ended: the page around it has changed too
        st.rerun()
    _draw(bench, jobs)


def _draw(bench: Workbench, jobs: Sequence[Job]) -> None:
    for job in jobs:
        with st.container(border=True, key=f"job-{job.id}", gap="xsmall"):
            _job(bench, job, job_view(job))


def _job(bench: Workbench, job: Job, view: JobView) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        title = literal(isolate(view.title))
        st.markdown(
            f"{_ICONS[job.state]} **{title}** :small[:gray[{literal(view.state)}]]", width="stretch"
        )
        _buttons(bench, job)
    if job.live and job.state == "running":
        st.progress(view.share or 0.0, literal(view.line) or None)
    elif view.line:
        st.caption(literal(view.line))
    if view.problems:
        with st.expander(
            t("job.problems", n=view.problem_count),
            icon=":material/warning:",
            type="compact",
            expanded=True,
        ):
            st.html(corpus_markup.problems((one.name, one.reason) for one in view.problems))
            rest = view.problem_count - len(view.problems)
            if rest:
                st.caption(t("job.cut", n=rest))
    if view.notes:
        with st.expander(t("job.notices", n=len(view.notes)), type="compact"):
            for note in view.notes:
                st.caption(literal(note))


def _buttons(bench: Workbench, job: Job) -> None:
    def button(what: str, icon: str) -> None:
        st.button(
            t(f"job.{what}"),
            key=f"{what}-{job.id}",
            icon=f":material/{icon}:",
            on_click=_press,
            args=(bench, what, job.id),
            disabled=job.cancelling and job.live,
        )

    if job.live:
        button("cancel", "stop")
        return
    if job.resumable:
        button("resume", "play_arrow")
    button("dismiss", "close")


def _press(bench: Workbench, what: str, job_id: str) -> None:
    """What a button does; a second press finds it done already, which is said by the job itself."""
    acts = {
        "cancel": bench.cancel_job,
        "resume": bench.resume_job,
        "dismiss": bench.shelf.jobs.forget,
    }
    attempt(lambda: acts[what](job_id))
