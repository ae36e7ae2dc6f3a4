"""The process's one Workbench, and what every page begins with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

if TYPE_CHECKING:
    from irag.workbench import Workbench

__all__ = ["begin", "workbench"]

_STYLE = Path(__file__).parents[2] / "assets" / "style.css"


def workbench() -> Workbench:
    """The Workbench of this process; a session may bring its own, as tests do."""
    return cast("Workbench", st.session_state.get("workbench") or _open())


def begin() -> None:
    """What every page does first: see that app.py runs around it, and put on the style sheet.

    In a fresh process a link to a page makes Streamlit run that file alone, with the navigation of
    its older page folders, until app.py was run once; so app.py is started over.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
    st.html(_STYLE)


@st.cache_resource(show_spinner=False)
def _open() -> Workbench:
    from irag.settings import load
    from irag.workbench import Workbench

    return Workbench(load())
