"""About: the methods with their papers and departures, what is installed, and the words used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.defaults import EngineFigure, figures
from irag.views import markup
from irag.views.escape import literal
from irag.views.words import measure, t
from pages.parts.bench import begin, workbench

if TYPE_CHECKING:
    from irag.methods import Method
    from irag.workbench import Workbench

_TERMS = ("hop", "triple", "candidate", "chain", "evidence", "grounded", "reader", "score")


def main() -> None:
    """The page from top to bottom."""
    begin()
    bench = workbench()
    left, right = st.columns([6, 4], gap="large")
    with left:
        st.subheader(t("about.methods"))
        for method in bench.methods().values():
            _method(method)
    with right:
        _state(bench)
        st.subheader(t("about.glossary"))
        st.html(markup.terms([(term.capitalize(), t(f"term.{term}")) for term in _TERMS]))


def _method(method: type[Method]) -> None:
    card = method.card
    with st.container(border=True):
        st.markdown(f"**{literal(card.title)}**")
        st.markdown(literal(card.summary))
        st.caption(literal(card.paper))
        st.markdown(
            f":small[**{t('about.measured')}**] {literal(card.measured or t('about.unmeasured'))}"
        )
        if card.departures:
            with st.expander(t("about.departures"), type="compact"):
                for departure in card.departures:
                    st.markdown(f"- {literal(departure)}")
        with st.expander(t("settings"), type="compact"):
            st.html(
                markup.table(
                    [t(f"about.{name}") for name in ("setting", "default", "meaning", "source")],
                    [
                        (one.label, str(one.default), one.help, one.source)
                        for one in method.described()
                    ],
                )
            )


def _engine(figure: EngineFigure) -> tuple[str, bool, str]:
    """An engine with its time for one prompt, the fastest being this machine's default."""
    if figure.seconds is None:
        return figure.engine, False, figure.note or t("about.engine.failed")
    return figure.engine, True, t("about.engine", seconds=measure(figure.seconds))


def _state(bench: Workbench) -> None:
    st.subheader(t("about.llms"))
    st.html(markup.checks([(card.label, card.ready, card.note) for card in bench.llms()]))
    measured = figures(bench.settings)
    if measured:
        st.subheader(t("about.engines"))
        st.html(markup.checks([_engine(figure) for figure in measured]))
    st.subheader(t("about.health"))
    st.html(markup.checks([(card.name, card.ok, card.note) for card in bench.health()]))


main()
