"""The Corpora page in a real browser: files are dropped, work goes on elsewhere, all is found again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow
expect.set_options(timeout=30_000)  # a job loads the embedder

FILES = [
    {
        "name": "osk.md",
        "mimeType": "text/markdown",
        "buffer": b"# Osk\n\nOsk lies on the Tem. Ana Kor founded Osk in 1204.",
    },
    {
        "name": "静港.txt",
        "mimeType": "text/plain",
        "buffer": "静港是一座港口城市。安娜·科尔出生于静港。".encode(),
    },
    {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 nothing"},
]


def test_dropped_files_are_indexed_while_the_page_is_left_and_the_broken_one_is_named(app, page):
    page.goto(f"{app}/corpora")
    page.locator("input[type=file]").set_input_files(FILES)
    expect(page.get_by_text("broken.pdf")).to_be_visible()
    page.get_by_role("textbox", name="Name").fill("dropped")
    page.get_by_role("button", name="Create").click()  # without leaving the box: FR-186
    expect(page.get_by_text("Indexing dropped")).to_be_visible()
    page.get_by_role("link", name="About").click()
    expect(page.get_by_text("Glossary").first).to_be_visible()
    page.goto(f"{app}/corpora?name=dropped")
    expect(page.get_by_text(re.compile("1 problem"))).to_be_visible(timeout=120_000)
    expect(page.locator(".irag-title")).to_have_text(["broken.pdf"])
    page.get_by_text("Documents", exact=True).first.click()
    expect(page.get_by_role("button", name="Osk")).to_be_visible()
    page.get_by_role("button", name="静港").click()
    expect(page.locator(".irag-text")).to_contain_text("安娜·科尔出生于静港。")
    page.get_by_role("link", name="Ask about it").click()
    corpus = page.get_by_role("combobox", name="Corpus")
    expect(corpus).to_have_value(re.compile("^dropped · "))
