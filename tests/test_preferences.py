"""What a person arranges holds in the running app: runs, models, the default LLM."""

from __future__ import annotations

import time

import pytest

from irag.engine import Play, checked_question
from irag.errors import UserError
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.settings import load
from irag.workbench import Workbench
from tests.fakes import fake_tools


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.delenv("IRAG_LLM", raising=False)
    monkeypatch.setenv("IRAG_HOME", str(tmp_path))
    monkeypatch.setenv("IRAG_MODELS", str(tmp_path / "models"))
    opened = Workbench(load())
    yield opened
    opened.close()


def begin(bench, run_id, delay=0.0):
    one = Play(parse_method("naive_rag"), checked_question("Where is Osk?"))
    script = Scripted(lambda request: "Osk", delay=delay)
    bench.asking.start(run_id, one, "scripted", lambda: fake_tools(script))


def until_idle(bench):
    end = time.monotonic() + 10
    while bench.asking.busy:
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


def test_a_deleted_run_is_gone_from_memory_too(bench):
    begin(bench, "r1")
    until_idle(bench)
    assert bench.view("r1") is not None and bench.runs.count() == 1
    bench.delete_runs(["r1"])
    assert bench.view("r1") is None and bench.runs.count() == 0
    with pytest.raises(UserError, match="no run 'r1'"):
        bench.delete_runs(["r1"])


def test_a_models_files_stay_while_a_run_is_under_way(bench, tmp_path):
    file = tmp_path / "models" / "smollm2-135m" / "x.gguf"
    file.parent.mkdir(parents=True)
    file.write_bytes(bytes(10))
    begin(bench, "slow", delay=30)
    with pytest.raises(UserError, match="under way"):
        bench.preferences.remove_model("smollm2-135m")
    assert file.exists() and bench.preferences.held() == {"smollm2-135m": 10}
    bench.stop("slow")
    until_idle(bench)
    assert bench.preferences.remove_model("smollm2-135m") == 10 and not file.exists()


def test_an_open_model_is_closed_before_its_files_go(bench, tmp_path):
    opened = Scripted(["x"])
    bench._llms.use("llama:smollm2-135m", lambda: opened)
    other = Scripted(["x"])
    bench._llms.use("llama:other", lambda: other)
    (tmp_path / "models" / "smollm2-135m").mkdir(parents=True)
    bench.preferences.remove_model("smollm2-135m")
    assert opened.closed and not other.closed


def test_the_default_llm_and_added_ones_hold_at_once_and_others_wait(bench):
    bench.preferences.change("llm", "scripted")
    bench.preferences.change("window", "512")
    assert bench.default_llm() == "scripted" == bench.llms()[0].spec
    assert bench.settings.window == 4096 and bench.preferences.in_force("window") == "4096"
    said = {one.name: one for one in bench.preferences.origins()}
    assert said["window"].value == "512" and said["home"].source == "IRAG_HOME"
    bench.preferences.add("openai:http://127.0.0.1:9/v1#m")
    assert "openai:http://127.0.0.1:9/v1#m" in [card.spec for card in bench.llms()]
    bench.preferences.change("llm", None)
    assert bench.default_llm().startswith("llama:")


def test_an_llm_that_cannot_be_opened_is_a_trial_with_its_reason(bench):
    assert "not on this machine" in bench.preferences.try_llm("llama:smollm2-135m").error
    assert bench.preferences.try_llm("scripted").reply == "A"
