"""Exports on disk: whole or not at all, under names that every file system takes."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from irag.errors import UserError
from irag.labels.exports import Exported

__all__ = ["file_name", "save_export"]

LONGEST = 120
"""Bytes of a name before its ending; file systems take 255 for all of it."""

_UNFIT = re.compile(r"[^\w.-]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)?\.*", re.IGNORECASE)


def file_name(title: str, ending: str) -> str:
    """A name for a title of any length and script; two titles never share one.

    What is changed or cut is told apart by a hash of the whole title.

    >>> file_name("Harbours", ".csv")
    'Harbours.csv'
    """
    plain = _UNFIT.sub("-", title).strip("-.")
    raw = plain.encode("utf-8", "replace")[:LONGEST]
    short = raw.decode("utf-8", "ignore").rstrip("-.")
    if short != title or _RESERVED.fullmatch(short):
        mark = hashlib.sha1(title.encode("utf-8", "surrogatepass"), usedforsecurity=False)
        short = f"{short or 'labels'}-{mark.hexdigest()[:8]}"
    return short + ending


def save_export(exported: Exported, path: Path) -> tuple[Path, ...]:
    """Write an export, its sidecar beside it as `<name>.json`; the files written.

    UserError when the disk does not take them: then an older file of that name is as it was.
    """
    files = [(path, exported.text)]
    if exported.sidecar:
        files.append((path.with_name(path.name + ".json"), exported.sidecar))
    partials = [(target.with_name(target.name + ".partial"), target) for target, _ in files]
    try:
        for (partial, _), (_, text) in zip(partials, files, strict=True):
            _write(partial, text)
        for partial, target in partials:
            partial.replace(target)
    except OSError as error:
        for partial, _ in partials:
            partial.unlink(missing_ok=True)
        raise UserError(f"{path} cannot be written ({error.strerror or error}).") from error
    return tuple(target for _, target in partials)


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
