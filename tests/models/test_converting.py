from __future__ import annotations

import json
from pathlib import Path

import pytest

from irag.errors import ModelError, UserError
from irag.models import CATALOGUE, Entry, convert, converted, path, pull
from irag.models.converting import _EMBEDDING, _OUTPUT, _tie
from irag.settings import load
from tests.models.conftest import Shelf

SMALL = "smollm2-135m"


def test_only_an_llm_is_converted(packed: Entry, models: Path) -> None:
    with pytest.raises(UserError, match="no LLM"):
        convert("tiny-embedder", models)


def test_a_model_that_is_not_here_is_not_converted(joined: Entry, models: Path) -> None:
    with pytest.raises(ModelError, match="models pull tiny-llm"):
        convert("tiny-llm", models)
    with pytest.raises(ModelError, match="models convert tiny-llm"):
        converted("tiny-llm", models)


def test_bytes_that_are_no_gguf_are_said_and_leave_nothing(
    joined: Entry, halves: Shelf, models: Path
) -> None:
    pull("tiny-llm", models)
    with pytest.raises(ModelError, match="could not be converted"):
        convert("tiny-llm", models)
    assert not [p for p in models.iterdir() if "bf16" in p.name and p.is_dir()]


def test_a_matrix_held_twice_is_kept_once_in_its_finer_form() -> None:
    import torch

    torch.manual_seed(0)
    exact = torch.randn(32, 8)
    coarse = exact + 0.03 * torch.randn(32, 8)
    weights = {_EMBEDDING: coarse, _OUTPUT: exact}
    assert _tie(weights) and list(weights) == [_EMBEDDING]
    assert torch.equal(weights[_EMBEDDING], exact)
    other = {_EMBEDDING: coarse, _OUTPUT: torch.randn(32, 8)}
    assert not _tie(other) and len(other) == 2
    assert _tie({_EMBEDDING: coarse})


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A models folder with the small LLM linked in, so that the real one stays as it is."""
    (tmp_path / SMALL).mkdir()
    weights = path(SMALL, load().models)
    (tmp_path / SMALL / weights.name).symlink_to(weights)
    return tmp_path


@pytest.mark.slow
def test_a_converted_model_writes_and_is_made_once(real: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = convert(SMALL, real)
    made = (folder / "model.safetensors").stat().st_mtime_ns
    assert convert(SMALL, real) == converted(SMALL, real) == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == made
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    ids = tokenizer("The capital of France is", return_tensors="pt")
    text = tokenizer.decode(model.generate(**ids, max_new_tokens=3, do_sample=False)[0])
    assert "Paris" in text

    (folder / "config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"config.json has 2 bytes"):
        converted(SMALL, real)


def test_a_conversion_of_another_file_is_not_taken(joined: Entry, models: Path) -> None:
    folder = models / "tiny-llm-bf16"
    folder.mkdir(parents=True)
    manifest = {"format": "irag-converted-1", "source": "0" * 64, "files": []}
    (folder / "irag-converted.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="from another file"):
        converted("tiny-llm", models)
    manifest["source"] = CATALOGUE["tiny-llm"].files[0].sha256
    (folder / "irag-converted.json").write_text(json.dumps(manifest))
    assert converted("tiny-llm", models) == folder
