"""Annotators: a seat is taken by its owner alone."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from irag.errors import UnknownName, UserError
from irag.labels.seats import ALONE
from tests.labels.making import Clock, labels_at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def labels(tmp_path, clock):
    return labels_at(tmp_path, clock)


@pytest.fixture
def owner(labels):
    labels.seats.add(None, "Ada", "owner", "4711ada")
    return labels.seats.enter("Ada", "4711ada")


def test_alone_one_labels_at_once_until_the_first_account_is_there(labels):
    assert labels.seats.alone() == ALONE
    with pytest.raises(UserError):
        labels.seats.add(None, "Bo", "annotator", "1234")
    labels.seats.add(None, "Ada", "owner", "4711ada")
    assert labels.seats.alone() is None
    with pytest.raises(UserError):
        labels.seats.add(None, "Eve", "owner", "1234")


def test_a_pin_opens_its_own_seat_only(labels, owner):
    labels.seats.add(owner, "Bo", "annotator", "pin-of-bo")
    assert labels.seats.enter(" Bo ", "pin-of-bo").role == "annotator"
    for name, pin in (
        ("Bo", "4711ada"),
        ("Ada", "pin-of-bo"),
        ("Bo", ""),
        ("Nobody", "x"),
        ("", ""),
    ):
        with pytest.raises(UserError, match="do not go together"):
            labels.seats.enter(name, pin)


def test_wrong_pins_make_one_wait_longer_each_time_and_the_right_one_waits_too(
    labels, owner, clock
):
    for _ in range(5):
        with pytest.raises(UserError, match="together"):
            labels.seats.enter("Ada", "wrong")
    with pytest.raises(UserError, match="30 seconds"):
        labels.seats.enter("Ada", "4711ada")
    clock.at += 31
    with pytest.raises(UserError, match="together"):
        labels.seats.enter("Ada", "wrong")
    with pytest.raises(UserError, match="60 seconds"):
        labels.seats.enter("Ada", "4711ada")
    clock.at += 61
    assert labels.seats.enter("Ada", "4711ada") == owner


def test_a_personal_link_is_renewed_and_ends(labels, owner):
    bo = labels.seats.add(owner, "Bo", "annotator")
    with pytest.raises(UserError):
        labels.seats.enter("Bo", "")
    first = labels.seats.link(owner, bo.annotator_id)
    assert labels.seats.enter_link(first).name == "Bo"
    second = labels.seats.link(labels.seats.enter_link(first), bo.annotator_id)
    for token in (first, "", "x"):
        with pytest.raises(UserError, match="not valid"):
            labels.seats.enter_link(token)
    labels.seats.close(owner, bo.annotator_id)
    with pytest.raises(UserError):
        labels.seats.enter_link(second)


def test_only_the_owner_changes_what_is_others(labels, owner):
    bo = labels.seats.add(owner, "Bo", "adjudicator", "pin-of-bo")
    seat = labels.seats.enter("Bo", "pin-of-bo")
    for change in (
        lambda: labels.seats.set_pin(seat, owner.annotator_id, "stolen"),
        lambda: labels.seats.link(seat, owner.annotator_id),
        lambda: labels.seats.close(seat, bo.annotator_id),
        lambda: labels.seats.add(seat, "Cy", "owner", "1234"),
        lambda: labels.seats.close(owner, owner.annotator_id),
    ):
        with pytest.raises(UserError):
            change()
    labels.seats.set_pin(seat, bo.annotator_id, "new-pin")
    assert labels.seats.enter("Bo", "new-pin") == seat


@pytest.mark.parametrize(
    ("name", "pin"), [("", "1234"), ("x" * 81, "1234"), ("Bo", "12"), ("Bo", "1 34")]
)
def test_names_and_pins_have_a_form(labels, owner, name, pin):
    with pytest.raises(UserError):
        labels.seats.add(owner, name, "annotator", pin)
    with pytest.raises(UnknownName):
        labels.seats.add(owner, "Bo", "boss", "1234")


def test_no_secret_stands_in_the_database(labels, owner):
    token = labels.seats.link(owner, owner.annotator_id)
    with labels.database.engine.connect() as connection:
        rows = str(connection.execute(text("SELECT * FROM label_annotator")).all())
    assert "4711ada" not in rows and token not in rows and "Ada" in rows
