"""Ask: one question, one method, hop by hop as it happens."""

from __future__ import annotations

import streamlit as st

from irag.views.escape import literal
from irag.views.words import t
from pages.parts.asking import current_run, forget_run, question_box
from pages.parts.bench import begin, workbench
from pages.parts.choosing import choose
from pages.parts.graph import load_graphs
from pages.parts.missing import say_what_is_missing
from pages.parts.run_view import draw_run


def main() -> None:
    """The page from top to bottom."""
    begin()
    bench = workbench()
    run_id = current_run()
    run = bench.view(run_id) if run_id else None
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
