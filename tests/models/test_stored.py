from __future__ import annotations

import os
from pathlib import Path

import pytest

from irag.errors import ModelError
from irag.models import CATALOGUE, Entry, path, present, stored
from tests.models.conftest import WEIGHTS


@pytest.fixture
def here(joined: Entry, models: Path) -> Path:
    """The tiny LLM, laid by hand."""
    (models / "tiny-llm").mkdir(parents=True)
    weights = models / "tiny-llm" / "tiny.gguf"
    weights.write_bytes(WEIGHTS)
    return weights


def test_a_missing_model_names_the_command(joined: Entry, models: Path) -> None:
    with pytest.raises(ModelError, match=r"not on this machine.*python -m irag models pull tiny"):
        path("tiny-llm", models)
    assert not present("tiny-llm", models)


def test_an_llm_is_its_file_and_a_folder_model_its_folder(here: Path, models: Path) -> None:
    assert path("tiny-llm", models) == here


def test_a_truncated_file_is_said_with_both_sizes(here: Path, models: Path) -> None:
    path("tiny-llm", models)
    here.write_bytes(WEIGHTS[: len(WEIGHTS) // 2])
    with pytest.raises(ModelError, match="51200 bytes where 102400.*models pull tiny-llm"):
        path("tiny-llm", models)


def test_a_changed_byte_is_found_although_the_size_is_right(here: Path, models: Path) -> None:
    path("tiny-llm", models)
    here.write_bytes(b"!" + WEIGHTS[1:])
    os.utime(here, ns=(1, 1))
    with pytest.raises(ModelError, match="sha256"):
        path("tiny-llm", models)


def test_the_second_look_hashes_nothing(
    here: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[Path] = []
    digest = stored.digest
    monkeypatch.setattr(stored, "digest", lambda file: (hashed.append(file), digest(file))[1])
    path("tiny-llm", models)
    path("tiny-llm", models)
    assert hashed == [here]
    os.utime(here, ns=(1, 1))
    path("tiny-llm", models)
    assert hashed == [here, here]


def test_an_unreadable_stamp_only_costs_another_look(here: Path, models: Path) -> None:
    for text in ("", "[]", '{"format": "irag-verified-1"}', '{"format": "x", "files": {}}'):
        (here.parent / stored.STAMP).write_text(text)
        assert path("tiny-llm", models) == here


def test_the_catalogue_is_complete() -> None:
    names = ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "smollm2-135m"]
    assert [name for name, entry in CATALOGUE.items() if entry.kind == "llm"] == names
    for name, entry in CATALOGUE.items():
        assert name == entry.name and entry.licence and entry.origin and entry.mirrors
        for file in entry.files:
            assert file.bytes > 0 and len(bytes.fromhex(file.sha256)) == 32
            parts = Path(file.name).parts
            assert ".." not in parts and not Path(file.name).is_absolute()
        assert entry.kind != "llm" or len(entry.files) == 1
