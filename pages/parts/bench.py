"""The process's one Workbench, and the style sheet that every page wants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st

if TYPE_CHECKING:
    from irag.workbench import Workbench

__all__ = ["style", "workbench"]

_STYLE = Path(__file__).parents[2] / "assets" / "style.css"


def workbench() -> Workbench:
    """The Workbench of this process; a session may bring its own, as tests do."""
    return cast("Workbench", st.session_state.get("workbench") or _open())


def style() -> None:
    """Put the style sheet on the page; it takes no room."""
    st.html(_STYLE)


@st.cache_resource(show_spinner=False)
def _open() -> Workbench:
    from irag.settings import load
    from irag.workbench import Workbench

    return Workbench(load())
