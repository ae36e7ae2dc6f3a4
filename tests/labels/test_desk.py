"""Labelling: what is shown, what an answer does, and what it can never do."""

from __future__ import annotations

import pytest

from irag.errors import UserError
from irag.labels.acts import Accepted, Duplicate, Full, Mark, Rest, Serving, Stale
from tests.labels.making import ANA, BO, CY, Clock, label, label_all, labels_at, project


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def labels(tmp_path, clock):
    return labels_at(tmp_path, clock)


def test_a_run_becomes_items_that_are_labelled_to_the_end(labels):
    made = project(labels)
    items = labels.projects.items(made.id)
    assert len(items) > 5 and {item.hop for item in items} == {1, 2}
    second = [item for item in items if item.hop == 2]
    assert all(len(item.chain) == 1 for item in second)
    assert label_all(labels, ANA, made.id, [0, 2]) == len(items)
    assert labels.progress(ANA, made.id).labelled == len(items)
    assert labels.desk.next(ANA, made.id) == Rest(0)
    assert label_all(labels, BO, made.id, [3]) == len(items)
    assert label_all(labels, CY, made.id, [3]) == 0  # overlap 2


def test_another_person_sees_nothing_of_the_first_ones_label(labels):  # FR-202
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    labels.desk.submit(ANA, shown.ticket, label(3, note="sure"))
    again = labels.desk.open(BO, made.id, shown.item.id)
    assert again.item == shown.item and again.mine is None and again.note is None
    assert labels.desk.open(ANA, made.id, shown.item.id).mine.grade == 3


def test_a_second_answer_replaces_the_first_and_a_double_click_is_one(labels):  # FR-204
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    first = label(3)
    assert isinstance(labels.desk.submit(ANA, shown.ticket, first), Accepted)
    assert isinstance(labels.desk.submit(ANA, shown.ticket, first), Duplicate)
    assert isinstance(labels.desk.submit(ANA, shown.ticket, label(0)), Stale)
    again = labels.desk.open(ANA, made.id, shown.item.id)
    second = labels.desk.submit(ANA, again.ticket, label(0))
    assert second.event.supersedes == first.event_id
    assert labels.progress(ANA, made.id).labelled == 1
    assert [event.grade for event in labels.desk.history(ANA, made.id)] == [0, 3]


def test_an_answer_never_lands_on_another_item(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    turn = labels.desk.submit_and_next(ANA, shown.ticket, label(1))
    late = labels.desk.submit_and_next(ANA, shown.ticket, label(3))
    assert isinstance(late.outcome, Stale) and late.serving == turn.serving
    assert labels.desk.last(ANA, made.id).grade == 1
    other = labels.desk.submit(BO, turn.serving.ticket, label(3))
    assert isinstance(other, Stale)


def test_undo_shows_the_item_again_with_what_was_said(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    turn = labels.desk.submit_and_next(ANA, shown.ticket, label(3, note="hm"))
    last = labels.desk.last(ANA, made.id)
    undone = labels.desk.undo(ANA, made.id, last.id, "u1")
    assert (undone.item, undone.mine.grade, undone.note) == (shown.item, 3, "hm")
    assert labels.desk.undo(ANA, made.id, last.id, "u1") == undone
    assert isinstance(labels.desk.undo(ANA, made.id, last.id, "u2"), Stale)
    assert labels.desk.last(ANA, made.id) is None
    back = labels.desk.submit_and_next(ANA, undone.ticket, label(1))
    assert back.serving.item == turn.serving.item
    assert [e.kind for e in labels.desk.history(ANA, made.id)] == ["label", "undo", "label"]


def test_nobody_undoes_what_another_person_said(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    labels.desk.submit(ANA, shown.ticket, label(3, "e1"))
    assert isinstance(labels.desk.undo(BO, made.id, "e1", "u1"), Stale)
    assert labels.desk.last(ANA, made.id).id == "e1"


def test_skipped_items_come_back_at_the_end_and_count_for_nothing(labels):
    made = project(labels, overlap=1)
    shown = labels.desk.next(ANA, made.id)
    skip = Mark("s1", "skip", reason="cannot_judge")
    turn = labels.desk.submit_and_next(ANA, shown.ticket, skip)
    while turn.serving.item.id != shown.item.id:
        turn = labels.desk.submit_and_next(ANA, turn.serving.ticket, label(0))
    assert labels.progress(ANA, made.id).open == 0
    assert turn.serving.mine.state == "skip"
    assert isinstance(labels.desk.next(BO, made.id), Rest)
    labels.desk.release(ANA, turn.serving.ticket)
    assert labels.desk.next(BO, made.id).item == shown.item


def test_a_lease_holds_the_place_until_it_expires(labels, clock):
    made = project(labels, overlap=1)
    shown = labels.desk.next(ANA, made.id)
    assert isinstance(labels.desk.open(BO, made.id, shown.item.id), Full)
    clock.at += 500
    assert labels.desk.renew(ANA, shown.ticket)
    clock.at += 500
    assert isinstance(labels.desk.open(BO, made.id, shown.item.id), Full)
    clock.at += 200
    taken = labels.desk.open(BO, made.id, shown.item.id)
    assert isinstance(labels.desk.submit(ANA, shown.ticket, label(1)), Full)
    assert isinstance(labels.desk.submit(BO, taken.ticket, label(1)), Accepted)


def test_an_expired_lease_that_nobody_took_still_answers(labels, clock):
    made = project(labels, overlap=1)
    shown = labels.desk.next(ANA, made.id)
    clock.at += 10_000
    assert isinstance(labels.desk.submit(ANA, shown.ticket, label(1)), Accepted)


def test_one_question_and_hop_follow_each_other_in_an_own_order(labels):
    made = project(labels, [("r1", trace_of("q one")), ("r2", trace_of("q two"))])
    orders = {}
    for seat in (ANA, BO):
        turn, groups = labels.desk.next(seat, made.id), []
        order = orders[seat] = []
        while isinstance(turn, Serving):
            group = (turn.item.question_id, turn.item.hop)
            groups += [group] if groups[-1:] != [group] else []
            order.append(turn.item.id)
            turn = labels.desk.submit_and_next(seat, turn.ticket, label(0)).serving
        assert len(groups) == len(set(groups)) == 4
    assert sorted(orders[ANA]) == sorted(orders[BO]) and orders[ANA] != orders[BO]


def trace_of(name):
    from irag.types import Question
    from tests.fakes import QUESTION
    from tests.labels.making import trace

    return trace(Question(name, f"{QUESTION} {name}"))


def test_a_note_is_kept_before_the_label_and_goes_with_it(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    assert isinstance(labels.desk.note(ANA, shown.ticket, "half", "n1"), Accepted)
    assert isinstance(labels.desk.note(ANA, shown.ticket, "half", "n1"), Duplicate)
    assert labels.desk.next(ANA, made.id).note == "half"
    assert labels.desk.submit(ANA, shown.ticket, label(1)).event.note == "half"
    assert isinstance(labels.desk.note(ANA, shown.ticket, "late", "n2"), Stale)


@pytest.mark.parametrize(
    "mark",
    [
        Mark("e", "label", None),
        Mark("e", "label", 4),
        Mark("e", "label", "mabye"),
        Mark("e", "label", True),
        Mark("e", "skip", reason="tired"),
        Mark("e", "skip"),
        Mark("e", "flag", 2),
        Mark("e", "perhaps", 2),
        Mark("e", "label", 2, flags=("odd",)),
        Mark("", "label", 2),
    ],
)
def test_what_is_no_answer_is_refused(labels, mark):  # FR-199
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    with pytest.raises(UserError):
        labels.desk.submit(ANA, shown.ticket, mark)
    assert labels.desk.history(ANA, made.id) == ()


def test_gold_items_are_for_everybody(labels):
    made = project(labels, overlap=1)
    first = labels.projects.items(made.id)[0]
    labels.projects.set_gold(ANA, made.id, first.id, 3)
    label_all(labels, ANA, made.id, [0])
    assert label_all(labels, BO, made.id, [3]) == 1
    assert labels.desk.last(BO, made.id).gold == 3
