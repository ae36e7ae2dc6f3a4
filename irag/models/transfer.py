"""A transfer under way: bytes written, progress said, and Stop looked at."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from irag.errors import Cancelled, ModelError

__all__ = ["Progress", "Transfer"]

Progress = Callable[[int, int, str], None]
"""Called with (bytes done, bytes in all, what is being done); bytes never go back."""


def _silent(done: int, total: int, what: str) -> None:
    """Nobody looks."""


@dataclass(slots=True)
class Transfer:
    """One model's way here; a source writes through it."""

    total: int
    progress: Progress = _silent
    cancel: threading.Event = field(default_factory=threading.Event)
    done: int = 0
    _shown: int = 0

    def say(self, what: str, pending: int = 0) -> None:
        """Report, with `pending` bytes that are here but not yet in place; Cancelled on Stop."""
        if self.cancel.is_set():
            raise Cancelled
        self._shown = max(self._shown, min(self.total, self.done + pending))
        self.progress(self._shown, self.total, what)

    def append(self, chunks: Iterable[bytes], destination: Path, limit: int, what: str) -> None:
        """Append to a file that may hold at most `limit` bytes; ModelError when more come."""
        destination.parent.mkdir(parents=True, exist_ok=True)
        with destination.open("ab") as out:
            for chunk in chunks:
                if out.tell() + len(chunk) > limit:
                    raise ModelError(f"{what} gives more than the {limit} bytes expected.")
                out.write(chunk)
                self.done += len(chunk)
                self.say(what)
