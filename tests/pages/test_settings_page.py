"""The Settings page: every value with its source; changes go to the file and say when they hold."""

from __future__ import annotations

import pytest

from irag.settings import Settings
from tests.pages.fake_bench import FakeBench
from tests.pages.opening import opened, seen, words


@pytest.fixture
def bench(tmp_path, monkeypatch):
    for name in ("IRAG_HOME", "IRAG_MODELS", "IRAG_LLM", "IRAG_SLOTS"):
        monkeypatch.delenv(name, raising=False)
    bench = FakeBench(home=tmp_path)
    bench.settings = Settings(tmp_path, tmp_path / "models", f"sqlite:///{tmp_path / 'irag.db'}")
    return bench


def settings(bench):
    return seen(opened(bench).switch_page("pages/settings.py").run())


def save(page, name, text):
    page.text_input(key=f"settings.{name}").set_value(text)
    return seen(page.button(key=f"settings.{name}.save").click().run())


def test_every_setting_is_shown_with_its_meaning_and_where_it_came_from(bench, monkeypatch):
    monkeypatch.setenv("IRAG_SLOTS", "3")
    said = words(settings(bench))
    assert "Seconds to wait for a server's reply." in said and "from IRAG_SLOTS" in said
    assert "IRAG_SLOTS goes before the file" in said and str(bench.home) in said


def test_a_change_is_written_and_says_that_it_waits_for_a_restart(bench):
    page = save(settings(bench), "window", "2048")
    assert (bench.home / "settings.toml").read_text() == "window = 2048\n"
    assert "from settings.toml · holds after a restart; now it is 4096" in words(page)
    seen(page.button(key="settings.window.unset").click().run())
    assert page.text_input(key="settings.window").value == "4096"
    assert "window" not in (bench.home / "settings.toml").read_text()


def test_the_default_llm_holds_at_once(bench):
    page = save(settings(bench), "llm", "scripted")
    assert bench.settings.llm == "scripted" and "a change holds at once" in words(page)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("window", "many", "not a number"),
        ("llm", "gpt:x", "Unknown LLM"),
        ("llm", "openai:http://x/v1#m@sk-abcdefghijklmnop", "NAME"),
        ("timeout", "", "unset it"),
    ],
)
def test_a_value_that_cannot_be_is_refused_beside_its_box(bench, name, text, why):
    page = save(settings(bench), name, text)
    assert why in words(page) and "abcdefghijklmnop" not in words(page)
    assert page.text_input(key=f"settings.{name}").value != text
    assert not (bench.home / "settings.toml").exists()


def test_a_broken_file_is_said(bench):
    (bench.home / "settings.toml").write_text("window = = 3")
    assert "cannot be read" in words(settings(bench))
