"""Label: people judge candidates, one at a time, by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError, UnknownName
from irag.views.escape import isolate, literal
from irag.views.words import t
from pages.parts.bench import begin, workbench
from pages.parts.labelling_desk import draw_desk
from pages.parts.labelling_projects import close_project, draw_projects
from pages.parts.labelling_seat import draw_leave, seated
from pages.parts.saying import draw_said

if TYPE_CHECKING:
    from irag.labels.acts import Seat
    from irag.workbench import Workbench


def main() -> None:
    """The projects, or the desk of the one that the link names."""
    begin()
    bench = workbench()
    try:
        seat = seated(bench.labels)
        if seat is not None:
            draw_said()
            _page(bench, seat)
    except IragError as error:
        st.error(literal(str(error)), icon=":material/error:")


def _page(bench: Workbench, seat: Seat) -> None:
    name = st.query_params.get("project", "")
    if not name:
        draw_leave(seat, bench.labels)
        draw_projects(bench, seat)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="labelling-bar"):
        st.button(
            t("projects.all"),
            key="labelling.leave",
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=close_project,
        )
        try:
            project = bench.labels.projects.get(name)
        except UnknownName:
            st.warning(literal(t("projects.unknown", project=name)), icon=":material/link_off:")
            return
        st.caption(literal(isolate(project.name)))
        draw_leave(seat, bench.labels)
    draw_desk(bench.labels, seat, project, st.query_params.get("item", ""))


main()
