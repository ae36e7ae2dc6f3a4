"""Files of labels: what is wrong in one is said, and none is left half written."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest

from irag.errors import IragError, UnknownName, UserError
from irag.labels.exports import EXPORTS, Wanted
from irag.labels.files import file_name, save_export
from tests.labels.making import ANA, Clock, label_all, labels_at, project

READABLE = [name for name, one in EXPORTS.items() if one.read and name != "qrels_triples"]
HUMAN = Wanted(gold=True)


@pytest.fixture
def labels(tmp_path):
    return labels_at(tmp_path / "first", Clock())


@pytest.fixture
def empty(tmp_path):
    return labels_at(tmp_path / "second", Clock())


def exported(labels, name, project_id):
    return labels.export(name, project_id, HUMAN).text


@pytest.mark.parametrize("change", [{"grade": "mabye"}, {"grade": "7"}, {"annotator": " "},
                                    {"at": "2026-01-01T00:00:00"}, {"question_id": ""}])  # fmt: skip
def test_wrong_values_of_a_file_are_refused_with_their_place(labels, empty, change):  # FR-199
    from irag.views.csv_text import csv_text, read_csv

    made = project(labels)
    label_all(labels, ANA, made.id, [2])
    heads, rows = read_csv(exported(labels, "csv_long", made.id))
    rows[1] = tuple(change.get(head, cell) for head, cell in zip(heads, rows[1], strict=True))
    taken = empty.take_in("csv_long", csv_text(heads, rows))
    assert taken.events == len(rows) - 1 and len(taken.refused) == 1
    assert taken.refused[0].reason


JUNK = (5, -1, 1.5, True, None, "", "x", [1], {"a": 1}, 10**30)


def test_whatever_stands_in_a_field_nothing_breaks_and_the_sound_rows_go_in(
    labels, empty, tmp_path
):  # FR-199
    made = project(labels, overlap=1)
    label_all(labels, ANA, made.id, [2])
    rows = [json.loads(line) for line in exported(labels, "events", made.id).splitlines()]
    odd = []
    for kind in ("item", "event"):
        row = next(row for row in rows if row["row"] == kind)
        for name, junk in itertools.product(row, JUNK):
            own = {"id": f"odd{len(odd)}"} if kind == "event" else {}
            odd.append(row | own | {name: junk})
    text = "\n".join(json.dumps(row) for row in [*rows, *odd])
    taken = empty.take_in("events", text)
    assert taken.events >= len(labels.book(made.id).events) and len(taken.refused) > 200
    for name in EXPORTS:
        assert empty.export(name, taken.project_id).text
    again = labels_at(tmp_path / "third", Clock())
    assert again.take_in("events", exported(empty, "events", taken.project_id)).refused == ()


def test_a_file_that_is_none_is_refused_and_nothing_changes(labels):
    made = project(labels)
    for name in READABLE:
        with pytest.raises(UserError):
            labels.take_in(name, "[{\x00", "")
        assert labels.take_in(name, "{]", made.id).refused
    assert labels.book(made.id).events == ()
    with pytest.raises(UserError):
        labels.take_in("csv_wide", "", made.id)
    with pytest.raises(UnknownName):
        labels.export("pdf", made.id)


def test_another_scale_is_refused(labels, empty):
    made = project(labels)
    binary = project(empty, name="Two", scale="binary")
    with pytest.raises(UserError):
        empty.take_in("csv_long", exported(labels, "csv_long", made.id), binary.id)


def test_names_of_any_title_are_short_and_apart():  # FR-217
    long = "What is " + "very " * 80 + "long?"
    titles = [long, long + "!", "静" * 120, "静" * 121, "a/b:c?*", "a-b-c", "", ".", "..", "con"]
    names = [file_name(title, ".csv") for title in titles]
    assert len(set(names)) == len(titles)
    assert all(len(name.encode()) <= 140 and "/" not in name for name in names)
    assert all(name.removesuffix(".csv").strip(".") for name in names)


def test_an_item_that_cannot_be_exported_is_named_and_no_file_is_left(labels, tmp_path):  # FR-218
    made = project(labels, overlap=1)
    label_all(labels, ANA, made.id, [2])
    book = labels.book(made.id)
    bad = replace(book.items[1], passage=None, hop={1})
    broken = replace(book, items=(book.items[0], bad, *book.items[2:]))
    for name in ("events", "csv_long", "label_studio", "argilla", "resolved", "qrels_documents"):
        with pytest.raises(IragError, match=bad.id):
            EXPORTS[name].write(broken, HUMAN)


def test_a_full_disk_leaves_the_old_file(labels, tmp_path, monkeypatch):  # FR-218
    made = project(labels, overlap=1)
    label_all(labels, ANA, made.id, [2])
    path = tmp_path / "out.qrels"
    assert save_export(labels.export("qrels_triples", made.id), path) == (
        path,
        tmp_path / "out.qrels.json",
    )
    before = path.read_text("utf-8")

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UserError, match="No space"):
        save_export(labels.export("qrels_documents", made.id), path)
    assert path.read_text("utf-8") == before
    assert sorted(p.name for p in tmp_path.glob("out*")) == ["out.qrels", "out.qrels.json"]
