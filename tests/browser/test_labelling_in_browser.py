"""Labelling in a real browser, by keys alone, faster than anybody can read."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from irag.labels import Labels
from irag.labels.projects import NewProject
from irag.labels.seats import ALONE
from irag.store import RunStore, open_database
from tests.browser.conftest import serving
from tests.labels.making import trace

pytestmark = pytest.mark.slow
GAP = 40  # ms between presses

# keeps, in the page, what was on screen at each press that was sent
WATCH = """
() => {
  const root = document.querySelector(".irag-desk");
  const asked = () => root.querySelector(".irag-judged").innerText;
  window.seen = [];
  const submit = root.desk.submit.bind(root.desk);
  root.desk.submit = (answer) => {
    const item = root.desk.data.ticket.item;
    submit(answer);
    window.seen.push([root.desk.pending.event_id, item, asked(), answer.grade ?? null]);
  };
}
"""


@pytest.fixture
def home(tmp_path):
    """A home of its own with three saved runs."""
    home = tmp_path / "home"
    home.mkdir()
    runs = RunStore(open_database(f"sqlite:///{home / 'irag.db'}"))
    for place in range(3):
        runs.save(f"r{place}", trace(method=f"kirag:max_hops={place + 1},reader=none"), "scripted")
    return home


@pytest.fixture
def app(home, browser):
    with serving(home, 0.0) as address:
        yield address


def labels_of(home) -> Labels:
    return Labels(open_database(f"sqlite:///{home / 'irag.db'}"))


def desk(page):
    return page.locator(".irag-desk")


def ready(page):
    expect(desk(page)).to_have_attribute("data-state", "ready")
    expect(desk(page)).to_have_attribute("data-item", page.evaluate("shownItem()"))
    page.wait_for_timeout(150)  # an item has to stand a moment


def watched(page):
    page.add_init_script(
        "window.shownItem = () => document.querySelector('.irag-desk').desk.data.ticket.item"
    )
    return page


def storm(page, count):
    """So many presses of 0 to 3, GAP apart, whatever the page does meanwhile."""
    page.evaluate(
        """([count, gap]) => new Promise((done) => {
          let n = 0;
          const tick = setInterval(() => {
            if (!document.querySelector(".irag-desk")) { clearInterval(tick); return done(); }
            const key = String(n % 4);
            document.body.dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
            if (++n >= count) { clearInterval(tick); setTimeout(done, 100); }
          }, gap);
        })""",
        [count, GAP],
    )


def counts(page):
    root = desk(page)
    return int(root.get_attribute("data-pressed")), int(root.get_attribute("data-early") or 0)


def look_around(page):
    """The whole passage and the guidelines; a grade pressed over them is no label."""
    page.keyboard.press("p")
    expect(page.locator(".passage")).to_be_visible()
    page.keyboard.press("g")
    expect(page.get_by_role("heading", name="Judging candidates")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("g")


def answers_of(home):
    """(kind, grade, note) of what the one person answered, in order."""
    labels = labels_of(home)
    (card,) = labels.projects.list()
    events = reversed(labels.desk.history(ALONE, card.project.id))
    return [(e.kind, e.grade, e.note) for e in events if e.kind != "note"]


def test_a_project_is_made_and_labelled_by_keys_alone_and_one_answer_is_taken_back(app, home, page):
    watched(page).goto(f"{app}/label")
    page.get_by_role("textbox", name="Name").fill("Harbours")
    page.get_by_role("textbox", name="Name").press("Tab")
    page.get_by_role("button", name="Make the project").click()
    expect(desk(page)).to_be_visible()
    ready(page)
    page.keyboard.press("2")
    expect(page.get_by_text("Last: 2 Useful")).to_be_visible()
    ready(page)
    page.keyboard.press("u")
    expect(page.get_by_text("Taken back")).to_be_visible()
    expect(page.locator("button.mine")).to_contain_text("Useful")
    ready(page)
    page.keyboard.press("n")
    note = page.locator("textarea.note")
    expect(note).to_be_focused()
    page.keyboard.type("3 of 30, Flag")  # keys are text here
    page.keyboard.press("Escape")
    look_around(page)
    page.keyboard.press("3")
    expect(page.get_by_text("Last: 3 Decisive")).to_be_visible()
    ready(page)
    page.evaluate(
        """() => document.body.dispatchEvent(new KeyboardEvent(
             "keydown", { key: "1", isComposing: true, bubbles: true }))"""
    )
    page.keyboard.press("s")
    page.keyboard.press("1")
    expect(page.get_by_text("Last: skipped")).to_be_visible()
    assert answers_of(home) == [
        ("label", 2, ""),
        ("undo", None, None),
        ("label", 3, "3 of 30, Flag"),
        ("skip", None, ""),
    ]
    page.reload()  # resumed where it was left
    expect(page.get_by_text("1 of")).to_be_visible()


def test_presses_faster_than_the_server_never_land_on_a_wrong_item_and_none_is_lost(
    app, home, browser
):
    """Two windows of two people on one queue; accepted + ignored = pressed, in each."""
    labels = labels_of(home)
    made = labels.projects.create(NewProject("Storm", overlap=2, seed=3))
    runs = [(f"q{n}", trace(question=f"{n}: Which river runs by Osk?")) for n in range(6)]
    labels.projects.add_runs(made.id, runs)
    seats = [labels.seats.add(None, "Ada", "owner", "1234")]
    owner = labels.seats.enter("Ada", "1234")
    seats.append(labels.seats.add(owner, "Bo", "annotator", "5678"))
    pages = []
    for account in seats:
        token = labels.seats.link(owner, account.annotator_id)
        page = watched(browser.new_context().new_page())
        page.goto(f"{app}/label?project={made.id}&annotator={token}")
        expect(desk(page)).to_be_visible(timeout=30_000)
        page.evaluate(WATCH)
        pages.append(page)
    for _ in range(3):
        for page in pages:  # each storm runs while the other person's item waits
            storm(page, 25)
    for page, account in zip(pages, seats, strict=True):
        expect(desk(page)).to_have_attribute("data-state", "ready")
        pressed, early = counts(page)
        seen = page.evaluate("window.seen")
        assert pressed == 75 and early > 0
        assert len(seen) + early == pressed
        book = labels.book(made.id)
        texts = {item.id: item.candidate for item in book.items}
        kept = {e.id: e for e in book.events if e.annotator_id == account.annotator_id}
        assert set(kept) == {event_id for event_id, *_ in seen}
        for event_id, item_id, shown, grade in seen:
            assert (kept[event_id].item_id, kept[event_id].grade) == (item_id, grade)
            assert texts[item_id].head in shown and texts[item_id].tail in shown
        page.context.close()
    print(json.dumps({"pressed": 150, "kept": len(book.events)}))
