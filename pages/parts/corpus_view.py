"""One corpus: what is in it, what is being done to it, and a tab for each way to look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views import corpus_markup, markup
from irag.views.escape import isolate, literal
from irag.views.words import t
from pages.parts.adding import draw_adding
from pages.parts.browsing import draw_documents, draw_triples
from pages.parts.corpus_list import ask_about, card_facts, close_corpus
from pages.parts.entity_view import draw_entities
from pages.parts.jobs import draw_jobs
from pages.parts.saying import attempt, say
from pages.parts.triple_source import draw_source

if TYPE_CHECKING:
    from irag.corpus import CorpusCard
    from irag.workbench import Workbench

__all__ = ["draw_corpus"]

_TABS = ("documents", "triples", "graph", "files", "failures", "more")
_DRAWN = {"documents": draw_documents, "triples": draw_triples, "graph": draw_entities}


def draw_corpus(bench: Workbench, card: CorpusCard) -> None:
    """Its facts, its jobs and the chosen tab; of one that is damaged, how to mend it."""
    _heading(bench, card)
    if card.damaged:
        st.error(literal(card.note), icon=":material/error:")
        _press(bench, "rebuild", card.name)
        draw_jobs(bench, card.name)
        return
    draw_jobs(bench, card.name)
    if card.pending and not any(job.live for job in bench.jobs(card.name)):
        _press(bench, "finish", card.name)
    tab = _tab(card)
    if tab in _DRAWN:
        _DRAWN[tab](bench, card.name)
    elif tab == "files":
        _files(bench, card.name)
    elif tab == "failures":
        _failures(bench, card.name)
    else:
        _manage(bench, card)


def _heading(bench: Workbench, card: CorpusCard) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="corpus-heading"):
        st.button(
            t("corpora.all"), on_click=close_corpus, icon=":material/arrow_back:", type="tertiary"
        )
        with st.container(gap="xxsmall", width="stretch"):
            st.markdown(f"##### {literal(isolate(card.name))}")
            st.caption(literal(card_facts(bench, card)))
        if card.ready:
            ask_about(card.name)


def _tab(card: CorpusCard) -> str:
    key = f"tab-{card.name}"
    if st.query_params.get("document"):
        st.session_state[key] = "documents"
    elif key not in st.session_state:
        st.session_state[key] = "documents" if card.documents or card.pending else "files"
    chosen = st.segmented_control(
        t("corpora"),
        _TABS,
        format_func=lambda name: _tab_label(name, card),
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=lambda: st.query_params.pop("document", None),
        persist_state="session",
    )
    return chosen or "documents"


def _tab_label(name: str, card: CorpusCard) -> str:
    failed = f" ({card.failed:,})" if name == "failures" and card.failed else ""
    return t(f"tab.{name}") + failed


def _press(bench: Workbench, what: str, name: str) -> None:
    """One button that begins a job on the corpus, once."""
    acts = {
        "finish": lambda: bench.add_files(name, ()),
        "rebuild": lambda: bench.shelf.rebuild(name),
        "retry": lambda: bench.shelf.retry(name),
    }
    st.button(
        t(f"corpora.{what}"),
        key=f"{what}-{name}",
        icon=":material/play_arrow:",
        on_click=attempt,
        args=(acts[what],),
    )


def _files(bench: Workbench, name: str) -> None:
    draw_adding(bench, name)
    files = bench.shelf.browse(name).sources()
    if not files:
        st.caption(t("files.none"))
        return
    st.html(
        markup.table([t("file"), t("file.passages")], [(f.name, f"{f.passages:,}") for f in files])
    )
    with (
        st.form(f"remove-file-{name}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        names = sorted({file.name for file in files})
        st.selectbox(t("files.remove"), names, index=None, key=f"gone-{name}", width=360)
        st.form_submit_button(
            t("files.remove.button"),
            icon=":material/delete:",
            key=f"remove-file-of-{name}",
            on_click=_remove_file,
            args=(bench, name),
        )


def _remove_file(bench: Workbench, name: str) -> None:
    chosen = st.session_state.get(f"gone-{name}")
    if chosen and attempt(lambda: bench.shelf.remove(name, source=chosen)):
        say(t("files.removed", name=chosen))


def _failures(bench: Workbench, name: str) -> None:
    found = bench.shelf.browse(name).failures()
    if not found.total:
        st.caption(t("failures.none"))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(t("failures.why"), width="stretch")
        _press(bench, "retry", name)
    st.html(corpus_markup.problems((row.title, row.reason) for row in found.rows))
    if found.total > len(found.rows):
        st.caption(t("job.cut", n=found.total - len(found.rows)))


def _manage(bench: Workbench, card: CorpusCard) -> None:
    if card.embedder:
        st.caption(literal(t("more.facts", embedder=card.embedder, generation=card.generation)))
    draw_source(bench, card)
    _press(bench, "rebuild", card.name)
    with st.form(f"remove-{card.name}", border=True):
        st.markdown(f"**{t('remove.title')}**")
        st.caption(t("remove.sure", n=card.documents))
        st.text_input(t("remove.type"), key=f"typed-{card.name}", width=360)
        st.form_submit_button(
            literal(t("remove.do", name=card.name)),
            icon=":material/delete_forever:",
            key=f"delete-{card.name}",
            on_click=_delete,
            args=(bench, card.name),
        )


def _delete(bench: Workbench, name: str) -> None:
    typed = (st.session_state.get(f"typed-{name}") or "").strip()
    if typed != name:
        say(t("remove.wrong", name=name), error=True)
    elif attempt(lambda: bench.shelf.delete(name)):
        say(t("remove.done", name=name))
        close_corpus()
