"""Draws one hop: its query, documents, candidates, chosen triple, LLM calls and cost."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from irag.views import markup
from irag.views.calls import CallView, Writing
from irag.views.escape import clean, isolate, literal, shorten
from irag.views.hops import HopView
from irag.views.words import measure, t

__all__ = ["draw_hop"]


def draw_hop(view: HopView, opened: bool, running: bool = True) -> None:
    """A hop as one step of the timeline: open while it runs, one line when it is done.

    `running` False: one that is open all the same says what it brought, not what it is doing.
    """
    name = "reading" if view.reading else f"hop-{view.number}"
    # a new key makes it a new element: an old one would keep its state and never fold
    key = f"{name}-{'open' if opened else 'done'}"
    label = _label(view, opened and running)
    with (
        st.expander(label, opened, key=key, icon=_icon(view), type="step"),
        st.container(gap="xxsmall"),
    ):
        if view.query and not view.reading:
            st.html(markup.query(view.query))
        _lists(view)
        for line in view.said:
            st.caption(literal(line))
        for triple in view.grown:
            st.html(markup.triple(triple, view.number, chosen=True))
        for how in view.how:
            st.caption(literal(how))
        for number, call in enumerate(view.calls, 1):
            _call(call, number)
        for one in view.writing:
            _writing(one)
        for note in view.notes:
            st.caption(literal(t("cut", what=note)))
        for error in () if view.cancelled else view.errors:
            st.error(literal(error), icon=":material/error:")


def _icon(view: HopView) -> str:
    if view.errors:
        return ":material/stop_circle:" if view.cancelled else ":material/error:"
    if view.reading:
        return ":material/menu_book:"
    return f":material/counter_{view.number}:" if 1 <= view.number <= 9 else ":material/circle:"


def _label(view: HopView, opened: bool) -> str:
    """The hop's one line: what it brought; while it runs, what it is doing."""
    name = t("reading") if view.reading else t("hop", number=view.number)
    if not view.number and not view.reading:
        name = t("hop.before")
    if opened:
        doing = _doing(view.writing[0]) if view.writing else t("doing.start")
        return f"**{name}** :shimmer[{literal(doing)}…]"
    parts = [_outcome(view), _cost(view)]
    return " ".join([f"**{name}**", *filter(None, parts)])


def _outcome(view: HopView) -> str:
    if view.errors:
        return t("answer.cancelled" if view.cancelled else "answer.failed")
    if view.grown:
        one = view.grown[-1]
        head, relation, tail = (
            literal(isolate(shorten(part, 60))) for part in (one.head, one.relation, one.tail)
        )
        return f"{head} — {relation} → {tail}"
    if view.said and not view.reading:
        return literal(isolate(shorten(view.said[-1], 80)))
    return "" if view.reading or not view.candidates else t("hop.nothing")


def _cost(view: HopView) -> str:
    parts = [t("documents", n=len(view.documents))] if view.documents else []
    if view.usage.calls:
        parts.append(t("calls", n=view.usage.calls))
    parts.append(measure(view.seconds))
    return f":small[:gray[{literal(' · '.join(parts))}]]"


def _lists(view: HopView) -> None:
    if view.documents:
        with st.expander(t("documents.new", n=len(view.documents), new=view.new), type="compact"):
            st.html(markup.document_rows(view.documents))
    if view.triple_count is not None:
        label = t("triples", n=view.triple_count)
        label += f", {t('candidates', n=len(view.candidates))}"
        with st.expander(label, type="compact"):
            if view.candidates:
                st.html(markup.candidates(view.candidates, view.number))


def _call(call: CallView, number: int) -> None:
    spent = t("tokens", prompt=call.usage.prompt_tokens, written=call.usage.completion_tokens)
    parts = [t("calls.open"), measure(call.seconds), spent]
    if call.usage.cached:
        parts.append(t("cached", n=call.usage.cached))
    with (
        st.expander(literal(" · ".join(parts)), type="compact"),
        st.container(gap="xxsmall"),
    ):
        st.caption(literal(t("call", n=number, purpose=call.purpose)))
        st.caption(t("call.prompt"))
        for message in call.prompt:
            st.caption(message.role)
            st.code(
                clean(message.text), language=None, wrap_lines=True, height=_height(message.text)
            )
        if call.prefix:
            st.caption(t("call.prefix"))
            st.code(clean(call.prefix), language=None, wrap_lines=True)
        if call.thinking:
            st.caption(t("call.thinking"))
            st.code(clean(call.thinking), language=None, wrap_lines=True)
        st.caption(t("call.reply"))
        _reply(call)


def _reply(call: CallView) -> None:
    if call.reply is None:
        st.markdown(t("call.no_reply"))
    elif not call.reply.strip():
        st.markdown(t("call.empty"))
    else:
        st.code(clean(call.reply), language=None, wrap_lines=True)
    if call.finish == "length":
        st.caption(t("call.length"))


def _height(text: str) -> int | Literal["content"]:
    """Long prompts scroll in a box; short ones take the room they need."""
    return 320 if len(text) > 1200 or text.count("\n") > 14 else "content"


def _doing(one: Writing) -> str:
    return one.purpose or t(f"doing.{one.kind}")


def _writing(one: Writing) -> None:
    """Text as it is being written; its place is kept from the start, so nothing jumps."""
    if one.kind in ("Generate", "Choose"):
        st.code(clean(one.text) or "…", language=None, wrap_lines=True)
