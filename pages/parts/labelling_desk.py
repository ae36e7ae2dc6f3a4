"""The labelling desk: one item at a time, answered by keys; what came of a press, and what next.

The item, its ticket and the keys are one component: a press can only carry the ticket of what it
was drawn with, and nothing is sent until the server's next turn is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import streamlit as st
from streamlit.components import v2

from irag.errors import IragError, UserError
from irag.labels import Labels
from irag.labels.acts import (
    FLAGS,
    SKIP_REASONS,
    Accepted,
    Duplicate,
    Event,
    Full,
    Mark,
    Outcome,
    Rest,
    Seat,
    Serving,
    Stale,
    Ticket,
)
from irag.labels.guide import LANGUAGES
from irag.labels.progress import Progress
from irag.labels.values import Project, Scale
from irag.views.escape import html, literal
from irag.views.words import measure, t
from pages.parts.labelling_item import item_html, passage_html

__all__ = ["draw_desk"]

_ASSETS = Path(__file__).parents[2] / "assets"
_KEY = "labelling"
_TURN = "labelling.turn"


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is in front of a person; `id` is new each time, `said` what came of the last press."""

    seat: Seat
    project: Project
    serving: Serving | Rest
    progress: Progress
    last: Event | None
    said: str
    id: str


def draw_desk(labels: Labels, seat: Seat, project: Project, item_id: str = "") -> None:
    """The desk of a person in a project, at one item where the link names it."""
    turn = st.session_state.get(_TURN)
    here = turn is not None and (turn.seat, turn.project) == (seat, project)
    if not here or isinstance(turn.serving, Rest) or (item_id and _ticket(turn).item_id != item_id):
        _begin(labels, seat, project, item_id)
    _guidelines(labels, project)
    _desk(labels)


@st.fragment
def _desk(labels: Labels) -> None:
    turn: _Turn = st.session_state[_TURN]
    if isinstance(turn.serving, Rest):
        _rest(labels, turn, turn.serving)
        return
    _component()(
        key=_KEY,
        data=_shown(turn, turn.serving),
        on_pressed_change=lambda: _pressed(labels),
        on_noted_change=lambda: _noted(labels),
    )


def _begin(labels: Labels, seat: Seat, project: Project, item_id: str) -> None:
    serving: Serving | Rest | Full
    serving, said = labels.desk.next(seat, project.id), ""
    if item_id:
        try:
            opened = labels.desk.open(seat, project.id, item_id)
        except UserError as error:
            st.warning(literal(str(error)), icon=":material/link_off:")
        else:
            if isinstance(opened, Full):
                st.warning(literal(opened.reason), icon=":material/group:")
            else:
                serving = opened
    _turn(labels, seat, project, serving, said)


def _turn(
    labels: Labels, seat: Seat, project: Project, serving: Serving | Rest, said: str = ""
) -> None:
    """Put a turn in front of the person."""
    st.session_state[_TURN] = _Turn(
        seat,
        project,
        serving,
        labels.progress(seat, project.id),
        labels.desk.last(seat, project.id),
        said,
        uuid4().hex,
    )


def _pressed(labels: Labels) -> None:
    """Keep the answer of a press and show what comes next; every press gets a turn of its own."""
    turn: _Turn = st.session_state[_TURN]
    press = st.session_state[_KEY].pressed
    if not isinstance(press, Mapping):
        return
    try:
        serving, said = _answered(labels, turn, press)
    except (IragError, TypeError, ValueError) as error:  # a press may be forged
        serving, said = turn.serving, str(error)
    st.query_params.pop("item", None)  # the link has done its work
    _turn(labels, turn.seat, turn.project, serving, said)


def _answered(labels: Labels, turn: _Turn, press: Mapping[str, Any]) -> tuple[Serving | Rest, str]:
    seat, project = turn.seat, turn.project
    if press.get("state") == "undo":
        return _undone(labels, turn, press)
    ticket = Ticket(project.id, str(press.get("item")), str(press.get("token")))
    came = labels.desk.submit_and_next(seat, ticket, _mark(press))
    return came.serving, _said(came.outcome, project.scale)


def _undone(labels: Labels, turn: _Turn, press: Mapping[str, Any]) -> tuple[Serving | Rest, str]:
    told = str(press.get("undoes")), str(press.get("event_id"))
    back = labels.desk.undo(turn.seat, turn.project.id, *told)
    if isinstance(back, Stale):
        return labels.desk.next(turn.seat, turn.project.id), back.reason
    return back, t("desk.last.undone")


def _mark(press: Mapping[str, Any]) -> Mark:
    return Mark(
        str(press.get("event_id") or ""),
        press.get("state"),  # type: ignore[arg-type]  # the desk refuses what it does not know
        press.get("grade"),
        tuple(str(flag) for flag in press.get("flags") or ()),
        str(press.get("reason") or ""),
        str(press.get("note") or ""),
        int(press.get("active_ms") or 0),
        bool(press.get("keyboard")),
    )


def _noted(labels: Labels) -> None:
    """Keep a note before its item is answered; the item stays as it is drawn."""
    turn: _Turn = st.session_state[_TURN]
    noted = st.session_state[_KEY].noted
    if not isinstance(noted, Mapping) or isinstance(turn.serving, Rest):
        return
    ticket = Ticket(turn.project.id, str(noted.get("item")), str(noted.get("token")))
    text = str(noted.get("note") or "")
    outcome = labels.desk.note(turn.seat, ticket, text, str(noted.get("event_id")))
    if isinstance(outcome, Accepted) and ticket == turn.serving.ticket:
        st.session_state[_TURN] = replace(turn, serving=replace(turn.serving, note=text))


def _said(outcome: Outcome, scale: Scale) -> str:
    if isinstance(outcome, Accepted | Duplicate):
        event = outcome.event
        if event.state == "label":
            name = scale.name_of(event.grade)
            return t("desk.last.label", grade=str(event.grade), name=name)
        return t(f"desk.last.{event.kind}")
    return outcome.reason


def _ticket(turn: _Turn) -> Ticket:
    return Ticket("", "", "") if isinstance(turn.serving, Rest) else turn.serving.ticket


def _shown(turn: _Turn, serving: Serving) -> dict[str, Any]:
    """What the component draws; the texts of item, passage and foot are escaped HTML."""
    item, mine = serving.item, serving.mine
    note = serving.note if serving.note is not None else mine.note if mine else None
    grade = mine.grade if mine is not None else None
    return {
        "turn": turn.id,
        "ticket": {"item": serving.ticket.item_id, "token": serving.ticket.token},
        "item": item_html(item),
        "passage": passage_html(item.passage, item.candidate),
        "foot": html(_progress(turn.progress)),
        "grades": [
            {"key": one.key, "name": one.name, "meaning": one.meaning, "mine": one.key == grade}
            for one in turn.project.scale.grades
        ],
        "flags": [[flag, t(f"flag.{flag}")] for flag in FLAGS],
        "reasons": [[reason, t(f"reason.{reason}")] for reason in SKIP_REASONS],
        "signs": list(mine.flags) if mine else [],
        "note": note or "",
        "said": turn.said,
        "undoes": turn.last.id if turn.last else "",
    }


def _progress(progress: Progress) -> str:
    parts = [t("desk.left", done=progress.answered, total=progress.total)]
    if progress.skipped:
        parts.append(t("desk.skipped", n=progress.skipped))
    if progress.seconds is not None and progress.seconds_left:
        pace, left = measure(progress.seconds), measure(progress.seconds_left)
        parts.append(t("desk.pace", pace=pace, left=left))
    return " · ".join(parts)


def _rest(labels: Labels, turn: _Turn, rest: Rest) -> None:
    with st.container(key="labelling-done"):
        if turn.said:
            st.caption(literal(turn.said))
        if rest.done:
            st.success(t("desk.done"), icon=":material/check:")
        else:
            st.info(t("desk.held", n=rest.held), icon=":material/group:")
            st.button(t("desk.again"), key="labelling.again", on_click=_again, args=(labels,))
        st.caption(literal(_progress(turn.progress)))


def _again(labels: Labels) -> None:
    turn: _Turn = st.session_state[_TURN]
    _turn(labels, turn.seat, turn.project, labels.desk.next(turn.seat, turn.project.id))


def _guidelines(labels: Labels, project: Project) -> None:
    """The guidelines, folded away until G shows them over the page."""
    with st.container(key="labelling-guidelines"):
        st.caption(t("desk.version", version=project.guideline))
        for tab, tongue in zip(st.tabs([*map(_tongue, LANGUAGES)]), LANGUAGES, strict=True):
            tab.markdown(labels.projects.guideline(project.id, tongue).text)


def _tongue(language: str) -> str:
    return t(f"language.{language}")


_HTML = f"""
<div class="irag-desk" data-panel="" data-state="ready">
  <div class="item" aria-live="polite"></div>
  <div class="passage"></div>
  <div class="grades"></div>
  <div class="panel flagging"><p>{t("desk.signs")}</p><div class="signs"></div>
    <button data-press="F"><kbd>F</kbd>{t("desk.broken")}</button>
    <button data-press="Escape"><kbd>Esc</kbd>{t("desk.back")}</button></div>
  <div class="panel skipping"><p>{t("desk.why_skip")}</p><div class="reasons"></div>
    <button data-press="Escape"><kbd>Esc</kbd>{t("desk.back")}</button></div>
  <div class="panel writing"><textarea class="note" aria-label="{t("desk.note")}"></textarea>
    <p class="soft">{t("desk.note.hint")}</p></div>
  <div class="panel help">
    <button data-press="F"><kbd>F</kbd>{t("desk.flag")}</button>
    <button data-press="S"><kbd>S</kbd>{t("desk.skip")}</button>
    <button data-press="N"><kbd>N</kbd>{t("desk.note")}</button>
    <button data-press="P"><kbd>P</kbd>{t("desk.passage")}</button>
    <button data-press="G"><kbd>G</kbd>{t("desk.guidelines")}</button></div>
  <p class="late" role="alert">{t("desk.waiting")}</p>
  <div class="below"><span class="foot"></span><span class="said soft" role="status"></span>
    <button class="undo" data-press="U"><kbd>U</kbd>{t("desk.undo")}</button>
    <button class="keys" data-press="H"><kbd>H</kbd>{t("desk.help")}</button></div>
  <p class="early" hidden>{t("desk.early")} <b></b></p>
</div>
"""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return v2.component(
        "irag_labelling",
        html=_HTML,
        css=(_ASSETS / "label.css").read_text("utf-8"),
        js=(_ASSETS / "label.js").read_text("utf-8"),
        isolate_styles=False,  # chips and hop numbers look as they do everywhere
    )
