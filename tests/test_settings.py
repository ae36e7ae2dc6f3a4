"""Settings: flag before environment before file before default, and bad ones are named."""

from __future__ import annotations

import threading

import pytest

from irag.errors import UserError
from irag.settings import change, load, origins, save, unset


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path):
    home = str(tmp_path)
    save(tmp_path, llm="llama:file", window=1000)
    env = {"IRAG_HOME": home}
    assert load({}, env).llm == "llama:file" and load({}, env).window == 1000
    env["IRAG_LLM"] = "llama:env"
    assert load({}, env).llm == "llama:env"
    assert load({"llm": "llama:flag"}, env).llm == "llama:flag"
    said = {one.name: one.source for one in origins({"llm": "llama:flag"}, env)}
    assert said["llm"] == "flag" and said["window"] == "settings.toml"
    assert said["home"] == "IRAG_HOME" and said["slots"] == "default"


@pytest.mark.parametrize(("name", "value"), [("window", "many"), ("slots", "0"), ("timeout", "-5")])
def test_a_value_that_cannot_be_used_is_named(tmp_path, name, value):
    env = {"IRAG_HOME": str(tmp_path), f"IRAG_{name.upper()}": value}
    with pytest.raises(UserError, match=name):
        load({}, env)


def test_an_unknown_setting_and_a_broken_file_are_said(tmp_path):
    (tmp_path / "settings.toml").write_text("windw = 3\n")
    with pytest.raises(UserError, match=r"windw.*Known: .*window"):
        load({}, {"IRAG_HOME": str(tmp_path)})
    (tmp_path / "settings.toml").write_text("windw = = 3\n")
    with pytest.raises(UserError, match="cannot be read"):
        load({}, {"IRAG_HOME": str(tmp_path)})


def test_saving_keeps_the_other_settings(tmp_path):
    save(tmp_path, llm='openai:http://x/v1#a"b')
    save(tmp_path, window=512)
    settings = load({}, {"IRAG_HOME": str(tmp_path)})
    assert settings.llm == 'openai:http://x/v1#a"b' and settings.window == 512


OWN = """# mine
window = 1000  # small on purpose

# of another tool
[other]
deep = [1, 2]
"""


def test_a_change_keeps_comments_order_and_unknown_keys(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(OWN, "utf-8")
    change(tmp_path, "window", "512")
    change(tmp_path, "llm", "llama:tiny")
    text = path.read_text("utf-8")
    assert "# mine\nwindow = 512  # small on purpose" in text and "[other]\ndeep = [1, 2]" in text
    unset(tmp_path, "other")
    assert load({}, {"IRAG_HOME": str(tmp_path)}).window == 512
    unset(tmp_path, "window")
    assert load({}, {"IRAG_HOME": str(tmp_path)}).window == 4096
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".part"] == []


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("windw", "3", "windw.*Known: .*window"),
        ("window", "many", "not a number"),
        ("timeout", "inf", "above zero"),
        ("slots", "-1", "above zero"),
        ("llm", "  ", "unset it"),
        ("home", "/elsewhere", "IRAG_HOME"),
        ("llm", "openai:http://x/v1#m@sk-abcdefghijklmnop", "NAME"),
        ("database_url", "postgresql://me:hush@host/runs", "IRAG_DATABASE_URL"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_nothing_is_written(tmp_path, name, text, words):
    with pytest.raises(UserError, match=words) as refused:
        change(tmp_path, name, text)
    assert not (tmp_path / "settings.toml").exists()
    assert "hush" not in str(refused.value) and "abcdefgh" not in str(refused.value)


def test_unsetting_what_is_not_set_is_said(tmp_path):
    with pytest.raises(UserError, match="nothing to unset"):
        unset(tmp_path, "window")


def test_a_broken_file_is_never_overwritten(tmp_path):
    (tmp_path / "settings.toml").write_text("window = = 3\n")
    with pytest.raises(UserError, match="cannot be read"):
        change(tmp_path, "window", "3")
    assert (tmp_path / "settings.toml").read_text() == "window = = 3\n"


def test_every_setting_says_what_it_means_and_a_password_is_never_shown(tmp_path):
    env = {"IRAG_HOME": str(tmp_path), "IRAG_DATABASE_URL": "postgresql://me:hush@host/runs"}
    said = {one.name: one for one in origins({}, env)}
    assert all(one.meaning.endswith(".") for one in said.values())
    assert said["database_url"].source == "IRAG_DATABASE_URL"
    assert "hush" not in said["database_url"].value
    assert not said["llm"].restart and said["slots"].restart and not said["home"].changeable


def test_two_threads_change_two_settings_and_both_hold(tmp_path):
    names = ["window", "slots"]
    threads = [
        threading.Thread(target=lambda n=n: [change(tmp_path, n, str(v)) for v in range(1, 20)])
        for n in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settings = load({}, {"IRAG_HOME": str(tmp_path)})
    assert settings.window == settings.slots == 19
