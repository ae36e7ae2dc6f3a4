"""The top bar: which corpus, method and LLM, with the method's settings built from its card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from irag.views.escape import literal
from irag.views.words import t

if TYPE_CHECKING:
    from irag.corpus import CorpusCard
    from irag.health import LLMCard
    from irag.methods import Method, Setting
    from irag.workbench import Workbench

__all__ = ["Absent", "Choice", "choose"]

_KEPT: Final = "session"
_MODEL = "model "  # how the health cards of models begin


@dataclass(frozen=True, slots=True)
class Absent:
    """What is not there: `models` by catalogue name, `others` by the name of their health card."""

    models: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What a question will be asked of; "" where there is nothing to choose."""

    corpus: str
    method: str
    llm: LLMCard | None
    absent: Absent


def choose(bench: Workbench) -> Choice:
    """Draw the bar and return what is chosen."""
    corpora, llms, methods = bench.corpora(), bench.llms(), bench.methods()
    with st.container(horizontal=True, vertical_alignment="bottom", key="bar"):
        corpus = _corpus(corpora)
        name = st.selectbox(
            t("method"),
            list(methods),
            index=_default(list(methods), "kirag"),
            format_func=lambda one: methods[one].card.title,
            key="ask.method",
            persist_state=_KEPT,
            width=200,
        )
        llm = _llm(llms)
        method = _settings(methods[name]) if name else ""
        absent = _absent(bench, llm)
        st.space("stretch")
        _health((*absent.models, *absent.others))
    return Choice(corpus, method, llm, absent)


def _absent(bench: Workbench, llm: LLMCard | None) -> Absent:
    spec = llm.spec if llm and not llm.ready else ""
    wanted = {bench.settings.embedder, bench.settings.spacy_model, spec.rpartition(":")[2]}
    names = [card.name for card in bench.health() if not card.ok]
    models = [name.removeprefix(_MODEL) for name in names if name.startswith(_MODEL)]
    return Absent(
        tuple(name for name in models if name in wanted),
        tuple(name for name in names if not name.startswith(_MODEL)),
    )


def _health(names: Sequence[str]) -> None:
    label = t("health.bad", n=len(names)) if names else t("health.ok")
    icon = ":material/warning:" if names else ":material/check_circle:"
    st.page_link("pages/about.py", label=label, icon=icon, help=literal(", ".join(names)) or None)


def _default(names: Sequence[str], wanted: str) -> int:
    return names.index(wanted) if wanted in names else 0


def _corpus(cards: Sequence[CorpusCard]) -> str:
    by_name = {card.name: card for card in cards}
    ready = [card.name for card in cards if card.ready]
    linked = st.query_params.pop("corpus", "")
    if linked in by_name:
        st.session_state["ask.corpus"] = linked
    return (
        st.selectbox(
            t("corpus"),
            list(by_name),
            index=list(by_name).index(ready[0]) if ready else 0,
            format_func=lambda name: _corpus_label(by_name[name]),
            key="ask.corpus",
            persist_state=_KEPT,
            placeholder="—",
            disabled=not cards,
            width=260,
        )
        or ""
    )


def _corpus_label(card: CorpusCard) -> str:
    size = t("documents", n=card.documents)
    return f"{card.name} · {size}" if card.ready else f"{card.name} · {t('unready')}"


def _llm(cards: Sequence[LLMCard]) -> LLMCard | None:
    by_spec = {card.spec: card for card in cards}
    spec = st.selectbox(
        t("llm"),
        list(by_spec),
        format_func=lambda one: _llm_label(by_spec[one]),
        key="ask.llm",
        persist_state=_KEPT,
        width=320,
    )
    return by_spec.get(spec or "")


def _llm_label(card: LLMCard) -> str:
    label = t("llm.none") if card.spec == "none" else card.label
    return label if card.ready else f"{label} · {t('unready')}"


def _settings(method: type[Method]) -> str:
    """Draw the settings of a method and return its METHOD string with those that were changed."""
    settings = method.described()
    name = method.card.name
    values = {one.name: _current(name, one) for one in settings}
    changed = [one for one in settings if values[one.name] != one.default]
    label = t("settings.count", n=len(changed)) if changed else t("settings")
    with st.popover(label, icon=":material/tune:", key="ask.settings"):
        st.caption(literal(method.card.summary))
        columns = st.columns(2)
        for place, one in enumerate(settings):
            with columns[place % 2]:
                values[one.name] = _widget(name, one)
        st.button(t("settings.reset"), on_click=_reset, args=(name, settings), disabled=not changed)
    changed = [one for one in settings if values[one.name] != one.default]
    said = ",".join(f"{one.name}={values[one.name]}" for one in changed)
    return f"{name}:{said}" if said else name


def _key(method: str, one: Setting) -> str:
    return f"{method}.{one.name}"


def _current(method: str, one: Setting) -> Any:
    return st.session_state.get(_key(method, one), one.default)


def _reset(method: str, settings: Sequence[Setting]) -> None:
    for one in settings:
        st.session_state[_key(method, one)] = one.default


def _widget(method: str, one: Setting) -> Any:
    key = _key(method, one)
    told = f"{one.help} {_origin(one)}"
    kept: dict[str, Any] = {"key": key, "help": literal(told), "persist_state": _KEPT}
    if key not in st.session_state:
        st.session_state[key] = one.default
    if one.choices:
        return st.selectbox(one.label, one.choices, **kept)
    if isinstance(one.default, bool):
        return st.toggle(one.label, **kept)
    if isinstance(one.default, int | float):
        kind = type(one.default)
        low = None if one.low is None else kind(one.low)
        high = None if one.high is None else kind(one.high)
        return st.number_input(one.label, low, high, **kept)
    return st.text_input(one.label, **kept)


def _origin(one: Setting) -> str:
    if one.source:
        return t("settings.source", default=str(one.default), source=one.source)
    return t("settings.default", default=str(one.default))
