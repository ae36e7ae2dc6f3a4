"""Review: how far a project's labels are, how well people agree, and the files that come out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.views.escape import clean, literal
from irag.views.words import t
from pages.parts.bench import begin, workbench
from pages.parts.labelling_seat import draw_leave, seated
from pages.parts.reviewing import draw_agreement, draw_disputes, draw_files, draw_standing
from pages.parts.saying import draw_said

if TYPE_CHECKING:
    from irag.labels import Labels
    from irag.labels.acts import Seat

_TABS = {
    "standing": draw_standing,
    "agreement": draw_agreement,
    "disputes": draw_disputes,
    "files": draw_files,
}


def main() -> None:
    """One project's standing, agreement, disagreements and files."""
    begin()
    labels = workbench().labels
    try:
        seat = seated(labels)
        if seat is not None:
            draw_said()
            _page(labels, seat)
    except IragError as error:
        st.error(literal(str(error)), icon=":material/error:")


def _page(labels: Labels, seat: Seat) -> None:
    cards = {card.project.id: card for card in labels.projects.list()}
    if not cards:
        st.markdown(f"##### {t('review.none')}")
        st.page_link("pages/label.py", label=t("review.make"), icon=":material/label:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        asked = st.query_params.get("project", "")
        names = {key: clean(card.project.name) for key, card in cards.items()}
        known = next((k for k, c in cards.items() if asked in (k, c.project.name)), None)
        place = list(cards).index(known) if known else 0
        chosen = st.selectbox(
            t("review.project"), list(cards), place, format_func=names.__getitem__, width=420
        )
        draw_leave(seat, labels)
    book = labels.book(chosen)
    tab = st.segmented_control(
        t("review"),
        list(_TABS),
        default="standing",
        format_func=lambda name: t(f"review.{name}"),
        label_visibility="collapsed",
        key="review.tab",
    )
    _TABS[tab or "standing"](labels, seat, book)


main()
