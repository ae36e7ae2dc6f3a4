"""The one rule for corpus names, and where a corpus lies; no other name ever makes a path."""

from __future__ import annotations

import re
from pathlib import Path

from irag.errors import CorpusError, UserError

__all__ = ["checked_name", "corpora_folder", "corpus_folder", "existing_folder"]

_NAME = re.compile(r"[^\W_][\w-]{0,59}")  # 60 letters of 4 bytes fit a file system's 255
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


def checked_name(name: str) -> str:
    """The name, when it is one: letters of any script, digits, "-" and "_", at most 60.

    Raises UserError otherwise; so a name is never a path, a device or a hidden file.
    """
    if not _NAME.fullmatch(name) or _RESERVED.fullmatch(name):
        raise UserError(
            f"{name!r} cannot be the name of a corpus. Use at most 60 letters, digits, '-' and "
            "'_', beginning with a letter or digit."
        )
    return name


def corpora_folder(home: Path) -> Path:
    """Where all corpora of a home lie."""
    return home / "corpora"


def corpus_folder(home: Path, name: str) -> Path:
    """Where a corpus lies or would lie."""
    return corpora_folder(home) / checked_name(name)


def existing_folder(home: Path, name: str) -> Path:
    """Where a corpus lies; CorpusError, with the known names, when there is none."""
    folder = corpus_folder(home, name)
    if not (folder / "CURRENT").is_file():
        known = corpora_folder(home)
        names = sorted(p.parent.name for p in known.glob("*/CURRENT")) if known.is_dir() else []
        raise CorpusError(
            f"There is no corpus {name!r}. Known: {', '.join(names) or 'none yet'}. "
            f"Make one: python -m irag corpus add {name} FILES"
        )
    return folder
