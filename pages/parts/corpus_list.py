"""All corpora: what there is, how to open one, and how to get the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from irag.corpus.browsing import size_on_disk
from irag.views.escape import isolate, literal
from irag.views.words import t
from pages.parts.adding import choose_files, choose_language, chosen_files
from pages.parts.jobs import draw_jobs
from pages.parts.saying import attempt

if TYPE_CHECKING:
    from irag.corpus import CorpusCard
    from irag.workbench import Workbench

__all__ = ["ask_about", "card_facts", "close_corpus", "draw_all", "open_corpus", "opened_corpus"]

_SAMPLE = "sample"


def opened_corpus() -> str:
    """The name of the corpus that the link says, "" for none."""
    return st.query_params.get("name", "")


def open_corpus(name: str) -> None:
    """Look at one corpus."""
    st.query_params.clear()
    st.query_params["name"] = name


def close_corpus() -> None:
    """Back to all corpora."""
    st.query_params.clear()


def ask_about(name: str) -> None:
    """The link to Ask with this corpus chosen."""
    st.page_link(
        "pages/ask.py",
        label=t("corpora.ask"),
        icon=":material/forum:",
        query_params={"corpus": name},
    )


def card_facts(bench: Workbench, card: CorpusCard) -> str:
    """One line: how much is in a corpus, and its state."""
    size = size_on_disk(bench.settings.home, card.name)
    parts = [t("passages", n=card.documents), t("triples", n=card.triples)]
    if card.language:
        parts.append(t(f"language.{card.language}"))
    parts += [t("size", n=f"{size / 1e6:,.1f}"), state_word(card)]
    return " · ".join(parts)


def state_word(card: CorpusCard) -> str:
    """Whether it can be asked; else what it lacks."""
    if card.damaged:
        return t("corpora.state.damaged")
    if card.pending:
        return t("corpora.state.waiting", n=card.pending)
    return t("corpora.state.ready" if card.ready else "corpora.state.empty")


def draw_all(bench: Workbench, cards: Sequence[CorpusCard]) -> None:
    """The jobs, every corpus with its facts, and the ways to get another one."""
    left, right = st.columns([6, 4], gap="large")
    with left:
        draw_jobs(bench, None)
        if not cards:
            st.markdown(f"**{t('corpora.invite')}**")
        for card in cards:
            _row(bench, card)
    with right:
        if all(card.name != _SAMPLE for card in cards):
            _sample(bench)
        _new(bench)


def _row(bench: Workbench, card: CorpusCard) -> None:
    with (
        st.container(border=True, key=f"corpus-{card.name}"),
        st.container(horizontal=True, vertical_alignment="center"),
    ):
        with st.container(gap="xxsmall", width="stretch"):
            st.markdown(f"**{literal(isolate(card.name))}**")
            st.caption(literal(card_facts(bench, card)))
        if card.ready:
            ask_about(card.name)
        st.button(
            t("corpora.open"),
            key=f"open-{card.name}",
            on_click=open_corpus,
            args=(card.name,),
        )


def _sample(bench: Workbench) -> None:
    with st.container(border=True, key="sample"):
        st.markdown(f"**{t('corpora.sample.title')}**")
        st.caption(t("corpora.sample.why"))
        st.button(
            t("corpora.sample"),
            icon=":material/download:",
            key="corpora.sample",
            on_click=attempt,
            args=(bench.add_sample,),
        )


def _new(bench: Workbench) -> None:
    with st.form("corpora.new", border=True):
        st.markdown(f"**{t('corpora.new')}**")
        st.text_input(t("corpora.name"), key="new.name", help=t("corpora.name.help"), max_chars=60)
        choose_language("new.language")
        choose_files("new.files")
        st.form_submit_button(
            t("corpora.create"),
            type="primary",
            icon=":material/add:",
            key="new.create",
            on_click=_create,
            args=(bench,),
        )


def _create(bench: Workbench) -> None:
    """Make the corpus, with what was dropped, and look at it."""
    name = (st.session_state.get("new.name") or "").strip()
    language = st.session_state.get("new.language") or ""
    files = chosen_files("new.files")
    if not attempt(lambda: bench.shelf.create(name, language)):
        return
    if files:
        attempt(lambda: bench.shelf.upload(name, files))
    open_corpus(name)
