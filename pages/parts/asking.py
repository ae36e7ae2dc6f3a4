"""The question box: examples, Ask and Stop, and which run this session looks at."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.views.escape import clean, literal
from irag.views.words import t
from pages.parts.choosing import Choice

if TYPE_CHECKING:
    from irag.types import Question
    from irag.workbench import RunView, Workbench

__all__ = ["SAMPLE", "current_run", "forget_run", "question_box", "take_over"]

SAMPLE = "sample"
"""The name of the corpus that the example questions are about."""

_TWICE = 1.0
"""Seconds in which the same question again is taken for a double click."""


def current_run() -> str:
    """The id of the run this page shows: the link's, else this session's last; "" for none."""
    linked = st.query_params.get("run", "")
    if linked:
        st.session_state["ask.run"] = linked
    run_id = str(st.session_state.get("ask.run", ""))
    if run_id and not linked:
        st.query_params["run"] = run_id
    return run_id


def forget_run() -> None:
    """Look at no run."""
    st.session_state.pop("ask.run", None)
    st.query_params.pop("run", None)


def take_over(run: RunView) -> None:
    """Put the question of a run that was opened by its link into the box, once."""
    if st.session_state.get("ask.seen") != run.run_id:
        st.session_state["ask.seen"] = run.run_id
        st.session_state["ask.question"] = clean(run.trace.question.text)


def question_box(bench: Workbench, choice: Choice, running: bool) -> None:
    """Draw the box; Ask starts a run, and Stop beside it stops this session's."""
    if choice.corpus in (SAMPLE, ""):
        _examples(bench.sample_questions())
    with (
        st.form("ask.form", border=False),
        st.container(horizontal=True, vertical_alignment="top"),
    ):
        st.text_area(
            t("question"),
            key="ask.question",
            height=82,
            placeholder=t("question.placeholder"),
            label_visibility="collapsed",
            persist_state="session",
        )
        with st.container(width=110, gap="xsmall"):
            st.form_submit_button(
                t("ask"),
                key="ask.ask",
                type="primary",
                width="stretch",
                disabled=running or not choice.corpus,
                on_click=_start,
                args=(bench, choice),
            )
            st.form_submit_button(
                t("stop"),
                key="ask.stop",
                icon=":material/stop:",
                width="stretch",
                disabled=not running,
                on_click=_stop,
                args=(bench,),
            )
    refused = st.session_state.get("ask.refused")
    if refused:
        st.error(literal(refused), icon=":material/error:")


def _start(bench: Workbench, choice: Choice) -> None:
    """Begin a run, once: a second click on a running one, or at once after, begins nothing."""
    question = st.session_state.get("ask.question") or ""
    request = (question, choice)
    last, when = st.session_state.get("ask.last", (None, 0.0))
    view = bench.view(st.session_state.get("ask.run", ""))
    if (view is not None and view.running) or (
        request == last and time.monotonic() - when < _TWICE
    ):
        return
    st.session_state["ask.refused"] = None
    try:
        run_id = bench.start(
            question, choice.corpus, choice.method, choice.llm.spec if choice.llm else "none"
        )
    except IragError as error:
        st.session_state["ask.refused"] = str(error)
        return
    st.session_state["ask.last"] = (request, time.monotonic())
    st.session_state["ask.run"] = st.session_state["ask.seen"] = run_id
    st.query_params["run"] = run_id


def _stop(bench: Workbench) -> None:
    run_id = st.session_state.get("ask.run", "")
    st.session_state["ask.stopping"] = run_id
    bench.stop(run_id)


def _examples(questions: Sequence[Question]) -> None:
    examples: dict[str, Question] = {}
    for question in questions:
        examples.setdefault(_kind(question), question)
    if examples:
        st.pills(
            t("examples"),
            list(examples),
            key="ask.example",
            label_visibility="collapsed",
            on_change=_take,
            args=(examples,),
        )


def _kind(question: Question) -> str:
    if question.language == "zh":
        return "中文"
    name = question.kind if question.answerable else "unanswerable"
    return (name or t("question")).replace("yes_no", "yes/no").replace("_", " ").capitalize()


def _take(examples: dict[str, Question]) -> None:
    chosen = st.session_state.get("ask.example")
    if chosen in examples:
        st.session_state["ask.question"] = examples[chosen].text
