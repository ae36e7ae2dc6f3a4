"""Runs and About in a real browser: replaying, deleting, the shared page on its own, a trial."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from irag.settings import load
from irag.store import RunStore, open_database
from tests.views import traces

pytestmark = pytest.mark.slow
expect.set_options(timeout=30_000)
HOSTILE = "</script><script>document.title='pwned'</script>"
ROW = 35
"""Height of a row of Streamlit's tables, in pixels."""


def save(home, name: str, at: str, question: str) -> None:
    trace = traces.trace_of(traces.ROWS[:3], asked=traces.question(question))
    store = RunStore(open_database(load({"home": str(home)}).database_url))
    store.save(name, replace(trace, started_at=at), "scripted")


def runs(home) -> set[str]:
    store = RunStore(open_database(load({"home": str(home)}).database_url))
    return {card.run_id for card in store.cards(100)}


def table(page: Page):
    """Only the runs of these tests are listed."""
    box = page.get_by_role("textbox", name="Words of the question")
    box.fill("replayable")
    box.press("Enter")
    expect(page.get_by_text(re.compile(r"1 to \d of \d runs"))).to_be_visible()
    return page.locator("[data-testid=stDataFrame]").bounding_box()


def test_a_run_is_opened_from_the_list_and_replayed_forth_and_back(app, page, home):
    save(home, "older", "2026-11-29T10:00:00+00:00", "Is this replayable, first?")
    save(home, "newer", "2026-11-30T10:00:00+00:00", "Is this replayable, second?")
    page.goto(f"{app}/runs")
    at = table(page)
    page.mouse.click(at["x"] + 65, at["y"] + ROW * 2.5)  # Open, in the second row
    expect(page.get_by_text("Is this replayable, first?").first).to_be_visible()
    assert re.search(r"/runs\?run=older", page.url)
    expect(page.get_by_text(re.compile("Step 20 of 20"))).to_be_visible()
    expect(page.locator(".irag-answer")).to_have_text("35,124")
    page.get_by_role("button", name="Link to this run").click()
    expect(page.get_by_text(f"{app}/ask?run=older")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Back", exact=False).first.click()
    page.keyboard.press("p")
    expect(page.get_by_text(re.compile("Step 1[89] of 20"))).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Nothing has happened yet")).to_be_visible()
    expect(page.locator(".irag-answer")).to_have_count(0)
    for step in (1, 2):
        page.get_by_role("button", name="Forward").click()
        expect(page.get_by_text(re.compile(f"Step {step} of 20"))).to_be_visible()
    expect(page.locator(".st-key-hop-1-open")).to_contain_text("10 documents")
    expect(page.locator(".st-key-result")).to_contain_text("Documents so far")


def test_ticked_runs_are_deleted_once_that_is_confirmed(app, page, home):
    save(home, "kept", "2026-11-28T10:00:00+00:00", "Is this replayable, kept?")
    save(home, "gone", "2026-12-01T10:00:00+00:00", "Is this replayable, gone?")
    page.goto(f"{app}/runs")
    at = table(page)
    page.mouse.click(at["x"] + 17, at["y"] + ROW * 1.5)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Delete 1 run? It cannot be brought back.")).to_be_visible()
    assert "gone" in runs(home)
    page.locator(".st-key-runs-delete button").last.click()
    expect(page.get_by_text("1 run deleted")).to_be_visible()
    assert "gone" not in runs(home) and "kept" in runs(home)


def test_a_shared_page_opens_from_the_disk_with_no_request_and_no_script(app, page, home, tmp_path):
    row = (HOSTILE, f"{HOSTILE} is a name.", (HOSTILE, HOSTILE, "Osk"))
    trace = traces.trace_of((row,), "Osk", asked=traces.question(HOSTILE))
    RunStore(open_database(load({"home": str(home)}).database_url)).save("evil", trace, "scripted")
    page.goto(f"{app}/runs?run=evil")
    with page.expect_download() as download:
        page.get_by_role("button", name="Share as a page").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator("h1")).to_have_text(HOSTILE)
    expect(page.locator("svg circle").first).to_be_visible()
    page.get_by_text("prompt and reply").first.click()
    expect(page.locator("pre").first).to_be_visible()
    assert page.title().startswith("</script>") and {urlsplit(url).scheme for url in asked} == {
        "file"
    }
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_model_is_tried_and_a_server_added_then_offered_on_ask(app, page):
    page.goto(f"{app}/about")
    page.get_by_role("tab", name="Language models").click()
    page.locator(".st-key-llm-0").get_by_role("button", name="Test").click()
    expect(page.locator(".st-key-llm-0")).to_contain_text("first text after", timeout=60_000)
    expect(page.locator(".st-key-llm-0")).to_contain_text("does not work: the reply did not follow")
    page.get_by_label("Address of the server").fill("http://127.0.0.1:9/v1")
    page.get_by_label("Name of the model there").fill("tiny")
    variable = page.get_by_role("textbox", name=re.compile("environment variable"))
    variable.fill("sk-abcdefghijklmnop")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("That looks like a key itself")).to_be_visible()
    expect(variable).to_have_value("")
    assert "abcdefghijklmnop" not in page.locator("body").inner_text()
    page.get_by_role("button", name="Add", exact=True).click()
    spec = "openai:http://127.0.0.1:9/v1#tiny"
    row = page.locator('[class*="st-key-llm-"]').filter(has_text=spec)
    expect(row).to_be_visible()
    page.get_by_role("link", name="Ask").first.click()
    page.get_by_role("combobox", name=re.compile("LLM")).click()
    expect(page.get_by_role("option", name=spec)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="About").first.click()
    page.get_by_role("tab", name="Language models").click()
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
