"""Where models are worked on: one process at a time, in a folder that never outlives the work."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from irag.models.transfer import Transfer

__all__ = ["locked", "put", "workspace"]


@contextlib.contextmanager
def locked(models: Path, name: str, transfer: Transfer) -> Iterator[None]:
    """Hold the name's lock, shared by all processes; Cancelled on Stop while waiting for it."""
    import filelock

    models.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(models / f".{name}.lock")
    while not lock.is_locked:
        try:
            lock.acquire(timeout=0.2)
        except filelock.Timeout:
            transfer.say(f"waiting for another process that works on {name}")
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def workspace(models: Path, name: str) -> Iterator[Path]:
    """An empty folder beside the models, removed afterwards; its user holds the name's lock.

    Folders that killed processes left are removed first; each has its own name, because a download
    that such a process started may still be writing.
    """
    for stale in models.glob(f".{name}.part-*"):
        shutil.rmtree(stale, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=f".{name}.part-", dir=models))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def put(folder: Path, target: Path) -> None:
    """Move a finished folder to its place; a damaged one that lies there goes first."""
    if target.exists():
        shutil.rmtree(target)
    folder.rename(target)
