"""What lies in the models folder, and whether it is what the catalogue says.

A file is hashed once; `.verified.json` beside it remembers its size and time of change, so later
looks cost a stat. A file that changed since is hashed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from irag.errors import ModelError
from irag.models.catalogue import File, find

__all__ = ["STAMP", "digest", "path", "present", "verify"]

STAMP = ".verified.json"
_FORMAT = "irag-verified-1"
_CHUNK = 1 << 20


def digest(file: Path) -> str:
    """The sha256 of a file, in hex."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def path(name: str, models: Path) -> Path:
    """Where a model lies: its file for an LLM, its folder otherwise.

    UnknownName for one that is not in the catalogue; ModelError, with the command that helps, when
    it is not there or damaged.
    """
    entry = find(name)
    folder = models / name
    helps = f"Get it: python -m irag models pull {name}"
    if not folder.is_dir():
        raise ModelError(f"The model {name} is not on this machine. {helps}")
    try:
        verify(folder, entry.files)
    except ModelError as error:
        raise ModelError(f"The model {name} is damaged: {error} {helps}") from error
    return folder / entry.files[0].name if entry.kind == "llm" else folder


def present(name: str, models: Path) -> bool:
    """Whether `path` would find the model whole."""
    try:
        path(name, models)
    except ModelError:
        return False
    return True


def verify(folder: Path, files: Iterable[File]) -> None:
    """ModelError naming the first file that is missing or is not the one listed."""
    known = _read_stamp(folder)
    seen: dict[str, str] = {}
    for file in files:
        seen[file.name] = _state(folder, file)
        if known.get(file.name) == seen[file.name]:
            continue
        found = digest(folder / file.name)
        if found != file.sha256:
            raise ModelError(
                f"{file.name} has sha256 {found[:12]}… where {file.sha256[:12]}… was expected."
            )
    if known != seen:
        _write_stamp(folder, seen)


def _state(folder: Path, file: File) -> str:
    """Bytes, time of change and expected sha256 as one comparable text."""
    try:
        stat = (folder / file.name).stat()
    except OSError as error:
        raise ModelError(f"{file.name} cannot be read ({error.strerror}).") from error
    if stat.st_size != file.bytes:
        raise ModelError(f"{file.name} has {stat.st_size} bytes where {file.bytes} were expected.")
    return f"{stat.st_size} {stat.st_mtime_ns} {file.sha256}"


def _read_stamp(folder: Path) -> dict[str, str]:
    try:
        stamp = json.loads((folder / STAMP).read_text("utf-8"))
        return dict(stamp["files"]) if stamp["format"] == _FORMAT else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # no usable stamp: everything is hashed again, which is always right


def _write_stamp(folder: Path, seen: dict[str, str]) -> None:
    partial = folder / f"{STAMP}.{os.getpid()}"
    # A folder that may only be read still serves; it is hashed by each process.
    with contextlib.suppress(OSError):
        partial.write_text(json.dumps({"format": _FORMAT, "files": seen}), "utf-8")
        partial.replace(folder / STAMP)
