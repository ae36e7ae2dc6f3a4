"""The parts of the Review page: standing, agreement, disagreements with a ruling, files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from irag.labels import standing
from irag.labels.acts import CAUSES
from irag.labels.agreeing import Agreement, Confusion, agreement
from irag.labels.court import Disagreement, Ruling, disagreements
from irag.labels.desk import new_event_id
from irag.labels.exports import EXPORTS, Wanted
from irag.labels.files import file_name
from irag.labels.report import agreement_markdown, coefficient_line
from irag.views import markup
from irag.views.escape import clean, isolate, literal
from irag.views.words import t
from pages.parts.saying import attempt, say

if TYPE_CHECKING:
    from irag.labels import Labels
    from irag.labels.acts import Seat
    from irag.labels.book import Book

__all__ = ["draw_agreement", "draw_disputes", "draw_files", "draw_standing"]

_SHOWN = 20
"""Disagreements on the page at once, the worst first."""


def draw_standing(labels: Labels, seat: Seat, book: Book) -> None:
    """Who has done what, which questions are full, and how people do on gold items."""
    names = labels.seats.names()
    rows = [
        (
            names.get(one.annotator_id, one.annotator_id),
            *(f"{n:,}" for n in (one.labelled, one.flagged, one.skipped, one.hurried, one.stale)),
            "—" if one.seconds is None else f"{one.seconds:.1f}",
        )
        for one in standing.people(book)
    ]
    if not rows:
        st.caption(t("review.nobody"))
    else:
        heads = ("person", "labelled", "flagged", "skipped", "hurried", "stale", "seconds")
        st.html(markup.table([t(f"review.{head}") for head in heads], rows))
    st.html(
        markup.table(
            [t("column.question"), t("review.items"), t("review.full")],
            [
                (clean(one.question), f"{one.items:,}", f"{one.full:,}")
                for one in standing.questions(book)
            ],
        )
    )
    for gold in standing.gold_scores(book):
        right = gold.accuracy
        said = t("review.no_gold") if right is None else f"{right:.0%}"
        name = names.get(gold.annotator_id, gold.annotator_id)
        st.caption(literal(t("review.gold", name=name, share=said)))


def draw_agreement(labels: Labels, seat: Seat, book: Book) -> None:
    """The headline with its interval, every coefficient, and the confusions of pairs."""
    found = _agreement(book.project.id, book.version, book)
    st.markdown(f"**{literal(coefficient_line(found.headline))}**")
    st.markdown(agreement_markdown(book, found).split("\n", 2)[2])
    names = labels.seats.names()
    for confusion in found.confusions:
        with st.expander(literal(" / ".join(names.get(w, w) for w in confusion.who))):
            st.html(_confusion(confusion, found))


@st.cache_data(show_spinner=True, max_entries=32)
def _agreement(project: str, version: object, _book: Book) -> Agreement:
    return agreement(_book)


def _confusion(confusion: Confusion, found: Agreement) -> str:
    grades = [f"{grade.key} {grade.name}" for grade in found.scale.grades]
    rows = [
        (grade, *(f"{count:,}" for count in counts))
        for grade, counts in zip(grades, confusion.counts, strict=True)
    ]
    return markup.table(["", *grades], rows)


def draw_disputes(labels: Labels, seat: Seat, book: Book) -> None:
    """The worst disagreements first, each with a link to its item and a form to settle it."""
    found = disagreements(book)
    if not found:
        st.caption(t("review.agreed"))
    for one in found[:_SHOWN]:
        _dispute(labels, seat, book, one)
    if len(found) > _SHOWN:
        st.caption(t("review.more", n=len(found) - _SHOWN))


def _dispute(labels: Labels, seat: Seat, book: Book, one: Disagreement) -> None:
    scale, item = book.project.scale, one.item
    with st.container(border=True):
        st.caption(literal(isolate(item.question)))
        st.markdown(literal(isolate(item.candidate.text)))
        grades = ", ".join(scale.name_of(vote.grade) or vote.state for vote in one.votes)
        st.caption(literal(f"{grades} · {t(f'review.source.{one.final.source}')}"))
        with (
            st.form(f"rule-{item.id}", border=False),
            st.container(horizontal=True, vertical_alignment="bottom"),
        ):
            st.selectbox(
                t("review.grade"),
                list(scale.keys),
                format_func=lambda key: f"{key} {scale.name_of(key)}",
                key=f"grade-{item.id}",
            )
            st.selectbox(
                t("review.cause"),
                CAUSES,
                format_func=lambda cause: t(f"cause.{cause}"),
                key=f"cause-{item.id}",
            )
            st.form_submit_button(
                t("review.settle"),
                key=f"settle-{item.id}",
                on_click=_settle,
                args=(labels, seat, book.project.id, item.id),
            )


def _settle(labels: Labels, seat: Seat, project: str, item: str) -> None:
    ruling = Ruling(
        new_event_id(),
        "label",
        int(st.session_state[f"grade-{item}"]),
        str(st.session_state[f"cause-{item}"]),
    )
    if attempt(lambda: labels.court.adjudicate(seat, project, item, ruling)):
        say(t("review.settled"))


def draw_files(labels: Labels, seat: Seat, book: Book) -> None:
    """Every export with what goes in and what is left out."""
    gold = st.toggle(t("review.with_gold"), key="review.gold")
    for name, form in EXPORTS.items():
        made = labels.export(name, book.project.id, Wanted(gold=gold, bom=name.startswith("csv")))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.download_button(
                form.title,
                data=partial(_bytes, made.text),
                file_name=file_name(f"{book.project.name}-{name}", form.suffix),
                icon=":material/download:",
                on_click="ignore",
                key=f"export-{name}",
            )
            if made.sidecar:
                st.download_button(
                    t("review.sidecar"),
                    data=partial(_bytes, made.sidecar),
                    file_name=file_name(f"{book.project.name}-{name}", ".json"),
                    on_click="ignore",
                    key=f"sidecar-{name}",
                )
            st.caption(literal(made.summary))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
