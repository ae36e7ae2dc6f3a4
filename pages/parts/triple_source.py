"""Where a corpus's triples come from, and how to have them from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views.escape import clean, literal
from irag.views.words import t
from pages.parts.saying import attempt, say

if TYPE_CHECKING:
    from irag.corpus import CorpusCard
    from irag.workbench import Workbench

__all__ = ["draw_source"]


def draw_source(bench: Workbench, card: CorpusCard) -> None:
    """Another source for the triples, or a file of them; each is work in the background."""
    name = card.name
    with st.container(border=True):
        st.markdown(f"**{t('source.title')}**")
        st.caption(literal(t("source.now", name=card.extractor or "—")))
        with (
            st.form(f"source-{name}", border=False),
            st.container(horizontal=True, vertical_alignment="bottom"),
        ):
            labels = _sources(bench, name)
            st.selectbox(
                t("source.of"),
                list(labels),
                format_func=lambda source: labels.get(source, source),
                key=f"source-of-{name}",
                width="stretch",
            )
            st.form_submit_button(
                t("source.use"), key=f"use-source-{name}", on_click=_use, args=(bench, name)
            )
        with st.form(f"import-{name}", border=False, clear_on_submit=True):
            st.file_uploader(t("source.import"), key=f"import-file-{name}", max_upload_size=200)
            with st.container(horizontal=True, vertical_alignment="bottom"):
                st.text_input(t("source.label"), key=f"import-label-{name}", width="stretch")
                st.form_submit_button(
                    t("source.import.do"),
                    key=f"import-{name}-do",
                    on_click=_import,
                    args=(bench, name),
                )


def _sources(bench: Workbench, name: str) -> dict[str, str]:
    """What can be chosen, as on the command line, with what a person reads."""
    llms = {f"llm:{one.spec}": one.spec for one in bench.llms() if one.spec not in ("", "none")}
    return {
        "spacy": t("source.spacy"),
        **{source: clean(t("source.llm", name=spec)) for source, spec in llms.items()},
        **{
            f"imported:{label}": clean(t("source.imported", name=label))
            for label in bench.shelf.imported(name)
        },
        "none": t("source.none"),
    }


def _use(bench: Workbench, name: str) -> None:
    source = st.session_state.get(f"source-of-{name}")
    if source:
        attempt(lambda: bench.shelf.rebuild(name, source))


def _import(bench: Workbench, name: str) -> None:
    file = st.session_state.get(f"import-file-{name}")
    label = (st.session_state.get(f"import-label-{name}") or "").strip()
    if file is None or not label:
        say(t("source.nothing"), error=True)
        return
    attempt(lambda: bench.shelf.import_triples(name, file.name, file, label))
