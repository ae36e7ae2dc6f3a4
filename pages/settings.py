"""Settings: each value, what it means, where it came from; those of the file can be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.views.escape import literal
from irag.views.words import t
from pages.parts.bench import begin, workbench

if TYPE_CHECKING:
    from irag.preferences import Preferences
    from irag.settings import Origin

_FILE = "settings.toml"


def main() -> None:
    """The settings in their order, or why they cannot be read."""
    begin()
    try:
        bench = workbench()
        st.caption(literal(t("settings.file", path=str(bench.settings.home / _FILE))))
        refused = st.session_state.pop("settings.refused", ("", ""))
        for one in bench.preferences.origins():
            _row(bench.preferences, one)
            if refused[0] == one.name:
                st.error(literal(refused[1]), icon=":material/error:")
    except IragError as error:
        st.error(literal(str(error)), icon=":material/error:")


def _row(preferences: Preferences, one: Origin) -> None:
    told = literal(_told(preferences, one))
    said = f"**{literal(one.name)}**  \n{literal(one.meaning)}  \n:small[:gray[{told}]]"
    if not one.changeable:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(said, width=420)
            st.markdown(literal(one.value), width=430)
        return
    with (
        st.form(f"settings.{one.name}.form", border=False),
        st.container(horizontal=True, vertical_alignment="center", key=f"setting-{one.name}"),
    ):
        st.markdown(said, width=420)
        _box(preferences, one)


def _box(preferences: Preferences, one: Origin) -> None:
    """The value, to be changed; Enter saves it too."""
    key = f"settings.{one.name}"
    st.session_state.setdefault(key, one.value)
    st.text_input(one.name, key=key, label_visibility="collapsed", placeholder="—", width=430)
    args = (preferences, one.name)
    st.form_submit_button(t("settings.save"), key=f"{key}.save", on_click=_save, args=args)
    if one.source == _FILE:
        st.form_submit_button(
            t("settings.unset"), key=f"{key}.unset", type="tertiary", on_click=_unset, args=args
        )


def _told(preferences: Preferences, one: Origin) -> str:
    """Where a value came from, and from when on a change of it holds."""
    default = one.source == "default"
    parts = [t("settings.from.default") if default else t("settings.from", source=one.source)]
    now = preferences.in_force(one.name)
    if not one.changeable:
        parts.append(t("settings.fixed"))
    elif now != one.value:
        parts.append(t("settings.waits", value=now or "—"))
    else:
        parts.append(t("settings.restart" if one.restart else "settings.now"))
    if one.changeable and one.source not in ("default", _FILE):
        parts.append(t("settings.hidden", source=one.source))
    return " · ".join(parts)


def _save(preferences: Preferences, name: str) -> None:
    text = str(st.session_state.get(f"settings.{name}") or "")
    if _changed(preferences, name, text):
        st.toast(t("settings.saved", name=name), icon=":material/check:")


def _unset(preferences: Preferences, name: str) -> None:
    if _changed(preferences, name, None):
        st.toast(t("settings.gone", name=name), icon=":material/check:")


def _changed(preferences: Preferences, name: str, text: str | None) -> bool:
    """Whether the change was taken; the box then shows what holds, also after a refusal."""
    try:
        preferences.change(name, text)
    except IragError as error:
        st.session_state["settings.refused"] = (name, str(error))
        st.session_state.pop(f"settings.{name}", None)
        return False
    st.session_state.pop(f"settings.{name}", None)
    return True


main()
