"""What is said about a file while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irag.errors import FileRejected

__all__ = ["Note", "Notice", "capped"]

NAMED_LINES = 100


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say about a place in a file; `lost`: what stands there did not go in."""

    place: str
    reason: str
    lost: bool = False


Note = Callable[[Notice], None]


def capped(note: Note, name: str) -> Note:
    """Names the first bad lines; so many that they say the file is another kind end it."""
    told = 0

    def some(notice: Notice) -> None:
        nonlocal told
        told += notice.lost
        if told > NAMED_LINES:
            raise FileRejected(
                name, f"more than {NAMED_LINES} bad lines; the last: {notice.reason}"
            )
        note(notice)

    return some
