"""Looking through a corpus: its documents, one document, its triples; a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views import corpus_markup
from irag.views.escape import isolate, literal, shorten
from irag.views.words import t
from pages.parts.saying import attempt, say

if TYPE_CHECKING:
    from irag.corpus.browsing import Browsing
    from irag.corpus.lines import DocumentLine
    from irag.workbench import Workbench

__all__ = ["draw_documents", "draw_triples"]

_DOCUMENTS, _TRIPLES = 20, 50
"""Rows on a page."""


def draw_documents(bench: Workbench, name: str) -> None:
    """One page of documents, or the document of the link."""
    browsing = bench.shelf.browse(name)
    opened = st.query_params.get("document", "")
    if opened:
        _document(bench, browsing, name, opened)
        return
    search, source = _document_filters(browsing, name)
    key = f"page-documents-{name}-{search}-{source}"
    first = _first(key, _DOCUMENTS)
    found = browsing.documents(search, source, _DOCUMENTS, first)
    if not found.rows:
        st.caption(t("search.nothing" if search or source else "documents.empty"))
        return
    with st.container(key="documents", gap="xsmall"):
        for row in found.rows:
            _line(row)
    _pages(key, _DOCUMENTS, first, len(found.rows), found.total)


def draw_triples(bench: Workbench, name: str) -> None:
    """One page of triples, each with its sentence."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            t("search.triples"),
            key=f"search-triples-{name}",
            icon=":material/search:",
            persist_state="session",
            width=320,
        )
        part = st.selectbox(
            t("search.part"),
            ("", "head", "relation", "tail"),
            format_func=lambda one: t(f"part.{one}"),
            key=f"part-{name}",
            persist_state="session",
            width=160,
        )
    key = f"page-triples-{name}-{search}-{part}"
    first = _first(key, _TRIPLES)
    found = bench.shelf.browse(name).triples(search, part, _TRIPLES, first)
    if not found.rows:
        st.caption(t("search.nothing" if search else "triples.empty"))
        return
    st.html(corpus_markup.said((one.triple, one.title, one.text) for one in found.rows))
    _pages(key, _TRIPLES, first, len(found.rows), found.total)


def _document_filters(browsing: Browsing, name: str) -> tuple[str, str]:
    files = sorted({file.name for file in browsing.sources()})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            t("search.documents"),
            key=f"search-documents-{name}",
            icon=":material/search:",
            persist_state="session",
            width=320,
        )
        if len(files) < 2:
            return search, ""
        source = st.selectbox(
            t("search.file"),
            ("", *files),
            format_func=lambda one: one or t("search.file.any"),
            key=f"file-{name}",
            persist_state="session",
            width=260,
        )
    return search, source


def _line(row: DocumentLine) -> None:
    told = [t("document.waits") if row.pending else t("triples", n=row.triples)]
    told += [row.failure] if row.failure else []
    with st.container(gap=None, key=f"document-{row.id}"):
        st.button(
            f"**{literal(isolate(shorten(row.title, 160)))}**",
            key=f"open-{row.id}",
            type="tertiary",
            on_click=_open,
            args=(row.id,),
        )
        st.caption(f"{literal(shorten(row.start, 180))} :gray[— {literal('; '.join(told))}]")


def _open(document_id: str) -> None:
    st.query_params["document"] = document_id


def _close() -> None:
    st.query_params.pop("document", None)


def _document(bench: Workbench, browsing: Browsing, name: str, document_id: str) -> None:
    st.button(t("document.back"), on_click=_close, icon=":material/arrow_back:", type="tertiary")
    document = browsing.document(document_id)
    triples = browsing.triples_of(document_id)
    st.markdown(f"##### {literal(isolate(document.title))}")
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.html(corpus_markup.passage(document, triples))
        st.caption(literal(t("document.id", id=document.id)))
        _remove(bench, name, document_id, document.title)
    with right:
        if triples:
            st.markdown(f"**{t('document.triples')}**")
            st.html(corpus_markup.sentence_triples(triples))
        else:
            st.caption(t("document.untripled"))


def _remove(bench: Workbench, name: str, document_id: str, title: str) -> None:
    with st.popover(t("document.remove"), icon=":material/delete:"):
        st.caption(literal(isolate(title)))
        st.button(
            t("document.remove"),
            type="primary",
            key=f"remove-{document_id}",
            on_click=_remove_now,
            args=(bench, name, document_id, title),
        )


def _remove_now(bench: Workbench, name: str, document_id: str, title: str) -> None:
    if attempt(lambda: bench.shelf.remove(name, [document_id])):
        say(t("document.removed", title=shorten(title, 80)))
        _close()


def _first(key: str, size: int) -> int:
    """How many rows come before the page that is chosen."""
    return size * (int(st.session_state.get(key, 1)) - 1)


def _pages(key: str, size: int, first: int, shown: int, total: int) -> None:
    """Which rows are shown, and the other pages."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(t("shown.range", first=first + 1, last=first + shown, n=total), width="stretch")
        if total > size:
            st.pagination(-(-total // size), key=key)
