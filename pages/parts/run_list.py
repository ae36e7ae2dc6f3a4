"""The list of saved runs: filters, a page of them as a table, opening, saving and deleting."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from typing import TYPE_CHECKING, Any, get_args

import streamlit as st

from irag.errors import IragError
from irag.types import StopReason
from irag.views.csv_text import csv_text
from irag.views.escape import clean, literal
from irag.views.words import t

if TYPE_CHECKING:
    from irag.store import RunCard
    from irag.workbench import Workbench

__all__ = ["close_run", "delete_button", "draw_list", "opened_run"]

_PAGE = 25
"""Runs on a page."""

_ROW = 35
"""Height of a row of Streamlit's tables, in pixels."""

_EVERY = 1_000_000
"""More runs than a database will hold: all of them."""


@dataclass(frozen=True, slots=True)
class _Filters:
    """What the list is narrowed to; "" asks nothing."""

    corpus: str = ""
    method: str = ""
    stopped: str = ""
    text: str = ""


def opened_run() -> str:
    """The id of the run that the link names, "" for none."""
    return st.query_params.get("run", "")


def close_run() -> None:
    """Back to the list."""
    st.query_params.pop("run", None)


def draw_list(bench: Workbench) -> None:
    """The filters, one page of runs, and what can be done with them."""
    if not bench.runs.count():
        st.caption(t("runs.none"))
        st.page_link("pages/ask.py", label=t("runs.ask"), icon=":material/forum:")
        return
    filters = _filters(bench)
    total = bench.runs.count(**asdict(filters))
    if not total:
        st.caption(t("runs.nothing"))
        st.button(t("runs.clear"), on_click=_clear)
        return
    first = _PAGE * (_page(filters, total) - 1)
    cards = bench.runs.cards(_PAGE, **asdict(filters), offset=first)
    _actions(bench, cards, _selected(cards))
    _table(cards)
    with st.container(horizontal=True, vertical_alignment="center"):
        shown = t("runs.shown", first=first + 1, last=first + len(cards), n=total)
        st.caption(shown, width="stretch")
        st.download_button(
            t("runs.csv"),
            data=lambda: _csv(bench, filters),
            file_name="runs.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
            key="runs.csv",
        )
    if total > _PAGE:
        st.pagination(-(-total // _PAGE), key=_page_key(filters))


def delete_button(bench: Workbench, run_ids: Sequence[str], key: str) -> None:
    """Delete, asked once more before anything is gone."""
    label = t("runs.delete.some", n=len(run_ids)) if len(run_ids) > 1 else t("runs.delete")
    with st.popover(label, icon=":material/delete:", key=f"{key}.ask"):
        st.markdown(t("runs.delete.sure", n=len(run_ids)))
        st.button(
            t("runs.delete"), type="primary", key=key, on_click=_delete, args=(bench, run_ids)
        )


def _filters(bench: Workbench) -> _Filters:
    with st.container(horizontal=True, vertical_alignment="bottom", key="runs-filters"):
        text = st.text_input(
            t("runs.search"),
            key="runs.text",
            icon=":material/search:",
            persist_state="session",
            width=320,
        )
        corpus = _choice("corpus", bench.runs.corpora(), {})
        titles = {name: method.card.title for name, method in bench.methods().items()}
        method = _choice("method", list(titles), titles)
        ends = {reason: t(f"ended.{reason}").capitalize() for reason in get_args(StopReason)}
        stopped = _choice("state", list(ends), ends)
    return _Filters(corpus, method, stopped, text or "")


def _choice(what: str, names: Sequence[str], titles: dict[str, str]) -> str:
    label = t("runs.state") if what == "state" else t(what)
    chosen = st.selectbox(
        label,
        ["", *names],
        format_func=lambda name: clean(titles.get(name, name)) if name else t(f"runs.any.{what}"),
        key=f"runs.{what}",
        persist_state="session",
        width=190,
    )
    return chosen or ""


def _clear() -> None:
    for name in ("text", "corpus", "method", "state"):
        st.session_state[f"runs.{name}"] = ""


def _page_key(filters: _Filters) -> str:
    """Another list has its own pages, and so begins at the first."""
    return f"runs.page.{_digest(astuple(filters))}"


def _page(filters: _Filters, total: int) -> int:
    """The page to show, which may be fewer than before once runs were deleted."""
    key, pages = _page_key(filters), -(-total // _PAGE)
    if st.session_state.get(key, 1) > pages:
        st.session_state[key] = pages
    return int(st.session_state.get(key, 1))


def _digest(parts: Sequence[str]) -> str:
    return hashlib.blake2b(repr(tuple(parts)).encode("utf-8", "replace"), digest_size=6).hexdigest()


def _table_key(cards: Sequence[RunCard]) -> str:
    """Ticks belong to the runs that were shown: when those change, nothing is ticked."""
    return f"runs.table.{_digest([card.run_id for card in cards])}"


def _selected(cards: Sequence[RunCard]) -> list[RunCard]:
    state: Any = st.session_state.get(_table_key(cards)) or {}
    rows = state.get("selection", {}).get("rows", ())
    return [cards[row] for row in rows if row < len(cards)]


def _actions(bench: Workbench, cards: Sequence[RunCard], chosen: Sequence[RunCard]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", height=44, border=False):
        if not chosen:
            st.caption(t("runs.select"))
            return
        if len(chosen) == 1:
            st.button(
                t("runs.open"),
                key="runs.open.one",
                icon=":material/open_in_full:",
                on_click=_open,
                args=(chosen[0].run_id,),
            )
        delete_button(bench, [card.run_id for card in chosen], "runs.delete")


def _open(run_id: str) -> None:
    st.query_params["run"] = run_id


def _open_row(run_ids: Sequence[str]) -> None:
    _open(run_ids[st.session_state["runs.opened"]["row"]])


def _delete(bench: Workbench, run_ids: Sequence[str]) -> None:
    try:
        bench.delete_runs(run_ids)
    except IragError as error:  # another tab may have been quicker; the others are gone
        st.toast(literal(str(error)), icon=":material/error:")
    else:
        st.toast(t("runs.deleted", n=len(run_ids)))
    close_run()


def _table(cards: Sequence[RunCard]) -> None:
    columns: dict[str, list[Any]] = {
        "open": [t("runs.open")] * len(cards),
        "question": [clean(card.question) for card in cards],
        "answer": [clean(card.answer) if card.answer is not None else None for card in cards],
        "ended": [t(f"ended.{card.stopped}") for card in cards],
        "method": [clean(card.method) for card in cards],
        "corpus": [clean(card.corpus) for card in cards],
        "llm": [clean(card.llm) for card in cards],
        "hops": [card.hops for card in cards],
        "called": [card.llm_calls for card in cards],
        "seconds": [card.seconds for card in cards],
        "when": [card.started_at[:16].replace("T", " ") for card in cards],
    }
    # its own download would let a text begin like a formula; ours does not
    st.container(key="runs-table").dataframe(
        columns,
        key=_table_key(cards),
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        height=_ROW * (len(cards) + 1) + 3,
        placeholder="—",
        alt=t("runs.table"),
        column_config=_configured([card.run_id for card in cards]),
    )


def _configured(run_ids: Sequence[str]) -> dict[str, Any]:
    column = st.column_config
    texts = {"question": 318, "answer": 125, "ended": 94, "method": 105, "corpus": 82, "llm": 122}
    numbers = {"hops": ("%d", 58), "called": ("%d", 62), "seconds": ("%.1f", 78)}
    return {
        "open": column.ButtonColumn(
            "", width=64, type="tertiary", key="runs.opened", on_click=_open_row, args=(run_ids,)
        ),
        **{name: column.TextColumn(t(f"column.{name}"), width=px) for name, px in texts.items()},
        **{
            name: column.NumberColumn(t(f"column.{name}"), format=form, width=px)
            for name, (form, px) in numbers.items()
        },
        "when": column.TextColumn(t("column.when"), width=132),
    }


def _csv(bench: Workbench, filters: _Filters) -> bytes:
    cards = bench.runs.cards(_EVERY, **asdict(filters))
    heads = list(type(cards[0]).__dataclass_fields__) if cards else []
    return csv_text(heads, map(astuple, cards)).encode("utf-8-sig", "replace")
