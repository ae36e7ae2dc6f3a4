"""The corpora of a home as a person lists them; a damaged one is listed too, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from irag.corpus.database import open_engine
from irag.corpus.generations import pending
from irag.corpus.manifest import Manifest
from irag.corpus.names import corpora_folder
from irag.corpus.rows import Rows
from irag.errors import CorpusError

__all__ = ["CorpusCard", "list_corpora"]


@dataclass(frozen=True, slots=True)
class CorpusCard:
    """One corpus. Not `ready`: it cannot be asked, and `note` says why and what to do.

    `failed` counts the documents whose triples are not all there; `extractor` made the others'.
    """

    name: str
    language: str
    documents: int
    triples: int
    ready: bool
    note: str = ""
    pending: int = 0
    embedder: str = ""
    generation: int = 0
    extractor: str = ""
    failed: int = 0
    damaged: bool = False


def list_corpora(home: Path) -> list[CorpusCard]:
    """Every corpus of a home, by name."""
    folder = corpora_folder(home)
    found = sorted(folder.glob("*/CURRENT")) if folder.is_dir() else []
    return [_card(path.parent) for path in found]


def _card(folder: Path) -> CorpusCard:
    try:
        manifest = Manifest.read(folder)
        waiting = pending(open_engine(folder))
        failed = Rows(open_engine(folder), manifest.generation).failed_count()
    except CorpusError as error:
        return CorpusCard(folder.name, "", 0, 0, False, str(error), damaged=True)
    finish = f"python -m irag corpus add {folder.name}"
    notes = []
    if not manifest.generation:
        notes.append(f"not indexed yet: {finish} FILES")
    elif not manifest.documents:
        notes.append(f"it has no documents: {finish} FILES")
    if waiting:
        notes.append(f"{waiting:,} passages wait to be indexed: {finish}")
    if failed:
        retry = f"python -m irag corpus retry {folder.name}"
        notes.append(f"extraction failed for {failed:,} passages; try them again: {retry}")
    return CorpusCard(
        folder.name,
        manifest.language,
        manifest.documents,
        manifest.triples,
        bool(manifest.generation and manifest.documents),
        "; ".join(notes),
        waiting,
        str(manifest.embedder or ""),
        manifest.generation,
        manifest.extractor,
        failed,
    )
