"""The Label page over a real database: projects from saved runs, seats, and what stands on the desk."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from irag.labels.acts import Rest, Serving
from irag.labels.seats import ALONE
from irag.labels.values import Candidate, Passage
from irag.settings import Settings
from irag.store import RunStore, open_database
from irag.workbench import Workbench
from pages.parts.labelling_item import item_html, marked, passage_html
from tests.labels.making import label_all, project, trace
from tests.pages.opening import APP, seen, words

HOSTILE = "</mark><script>alert(1)</script>"


@pytest.fixture
def bench(tmp_path):
    return Workbench(Settings(tmp_path, tmp_path / "models", f"sqlite:///{tmp_path / 'irag.db'}"))


def opened(bench, **link):
    page = AppTest.from_file(APP, default_timeout=30)
    page.session_state["workbench"] = bench
    page.switch_page("pages/label.py")
    for name, value in link.items():
        page.query_params[name] = value
    return seen(page.run())


def turn(page):
    return page.session_state["labelling.turn"]


def with_runs(bench):
    for run_id, method in (("r1", "kirag:max_hops=2,reader=none"), ("r2", "kirag:reader=none")):
        RunStore(open_database(bench.settings.database_url)).save(run_id, trace(method=method), "")


def test_without_runs_or_projects_it_says_what_to_do(bench):
    page = opened(bench)
    assert "No project yet" in words(page) and "No saved runs yet" in words(page)


def test_a_project_is_made_from_saved_runs_and_labelling_starts_at_once(bench):
    with_runs(bench)
    page = opened(bench)
    page.text_input(key="project.name").set_value("Harbours")
    page.multiselect(key="project.methods").set_value(["kirag:max_hops=2,reader=none"])
    page.multiselect(key="project.hops").set_value([1])
    page.selectbox(key="project.scale").set_value("binary")
    page.text_area(key="project.guide.en").set_value("# Ours")
    seen(page.run())
    seen(page.button(key="project.make").click().run())
    (card,) = bench.labels.projects.list()
    assert card.project.scale.name == "binary" and card.items
    assert {item.hop for item in bench.labels.projects.items(card.project.id)} == {1}
    assert bench.labels.projects.guideline(card.project.id).text == "# Ours"
    assert isinstance(turn(page).serving, Serving)
    assert "from 1 runs" in " ".join(one.value for one in page.success).replace("\\", "")


def test_a_name_that_is_taken_is_said_and_nothing_is_made(bench):
    with_runs(bench)
    project(bench.labels)
    page = opened(bench)
    page.text_input(key="project.name").set_value("Harbours")
    seen(page.button(key="project.make").click().run())
    assert page.error and len(bench.labels.projects.list()) == 1


def test_a_link_opens_one_item_and_an_unknown_one_is_said(bench):
    made = project(bench.labels)
    wanted = bench.labels.projects.items(made.id)[-1]
    page = opened(bench, project=made.id, item=wanted.id)
    assert turn(page).serving.item.id == wanted.id
    page = opened(bench, project=made.id, item="i404")
    assert "i404" in words(page) and isinstance(turn(page).serving, Serving)
    assert "no project p404" in words(opened(bench, project="p404"))


def test_when_everything_is_judged_it_says_so(bench):
    made = project(bench.labels)
    label_all(bench.labels, ALONE, made.id, [1])
    page = opened(bench, project=made.id)
    assert isinstance(turn(page).serving, Rest) and "All done" in page.success[0].value


def test_with_accounts_nobody_labels_without_a_pin_or_a_personal_link(bench):
    made = project(bench.labels)
    owner = bench.labels.seats.add(None, "Ada", "owner", "1234")
    page = opened(bench, project=made.id)
    assert "labelling.turn" not in page.session_state
    page.text_input(key="seat.name").set_value("Ada")
    page.text_input(key="seat.pin").set_value("9999")
    seen(page.button(key="seat.enter").click().run())
    assert "labelling.turn" not in page.session_state and page.error
    page.text_input(key="seat.pin").set_value("1234")
    seen(page.button(key="seat.enter").click().run())
    assert turn(page).seat.name == "Ada"
    token = bench.labels.seats.link(turn(page).seat, owner.annotator_id)
    page = opened(bench, project=made.id, annotator=token)
    assert turn(page).seat.name == "Ada" and "annotator" not in page.query_params
    page = opened(bench, project=made.id, annotator="forged")
    assert "labelling.turn" not in page.session_state and page.error


def test_an_item_shows_no_score_rank_or_method(bench):
    made = project(bench.labels)
    for item in bench.labels.projects.items(made.id):
        shown = item_html(item)
        assert "kirag" not in shown and "score" not in shown


def test_head_relation_and_tail_are_marked_once_each_and_every_text_is_escaped():
    candidate = Candidate("triple", "t", "Osk", "lies on", "Tem", "Osk lies on Tem")
    assert marked("Osk, old OSK, lies  on the Tem.", candidate) == (
        '<mark class="irag-head">Osk</mark>, old OSK, <mark class="irag-relation">lies  on</mark>'
        ' the <mark class="irag-tail">Tem</mark>.'
    )
    assert "mark" not in marked("Oskar met Temple.", candidate)
    chinese = Candidate("triple", "t", "静港", "是", "港口", "静港 是 港口")
    assert marked("静港是一座港口。", chinese).count("<mark") == 3
    wild = Candidate("triple", "t", HOSTILE, "is", "x", "")
    assert "<script" not in marked(f"{HOSTILE} is x", wild)
    assert "<script" not in passage_html(Passage("d", HOSTILE, HOSTILE, (0, 4)), wild)
