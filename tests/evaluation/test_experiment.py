"""Experiments: batched, kept as they go, resumed without paying again, and never stopped by one."""

from __future__ import annotations

import json
import math
import threading
from dataclasses import replace

import pytest

from irag.errors import Cancelled, LLMError, TraceError, UserError
from irag.evaluation import Folder, evaluate, report_of
from irag.evaluation.experiment import Experiment
from irag.evaluation.exports import (
    load_report,
    qrels,
    report_json,
    results,
    run_name,
    scores_table,
    trec_run,
)
from irag.evaluation.table import text_table
from irag.llm.cached import Cached
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.types import Gold, Question
from tests.evaluation.bench import METHODS, cases, plan, run, scripted
from tests.fakes import FakeCorpus, fake_tools
from tests.measures.made import looked_up


def without_the_clock(report):
    """A report but for its seconds, which a clock measures."""

    def kept(means):
        return {name: mean for name, mean in means.items() if name != "Seconds"}

    return replace(
        report,
        methods=tuple(
            replace(
                one,
                means=kept(one.means),
                groups=tuple(replace(g, means=kept(g.means)) for g in one.groups),
            )
            for one in report.methods
        ),
    )


def test_every_method_plays_every_question_and_is_scored(tmp_path):
    told = []
    report = run(tmp_path / "x", cases(), tell=told.append)
    naive, kirag = report.methods
    assert naive.played == kirag.played == 4 and naive.failed == 0
    assert naive.means["EM"].value == 0.5 and naive.means["EM"].n == 4
    assert naive.means["LLMCalls"].value == 1.0 and kirag.means["LLMCalls"].value == 3.0
    assert (told[0].done, told[-1].done, told[-1].total) == (0, 8, 8)
    assert told[0].seconds_left is None and told[-1].seconds_left == 0.0
    compared = {one.measure: one for one in report.comparisons}
    assert compared["EM"].test == "McNemar" and compared["F1"].test == "randomisation"
    assert compared["EM"].n == 4 and compared["EM"].difference == 0.0


@pytest.mark.parametrize("width", [1, 2, 8])
def test_n_questions_cost_at_most_their_share_of_batches_per_hop(tmp_path, width):
    llm, sizes = scripted(), []
    answers = llm.generate
    llm.generate = lambda requests, emit, cancel: (  # type: ignore[method-assign]
        sizes.append(len(requests)) or answers(requests, emit, cancel)
    )
    some, hops = cases(5), 2
    planned = plan(some, METHODS[1:])
    folder = Folder.begin(tmp_path / "x", planned)
    method = parse_method(METHODS[1])
    evaluate(Experiment([method], some, fake_tools(llm), width=width), folder)
    assert sum(sizes) == 5 * (hops + 1)
    assert len(sizes) <= math.ceil(5 / width) * (hops + 1)
    assert max(sizes) <= width


class Killed(BaseException):
    """As a kill: nothing catches it."""


def test_a_kill_half_way_and_the_same_command_again_give_the_same_report(tmp_path):
    straight = run(tmp_path / "straight", cases())

    def kill(progress):
        if progress.done == 3:
            raise Killed()

    path, llm = tmp_path / "killed", scripted()
    with pytest.raises(Killed):
        run(path, cases(), fake_tools(llm), tell=kill)
    with (path / "rows.jsonl").open("ab") as file:
        file.write(b'{"method": "naive_rag", "quest')
    with (path / "traces.gz").open("ab") as file:
        file.write(b"half a trace")
    paid = len(llm.history)
    resumed = run(path, cases(), fake_tools(llm))
    assert without_the_clock(resumed) == without_the_clock(straight)
    assert len(llm.history) - paid < 4 * 4 and len(Folder(path).rows) == 8
    before = len(llm.history)
    assert run(path, cases(), fake_tools(llm)) == resumed and len(llm.history) == before
    trace = Folder(path).trace(str(parse_method(METHODS[1])), "q3")
    assert trace.question.id == "q3" and trace.hops == 2


def test_twice_with_a_warm_cache_gives_identical_numbers_and_asks_nothing(tmp_path):
    llm = scripted()
    first = run(tmp_path / "a", cases(), fake_tools(Cached(llm, tmp_path / "llm.db")))
    asked = len(llm.history)
    again = run(tmp_path / "b", cases(), fake_tools(Cached(llm, tmp_path / "llm.db")))
    assert without_the_clock(first) == without_the_clock(again) and len(llm.history) == asked > 0
    assert text_table(without_the_clock(first)) == text_table(without_the_clock(again))


def test_stop_keeps_what_is_finished_and_the_same_call_goes_on(tmp_path):
    cancel = threading.Event()

    def stop(progress):
        if progress.done == 2:
            cancel.set()

    with pytest.raises(Cancelled, match="goes on"):
        run(tmp_path / "x", cases(), tell=stop, cancel=cancel)
    kept = Folder(tmp_path / "x").rows
    assert 2 <= len(kept) < 8 and not any(row.stopped == "cancelled" for row in kept.values())
    partial = report_of(plan(cases()), kept)
    assert [one.played for one in partial.methods] == [2, 0] and not partial.comparisons
    assert run(tmp_path / "x", cases()).methods[1].played == 4


def test_one_failing_question_or_an_over_long_one_stops_nothing(tmp_path):
    def reply(request):
        said = request.messages[-1].text
        return LLMError("The server went away.") if ", 1?" in said else "Tem"

    long = Question("long", "Osk " * 600, Gold(("Tem",), ()))
    some = [*cases(3), looked_up(long)]
    report = run(tmp_path / "x", some, fake_tools(Scripted(reply)), METHODS[:1])
    (naive,) = report.methods
    assert (naive.played, naive.failed, naive.means["EM"].failed) == (4, 2, 2)
    assert naive.means["EM"].value == 0.5 and naive.lost["failed"] == ("q1", "long")
    assert "2,399 characters" in (Folder(tmp_path / "x").rows["naive_rag", "long"].error or "")
    folder = Folder(tmp_path / "x")
    folder.forget_failed()
    assert len(folder.rows) == 2


# FR-231
def test_a_method_whose_every_question_failed_is_flagged_and_not_ranked_with_0(tmp_path):
    only = "naive_rag:reader=none"
    broken = fake_tools(Scripted(lambda request: LLMError("The server went away.")))
    report = run(tmp_path / "x", cases(), broken, [only, *METHODS])
    assert [bool(one.ruined) for one in report.methods] == [False, True, True]
    assert "every question failed: The server went away." in report.methods[1].ruined
    assert report.methods[1].means == {} and report.comparisons == ()
    assert "FAILED, not ranked" in text_table(report)


# FR-231
def test_an_empty_index_flags_every_method(tmp_path):
    empty = fake_tools(scripted(), FakeCorpus(empty=True))
    some = [replace(case, documents=()) for case in cases()]
    report = run(tmp_path / "x", some, empty)
    assert all("is the corpus empty?" in one.ruined for one in report.methods)
    assert report.comparisons == () and "EM" not in report.methods[0].means


# FR-228
def test_a_question_without_answers_is_left_out_of_the_mean_and_counted(tmp_path):
    some = [*cases(2), *cases(3, answers=())[2:]]
    naive = run(tmp_path / "x", some, methods=METHODS[:1]).methods[0]
    assert naive.means["EM"].value == 0.5
    assert (naive.means["EM"].n, naive.means["EM"].without) == (2, 1)
    alone = run(tmp_path / "y", cases(1, answers=()), methods=METHODS[:1])
    assert alone.methods[0].means["EM"].value is None
    assert "- (no gold)" in text_table(alone)


def test_a_folder_goes_on_only_with_the_same_questions_and_takes_more_methods(tmp_path):
    run(tmp_path / "x", cases(), methods=METHODS[:1])
    with pytest.raises(UserError, match="other questions"):
        run(tmp_path / "x", cases(3), methods=METHODS[:1])
    assert [one.played for one in run(tmp_path / "x", cases()).methods] == [4, 4]
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "mine.txt").write_text("x")
    with pytest.raises(UserError, match="something else"):
        run(tmp_path / "z", cases())
    with pytest.raises(UserError, match="no experiment"):
        Folder(tmp_path / "z")


def test_two_writers_of_one_folder_are_refused(tmp_path):
    folder = Folder.begin(tmp_path / "x", plan(cases()))
    with folder.writing(), pytest.raises(UserError, match="Another process"):
        run(tmp_path / "x", cases())
    with pytest.raises(TraceError, match="has not played"):
        folder.trace("naive_rag", "q0")


def test_results_come_in_order_and_as_trec_files(tmp_path):
    some = cases(2)
    run(tmp_path / "x", some)
    folder, planned = Folder(tmp_path / "x"), plan(some)
    told = [json.loads(line) for line in results(planned, folder.rows).splitlines()]
    assert [(one["method"], one["question"]) for one in told] == [
        (method, one.id) for method in planned.methods for one in planned.questions
    ]
    heads, rows = scores_table(planned, folder.rows)
    assert heads[:5] == ["method", "question", "stopped", "answer", "lost"] and len(rows) == 4
    lines = [line.split(" ") for line in
             trec_run(planned, folder.rows, planned.methods[1], "tag").splitlines()]  # fmt: skip
    assert {len(line) for line in lines} == {6} and lines[0][:2] == ["q0", "Q0"]
    first = [float(line[4]) for line in lines if line[0] == "q0"]
    assert first == sorted(first, reverse=True) and len(set(first)) == len(first)
    assert len(qrels(some).splitlines()) == 6 and run_name(2, "kirag:a=b/c") == "02-kirag-a-b-c"


def test_a_report_is_read_back_as_it_was_written(tmp_path):
    report = run(
        tmp_path / "x",
        [*cases(3), replace(cases(4)[3], question=Question("q3", "Osk?"), documents=())],
    )
    assert load_report(report_json(report)) == report and report.methods[0].lost
    for wrong in ("", "[]", "{}", '{"format": "irag-report-1"}', '{"format": "other"}'):
        with pytest.raises(UserError, match="no report"):
            load_report(wrong)
