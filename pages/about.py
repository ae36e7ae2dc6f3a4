"""About: the methods with their papers and departures, the models, what works, the words used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.defaults import EngineFigure, figures
from irag.errors import IragError
from irag.views import markup
from irag.views.escape import literal
from irag.views.glossary import glossary
from irag.views.words import measure, t
from pages.parts.bench import begin, workbench
from pages.parts.llm_list import draw_llms
from pages.parts.weights import draw_weights

if TYPE_CHECKING:
    from irag.methods import Method
    from irag.workbench import Workbench


def main() -> None:
    """The page from top to bottom; a part that cannot be drawn says why and leaves the others."""
    begin()
    bench = workbench()
    parts = (("methods", _methods), ("llms", _models), ("health", _health), ("glossary", _glossary))
    tabs = st.tabs([t(f"about.{name}") for name, _ in parts])
    for tab, (_, draw) in zip(tabs, parts, strict=True):
        with tab:
            try:
                draw(bench)
            except IragError as error:
                st.error(literal(str(error)), icon=":material/error:")


def _methods(bench: Workbench) -> None:
    for method in bench.methods().values():
        _method(method)


def _method(method: type[Method]) -> None:
    card = method.card
    with st.container(border=True, key=f"method-{card.name}"):
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


def _models(bench: Workbench) -> None:
    left, right = st.columns([6, 4], gap="large")
    with left:
        draw_llms(bench)
    with right:
        draw_weights(bench)


def _health(bench: Workbench) -> None:
    cards = sorted(bench.health(), key=lambda card: card.ok)  # what needs attention comes first
    st.html(markup.checks([(card.name, card.ok, card.note) for card in cards]))
    measured = figures(bench.settings)
    if measured:
        st.subheader(t("about.engines"))
        st.html(markup.checks([_engine(figure) for figure in measured]))


def _engine(figure: EngineFigure) -> tuple[str, bool, str]:
    """An engine with its time for one prompt, the fastest being this machine's default."""
    if figure.seconds is None:
        return figure.engine, False, figure.note or t("about.engine.failed")
    return figure.engine, True, t("about.engine", seconds=measure(figure.seconds))


def _glossary(bench: Workbench) -> None:
    terms = glossary()
    half = -(-len(terms) // 2)
    for column, some in zip(st.columns(2, gap="large"), (terms[:half], terms[half:]), strict=True):
        column.html(markup.terms(some))


main()
