"""What is said when something is not there yet: no corpus, no models; with the way to get them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.views.escape import literal
from irag.views.words import t
from pages.parts.choosing import Choice

if TYPE_CHECKING:
    from irag.workbench import PullView, Workbench

__all__ = ["say_what_is_missing"]


def say_what_is_missing(bench: Workbench, choice: Choice) -> None:
    """Say what a question cannot be asked without, and offer to get it."""
    names = choice.absent.models
    pulling = _next(bench, names)
    if names or (pulling is not None and pulling.running):
        with st.container(border=True, key="no-models"):
            st.markdown(f"**{literal(t('models.none', names=', '.join(names)))}**")
            st.caption(t("models.why"))
            if pulling is not None and pulling.running:
                st.fragment(_watch, run_every=1.0)(bench)
            else:
                _offer(bench, names, pulling.error if pulling else "")
    if not choice.corpus:
        with st.container(border=True, key="no-corpus"):
            st.markdown(f"**{t('corpora.none')}**")
            st.caption(t("corpora.how"))
            st.code("python -m irag setup\npython -m irag corpus add NAME FILES", language=None)


def _next(bench: Workbench, names: tuple[str, ...]) -> PullView | None:
    """How far the download is; when one model has come, the next one is begun."""
    view = bench.pull_progress()
    came = view is not None and not view.running and not view.error and view.name not in names
    if names and came and st.session_state.get("models.getting"):
        bench.pull_model(names[0])
    return bench.pull_progress()


def _watch(bench: Workbench) -> None:
    view = bench.pull_progress()
    if view is None or not view.running:
        st.rerun()
    share = min(1.0, view.done / view.total) if view.total else 0.0
    size = f"{view.done / 1e6:,.0f} of {view.total / 1e6:,.0f} MB" if view.total else ""
    st.progress(share, literal(f"{t('models.getting', name=view.name)} {size}"))


def _offer(bench: Workbench, names: tuple[str, ...], error: str) -> None:
    if error:
        st.error(literal(t("models.failed", error=error)), icon=":material/error:")
    st.button(
        t("models.get"),
        type="primary",
        icon=":material/download:",
        key="models.get",
        on_click=_get,
        args=(bench, names),
    )


def _get(bench: Workbench, names: tuple[str, ...]) -> None:
    st.session_state["models.getting"] = True
    bench.pull_model(names[0])
