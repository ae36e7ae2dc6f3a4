"""Taking a model off this machine: its files and what was converted from them."""

from __future__ import annotations

import shutil
from pathlib import Path

from irag.errors import ModelError
from irag.models.catalogue import find
from irag.models.transfer import Transfer
from irag.models.workspace import locked

__all__ = ["held_bytes", "remove"]


def held_bytes(name: str, models: Path) -> int:
    """Bytes that a catalogue model takes here, its conversion too; 0 when it is not here."""
    find(name)
    return sum(
        file.stat().st_size
        for folder in _folders(name, models)
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink()
    )


def remove(name: str, models: Path) -> int:
    """Delete a catalogue model and return the bytes freed; `pull` brings it back.

    UnknownName for one that is not in the catalogue; ModelError when it is not here or its files
    cannot be deleted.
    """
    find(name)
    if not _folders(name, models):
        raise ModelError(f"The model {name} is not on this machine, so there is nothing to remove.")
    with locked(models, name, Transfer(0)):
        freed = held_bytes(name, models)
        try:
            for folder in _folders(name, models):
                shutil.rmtree(folder)
        except OSError as error:
            raise ModelError(
                f"{name} could not be removed ({error.strerror or error}). Close what uses it, or "
                f"delete {models / name} yourself."
            ) from error
    return freed


def _folders(name: str, models: Path) -> list[Path]:
    return [path for path in (models / name, models / f"{name}-bf16") if path.is_dir()]
