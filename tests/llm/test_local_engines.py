"""The two local engines: what the contract does not say."""

from __future__ import annotations

import json
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irag import models
from irag.errors import Cancelled, ModelError, UserError
from irag.llm import open_llm
from irag.llm.decoding import Kept, Prefixes
from irag.llm.llama_cpp import LlamaCpp
from irag.llm.packing import pack
from irag.llm.transformers_local import TransformersLocal
from irag.settings import load
from tests.llm.asking import ask, generate

NAME = "smollm2-135m"
CHOICE = json.dumps(
    {
        "type": "object",
        "properties": {"chain": {"type": "array", "items": {"enum": [1, 2]}, "maxItems": 1}},
        "required": ["chain"],
    }
)
SHARED = "Here are many passages about rivers, towns and the people who built them. " * 20


def test_a_file_that_is_missing_or_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("these are notes")
    for spec, said in (
        (f"llama:{tmp_path / 'gone.gguf'}", "gone.gguf cannot be read"),
        (f"llama:{tmp_path / 'notes.gguf'}", "is no GGUF file"),
    ):
        with pytest.raises(ModelError, match=said):
            open_llm(spec, load())
    with pytest.raises(UserError, match=NAME):
        open_llm("llama:no-such-model", load())


def test_a_catalogue_model_that_was_not_pulled_says_the_command(tmp_path: Path) -> None:
    settings = replace(load(), models=tmp_path)
    for engine in ("llama", "hf"):
        with pytest.raises(ModelError, match=f"models pull {NAME}"):
            open_llm(f"{engine}:{NAME}", settings)


def test_the_kept_prompt_with_the_longest_beginning_is_used() -> None:
    prefixes = Prefixes(size=2)
    for tokens in ([1, 2, 3, 4], [7, 8, 9, 10]):
        prefixes.keep(Kept(tokens, [(_Shape(len(tokens)), _Shape(len(tokens)))]))
    assert prefixes.longest([7, 8, 9, 5])[0][0].length == 3
    assert prefixes.longest([1, 2, 3, 4])[0][0].length == 3, "one token is left to read"
    assert prefixes.longest([5, 5]) == []
    prefixes.keep(Kept([1, 2, 3, 6], [(_Shape(4), _Shape(4))]))
    assert prefixes.longest([7, 8, 0])[0][0].length == 2, "it took the place of its like"


class _Shape:
    """Stands for keys: remembers only how many tokens were asked for."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __getitem__(self, spans: tuple[slice, ...]) -> _Shape:
        return _Shape(spans[2].stop)


@pytest.fixture(scope="module")
def weights() -> Path:
    folder = load().models
    if not models.present(NAME, folder):
        pytest.skip(f"{NAME} is not on this machine: python -m irag models pull {NAME}")
    return folder


@pytest.fixture(scope="module")
def llama(weights: Path) -> Iterator[LlamaCpp]:
    llm = open_llm(f"llama:{NAME}", replace(load(), window=1024))
    assert isinstance(llm, LlamaCpp)
    yield llm
    llm.close()


@pytest.mark.slow
def test_nobody_but_this_process_can_ask_the_llama_server(llama: LlamaCpp) -> None:
    folder = Path(llama._address).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    question = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}
    for headers in ({"Authorization": ""}, {"Authorization": "Bearer guess"}):
        for path in ("/v1/chat/completions", "/completion", "/tokenize", "/slots"):
            assert llama._client.post(path, json=question, headers=headers).status_code == 401
    origin = llama._client.get("/health", headers={"Origin": "http://evil.example"})
    assert origin.headers.get("access-control-allow-origin", "") == ""


@pytest.mark.slow
def test_closing_removes_the_socket(weights: Path) -> None:
    llm = open_llm(f"llama:{NAME}", replace(load(), window=512, slots=1))
    folder = Path(llm._address).parent  # type: ignore[attr-defined]
    assert folder.exists()
    llm.close()
    assert not folder.exists()


@pytest.mark.slow
def test_a_model_file_cut_short_is_said(weights: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    with models.path(NAME, weights).open("rb") as whole:
        cut.write_bytes(whole.read(40_000_000))
    with pytest.raises(ModelError, match="cut short"):
        open_llm(f"llama:{cut}", load())


@pytest.mark.slow
def test_a_waiting_call_can_be_stopped_while_others_are_written(llama: LlamaCpp) -> None:
    cancel, others = threading.Event(), threading.Event()
    long = [ask(f"Tell a very long story about {n}.", max_tokens=400) for n in range(3)]

    def write() -> None:
        with suppress(Cancelled):
            llama.generate(long, lambda n, text: None, others)

    busy = threading.Thread(target=write)
    busy.start()
    threading.Timer(0.2, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        llama.generate([ask("waits")], lambda n, text: None, cancel)
    assert time.monotonic() - began < 2
    others.set()
    busy.join()


@pytest.mark.slow
def test_an_unknown_hub_id_fails_in_seconds_when_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    began = time.monotonic()
    with pytest.raises(ModelError, match=f"cannot be reached.*{NAME}"):
        open_llm("hf:nobody/no-such-model", load())
    assert time.monotonic() - began < 30  # most of it is the import of transformers


class Counting:
    """How many tokens a model was fed, and in how many calls."""

    def __init__(self, model: Any) -> None:
        self.tokens = self.calls = 0
        model.register_forward_pre_hook(self._count, with_kwargs=True)

    def _count(self, module: Any, arguments: Any, named: dict[str, Any]) -> None:
        self.tokens += named["input_ids"].numel()
        self.calls += 1


@pytest.fixture
def tiny(weights: Path) -> tuple[TransformersLocal, Counting]:
    """A model of random float32 weights: its sums are exact enough to compare token by token."""
    import torch
    from transformers import AutoTokenizer, Qwen2Config, Qwen2ForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(models.convert(NAME, weights))
    torch.manual_seed(3)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        initializer_range=0.5,
    )
    model = Qwen2ForCausalLM(config).eval()
    counting = Counting(model)
    return TransformersLocal(model, tokenizer, name="hf:tiny", window=2048), counting


@pytest.mark.slow
def test_a_batch_says_what_each_says_alone(tiny: tuple[TransformersLocal, Counting]) -> None:
    llm, _ = tiny
    requests = [
        ask("short", max_tokens=6),
        ask(SHARED, max_tokens=12),
        ask("a warm one", max_tokens=9, temperature=1.0, seed=4),
        ask(f"{SHARED} And a choice.", max_tokens=20, schema=CHOICE),
        ask("prefixed", prefix="So", max_tokens=3),
    ]
    together = generate(llm, *requests)
    alone = [generate(llm, request)[0] for request in requests]
    assert [r.text for r in together] == [r.text for r in alone]
    assert [r.usage for r in together] == [r.usage for r in alone]


@pytest.mark.slow
def test_a_shared_beginning_is_read_once_and_changes_nothing(
    tiny: tuple[TransformersLocal, Counting],
) -> None:
    llm, counting = tiny
    fresh = generate(llm, ask(f"{SHARED} Which is first?"))[0]
    generate(llm, ask("Something else between."))
    counting.tokens = 0
    generate(llm, ask(f"{SHARED} Which is last?", max_tokens=1))
    assert counting.tokens < 20
    again = generate(llm, ask(f"{SHARED} Which is first?"))[0]
    assert again.text == fresh.text and again.usage == fresh.usage


@pytest.mark.slow
def test_what_a_schema_forces_costs_no_call(tiny: tuple[TransformersLocal, Counting]) -> None:
    llm, counting = tiny
    (reply,) = generate(llm, ask("Choose.", schema=CHOICE, max_tokens=30))
    assert json.loads(reply.text)["chain"] in ([], [1], [2])
    assert counting.calls < reply.usage.completion_tokens / 2


@pytest.mark.slow
def test_a_stop_is_looked_at_between_pieces_of_a_prompt(
    tiny: tuple[TransformersLocal, Counting],
) -> None:
    llm, counting = tiny
    cancel = threading.Event()
    stopper = threading.Thread(target=lambda: (_until(counting, 1), cancel.set()))
    stopper.start()
    with pytest.raises(Cancelled):
        llm.generate([ask(f"{n} {SHARED * 4}") for n in range(40)], lambda n, t: None, cancel)
    stopper.join()
    assert counting.calls < 40


def _until(counting: Counting, calls: int) -> None:
    while counting.calls < calls:
        time.sleep(0.001)


@pytest.mark.slow
def test_packed_weights_give_the_same_numbers() -> None:
    import torch

    plain = torch.nn.Sequential(torch.nn.Linear(96, 160), torch.nn.Linear(160, 32, bias=False))
    plain.to(torch.bfloat16)
    rows = torch.randn(5, 96, dtype=torch.bfloat16)
    with torch.inference_mode():
        before = plain(rows)
        pack(plain)
        after = plain(rows)
    assert type(plain[0]) is not torch.nn.Linear
    assert torch.allclose(before.float(), after.float(), atol=0.02)
