"""The About page: models are tried, added and removed, and no key is ever kept or shown."""

from __future__ import annotations

import pytest

from irag.health import HealthCard, LLMCard, llm_cards
from irag.llm.scripted import Scripted
from irag.models import CATALOGUE
from irag.settings import Settings
from tests.pages.fake_bench import READY, FakeBench
from tests.pages.opening import opened, seen, words

KEY = "sk-proj-4f7Hq2Lw9Zx81kQ"


class Bench(FakeBench):
    """With a home and models of its own."""

    def __init__(self, folder, **changes):
        super().__init__(home=folder / "home", **changes)
        self.settings = Settings(folder / "home", folder / "models", "sqlite://")
        self.reply = "A river runs. " * 5

    def llm(self, spec):
        return Scripted(lambda request: '{"colour": "red"}' if request.schema else self.reply)

    def llms(self):
        return (READY, *llm_cards(self.settings, "none"))


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def about(bench):
    return seen(opened(bench).switch_page("pages/about.py").run())


def add(page, **typed):
    for name, text in typed.items():
        page.text_input(key=f"about.add.{name}").set_value(text)
    return seen(page.button(key="about.add.do").click().run())


def everything(page) -> str:
    """Also what stands in the boxes."""
    return words(page) + "".join(str(box.value) for box in page.text_input)


def test_methods_models_health_and_words_are_there_without_any_model(bench):
    said = words(about(bench))
    assert "KiRAG" in said and "arXiv" in said and "Where it departs" in said
    assert "Get it: python -m irag models pull" in said and "Iterative RAG" in said
    assert all(name in said for name in CATALOGUE)


def test_a_model_is_tried_with_its_speed_and_what_it_really_can_do(bench):
    page = about(bench)
    seen(page.button(key="llm.try.0").click().run())
    said = words(page)
    assert "first text after" in said and "15 tokens" in said and "A river runs." in said
    assert "Replies held to a schema" in said and "not claimed" not in said
    bench.reply = ""
    seen(page.button(key="llm.try.0").click().run())
    assert "nothing came after it" in words(page)


def test_a_server_is_added_offered_and_removed(bench, monkeypatch):
    page = add(about(bench), address="http://127.0.0.1:8000/v1", model="m", key="MY_KEY")
    spec = "openai:http://127.0.0.1:8000/v1#m@MY_KEY"
    assert spec in words(page) and "MY_KEY with its key is not set" in words(page)
    assert [card.ready for card in bench.llms() if card.spec == spec] == [False]
    assert page.text_input(key="about.add.address").value == ""
    monkeypatch.setenv("MY_KEY", KEY)
    page = about(bench)
    assert KEY not in everything(page)
    assert [card.ready for card in bench.llms() if card.spec == spec] == [True]
    forget = next(one for one in page.button if str(one.key).startswith("llm.forget."))
    assert spec not in words(seen(forget.click().run()))


@pytest.mark.parametrize("field", ["key", "model", "address"])
def test_a_pasted_key_is_refused_explained_and_kept_nowhere(bench, field):
    typed = {"address": "https://api.example/v1", "model": "m", "key": ""}
    typed[field] += KEY if field != "address" else f"?api_key={KEY}"
    page = add(about(bench), **typed)
    assert "NAME" in words(page) and KEY not in words(page)
    assert field != "key" or KEY not in everything(page)
    assert not (bench.home / "settings.toml").exists()


def test_a_key_of_no_known_shape_is_refused_too(bench):
    page = add(about(bench), address="https://api.example/v1", model="m", key="hunter2")
    assert "kept nowhere" in words(page) and "hunter2" not in everything(page)


def test_a_file_that_is_not_there_and_an_empty_form_are_said(bench, tmp_path):
    page = add(about(bench))
    assert "Say the server's address" in words(page)
    page.session_state["about.add.kind"] = "file"
    seen(page.run())
    assert "is not there" in words(add(page, path="/no/such.gguf"))
    file = tmp_path / "tiny.gguf"
    file.write_bytes(b"x")
    assert f"llama:{file}" in words(add(page, path=str(file)))


def test_a_models_files_are_deleted_after_being_asked_and_the_megabytes_are_said(bench, tmp_path):
    name = next(iter(CATALOGUE))
    for folder in (name, f"{name}-bf16"):
        path = tmp_path / "models" / folder / "weights.bin"
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(2_500_000))
    page = about(bench)
    assert f"Delete the files of {name}? It frees 5 MB" in words(page)
    seen(page.button(key=f"weights.delete.{name}").click().run())
    assert f"{name} is deleted: 5 MB freed." in [
        str(one.value).replace("\\", "") for one in page.success
    ]
    assert not (tmp_path / "models" / name).exists()
    seen(page.button(key=f"weights.get.{name}").click().run())
    assert bench.pulled == [name]


def test_what_needs_attention_comes_first_with_what_to_do(tmp_path):
    cards = (HealthCard("database", True, "open"), HealthCard("corpora", False, "none yet: run setup"))  # fmt: skip
    said = words(about(Bench(tmp_path, checks=cards)))
    assert said.index("none yet: run setup") < said.index("database")


def test_a_settings_file_that_cannot_be_read_is_said_and_the_rest_is_there(bench):
    bench.home.mkdir()
    (bench.home / "settings.toml").write_text("llms = 5")
    bench.llms = lambda: (LLMCard("none", "none", True),)
    said = words(about(bench))
    assert "must be a list" in said and "Iterative RAG" in said
