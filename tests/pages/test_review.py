"""The Review page over a real database: standing, agreement, rulings and files."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from irag.settings import Settings
from irag.workbench import Workbench
from tests.labels.making import label_all, project
from tests.pages.opening import APP, seen, words


@pytest.fixture
def bench(tmp_path):
    return Workbench(Settings(tmp_path, tmp_path / "models", f"sqlite:///{tmp_path / 'irag.db'}"))


@pytest.fixture
def judged(bench):
    """One project, labelled by two people who never agree; the owner is signed in."""
    labels = bench.labels
    made = project(labels, name="</div><b>Harbours</b>")
    owner = labels.seats.add(None, "Ana", "owner", "2468")
    other = labels.seats.add(labels.seats.enter("Ana", "2468"), "Jon", "annotator", "1357")
    labels.seats.add(labels.seats.enter("Ana", "2468"), "Eve", "adjudicator", "9753")
    for account, pin, grade in ((owner, "2468", 0), (other, "1357", 3)):
        label_all(labels, labels.seats.enter(account.name, pin), made.id, [grade])
    return made


def opened(bench, name="", pin="", tab=""):
    page = AppTest.from_file(APP, default_timeout=30)
    page.session_state["workbench"] = bench
    if name:
        page.session_state["labelling.seat"] = bench.labels.seats.enter(name, pin)
    page.switch_page("pages/review.py")
    page = seen(page.run())
    return seen(page.button_group(key="review.tab").set_value(tab).run()) if tab else page


def test_without_a_project_it_says_where_one_is_made(bench):
    assert "No project yet." in words(opened(bench))


def test_with_accounts_nobody_looks_without_signing_in(bench, judged):
    page = opened(bench)
    assert "Who are you?" in words(page) and "Annotator" not in words(page)


def test_everyones_work_is_counted_and_names_are_only_text(bench, judged):
    page = opened(bench, "Ana", "2468")
    assert "Ana" in words(page) and "Jon" in words(page)
    items = len(bench.labels.projects.items(judged.id))
    assert f">{items}<" in words(page).replace("</td>", "<").replace("<td>", ">")
    assert "<b>Harbours</b>" not in words(page)


def test_agreement_has_a_headline_an_interval_and_reasons(bench, judged):
    page = opened(bench, "Ana", "2468", "agreement")
    assert "Krippendorff" in words(page) and "NaN" not in words(page)


def test_a_disagreement_is_settled_by_a_third_person_and_the_labels_stay(bench, judged):
    page = opened(bench, "Eve", "9753", "disputes")
    worst = next(b for b in page.button if (b.key or "").startswith("settle-"))
    item = worst.key.removeprefix("settle-")
    page.selectbox(key=f"grade-{item}").set_value(2)
    seen(worst.click().run())
    book = bench.labels.book(judged.id)
    final = book.finals[item]
    assert (final.grade, final.source) == (2, "adjudicated")
    assert sorted(vote.grade for vote in book.votes[item]) == [0, 3]


def test_every_export_says_what_went_in(bench, judged):
    page = opened(bench, "Ana", "2468", "files")
    assert words(page).count("left out") >= 9
