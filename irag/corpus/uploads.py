"""Files that came through a browser: kept under numbers, with their names beside them, until read.

A name that a person's browser sends is only ever shown; it never becomes a path.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from irag.corpus.decoding import SourceFile
from irag.errors import UserError

__all__ = ["MOST_BYTES", "MOST_FILES", "discard", "keep", "kept"]

MOST_FILES = 200
MOST_BYTES = 200_000_000  # of one file
_NAMES = "names.json"
_BATCH = re.compile(r"[0-9a-f]{16}")
_CHUNK = 1 << 20


def keep(home: Path, files: Iterable[tuple[str, BinaryIO]]) -> str:
    """Write the files of one upload to disk and return the batch's name, a hash of names and bytes.

    UserError when there are none, too many, or one is too big; then nothing is kept.
    """
    partial = home / "uploads" / f".{os.getpid()}-{secrets.token_hex(4)}"
    partial.mkdir(parents=True)
    try:
        batch = _write(partial, files)
        folder = partial.with_name(batch)
        if not folder.exists():  # else the same files, still waiting to be read
            partial.rename(folder)
        return batch
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write(folder: Path, files: Iterable[tuple[str, BinaryIO]]) -> str:
    whole, names = hashlib.sha256(), []
    for number, (name, stream) in enumerate(files):
        if number == MOST_FILES:
            raise UserError(f"More than {MOST_FILES} files at once. Add them in smaller groups.")
        names.append(name)
        whole.update(f"\0{name}\0".encode("utf-8", "surrogatepass"))
        size = 0
        with (folder / f"{number:04d}").open("wb") as kept_file:
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                if size > MOST_BYTES:
                    most = f"{MOST_BYTES // 1_000_000} MB"
                    raise UserError(f"{name} is bigger than {most}. Split it, or give its path.")
                whole.update(chunk)
                kept_file.write(chunk)
    if not names:
        raise UserError("No file was chosen.")
    (folder / _NAMES).write_text(json.dumps(names), "ascii")
    return whole.hexdigest()[:16]


def kept(home: Path, batch: str) -> list[SourceFile] | None:
    """The files of a batch under the names they came with; None when they were read before."""
    folder = _folder(home, batch)
    if not folder.is_dir():
        return None
    names = json.loads((folder / _NAMES).read_text("ascii"))
    return [SourceFile.of(folder / f"{n:04d}", name) for n, name in enumerate(names)]


def discard(home: Path, batch: str) -> None:
    """Remove a batch: its text is in the corpus now."""
    shutil.rmtree(_folder(home, batch), ignore_errors=True)


def _folder(home: Path, batch: str) -> Path:
    if not _BATCH.fullmatch(batch):
        raise UserError(f"{batch!r} is not the name of an upload.")
    return home / "uploads" / batch
