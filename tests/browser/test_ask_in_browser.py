"""The Ask page in a real browser: hops arrive, prompts open, Stop stops, links open again."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from irag.settings import load
from irag.store import RunStore, open_database
from tests.browser.conftest import serving
from tests.fakes import QUESTION
from tests.views import traces

pytestmark = pytest.mark.slow
expect.set_options(timeout=30_000)  # the first question loads the embedder
HOSTILE = (
    "</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">"
)


def runs(home) -> RunStore:
    return RunStore(open_database(load({"home": str(home)}).database_url))


def let_the_llm_choose(page: Page) -> None:
    """An LLM call a hop, so that hops come one after the other and not at once."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("combobox", name=re.compile("Constructor")).click()
    page.get_by_role("option", name="choose").click()
    page.keyboard.press("Escape")


def ask(page: Page, address: str, question: str, choose: bool = False) -> None:
    page.goto(address)
    if choose:
        let_the_llm_choose(page)
    box = page.get_by_role("textbox", name="Question")
    box.fill(question)
    box.press("Control+Enter")


def hop(page: Page, number: int):
    return page.locator(f'[class*="st-key-hop-{number}-"]')


def test_two_hops_arrive_one_after_the_other_then_the_answer(app, page):
    ask(page, app, QUESTION, choose=True)
    expect(hop(page, 1)).to_contain_text("documents")
    assert hop(page, 2).count() == 0
    expect(page.locator(".st-key-hop-1-open")).to_be_visible()
    expect(page.locator(".st-key-hop-2-open")).to_be_visible()
    expect(page.locator(".st-key-hop-1-done")).to_be_visible()
    expect(page.locator(".irag-answer")).to_have_text("the Tem", timeout=60_000)
    assert re.search(r"/ask\?run=.+", page.url)


def test_the_prompt_and_the_reply_are_one_click_away(app, page):
    ask(page, app, QUESTION)
    expect(page.locator(".irag-answer")).to_be_visible(timeout=60_000)
    reading = page.locator(".st-key-reading-done")
    reading.locator("summary").first.click()
    reading.get_by_text("Prompt and reply").click()
    expect(reading.locator("code").filter(has_text=QUESTION)).to_be_visible()
    expect(reading.locator("code").filter(has_text=re.compile("^the Tem$"))).to_be_visible()


def test_stop_ends_a_run_and_its_link_opens_it_again(app, page, browser):
    ask(page, app, "Which mill ground rye for the port of Osk?")
    expect(hop(page, 1)).to_contain_text("documents")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".irag-answer")).to_have_text("Stopped by you", timeout=10_000)
    link = page.url
    other = browser.new_context().new_page()
    other.goto(link)
    expect(other.locator(".irag-answer")).to_have_text("Stopped by you", timeout=30_000)
    expect(other.get_by_text("Which mill ground rye for the port of Osk?").first).to_be_visible()
    other.context.close()


def test_a_double_click_begins_one_run(app, page, home):  # FR-182
    question = "Is Veldland flatter than the valley?"
    page.goto(app)
    page.get_by_role("textbox", name="Question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).dblclick()
    expect(page.locator(".irag-answer")).to_be_visible(timeout=60_000)
    assert [card.question for card in runs(home).cards(50)].count(question) == 1


def test_a_click_in_the_graph_shows_the_sentence(app, page, home):
    runs(home).save("clicked", traces.trace_of(), "scripted")
    page.goto(f"{app}/ask?run=clicked")
    canvas = page.locator("canvas")
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    for share in (0.4, 0.35, 0.45, 0.5):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * share)
        page.wait_for_timeout(700)
        if page.locator(".st-key-selected").count():
            break
    expect(page.locator(".st-key-selected")).to_contain_text("borough of Boston")
    expect(page.locator(".st-key-selected")).to_contain_text("It lies in the borough of Boston.")


def test_hostile_names_are_shown_and_never_run(app, page, home):  # FR-084
    row = (HOSTILE, f"{HOSTILE} is a name.", (HOSTILE, HOSTILE, "Osk"))
    runs(home).save("hostile", traces.trace_of((row,), "Osk"), "scripted")
    page.goto(f"{app}/ask?run=hostile")
    expect(page.locator("canvas")).to_be_visible()
    expect(page.locator(".st-key-result .irag-title").first).to_have_text(HOSTILE)
    page.locator(".st-key-hop-1-done summary").first.click()
    page.get_by_text("10 triples").click()
    assert "pwned" not in page.title()


def test_nothing_is_fetched_from_elsewhere(app, page, home):  # FR-130
    hosts: set[str | None] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
    runs(home).save("quiet", traces.trace_of(traces.ROWS, "North Sea"), "scripted")
    page.goto(f"{app}/ask?run=quiet")
    expect(page.locator("canvas")).to_be_visible()
    page.get_by_role("link", name="About").click()
    expect(page.get_by_text("Glossary")).to_be_visible()
    assert hosts <= {"127.0.0.1", None}, hosts


def test_a_phone_shows_the_answer_before_the_hops_and_nothing_runs_off_the_side(app, browser, home):
    runs(home).save("phone", traces.trace_of(traces.ROWS, "North Sea"), "scripted")
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{app}/ask?run=phone")
    expect(page.locator(".irag-answer")).to_be_visible(timeout=30_000)
    answer, first = page.locator(".irag-answer").bounding_box(), hop(page, 1).bounding_box()
    assert answer["y"] < first["y"]
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    context.close()


def test_a_link_into_a_fresh_process_opens_the_whole_app_and_says_what_is_missing(
    browser, page, tmp_path
):
    home = tmp_path / "empty"
    home.mkdir()
    with serving(home, 0.1) as address:
        page.goto(f"{address}/ask?run=gone")
        expect(page.get_by_text("There is no run with the id gone")).to_be_visible()
        expect(page.get_by_text("No corpus yet")).to_be_visible()
        expect(page.get_by_role("link", name="About")).to_be_visible()
        assert page.locator("[data-testid=stSidebarNav]").count() == 0
