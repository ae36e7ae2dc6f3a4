"""Added LLMs: kept by SPEC beside the settings, offered, told whether they are ready, forgotten."""

from __future__ import annotations

import pytest

from irag.errors import UnknownName, UserError
from irag.health import health, llm_cards
from irag.llms import add, added, checked, local_spec, remove, server_spec
from irag.settings import change, load

SERVER = "openai:http://127.0.0.1:8000/v1#llama3@MY_KEY"


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    return load({"home": str(tmp_path)}, {})


def test_an_added_llm_is_offered_once_and_says_what_it_lacks(settings, monkeypatch):
    change(settings.home, "window", "512")
    assert add(settings.home, f" {SERVER} ") == SERVER == add(settings.home, SERVER)
    assert added(settings.home) == (SERVER,) and load({"home": str(settings.home)}).window == 512
    (card,) = (card for card in llm_cards(settings, "none") if card.spec == SERVER)
    assert not card.ready and "MY_KEY" in card.note
    (check,) = (one for one in health(settings) if one.name == f"LLM {SERVER}")
    assert not check.ok and "not set" in check.note
    monkeypatch.setenv("MY_KEY", "x")
    assert llm_cards(settings, SERVER)[0].ready
    remove(settings.home, SERVER)
    assert added(settings.home) == ()
    with pytest.raises(UnknownName, match="none yet"):
        remove(settings.home, SERVER)


@pytest.mark.parametrize("spec", ["", "gpt:x", "llama", "openai:localhost", "openai:https://u:p@x/v1#m"])  # fmt: skip
def test_what_is_no_spec_is_refused(settings, spec):
    with pytest.raises(UserError):
        add(settings.home, spec)
    assert added(settings.home) == ()


def test_a_catalogue_name_alone_means_llama_cpp():
    assert checked("smollm2-135m") == "llama:smollm2-135m"


def test_specs_are_built_from_what_a_person_types(tmp_path):
    assert server_spec(" http://h/v1 ", " m ", "K") == "openai:http://h/v1#m@K"
    (tmp_path / "a.gguf").touch()
    (tmp_path / "a.txt").touch()
    assert local_spec(str(tmp_path / "a.gguf")).startswith("llama:")
    assert local_spec(str(tmp_path)).startswith("hf:")
    for path in ("", "/no/where", str(tmp_path / "a.txt")):
        with pytest.raises(UserError):
            local_spec(path)


def test_a_file_that_went_away_and_a_spec_written_wrongly_by_hand_are_told(settings):
    (settings.home / "settings.toml").write_text('llms = ["llama:/gone.gguf", "openai:odd"]')
    cards = {card.spec: card for card in llm_cards(settings, "none")}
    assert "is not there" in cards["llama:/gone.gguf"].note
    assert not cards["openai:odd"].ready and "cannot be read" in cards["openai:odd"].note
