"""The models whose files irag knows: which are on this machine, getting one, deleting one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.models import CATALOGUE
from irag.views.escape import literal
from irag.views.words import t

if TYPE_CHECKING:
    from irag.models import Entry
    from irag.workbench import Workbench

__all__ = ["draw_weights"]


def draw_weights(bench: Workbench) -> None:
    """Each model of the catalogue with its size and what can be done about it."""
    st.markdown(f"**{t('weights')}**")
    said = st.session_state.pop("weights.said", None)
    if said is not None:
        text, failed = said
        (st.error if failed else st.success)(literal(text))
    pulling = bench.pull_progress()
    if pulling is not None and pulling.running:
        st.fragment(_watch, run_every=1.0)(bench)
    elif pulling is not None and pulling.error:
        st.error(literal(t("models.failed", error=pulling.error)), icon=":material/error:")
    held = bench.preferences.held()
    for entry in CATALOGUE.values():
        _row(bench, entry, held.get(entry.name, 0))


def _watch(bench: Workbench) -> None:
    view = bench.pull_progress()
    if view is None or not view.running:
        st.rerun()
    share = min(1.0, view.done / view.total) if view.total else 0.0
    st.progress(share, literal(t("models.getting", name=view.name)))


def _row(bench: Workbench, entry: Entry, held: int) -> None:
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", key=f"weights-{entry.name}"
    ):
        key, size = ("weights.here", held) if held else ("weights.size", entry.bytes)
        about = f"{entry.purpose} · {t(key, mb=round(size / 1e6))} · {entry.licence}"
        st.markdown(f"{literal(entry.name)}  \n:small[:gray[{literal(about)}]]", width="stretch")
        if not held:
            st.button(
                t("weights.get"),
                key=f"weights.get.{entry.name}",
                icon=":material/download:",
                on_click=bench.pull_model,
                args=(entry.name,),
            )
            return
        with st.popover(
            t("runs.delete"), icon=":material/delete:", key=f"weights.ask.{entry.name}"
        ):
            sure = t("weights.sure", name=entry.name, mb=round(held / 1e6))
            st.markdown(literal(sure))
            st.button(
                t("runs.delete"),
                type="primary",
                key=f"weights.delete.{entry.name}",
                on_click=_delete,
                args=(bench, entry.name),
            )


def _delete(bench: Workbench, name: str) -> None:
    try:
        freed = bench.preferences.remove_model(name)
    except IragError as error:
        st.session_state["weights.said"] = (str(error), True)
    else:
        said = t("weights.freed", name=name, mb=round(freed / 1e6))
        st.session_state["weights.said"] = (said, False)
