"""Waiting for work in other threads while looking at Stop."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

from irag.errors import Cancelled
from irag.tools import Cancel

__all__ = ["results_of"]

T = TypeVar("T")

_LOOK_SECONDS = 0.1


def results_of(futures: Sequence[Future[T]], cancel: Cancel) -> list[T]:
    """The results, in order. On a stop, what waits is dropped, what runs is waited for (it looks
    at Stop itself), and Cancelled is raised."""
    pending = set(futures)
    while pending:
        if cancel.is_set():
            wait([future for future in pending if not future.cancel()])
            raise Cancelled()
        _, pending = wait(pending, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
    return [future.result() for future in futures]
