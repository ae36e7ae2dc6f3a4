"""Settings: flag before environment before file before default, and bad ones are named."""

from __future__ import annotations

import pytest

from irag.errors import UserError
from irag.settings import load, origins, save


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
