"""The question box: examples, Ask and Stop, and which run this session looks at."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

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


@dataclass
class _Asked:
    """What this session asked last. A press can be cut short by the next one at any touch of
    Streamlit's session state, so what must not be lost is kept in plain attributes."""

    run: str = ""
    refused: str = ""
    request: tuple[str, Choice] | None = None
    when: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)


def _asked() -> _Asked:
    if "ask.asked" not in st.session_state:
        st.session_state["ask.asked"] = _Asked()
    return cast(_Asked, st.session_state["ask.asked"])


def current_run() -> str:
    """The id of the run this page shows: the link's, else this session's last; "" for none."""
    asked, linked = _asked(), st.query_params.get("run", "")
    if linked:
        asked.run = linked
    elif asked.run:
        st.query_params["run"] = asked.run
    return asked.run


def forget_run() -> None:
    """Look at no run."""
    _asked().run = ""
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
    if _asked().refused:
        st.error(literal(_asked().refused), icon=":material/error:")


def _start(bench: Workbench, choice: Choice) -> None:
    asked, question = _asked(), st.session_state.get("ask.question") or ""
    with asked.lock:
        _begin(bench, asked, question, choice)
    if asked.run:
        st.session_state["ask.seen"] = asked.run
        st.query_params["run"] = asked.run


def _begin(bench: Workbench, asked: _Asked, question: str, choice: Choice) -> None:
    """Begin a run, once: a second press while it runs, or at once after it, begins nothing."""
    view = bench.view(asked.run) if asked.run else None
    again = asked.request == (question, choice) and time.monotonic() - asked.when < _TWICE
    if again or (view is not None and view.running):
        return
    llm = choice.llm.spec if choice.llm else "none"
    try:
        asked.run = bench.start(question, choice.corpus, choice.method, llm)
    except IragError as error:
        asked.refused = str(error)
    else:
        asked.refused, asked.request, asked.when = "", (question, choice), time.monotonic()


def _stop(bench: Workbench) -> None:
    run_id = _asked().run
    bench.stop(run_id)
    st.session_state["ask.stopping"] = run_id


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
