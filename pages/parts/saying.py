"""What a press came to, said once on the page that is drawn after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from irag.errors import IragError
from irag.views.escape import literal

__all__ = ["attempt", "draw_said", "say"]

_KEY = "said"


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    error: bool


def say(text: str, error: bool = False) -> None:
    """Say this when the page is drawn next."""
    st.session_state[_KEY] = _Said(text, error)


def attempt(act: Callable[[], object]) -> bool:
    """Do what was pressed; why it cannot be done is said. Whether it was done."""
    try:
        act()
    except IragError as error:
        say(str(error), error=True)
        return False
    return True


def draw_said() -> None:
    """Say it, once."""
    said = st.session_state.pop(_KEY, None)
    if said is None:
        return
    if said.error:
        st.error(literal(said.text), icon=":material/error:")
    else:
        st.success(literal(said.text), icon=":material/check:")
