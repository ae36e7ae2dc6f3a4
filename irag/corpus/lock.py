"""One writer per corpus; the lock says who holds it and ends with its process."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from irag.errors import CorpusError

__all__ = ["writing"]


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Hold the corpus's writer lock; CorpusError naming pid and time when another holds it.

    The kernel frees the lock of a process that died, so a stale one is simply taken over.
    """
    path = folder / "LOCK"
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CorpusError(_held(path, folder.name)) from error
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "since": f"{datetime.now():%Y-%m-%d %H:%M}"}))
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def _held(path: Path, name: str) -> str:
    try:
        holder = json.loads(path.read_text("utf-8"))
        who = f"process {holder['pid']} since {holder['since']}"
    except (ValueError, KeyError, TypeError):
        who = "another process"
    return f"The corpus {name} is being changed by {who}. Wait until it ends, or stop it."
