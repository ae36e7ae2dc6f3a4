"""Runs: every saved run, found again, replayed step by step, shared or deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.views.escape import literal
from irag.views.words import t
from pages.parts.bench import begin, workbench
from pages.parts.graph import load_graphs
from pages.parts.replay import draw_replay
from pages.parts.run_list import close_run, draw_list, opened_run

if TYPE_CHECKING:
    from irag.workbench import Workbench


def main() -> None:
    """The list, or the run of the link."""
    begin()
    bench, run_id = workbench(), opened_run()
    try:
        if run_id:
            _run(bench, run_id)
        else:
            draw_list(bench)
    except IragError as error:
        st.error(literal(str(error)), icon=":material/error:")
        if run_id:
            st.button(t("runs.all"), on_click=close_run, icon=":material/arrow_back:")


def _run(bench: Workbench, run_id: str) -> None:
    run = bench.view(run_id)
    if run is None:
        st.warning(literal(t("run.unknown", run=run_id)), icon=":material/link_off:")
        st.button(t("runs.all"), on_click=close_run, icon=":material/arrow_back:")
        return
    draw_replay(bench, run)
    load_graphs()


main()
