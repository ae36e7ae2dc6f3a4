"""Who sits here: alone without an account, else let in by a PIN or a personal link."""

from __future__ import annotations

import streamlit as st

from irag.errors import UserError
from irag.labels import Labels
from irag.labels.acts import Seat
from irag.views.escape import literal
from irag.views.words import t
from pages.parts.saying import attempt, draw_said

__all__ = ["draw_leave", "seated"]

_SEAT = "labelling.seat"


def seated(labels: Labels) -> Seat | None:
    """The person at this browser, once let in; None while the sign-in stands on the page."""
    _by_link(labels)
    alone = labels.seats.alone()
    if alone is not None:
        return alone
    seat: Seat | None = st.session_state.get(_SEAT)
    there = {account.annotator_id for account in labels.seats.list() if account.active}
    if seat is not None and seat.annotator_id in there:
        return seat
    _sign_in(labels)
    return None


def draw_leave(seat: Seat, labels: Labels) -> None:
    """Who is signed in, and the way out; nothing for a person alone."""
    if labels.seats.alone() is None:
        st.button(
            f"{literal(seat.name)} · {t('seat.leave')}",
            key="seat.leave",
            type="tertiary",
            on_click=_leave,
        )


def _by_link(labels: Labels) -> None:
    """Take the seat of a personal link, whose token leaves the address at once."""
    token = st.query_params.pop("annotator", "")
    if token:
        try:
            st.session_state[_SEAT] = labels.seats.enter_link(token)
        except UserError as error:
            st.error(literal(str(error)), icon=":material/link_off:")


def _sign_in(labels: Labels) -> None:
    draw_said()
    with st.form("seat", width=360):
        st.markdown(f"**{t('seat.who')}**")
        st.text_input(t("projects.name"), key="seat.name")
        st.text_input(t("seat.pin"), key="seat.pin", type="password")
        st.form_submit_button(
            t("seat.enter"), type="primary", key="seat.enter", on_click=_enter, args=(labels,)
        )
        st.caption(t("seat.link"))


def _enter(labels: Labels) -> None:
    state = st.session_state

    def take() -> None:
        state[_SEAT] = labels.seats.enter(state["seat.name"], state["seat.pin"])

    attempt(take)


def _leave() -> None:
    st.session_state.pop(_SEAT, None)
