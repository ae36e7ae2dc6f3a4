"""Corpora: make one, fill it, look through it, remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.views.escape import literal
from irag.views.words import t
from pages.parts.bench import begin, workbench
from pages.parts.corpus_list import close_corpus, draw_all, opened_corpus
from pages.parts.corpus_view import draw_corpus
from pages.parts.saying import draw_said

if TYPE_CHECKING:
    from irag.workbench import Workbench


def main() -> None:
    """All corpora, or the one of the link."""
    begin()
    draw_said()
    bench, name = workbench(), opened_corpus()
    try:
        _page(bench, name)
    except IragError as error:
        st.error(literal(str(error)), icon=":material/error:")
        if name:
            _back()


def _page(bench: Workbench, name: str) -> None:
    cards = {card.name: card for card in bench.corpora()}
    if name in cards:
        draw_corpus(bench, cards[name])
        return
    if name:
        st.warning(literal(t("corpora.unknown", name=name)), icon=":material/link_off:")
        _back()
        return
    draw_all(bench, tuple(cards.values()))


def _back() -> None:
    st.button(t("corpora.all"), on_click=close_corpus, icon=":material/arrow_back:")


main()
