from __future__ import annotations

from pathlib import Path

import pytest

from irag.errors import ModelError, UnknownName
from irag.models import Entry, present, pull
from irag.models.removing import held_bytes, remove
from tests.models.conftest import Shelf


def test_removing_frees_the_bytes_of_the_files_and_of_the_conversion(
    joined: Entry, halves: Shelf, models: Path
) -> None:
    pull("tiny-llm", models)
    converted = models / "tiny-llm-bf16" / "model.safetensors"
    converted.parent.mkdir()
    converted.write_bytes(bytes(1000))
    other = models / "tiny-llm-other" / "kept.bin"
    other.parent.mkdir()
    other.write_bytes(b"x")
    held = held_bytes("tiny-llm", models)
    assert held >= joined.bytes + 1000
    assert remove("tiny-llm", models) == held
    assert not present("tiny-llm", models) and held_bytes("tiny-llm", models) == 0
    assert other.exists() and not converted.parent.exists()
    assert present("tiny-llm", models) or pull("tiny-llm", models).exists()


def test_what_is_not_here_or_not_known_is_said(joined: Entry, models: Path) -> None:
    with pytest.raises(ModelError, match="nothing to remove"):
        remove("tiny-llm", models)
    for name in ("../home", "tiny-lm", ""):
        with pytest.raises(UnknownName):
            remove(name, models)
