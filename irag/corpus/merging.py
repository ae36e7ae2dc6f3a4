"""Merges the segments of a corpus into one; the rows of removed documents are left out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, select
from sqlalchemy.engine import Engine

from irag.corpus.building import building_folder, term_lists
from irag.corpus.database import alive, begin, documents
from irag.corpus.manifest import Manifest
from irag.corpus.segment import VECTORS, Segment, VectorFile, open_segment, seal, write_indexes
from irag.errors import CorpusError

__all__ = ["merge"]

ROWS_AT_ONCE = 16384


def merge(folder: Path, engine: Engine, manifest: Manifest) -> Manifest:
    """The same generation's documents in one segment; only the file layout changes."""
    if manifest.embedder is None:
        return manifest
    target = building_folder(folder, manifest)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    segments = [open_segment(folder / "segments" / name) for name in manifest.segments]
    alive_rows = [_alive_rows(segment, manifest) for segment in segments]
    counts = [_counts(segment) for segment in segments]
    for place, name in enumerate(VECTORS):
        file = VectorFile(target / name, manifest.embedder.dimension, 0)
        for segment, mask, sizes in zip(segments, alive_rows, counts, strict=True):
            vectors = (segment.documents, segment.sentences, segment.triples)[place]
            owned = (np.ones(len(mask), np.int64), *sizes)[place]
            _copy(vectors, np.flatnonzero(np.repeat(mask, owned)), file)
        file.close()
    pairs = list(zip(segments, alive_rows, strict=True))
    ids = [segment.ids[row] for segment, mask in pairs for row in np.flatnonzero(mask)]
    wanted = alive(documents, manifest.generation) & ~documents.c.unusable
    _check_order(folder, engine, wanted, ids)
    terms = term_lists(engine, wanted, manifest.language)
    write_indexes(target, terms)
    sentences, triples = (
        np.concatenate([sizes[kind][m] for sizes, m in zip(counts, alive_rows, strict=True)])
        for kind in (0, 1)
    )
    seal(target, ids, sentences.tolist(), triples.tolist())
    merged = replace(
        manifest,
        segments=(target.name,),
        tombstones=(),
        next_segment=manifest.next_segment + 1,
    )
    merged.publish(folder)
    return merged


def _check_order(
    folder: Path, engine: Engine, wanted: ColumnElement[bool], ids: Sequence[str]
) -> None:
    """Terms are read from the database, so its order must be that of the rows."""
    query = select(documents.c.id).where(wanted).order_by(documents.c.number)
    with begin(engine) as connection:
        stored = connection.execute(query).scalars().all()
    if list(stored) != list(ids):
        raise CorpusError(
            f"The segments of {folder.name} do not hold what its database says. Rebuild it: "
            f"python -m irag corpus rebuild {folder.name}"
        )


def _alive_rows(segment: Segment, manifest: Manifest) -> NDArray[np.bool_]:
    mask = np.ones(len(segment.ids), np.bool_)
    mask[list(manifest.dead(segment.name))] = False
    return mask


def _counts(segment: Segment) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.diff(segment.sentence_starts), np.diff(segment.triple_starts)


def _copy(vectors: NDArray[np.float16], rows: NDArray[np.int64], file: VectorFile) -> None:
    for start in range(0, len(rows), ROWS_AT_ONCE):
        file.append(vectors[rows[start : start + ROWS_AT_ONCE]])
