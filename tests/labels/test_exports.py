"""Exports and imports: what goes out comes in again, and what does not is said."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from irag.labels.acts import Accepted, Mark, Vote
from irag.labels.court import Ruling
from irag.labels.exports import EXPORTS, Wanted
from irag.labels.exports.base import event_of_vote
from irag.labels.pooling import item_key
from irag.labels.values import Candidate, Item, Link, Passage
from tests.labels.making import ANA, BO, CY, Clock, label, label_all, labels_at, project

READABLE = [name for name, one in EXPORTS.items() if one.read and name != "qrels_triples"]
HUMAN = Wanted(gold=True)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def labels(tmp_path, clock):
    return labels_at(tmp_path / "first", clock)


@pytest.fixture
def empty(tmp_path):
    return labels_at(tmp_path / "second", Clock(1_900_000_000.125))


NOTE = 'line1\nline2, "quoted"; é = 1'


def busy(labels, clock):
    """A project with everything in it: notes, skips, flags, undo, gold, a ruling, a model's label."""
    made = project(labels, overlap=2)
    items = labels.projects.items(made.id)
    labels.projects.set_gold(CY, made.id, items[-1].id, 3)
    for seat, grades in ((ANA, [3, 0, 2]), (BO, [0, 3])):
        first = labels.desk.next(seat, made.id)
        labels.desk.submit(seat, first.ticket, label(1, note=NOTE, active_ms=900))
        clock.at += 1.234
        undone = labels.desk.undo(
            seat, made.id, labels.desk.last(seat, made.id).id, f"u{seat.name}"
        )
        labels.desk.submit(seat, undone.ticket, label(2, note="", flags=("malformed",)))
        shown = labels.desk.next(seat, made.id)
        labels.desk.submit(seat, shown.ticket, Mark(f"s{seat.name}", "skip", reason="broken"))
        shown = labels.desk.next(seat, made.id)
        labels.desk.submit(seat, shown.ticket, Mark(f"f{seat.name}", "flag", note="= odd"))
        label_all(labels, seat, made.id, grades)
    labels.projects.revise(made.id, {"en": "# New\nGrade well."})
    suggest(labels, made, items[0], 3)
    ruling = Ruling("a1", "label", 2, cause="subjective", confidence=0.5)
    owner = replace(CY, role="owner")
    labels.court.adjudicate(owner, made.id, items[1].id, ruling)
    return made


def suggest(labels, made, item, grade):
    vote = Vote("", "llm:fake", "label", grade, origin="llm", at=1_800_000_000.5)
    from irag.labels.exports import Incoming
    from irag.labels.taking_in import take_in

    return take_in(labels.books, Incoming(events=(event_of_vote("llm", item.key, vote),)), made.id)


def exported(labels, name, project_id, wanted=HUMAN):
    return labels.export(name, project_id, wanted).text


def test_all_events_come_back_to_the_letter(labels, empty, clock):  # FR-211
    made = busy(labels, clock)
    text = exported(labels, "events", made.id)
    taken = empty.take_in("events", text)
    assert taken.refused == () and taken.events == len(labels.book(made.id).events)
    assert exported(empty, "events", made.id) == text
    for name in EXPORTS:
        assert exported(empty, name, made.id) == exported(labels, name, made.id)


@pytest.mark.parametrize("name", READABLE)
def test_what_is_imported_is_exported_alike(labels, empty, clock, name):  # FR-211, FR-213
    made = busy(labels, clock)
    text = exported(labels, name, made.id)
    taken = empty.take_in(name, text)
    assert taken.refused == ()
    again = exported(empty, name, taken.project_id)
    if name == "resolved":  # its documented loss: adjudications, versions of the guidelines
        text, again = (_without(one) for one in (text, again))
    assert again == text
    assert empty.take_in(name, text if name != "resolved" else again_of(labels, made)).events == 0


def again_of(labels, made):
    return exported(labels, "resolved", made.id)


def _without(text):
    rows = [json.loads(line) for line in text.splitlines()]
    return [
        {k: v for k, v in row.items() if k not in ("final", "guideline_version", "relevant")}
        for row in rows
    ]


def test_notes_annotators_and_moments_survive(labels, empty, clock):  # FR-213, FR-201
    made = project(labels)
    shown = labels.desk.next(replace(ANA, annotator_id="ann 1"), made.id)
    labels.desk.submit(replace(ANA, annotator_id="ann 1"), shown.ticket, label(2, note=NOTE))
    other = labels.desk.next(BO, made.id)
    labels.desk.submit(BO, other.ticket, label(2, note=""))
    third = labels.desk.next(CY, made.id)
    labels.desk.submit(CY, third.ticket, label(2))
    for name in READABLE:
        taken = empty.take_in(name, exported(labels, name, made.id), f"from {name}")
        votes = [v for some in empty.book(taken.project_id).votes.values() for v in some]
        notes = {vote.annotator_id: vote.note for vote in votes}
        assert notes == {"ann 1": NOTE, "bo": "", "cy": None}
        assert {vote.at for vote in votes} == {clock.at}
        assert "+00:00" in exported(empty, name, taken.project_id)


def made_item(head, title="null", passage="x", span=None):
    candidate = Candidate("triple", "t1", head, "is", "007", f"{head} is 007")
    item = Item(
        "", "", "", 0, "q1", "Who?", "en", 1,
        (Link("t0", "TRUE", "1e5", ""),), candidate, Passage("d1", title, passage, span),
    )  # fmt: skip
    return replace(item, key=item_key(item))


@pytest.mark.parametrize("name", READABLE)
def test_texts_that_look_like_something_else_stay_as_they_are(labels, empty, name):  # FR-215
    from irag.labels.exports import Incoming
    from irag.labels.taking_in import take_in

    heads = ("NA", "Null Island", "None", "nan", "", "007", "1e5", "TRUE", "=1+1", "'quoted", " a ")
    made = project(labels)
    take_in(labels.books, Incoming(items=tuple(map(made_item, heads))), made.id)
    empty.take_in(name, exported(labels, name, made.id))
    found = {i.candidate.head: i for i in empty.projects.items(made.name) if i.question_id == "q1"}
    assert set(found) == set(heads)
    assert {item.passage.title for item in found.values()} == {"null"}
    assert {item.chain[0].head for item in found.values()} == {"TRUE"}


@pytest.mark.parametrize("name", READABLE)
def test_a_span_behind_emoji_is_the_words_themselves(labels, empty, name):  # FR-208
    from irag.labels.exports import Incoming
    from irag.labels.taking_in import take_in

    text = "\U0001f309\U0001f1eb\U0001f1f7 Tem Bridge opened in 1931."
    start = text.index("1931")
    made = project(labels)
    item = made_item("x", passage=text, span=(start, start + 4))
    take_in(labels.books, Incoming(items=(item,)), made.id)
    empty.take_in(name, exported(labels, name, made.id))
    passage = empty.projects.items(made.name)[-1].passage
    assert passage.sentence == "1931"
    first, last = passage.utf16_span
    assert text.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le") == "1931"


def test_a_models_label_is_kept_apart_from_peoples(labels):  # FR-210
    made = project(labels, overlap=1)
    item = labels.projects.items(made.id)[0]
    suggest(labels, made, item, 3)
    shown = labels.desk.open(ANA, made.id, item.id)
    assert shown.mine is None
    assert isinstance(labels.desk.submit(ANA, shown.ticket, label(0)), Accepted)
    book = labels.book(made.id)
    final = book.finals[item.id]
    assert (final.grade, final.source, final.votes) == (0, "single", 1)
    text = exported(labels, "csv_long", made.id)
    assert "llm:fake,llm,label,3" in text and "ana,human,label,0" in text
    assert f"{item.candidate.id} 0" in exported(labels, "qrels_triples", made.id)


def test_qrels_are_read_by_ir_measures_and_come_into_a_second_project(labels, empty, clock):
    import ir_measures

    made = busy(labels, clock)
    out = labels.export("qrels_triples", made.id)
    read = list(ir_measures.read_trec_qrels(out.text))
    assert len(read) == dict(out.included)["judgements"] > 0
    assert {row.iteration for row in read} == {"1", "2"}
    run = [ir_measures.ScoredDoc(row.query_id, row.doc_id, row.relevance) for row in read]
    cut = ir_measures.nDCG @ 10
    assert ir_measures.calc_aggregate([cut, ir_measures.P(rel=2) @ 1], read, run)[cut] == 1.0
    assert json.loads(out.sidecar)["relevant_if"] == ">=2"
    reasons = dict(out.left_out)
    assert reasons["gold items"] == 1 and reasons["unresolved items"] > 0
    second = project(empty, name="Second")
    taken = empty.take_in("qrels_triples", out.text, second.id)
    assert taken.refused == () and taken.events == len(read)
    assert exported(empty, "qrels_triples", second.id) == out.text
    assert empty.take_in("qrels_triples", out.text, second.id).events == 0


def test_qrels_of_documents_take_a_documents_best_candidate(labels):
    import ir_measures

    made = project(labels, overlap=1)
    label_all(labels, ANA, made.id, [0, 3, 1])
    out = labels.export("qrels_documents", made.id)
    book = labels.book(made.id)
    for row in ir_measures.read_trec_qrels(out.text):
        same = [
            i
            for i in book.items
            if (i.passage.document_id, str(i.hop)) == (row.doc_id, row.iteration)
        ]
        assert row.relevance == max(book.finals[item.id].grade for item in same)


def test_unlabelled_and_skipped_items_are_told_apart(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    labels.desk.submit(ANA, shown.ticket, Mark("s", "skip", reason="broken"))
    rows = [json.loads(line) for line in exported(labels, "resolved", made.id).splitlines()]
    sources = {row["key"]: row["final"]["source"] for row in rows}
    assert sources[shown.item.key] == "skipped" and set(sources.values()) == {
        "skipped",
        "unlabelled",
    }
    reasons = dict(labels.export("qrels_triples", made.id).left_out)
    assert reasons == {"skipped items": 1, "unlabelled items": len(rows) - 1}


def test_the_aligners_file_has_the_chain_and_negatives_by_hop(labels):
    made = project(labels, overlap=1)
    items = labels.projects.items(made.id)
    chain = next(item.chain[0].text for item in items if item.hop == 2)
    good = {chain, next(item.candidate.text for item in items if item.hop == 2)}
    label_all(labels, ANA, made.id, lambda item: 3 if item.candidate.text in good else 0)
    answers = {items[0].question_id: ("Tem",)}
    out = labels.export("aligner", made.id, Wanted(answers=answers))
    (record,) = json.loads(out.text)
    assert [one["text"] for one in record["supporting_triples"]][0] == chain
    assert len(record["supporting_triples"]) == 2 and record["answers"] == ["Tem"]
    assert set(record["hard_negative_triples"]) == {"0", "1"}


def test_a_formula_in_a_note_stays_text_in_a_spreadsheet(labels):
    made = project(labels)
    shown = labels.desk.next(ANA, made.id)
    labels.desk.submit(ANA, shown.ticket, label(1, note="=HYPERLINK(1)"))
    text = labels.export("csv_long", made.id, Wanted(bom=True)).text
    assert text.startswith("\ufeff") and ",'=HYPERLINK(1)," in text
