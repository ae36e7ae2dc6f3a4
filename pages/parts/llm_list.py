"""The LLMs that can be chosen: each can be tried with a few questions; others can be added."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from irag.errors import IragError
from irag.llms import local_spec, server_spec
from irag.views import markup
from irag.views.escape import clean, literal, shorten
from irag.views.words import measure, t

if TYPE_CHECKING:
    from irag.health import LLMCard
    from irag.probing import Ability, Trial
    from irag.workbench import Workbench

__all__ = ["draw_llms"]

_TRIALS = "about.trials"
_ASKED = "about.asked"
_FIELDS = {
    "server": {
        "address": "http://127.0.0.1:8000/v1",
        "model": "qwen2.5-7b-instruct",
        "key": "MY_KEY",
    },
    "file": {"path": "/models/tiny.gguf"},
}
"""What is asked for to add an LLM of each kind, with an example."""

_HELPED = ("key", "path")
_SPECS: dict[str, Callable[..., str]] = {"server": server_spec, "file": local_spec}


def draw_llms(bench: Workbench) -> None:
    """Each LLM with its state, what trying it showed, and how to add one."""
    added = bench.preferences.added()
    st.caption(t("llms.why"))
    for place, card in enumerate(bench.llms()):
        _row(bench, card, place, card.spec in added)
    _add(bench)


def _row(bench: Workbench, card: LLMCard, place: int, added: bool) -> None:
    with st.container(border=True, gap="xsmall", key=f"llm-{place}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            label = t("llm.none") if card.spec == "none" else card.label
            st.html(markup.check(label, card.ready), width="stretch")
            if card.spec != "none":
                st.button(
                    t("llms.try"),
                    key=f"llm.try.{place}",
                    icon=":material/speed:",
                    disabled=not card.ready,
                    on_click=_ask,
                    args=(card.spec,),
                )
            if added:
                st.button(
                    t("llms.forget"),
                    key=f"llm.forget.{place}",
                    icon=":material/playlist_remove:",
                    help=t("llms.forget.help"),
                    on_click=_forget,
                    args=(bench, card.spec),
                )
        if card.note:
            st.caption(literal(card.note))
        trials = _trials()
        if st.session_state.get(_ASKED) == card.spec:
            st.session_state[_ASKED] = ""
            with st.spinner(t("llms.trying")):
                trials[card.spec] = bench.preferences.try_llm(card.spec)
        if card.spec in trials:
            _trial(trials[card.spec])


def _trials() -> dict[str, Trial]:
    """What this session has tried, by SPEC."""
    found: dict[str, Trial] = st.session_state.setdefault(_TRIALS, {})
    return found


def _ask(spec: str) -> None:
    """Try it where its row is drawn, so that what is waited for stands beside the button."""
    st.session_state[_ASKED] = spec


def _forget(bench: Workbench, spec: str) -> None:
    try:
        bench.preferences.forget(spec)
    except IragError as error:
        st.toast(literal(str(error)), icon=":material/error:")


def _trial(trial: Trial) -> None:
    if trial.error:
        st.error(literal(trial.error), icon=":material/error:")
        return
    speed = t("llms.speed", speed=f"{trial.speed:.1f}") if trial.speed else t("llms.speed.none")
    spent = t("tokens", prompt=trial.read, written=trial.written)
    said = [t("llms.first", seconds=measure(trial.first)), speed, spent]
    st.markdown(f":small[{literal(' · '.join(said))}]")
    heads = [t("ability"), t("ability.shown")]
    st.html(markup.table(heads, map(_ability, trial.abilities)))
    st.caption(literal(t("llms.said", text=shorten(trial.reply, 160), window=trial.window)))


def _ability(one: Ability) -> tuple[str, str]:
    state = {None: "unclaimed", True: "works", False: "fails"}[one.shown]
    said = t(f"ability.{state}")
    return t(f"ability.{one.name}"), f"{said}: {one.note}" if one.note else said


def _add(bench: Workbench) -> None:
    st.markdown(f"**{t('llms.add')}**")
    kinds = {name: t(f"llms.add.{name}") for name in ("server", "file")}
    kind = st.segmented_control(
        t("llms.add"),
        list(kinds),
        default="server",
        required=True,
        format_func=kinds.__getitem__,
        key="about.add.kind",
        label_visibility="collapsed",
    )
    with st.form("about.add", border=False):
        for name, example in _FIELDS[kind].items():
            st.text_input(
                t(f"llms.{name}"),
                key=f"about.add.{name}",
                placeholder=example,
                help=t(f"llms.{name}.help") if name in _HELPED else None,
                autocomplete="off",
            )
        st.form_submit_button(
            t("llms.add.do"),
            key="about.add.do",
            icon=":material/add:",
            on_click=_submit,
            args=(bench, kind),
        )
    refused = st.session_state.pop("about.refused", "")
    if refused:
        st.error(literal(refused), icon=":material/error:")


def _submit(bench: Workbench, kind: str) -> None:
    typed = {name: str(st.session_state.get(f"about.add.{name}") or "") for name in _FIELDS[kind]}
    try:
        kept = bench.preferences.add(_SPECS[kind](*typed.values()))
    except IragError as error:
        st.session_state["about.refused"] = str(error)
        if "key" in typed:
            st.session_state["about.add.key"] = ""  # whatever stood there, it is not kept
    else:
        st.toast(literal(t("llms.added", spec=clean(kept))), icon=":material/check:")
        for name in typed:
            st.session_state[f"about.add.{name}"] = ""
