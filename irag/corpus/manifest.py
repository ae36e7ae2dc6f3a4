"""CURRENT: which segments make the generation in use; replaced last and atomically."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from irag.errors import CorpusError

__all__ = ["CURRENT", "FORMAT", "EmbedderStamp", "Manifest", "digest", "write_atomically"]

CURRENT = "CURRENT"
FORMAT = "irag-corpus-1"


@dataclass(frozen=True, slots=True)
class EmbedderStamp:
    """Which embedder made the vectors."""

    name: str
    dimension: int

    def __str__(self) -> str:
        return f"{self.name} ({self.dimension})"


@dataclass(frozen=True, slots=True)
class Manifest:
    """One generation.

    `tombstones` are the dead rows by segment. `content` is a hash of the live documents' ids and of
    what was made of them. Generation 0 has never been indexed. `extractor` "" : no triples.
    """

    generation: int = 0
    segments: tuple[str, ...] = ()
    tombstones: tuple[tuple[str, tuple[int, ...]], ...] = ()
    next_segment: int = 1
    language: str = ""
    embedder: EmbedderStamp | None = None
    extractor: str = ""
    documents: int = 0
    triples: int = 0
    content: str = ""

    def dead(self, segment: str) -> tuple[int, ...]:
        """Tombstoned rows of a segment."""
        return dict(self.tombstones).get(segment, ())

    def publish(self, folder: Path) -> None:
        """Make this the generation in use."""
        stamped = {"format": FORMAT, **asdict(self)}
        write_atomically(folder / CURRENT, json.dumps(stamped, ensure_ascii=False))

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The generation in use; CorpusError naming the file when it cannot be read."""
        path = folder / CURRENT
        try:
            stored = json.loads(path.read_text("utf-8"))
            if stored.pop("format") != FORMAT:
                raise ValueError("unknown format")
            stamp = stored.pop("embedder")
            tombstones = tuple((name, tuple(rows)) for name, rows in stored.pop("tombstones"))
            return replace(
                cls(**{**stored, "segments": tuple(stored["segments"])}),
                tombstones=tombstones,
                embedder=EmbedderStamp(**stamp) if stamp else None,
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CorpusError(
                f"{path} is damaged ({error or type(error).__name__}). Rebuild the corpus: "
                f"python -m irag corpus rebuild {folder.name}"
            ) from error


def write_atomically(path: Path, content: str) -> None:
    """Write a file so that it is there whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with partial.open("w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
