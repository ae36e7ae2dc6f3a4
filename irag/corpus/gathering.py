"""Folders become files: those of a known kind, in a fixed order; what is left out is said."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from irag.corpus.decoding import SourceFile
from irag.corpus.readers import FORMATS
from irag.errors import UserError

__all__ = ["MOST_FILES", "gather"]

MOST_FILES = 20_000


def gather(paths: Sequence[Path]) -> tuple[list[SourceFile], list[str]]:
    """Every file of the paths, folders searched to the bottom, and notices of what was left out.

    A file that is named is taken whatever it is, so that its reader says what is wrong with it. In
    folders hidden files, linked folders and unknown kinds are left out. UserError above 20,000.
    """
    files: list[SourceFile] = []
    notices: list[str] = []
    for path in paths:
        if not path.is_dir():
            files.append(SourceFile.of(path))
            continue
        other: Counter[str] = Counter()
        for found in _walk(path):
            if _ending(found) in FORMATS:
                files.append(SourceFile.of(found, str(found.relative_to(path)).replace("/", " › ")))
            else:
                other[_ending(found) or "no ending"] += 1
            if len(files) > MOST_FILES:
                raise UserError(f"More than {MOST_FILES:,} files in {path}. Add smaller folders.")
        if other:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(other.items())[:10])
            notices.append(f"{path.name}: files of other kinds were left out ({kinds}).")
    return files, notices


def _walk(folder: Path) -> Iterator[Path]:
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(base) / name


def _ending(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix.removeprefix(".")
