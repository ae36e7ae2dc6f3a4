"""Ask: one question, one method, hop by hop as it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.views.escape import literal
from irag.views.words import t
from pages.parts.asking import current_run, forget_run, question_box, take_over
from pages.parts.bench import begin, workbench
from pages.parts.choosing import choose
from pages.parts.graph import load_graphs
from pages.parts.missing import say_what_is_missing
from pages.parts.run_view import draw_run

if TYPE_CHECKING:
    from irag.workbench import Workbench


def main() -> None:
    """The page, or why it cannot be drawn: settings, database or corpus that cannot be read."""
    begin()
    try:
        _page(workbench())
    except IragError as error:
        st.error(literal(str(error)), icon=":material/error:")


def _page(bench: Workbench) -> None:
    run_id = current_run()
    run = bench.view(run_id) if run_id else None
    if run is not None:
        take_over(run)
    choice = choose(bench)
    say_what_is_missing(bench, choice)
    question_box(bench, choice, running=run is not None and run.running)
    if run is not None:
        draw_run(bench, run)
    elif run_id:
        st.warning(literal(t("run.unknown", run=run_id)), icon=":material/link_off:")
        st.button(t("run.back"), on_click=forget_run)
    else:
        st.caption(t("run.invite"))
    load_graphs()


main()
