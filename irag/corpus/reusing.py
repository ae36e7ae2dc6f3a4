"""Vectors of a generation's passages and sentences, for those that only get other triples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from irag.corpus.manifest import EmbedderStamp, Manifest
from irag.corpus.segment import Segment, open_segment
from irag.errors import CorpusError
from irag.retrieval.vectors import Embedder

__all__ = ["Known", "known_vectors"]

Rows = NDArray[np.float16]


class Known:
    """The vectors of sealed segments, by document id."""

    def __init__(self, segments: Sequence[Segment] = ()) -> None:
        self._segments = {name: segment for segment in segments for name in segment.ids}

    def of(self, ids: Sequence[str], sentences: int) -> tuple[Rows, Rows] | None:
        """Vectors of these documents, (n, d), and of all their sentences, in order.

        None when one is not there, or when they have not that many sentences in all.
        """
        if not ids or any(name not in self._segments for name in ids):
            return None
        found = [(self._segments[name], self._segments[name].row_of[name]) for name in ids]
        whole = np.stack([segment.documents[row] for segment, row in found])
        parts = [
            segment.sentences[slice(*segment.sentences_between(row))] for segment, row in found
        ]
        rows = np.concatenate(parts)
        return (whole, rows) if len(rows) == sentences else None


def known_vectors(folder: Path, manifest: Manifest, embedder: Embedder) -> Known:
    """What this embedder made of a generation; nothing when another did or a file is damaged."""
    if manifest.embedder != EmbedderStamp(embedder.name, embedder.dimension):
        return Known()
    try:
        return Known([open_segment(folder / "segments" / name) for name in manifest.segments])
    except CorpusError:
        return Known()  # a rebuild mends it: all is embedded again
