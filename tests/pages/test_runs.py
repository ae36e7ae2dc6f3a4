"""The Runs page: finding a run among many, replaying it, deleting it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from irag.asking import RunView
from irag.store import RunStore, open_database
from irag.store.tables import RunRow
from irag.views.csv_text import read_csv
from pages.parts import run_list
from tests.pages.fake_bench import FakeBench
from tests.pages.opening import opened, seen, words
from tests.views import traces

HOSTILE = "</script><b>Osk</b> $5 ~~x~~"


class Bench(FakeBench):
    """With a real database of runs."""

    def __init__(self, folder):
        super().__init__(home=folder)
        self.runs = RunStore(open_database(f"sqlite:///{folder / 'irag.db'}"))

    def view(self, run_id):
        trace = self.runs.load(run_id)
        return RunView(run_id, trace, llm="scripted") if trace else super().view(run_id)

    def delete_runs(self, run_ids):
        self.runs.delete(*run_ids)


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def many(bench: Bench, count: int, **changes: str) -> None:
    for number in range(count):
        trace = traces.trace_of(asked=traces.question(f"Question {number}?"))
        at = f"2026-11-30T10:{number:02}:00+00:00"
        bench.runs.save(f"r{number}", replace(trace, started_at=at, **changes), "scripted")


def runs_page(bench: Bench, run: str = "") -> AppTest:
    page = opened(bench)
    page.switch_page("pages/runs.py")
    if run:
        page.query_params["run"] = run
    return seen(page.run())


def listed(page: AppTest) -> list[str]:
    return list(page.dataframe[0].value["question"])


def tick(page: AppTest, bench: Bench, *rows: int) -> AppTest:
    key = run_list._table_key(bench.runs.cards(run_list._PAGE))
    page.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return seen(page.run())


def test_without_runs_it_invites(bench):
    assert "No runs yet" in words(runs_page(bench))


def test_runs_are_listed_newest_first_with_what_they_cost(bench):
    many(bench, 3)
    page = runs_page(bench)
    assert listed(page) == ["Question 2?", "Question 1?", "Question 0?"]
    row = page.dataframe[0].value.iloc[0]
    assert (row["answer"], row["method"], row["corpus"], row["llm"]) == ("35,124", "kirag", "sample", "scripted")  # fmt: skip
    assert row["hops"] == 2 and row["called"] == 3 and row["when"] == "2026-11-30 10:02"
    assert "1 to 3 of 3 runs" in words(page)


def test_filters_narrow_the_list_and_survive_opening_a_run(bench):  # FR-184
    many(bench, 3)
    failed = replace(traces.trace_of(), stopped="failed", answer=None, corpus="wiki2@1", method="naive_rag")  # fmt: skip
    bench.runs.save("bad", failed, "scripted")
    page = runs_page(bench)
    seen(page.selectbox(key="runs.state").set_value("failed").run())
    assert len(listed(page)) == 1 and page.dataframe[0].value.iloc[0]["ended"] == "failed"
    seen(page.selectbox(key="runs.corpus").set_value("sample").run())
    assert "No run fits these filters" in words(page)
    seen(next(one for one in page.button if one.label == "Clear the filters").click().run())
    seen(page.text_input(key="runs.text").set_value("question 1").run())
    assert listed(page) == ["Question 1?"]
    page.query_params["run"] = "r1"
    seen(page.run())
    seen(next(one for one in page.button if one.label == "All runs").click().run())
    assert listed(page) == ["Question 1?"]
    seen(page.selectbox(key="runs.method").set_value("naive_rag").run())
    assert "No run fits" in words(page)


def test_a_long_list_comes_in_pages(bench):
    many(bench, 30)
    page = runs_page(bench)
    assert len(listed(page)) == 25 and "1 to 25 of 30 runs" in words(page)
    page.session_state[run_list._page_key(run_list._Filters())] = 2
    assert listed(seen(page.run())) == [f"Question {n}?" for n in (4, 3, 2, 1, 0)]


def test_ticked_runs_are_deleted_after_being_asked_once_more(bench):
    many(bench, 4)
    page = tick(runs_page(bench), bench, 0, 2)
    assert "Delete 2 runs? They cannot be brought back." in words(page)
    seen(page.button(key="runs.delete").click().run())
    assert listed(page) == ["Question 2?", "Question 0?"]
    assert bench.runs.load("r3") is None and not [b for b in page.button if b.key == "runs.delete"]


def test_a_tick_never_passes_to_a_run_that_came_meanwhile(bench):
    many(bench, 2)
    page = tick(runs_page(bench), bench, 0)
    newer = replace(traces.trace_of(), started_at="2026-12-01T00:00:00+00:00")
    bench.runs.save("newer", newer, "scripted")
    seen(page.run())
    assert len(listed(page)) == 3 and not [b for b in page.button if b.key == "runs.delete"]


def test_one_ticked_run_can_be_opened_and_deleted(bench):
    many(bench, 2)
    page = tick(runs_page(bench), bench, 1)
    seen(page.button(key="runs.open.one").click().run())
    assert "Question 0?" in words(page) and "Step 14 of 14" in words(page)
    seen(page.button(key="run.delete").click().run())
    assert listed(page) == ["Question 1?"]


def test_a_run_is_replayed_back_and_forth(bench):
    many(bench, 1)
    page = runs_page(bench, "r0")
    assert "35,124" in words(page) and page.button(key="replay.forward").disabled
    seen(page.button(key="replay.first").click().run())
    assert "Nothing has happened yet" in words(page) and page.button(key="replay.back").disabled
    for _ in range(2):
        seen(page.button(key="replay.forward").click().run())
    said = words(page)
    assert "Step 2 of 14 · Hop 1 · 10 documents" in said
    assert "No answer yet at this step." in said and "Documents so far" in said
    assert "**Hop 1**" in said and "**Hop 2**" not in said and 'class="irag-answer"' not in said
    seen(page.slider[0].set_value(6).run())
    assert "Kirton End" in words(page) and "lies in" in words(page)
    seen(page.button(key="replay.back").click().run())
    assert page.slider[0].value == 5
    seen(page.button(key="replay.last").click().run())
    said = words(page)
    assert 'class="irag-answer"' in said and "Ended: the chain holds the answer" in said


def test_an_unknown_and_a_hostile_run_and_one_without_steps_are_shown(bench):  # FR-188
    page = runs_page(bench, "<b>gone</b>")
    assert "There is no run with the id <b>gone</b>" in words(page)
    row = (HOSTILE, f"{HOSTILE}.", (HOSTILE, "is", HOSTILE))
    bench.runs.save("evil", traces.trace_of((row,), HOSTILE, asked=traces.question(HOSTILE)), HOSTILE)  # fmt: skip
    assert listed(runs_page(bench)) == [HOSTILE]
    page = runs_page(bench, "evil")
    for number in range(int(page.slider[0].max) + 1):
        seen(page.slider[0].set_value(number).run())
        assert not [one for one in page.get("html") if "<b>Osk" in one.proto.body]
        assert not [one for one in page.caption if "$5" in one.value.replace("\\$", "")]
    empty = replace(traces.trace_of(), steps=(), answer=None, stopped="cancelled")
    bench.runs.save("empty", empty, "none")
    assert "Stopped by you" in words(runs_page(bench, "empty"))


def test_a_damaged_run_is_said_and_the_list_still_opens(bench):
    many(bench, 1)
    with bench.runs.database.session() as session:
        row = session.get(RunRow, "r0")
        row.trace = b"broken"
        session.add(row)
        session.commit()
    page = runs_page(bench, "r0")
    assert "damaged" in words(page)
    seen(next(one for one in page.button if one.label == "All runs").click().run())
    assert listed(page) == ["Question 0?"]


def test_the_list_can_be_saved_without_a_cell_becoming_a_formula(bench):  # FR-088
    formula = '=HYPERLINK("http://evil.example")'
    bench.runs.save("r1", traces.trace_of(asked=traces.question(formula)), "scripted")
    text = run_list._csv(bench, run_list._Filters()).decode("utf-8-sig")
    heads, (row,) = read_csv(text)
    assert row[heads.index("question")] == formula and ",=" not in text and "\n=" not in text
