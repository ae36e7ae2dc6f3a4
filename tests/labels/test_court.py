"""Settling disagreements, gold, and what stands where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irag.errors import UnknownName, UserError
from irag.labels.acts import Accepted, Duplicate, Mark
from irag.labels.court import Ruling, disagreements
from irag.labels.standing import gold_scores, people, questions
from tests.labels.making import ANA, BO, CY, Clock, label, label_all, labels_at, project

JUDGE = replace(CY, role="adjudicator", annotator_id="judge")


@pytest.fixture
def labels(tmp_path):
    return labels_at(tmp_path, Clock())


@pytest.fixture
def made(labels):
    made = project(labels, overlap=3)
    label_all(labels, ANA, made.id, lambda item: 3)
    label_all(labels, BO, made.id, lambda item: (3, 0, 1, 2)[item.place % 4])
    return made


def test_the_worst_disagreement_comes_first_and_small_ones_when_asked(labels, made):
    book = labels.book(made.id)
    found = disagreements(book)
    assert [one.spread for one in found] == sorted((one.spread for one in found), reverse=True)
    assert {one.item.place % 4 for one in found} == {1, 2}
    assert {one.item.place % 4 for one in disagreements(book, least=1)} == {1, 2, 3}


def test_a_flag_beside_a_grade_is_a_disagreement(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    labels.desk.submit(ANA, shown.ticket, label(0))
    labels.desk.submit(BO, labels.desk.open(BO, made.id, shown.item.id).ticket, Mark("f", "flag"))
    (one,) = disagreements(labels.book(made.id))
    assert one.spread == 3 and one.final.source == "unresolved"


def test_where_a_final_label_comes_from(labels, made):
    finals = {
        item.place: labels.book(made.id).finals[item.id] for item in labels.projects.items(made.id)
    }
    assert (finals[4].source, finals[4].grade) == ("unanimous", 3)
    assert (finals[1].source, finals[1].grade) == ("unresolved", None)
    label_all(labels, CY, made.id, [0])
    finals = {
        item.place: labels.book(made.id).finals[item.id] for item in labels.projects.items(made.id)
    }
    assert (finals[1].source, finals[1].grade) == ("majority", 0)
    assert finals[2].source == "unresolved" and finals[2].votes == 3


def test_a_ruling_settles_an_item_until_it_is_reopened(labels, made):
    (first, *rest) = disagreements(labels.book(made.id))
    ruling = Ruling("a1", "label", 1, "guideline_gap", 0.8, "see 5")
    assert isinstance(labels.court.adjudicate(JUDGE, made.id, first.item.id, ruling), Accepted)
    assert isinstance(labels.court.adjudicate(JUDGE, made.id, first.item.id, ruling), Duplicate)
    book = labels.book(made.id)
    final = book.finals[first.item.id]
    assert (final.grade, final.source, final.cause) == (1, "adjudicated", "guideline_gap")
    assert len(disagreements(book)) == len(rest)
    assert len(book.votes[first.item.id]) == 2  # no vote of the judge's
    labels.court.reopen(JUDGE, made.id, first.item.id, "a2")
    again = labels.book(made.id)
    assert again.finals[first.item.id] == first.final and len(disagreements(again)) == len(rest) + 1
    assert [event.kind for event in again.events[-2:]] == ["adjudicate", "adjudicate"]


def test_a_broken_item_is_ruled_out(labels, made):
    (first, *_) = disagreements(labels.book(made.id))
    labels.court.adjudicate(
        JUDGE, made.id, first.item.id, Ruling("a1", "flag", cause="extraction_error")
    )
    assert labels.book(made.id).finals[first.item.id].source == "flagged"
    assert ("flagged items", 1) in labels.export("qrels_triples", made.id).left_out


def test_who_may_rule_and_what_a_ruling_is(labels, made):
    (first, *_) = disagreements(labels.book(made.id))
    judge_ana = replace(ANA, role="adjudicator")
    for seat, ruling in (
        (ANA, Ruling("a", "label", 1)),
        (judge_ana, Ruling("a", "label", 1)),
        (JUDGE, Ruling("a", "label", 9)),
        (JUDGE, Ruling("a", "label")),
        (JUDGE, Ruling("a", "label", 1, "bad mood")),
        (JUDGE, Ruling("a", "label", 1, confidence=2.0)),
    ):
        with pytest.raises(UserError):
            labels.court.adjudicate(seat, made.id, first.item.id, ruling)
    labels.court.adjudicate(judge_ana, made.id, first.item.id, Ruling("a", "label", 1), own=True)
    with pytest.raises(UserError):
        labels.court.adjudicate(JUDGE, made.id, "nothing", Ruling("b", "label", 1))
    with pytest.raises(UnknownName):
        labels.court.adjudicate(JUDGE, made.id, first.item.id, Ruling("c", "skip"))


def test_gold_shows_who_is_right_lately(labels):
    made = project(labels, overlap=1)
    for item in labels.projects.items(made.id)[:4]:
        labels.projects.set_gold(JUDGE, made.id, item.id, 2)
    label_all(
        labels, ANA, made.id, lambda item: 2 if item.place < 3 else 3 if item.place == 3 else 0
    )
    (score,) = gold_scores(labels.book(made.id))
    assert (score.accuracy, score.cut_accuracy, len(score.answers)) == (0.5, 0.75, 4)
    (last,) = gold_scores(labels.book(made.id), window=1)
    assert len(last.answers) == 1


def test_progress_by_person_and_question(labels, made):
    first = labels.desk.next(CY, made.id)
    labels.books.clock.at += 5
    labels.desk.submit(CY, first.ticket, label(3, active_ms=200))
    book = labels.book(made.id)
    rows = {row.annotator_id: row for row in people(book)}
    assert (rows["cy"].labelled, rows["cy"].hurried, rows["ana"].hurried) == (1, 1, 0)
    (row,) = questions(book)
    assert (row.items, row.full) == (len(book.items), 1)
    assert sum(count for _, count in row.sources) == row.items
    assert labels.progress(CY, made.id).open == len(book.items) - 1
