"""Projects: pooled from runs, frozen, and nothing about them is lost in silence."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from irag.errors import UnknownName, UserError
from irag.evaluation.folder import Folder, Plan, Row
from irag.labels.acts import Full, Serving
from irag.labels.exports import Incoming
from irag.labels.exports.base import event_of_vote
from irag.labels.pooling import Choice, candidates
from irag.labels.sources import experiment_runs, runs_of, saved_runs
from irag.labels.spans import parts_in
from irag.labels.taking_in import take_in
from irag.labels.values import SCALES, utc_text
from irag.store import RunStore
from irag.types import Question
from tests.fakes import QUESTION
from tests.labels.making import ANA, BO, CY, Clock, label, label_all, labels_at, project, trace


@pytest.fixture
def labels(tmp_path):
    return labels_at(tmp_path, Clock())


def test_the_same_candidate_of_two_methods_is_one_item_credited_to_both(labels):
    runs = [("r1", trace()), ("r2", trace(method="kirag:max_hops=1,reader=none"))]
    made = project(labels, runs)
    book = labels.book(made.id)
    by_item = {}
    for origin in book.origins:
        by_item.setdefault(origin.item_id, set()).add(origin.run_id)
    first_hop = [item.id for item in book.items if item.hop == 1]
    assert all(by_item[item] == {"r1", "r2"} for item in first_hop)
    assert len({item.key for item in book.items}) == len(book.items)


def test_adding_runs_again_credits_and_never_doubles(labels):
    made = project(labels)
    before = labels.book(made.id)
    again = labels.projects.add_runs(made.id, [("r1", trace()), ("r9", trace())])
    assert (again.items, again.known) == (0, len(before.items))
    after = labels.book(made.id)
    assert after.items == before.items and len(after.origins) == 2 * len(before.origins)


def test_the_same_triple_after_another_chain_is_another_item(labels):
    made = project(labels)
    items = labels.projects.items(made.id)
    texts = [item.candidate.text for item in items]
    both = {text for text in texts if texts.count(text) == 2}
    assert both and {item.hop for item in items if item.candidate.text in both} == {1, 2}


def test_the_cap_takes_the_best_ranks_of_every_hop(labels):
    made = project(labels, cap=4)
    found = labels.book(made.id)
    assert len(found.items) == 4 and sorted(o.rank for o in found.origins) == [1, 1, 2, 2]
    more = labels.projects.add_runs(made.id, [("r2", trace())])
    assert more.items == 0 and more.capped > 0


def test_runs_without_candidates_are_named(labels):
    naive = trace(method="naive_rag")
    made = project(labels)
    added = labels.projects.add_runs(made.id, [("r7", naive)])
    assert added.without == (("r7", "it ranked no triple"),)
    passages = labels.projects.add_runs(made.id, [("r7", naive)], Choice(kinds=("passage",)))
    assert passages.items == len(
        {o.item_id for o in labels.book(made.id).origins if o.run_id == "r7"}
    )
    assert passages.items > 5
    other = labels.projects.add_runs(made.id, [("r7", naive)], Choice(methods=("kirag",)))
    assert other.without[0][0] == "r7"


def test_hops_and_the_ids_of_a_question_set_are_chosen(labels):
    choice = Choice(hops=(2,), question_ids={QUESTION: "set-1"})
    seen = list(candidates(trace(), choice))
    assert {one.hop for one in seen} == {2} and {one.item.question_id for one in seen} == {"set-1"}


def test_a_question_has_one_id_however_it_was_asked(labels):
    made = project(labels, [("r1", trace())])
    named = trace(Question("set-1", QUESTION), "kirag:max_hops=3,reader=none")
    labels.projects.add_runs(made.id, [("r2", named)])
    assert len({item.question_id for item in labels.projects.items(made.id)}) == 1
    both = project(labels, [("r1", trace()), ("r2", named)], name="Both")
    assert {item.question_id for item in labels.projects.items(both.id)} == {"set-1"}


def test_runs_of_a_question_set_are_the_newest_and_missing_ones_are_named():
    cards = [("r3", "A?", "kirag"), ("r2", "A?", "kirag"), ("r1", "B?", "naive_rag")]
    questions = [Question("a", "A?"), Question("b", "B?")]
    assert runs_of(questions, ["kirag"], cards) == (("r3",), (("b", "kirag"),))


def test_an_experiment_fills_a_project(labels, tmp_path):
    plan = Plan("fake", (), ("kirag:max_hops=1,reader=none",), (), ("f", "0"), (), 0)
    folder = Folder.begin(tmp_path / "exp", plan)
    asked = trace(Question("set-1", QUESTION), plan.methods[0])
    with folder.writing():
        folder.save(Row(plan.methods[0], "set-1", None, asked.stopped, None, (), {}), asked)
    made = project(labels, list(experiment_runs(Folder(tmp_path / "exp"))))
    assert {origin.run_id for origin in labels.book(made.id).origins} == {
        f"exp|{plan.methods[0]}|set-1"
    }
    assert list(experiment_runs(folder, ["naive_rag"])) == []


def test_a_run_that_is_gone_is_said_before_anything_is_written(labels):
    made = project(labels)
    with pytest.raises(UserError, match="nope"):
        labels.projects.add_runs(made.id, saved_runs(RunStore(labels.database), ["nope"]))


def test_the_parts_of_a_candidate_are_found_in_its_sentence(labels):
    made = project(labels)
    marked = {
        item.candidate.text: (item, parts_in(item)) for item in labels.projects.items(made.id)
    }
    item, spans = marked["The Quiet Harbour is a painting by Ana Kor"]
    said = {span.part: item.passage.text[span.start : span.stop] for span in spans}
    assert said["head"] == "The Quiet Harbour" and said["tail"] == "Ana Kor"
    for item, spans in marked.values():
        start, stop = item.passage.span
        assert all(start <= a.start < a.stop <= stop for a in spans)
        assert all(a.stop <= b.start for a, b in zip(spans, spans[1:], strict=False))


def test_labels_outlive_their_run(labels):
    runs = RunStore(labels.database)
    runs.save("r1", trace(), "none")
    made = project(labels, [("r1", runs.load("r1"))], overlap=1)
    label_all(labels, ANA, made.id, [2])
    before = labels.book(made.id)
    runs.delete("r1")
    assert labels.book(made.id) == before and before.items[0].passage.text
    assert before.items[0].passage.sentence in before.items[0].passage.text


def test_guidelines_have_versions_and_labels_know_theirs(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    labels.desk.submit(ANA, shown.ticket, label(2))
    assert labels.projects.revise(made.id, {"en": "# Two"}) == 2
    assert labels.projects.guideline(made.id).text == "# Two"
    assert "评判" in labels.projects.guideline(made.id, "zh").text
    assert labels.projects.guideline(made.id, "de", 1).text.startswith("# Judging")
    from irag.labels.standing import people

    (row,) = people(labels.book(made.id))
    assert (row.labelled, row.stale) == (1, 1)


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_supplied_guidelines_have_three_examples_a_grade(tongue, labels):
    made = project(labels)
    text = labels.projects.guideline(made.id, tongue).text
    parts = text.split("### ")[1:]
    assert [part[0] for part in parts] == ["0", "1", "2", "3"]
    assert all(part.count("\n- ") == 3 for part in parts)


def test_a_scale_in_use_stays(labels):  # FR-206
    made = project(labels)
    labels.projects.rescale(made.id, SCALES["binary"])
    labels.projects.rescale(made.id, SCALES["grades"])
    for _ in range(10):
        shown = labels.desk.next(ANA, made.id)
        labels.desk.submit(ANA, shown.ticket, label(1))
    before = labels.book(made.id)
    with pytest.raises(UserError, match="10 judgements"):
        labels.projects.rescale(made.id, SCALES["binary"])
    assert labels.book(made.id) == before


def test_names_are_taken_once_and_a_project_goes_only_by_name(labels):
    made = project(labels)
    with pytest.raises(UserError, match="already"):
        project(labels)
    with pytest.raises(UserError, match="Harbours"):
        labels.projects.delete(made.id, "harbours")
    labels.projects.delete(made.id, "Harbours")
    with pytest.raises(UnknownName):
        labels.projects.get(made.id)
    assert labels.projects.list() == ()


@pytest.mark.parametrize(
    "values",
    [
        {"state": "label", "grade": "NULL"},
        {"state": "'mabye'", "grade": "2"},
        {"state": "'label'", "grade": "77"},
        {"annotator_id": "''"},
        {"item_id": "NULL"},
        {"kind": "'guess'"},
    ],
)
def test_the_database_itself_refuses_wrong_values(labels, values):  # FR-199
    told = {
        "id": "'e'", "project_id": "'p'", "item_id": "'i'", "annotator_id": "'a'", "kind": "'label'",
        "state": "'label'", "grade": "2", "origin": "'human'", "guideline": "1", "at": "0",
        "details": "'{}'",
    }  # fmt: skip
    insert = "INSERT INTO label_event ({}) VALUES ({})"
    with labels.database.engine.begin() as connection:
        connection.execute(text(insert.format(", ".join(told), ", ".join(told.values()))))
    told |= {"id": "'f'"} | values
    if values.get("state") == "label":
        told["state"] = "'label'"
    with pytest.raises(IntegrityError), labels.database.engine.begin() as connection:
        connection.execute(text(insert.format(", ".join(told), ", ".join(told.values()))))


def test_moments_are_utc_whatever_the_machine_says(labels, monkeypatch):  # FR-201
    import time

    made = project(labels)
    for zone in ("Pacific/Auckland", "UTC", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        shown = labels.desk.next(ANA, made.id)
        labels.desk.submit(ANA, shown.ticket, label(1))
        labels.books.clock.at += 60
    monkeypatch.delenv("TZ")
    time.tzset()
    times = [event.at for event in labels.book(made.id).events]
    assert times == sorted(times) and utc_text(times[0]) == "2027-01-15T08:00:00.000+00:00"


def test_forty_thousand_ids_are_asked_for_in_portions(labels):  # FR-197
    made = project(labels)
    items = labels.projects.items(made.id)
    ids = [f"i{number}" for number in range(40_000)] + [item.id for item in items]
    assert labels.projects.items(made.id, ids) == items
    vote = labels.desk.next(ANA, made.id)
    labels.desk.submit(ANA, vote.ticket, label(2, "e1"))
    from irag.labels.book import read_events

    assert [event.id for event in read_events(labels.books, made.id, ids)] == ["e1"]
    (said,) = labels.book(made.id).votes[vote.item.id]
    events = tuple(event_of_vote("x", f"k{n}", said) for n in range(40_000))
    assert len(take_in(labels.books, Incoming(events=events), made.id).refused) == 40_000


def test_what_the_table_of_answers_says_is_what_the_events_say(labels):
    made = project(labels)
    label_all(labels, ANA, made.id, [0, 3])
    labels.desk.undo(ANA, made.id, labels.desk.last(ANA, made.id).id, "u")
    label_all(labels, BO, made.id, [2])
    with labels.database.engine.connect() as connection:
        rows = connection.execute(
            text("SELECT item_id, annotator_id, state, grade FROM label_current")
        ).all()
    votes = [v for some in labels.book(made.id).votes.values() for v in some]
    assert sorted(map(tuple, rows)) == sorted(
        (v.item_id, v.annotator_id, v.state, v.grade) for v in votes
    )
    assert isinstance(labels.desk.open(CY, made.id, rows[0][0]), Serving | Full)
