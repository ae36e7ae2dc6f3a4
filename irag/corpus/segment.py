"""A segment: immutable vectors, FAISS and term files of some documents, with their checksums."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from irag.corpus.manifest import digest, write_atomically
from irag.errors import CorpusError
from irag.retrieval.bm25 import TERMS_FILES, TermIndex, write_terms
from irag.retrieval.dense import DenseIndex, dense_index, read_dense, write_dense
from irag.retrieval.vectors import stored_array

__all__ = ["SEAL", "Segment", "VectorFile", "open_segment", "seal", "write_indexes"]

SEAL = "segment.json"
FORMAT = "irag-segment-1"
DENSE = "documents.faiss"
VECTORS = ("documents.npy", "sentences.npy", "triples.npy")
IDS = "ids.npy"
STARTS = ("sentence-starts.npy", "triple-starts.npy")


class VectorFile:
    """A .npy file of float16 rows that grows; rows after `keep` are cut off when it is opened."""

    def __init__(self, path: Path, dimension: int, keep: int) -> None:
        self._file = path.open("r+b" if path.exists() else "w+b")
        self._dimension = dimension
        self.rows = keep
        self._header()
        end = self._start + keep * dimension * 2
        if self._file.seek(0, os.SEEK_END) < end:
            self._file.close()
            raise CorpusError(f"{path.name} of the unfinished segment is damaged.")
        self._file.truncate(end)
        self._file.seek(end)

    def _header(self) -> None:
        # numpy pads the header so that the count may grow without moving the rows.
        self._file.seek(0)
        np.lib.format.write_array_header_1_0(
            self._file,
            {"descr": "<f2", "fortran_order": False, "shape": (self.rows, self._dimension)},
        )
        self._start = self._file.tell()

    def append(self, vectors: NDArray[np.floating]) -> None:
        """Write rows (n, d) at the end."""
        self._file.write(np.ascontiguousarray(vectors, np.float16).tobytes())
        self._file.flush()
        self.rows += len(vectors)

    def close(self) -> None:
        """Write the count and close."""
        self._header()
        self._file.close()


def write_indexes(folder: Path, terms: Iterable[Sequence[str]]) -> None:
    """Write the FAISS and term files of a segment whose document vectors are complete."""
    write_dense(folder / DENSE, stored_array(folder / VECTORS[0]))
    write_terms(folder, terms)


def seal(
    folder: Path, ids: Sequence[str], sentences: Sequence[int], triples: Sequence[int]
) -> None:
    """Write ids and offsets (how many sentences and triples each document has) and checksums."""
    np.save(folder / IDS, np.array(ids, dtype="S"), allow_pickle=False)
    for name, counts in zip(STARTS, (sentences, triples), strict=True):
        starts = np.concatenate(([0], np.cumsum(np.asarray(counts, np.int64)))).astype(np.int64)
        np.save(folder / name, starts, allow_pickle=False)
    names = (*VECTORS, DENSE, *TERMS_FILES, IDS, *STARTS)
    for name in names:
        with (folder / name).open("rb") as file:
            os.fsync(file.fileno())
    sums = {name: [(folder / name).stat().st_size, digest(folder / name)] for name in names}
    write_atomically(folder / SEAL, json.dumps({"format": FORMAT, "files": sums}))


class Segment:
    """An open segment; rows are 0-based and in the order in which documents were added."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        _verify(folder)
        try:
            self.ids = [name.decode() for name in stored_array(folder / IDS).tolist()]
            self.documents, self.sentences, self.triples = (
                stored_array(folder / name) for name in VECTORS
            )
            starts = (np.asarray(stored_array(folder / name)) for name in STARTS)
            self.sentence_starts, self.triple_starts = starts
            self.dense = DenseIndex(read_dense(folder / DENSE))
            self.terms = TermIndex(folder)
        except (OSError, ValueError, RuntimeError) as error:
            raise _damaged(folder, folder.name, str(error)) from error

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row by document id."""
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def sentence_index(self) -> DenseIndex:
        """Search over the sentence vectors, made in memory at the first use."""
        return DenseIndex(dense_index(self.sentences))

    def sentence_names(self, rows: NDArray[np.int64]) -> list[str]:
        """Ids of sentences by their rows; see irag.types.Sentence."""
        owners = np.searchsorted(self.sentence_starts, rows, "right") - 1
        numbers = rows - self.sentence_starts[owners]
        return [
            f"{self.ids[d]}.{n:05d}" for d, n in zip(owners.tolist(), numbers.tolist(), strict=True)
        ]

    def sentences_between(self, row: int) -> tuple[int, int]:
        """The rows of a document's sentence vectors, as (start, stop)."""
        return int(self.sentence_starts[row]), int(self.sentence_starts[row + 1])

    def triples_between(self, row: int) -> tuple[int, int]:
        """The rows of a document's triple vectors, as (start, stop)."""
        return int(self.triple_starts[row]), int(self.triple_starts[row + 1])


_open: WeakValueDictionary[tuple[str, int, int], Segment] = WeakValueDictionary()
_lock = threading.Lock()


def open_segment(folder: Path) -> Segment:
    """A verified segment; shared while anyone holds it, for segments never change.

    Raises CorpusError that names the first file that is missing or damaged.
    """
    try:
        stat = (folder / SEAL).stat()
    except OSError as error:
        raise _damaged(folder, SEAL, "it is missing or unreadable") from error
    key = (str(folder.resolve()), stat.st_mtime_ns, stat.st_ino)
    with _lock:
        segment = _open.get(key)
        if segment is None:
            _open[key] = segment = Segment(folder)
    return segment


def _verify(folder: Path) -> None:
    try:
        stored = json.loads((folder / SEAL).read_text("utf-8"))
        files = dict(stored["files"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, SEAL, str(error)) from error
    for name, (size, sha256) in files.items():
        path = folder / name
        try:
            sound = path.stat().st_size == size and digest(path) == sha256
        except OSError as error:
            raise _damaged(folder, name, str(error.strerror)) from error
        if not sound:
            raise _damaged(folder, name, "its checksum is wrong")


def _damaged(folder: Path, name: str, reason: str) -> CorpusError:
    corpus = folder.parent.parent.name
    return CorpusError(
        f"{folder / name} is damaged: {reason}. The file was left as it is. Rebuild the index "
        f"from the stored texts: python -m irag corpus rebuild {corpus}"
    )
