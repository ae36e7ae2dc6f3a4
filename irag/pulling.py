"""Getting a model in the background, with progress to look at."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path

from irag.errors import IragError
from irag.models import pull

__all__ = ["PullView", "Pulling"]


@dataclass(frozen=True, slots=True)
class PullView:
    """How far a pull is, in bytes; `error` says why it ended without the model."""

    name: str
    done: int = 0
    total: int = 0
    running: bool = True
    error: str = ""


class Pulling:
    """One pull at a time; another is refused while one runs."""

    def __init__(self, models: Path, hub_timeout: float) -> None:
        self._models = models
        self._hub_timeout = hub_timeout
        self._lock = threading.Lock()
        self._view: PullView | None = None
        self._cancel = threading.Event()

    def start(self, name: str) -> None:
        """Begin to get a model, unless one is being got already."""
        with self._lock:
            if self._view is not None and self._view.running:
                return
            self._view = PullView(name)
            self._cancel = threading.Event()
        threading.Thread(target=self._work, args=(name,), daemon=True, name="pull").start()

    def view(self) -> PullView | None:
        """A snapshot; None when nothing was pulled yet."""
        with self._lock:
            return self._view

    def stop(self) -> None:
        """Ask the pull to stop."""
        self._cancel.set()

    def _work(self, name: str) -> None:
        error = ""
        try:
            pull(name, self._models, self._progress, self._cancel, self._hub_timeout)
        except IragError as problem:
            error = str(problem)
        except Exception as problem:
            error = f"Internal error ({type(problem).__name__}: {problem})."
        with self._lock:
            assert self._view is not None
            self._view = replace(self._view, running=False, error=error)

    def _progress(self, done: int, total: int, what: str) -> None:
        with self._lock:
            assert self._view is not None
            self._view = replace(self._view, done=done, total=total)
