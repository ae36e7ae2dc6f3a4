"""The graphs a corpus keeps: over its sentences and over its entities; made once a generation.

They are made when they are first asked for and stored beside the segments, under the name of the
generation they belong to; a file that is missing or damaged is made again.
"""

from __future__ import annotations

import logging
import os
import shutil
import threading
import zipfile
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from irag.actions import Neighbour
from irag.corpus.entities import LONGEST, EntityTable, build_entities
from irag.corpus.entity_search import EntitySearch
from irag.corpus.rows import Rows
from irag.corpus.segment import Segment
from irag.errors import IragError
from irag.graphs.communities import communities
from irag.graphs.sentences import SentenceEdges, mentions_of, sentence_graph
from irag.retrieval.vectors import Vectors
from irag.types import Document, Sentence, Triple

__all__ = ["Graphs"]

log = logging.getLogger(__name__)

FOLDER = "graphs"
AT_ONCE = 512  # documents read at a time

Arrays = dict[str, NDArray[np.generic]]
V = TypeVar("V")


class Graphs:
    """Both graphs of one generation; safe to use from several threads.

    `name` tells one generation's content from another's; `embed` turns queries into vectors (n, d).
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        segments: Sequence[Segment],
        dead: Sequence[Sequence[int]],
        rows: Rows,
        embed: Callable[[Sequence[str]], Vectors],
    ) -> None:
        self._folder = folder / FOLDER
        self._name = name
        self._segments = segments
        self._dead = tuple(frozenset(some) for some in dead)
        self._rows = rows
        self._embed = embed
        self._starts = np.cumsum([0, *(len(segment.sentences) for segment in segments)])
        self._lock = threading.RLock()

    def neighbours(
        self, sentences: Sequence[Sequence[Sentence]], edges: Sequence[str]
    ) -> list[tuple[Neighbour, ...]]:
        """What the edges of these kinds join to each group; see irag.tools."""
        return [self._neighbours(some, edges) for some in sentences]

    @property
    def entities(self) -> EntitySearch:
        """The entity graph, made at the first use."""
        with self._lock:
            return self._search

    @property
    def sentences(self) -> SentenceEdges:
        """The sentence graph, made at the first use."""
        with self._lock:
            return self._edges

    @cached_property
    def _search(self) -> EntitySearch:
        table = self._kept("entities", self._read_entities, self._make_entities)
        return EntitySearch(table, self._segments, self._rows, self._embed)

    @cached_property
    def _edges(self) -> SentenceEdges:
        def make() -> tuple[SentenceEdges, Arrays]:
            made = self._make_sentences()
            return made, made.arrays()

        return self._kept("sentences", SentenceEdges.from_arrays, make)

    def _make_entities(self) -> tuple[EntityTable, Arrays]:
        dead = [sorted(some) for some in self._dead]
        table = build_entities(self._segments, dead, self._rows, communities)
        names = np.frombuffer("\n".join(table.names).encode("utf-8", "surrogatepass"), np.uint8)
        return table, {**table.arrays(), "names": names}

    def _read_entities(self, arrays: Arrays) -> EntityTable:
        joined = arrays["names"].tobytes().decode("utf-8", "surrogatepass")
        names = tuple(joined.split("\n")) if joined else ()
        return EntityTable(names, arrays["ends"], arrays["vectors"], arrays["community"])  # type: ignore[arg-type]

    def _make_sentences(self) -> SentenceEdges:
        names: list[tuple[str, ...]] = []
        counts: list[int] = []
        vectors = []
        for segment, dead in zip(self._segments, self._dead, strict=True):
            names += self._names(segment, dead)
            counts += np.diff(segment.sentence_starts).tolist()
            some = np.array(segment.sentences, np.float32)
            for row in dead:  # no edge may lead to what was removed
                some[slice(*segment.sentences_between(row))] = 0
            vectors.append(some)
        stacked = np.concatenate(vectors) if vectors else np.zeros((0, 1), np.float32)
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return sentence_graph(mentions_of(names).counts, stacked, starts)

    def _names(self, segment: Segment, dead: frozenset[int]) -> list[tuple[str, ...]]:
        """What each sentence of a segment names: the ends of its triples that are names."""
        found: list[tuple[str, ...]] = [()] * len(segment.sentences)
        alive = [row for row in range(len(segment.ids)) if row not in dead]
        for start in range(0, len(alive), AT_ONCE):
            some = alive[start : start + AT_ONCE]
            stored = self._rows.triples([segment.ids[row] for row in some])
            for row in some:
                first, stop = segment.sentences_between(row)
                for number, names in _by_sentence(stored[segment.ids[row]]).items():
                    if first + number < stop:
                        found[first + number] = names
        return found

    def _neighbours(
        self, sentences: Sequence[Sentence], edges: Sequence[str]
    ) -> tuple[Neighbour, ...]:
        given = {row: s for s in sentences if (row := self._row(s)) is not None}
        if not given:
            return ()
        reached = [(kind, self.sentences.neighbours(list(given), kind)) for kind in edges]
        rows = sorted({int(row) for _, found in reached for row in found.rows})
        at = dict(zip(rows, self._at(rows), strict=True))
        return tuple(
            Neighbour(at[int(row)], kind, given[int(of)].id, round(float(weight), 4))
            for kind, found in reached
            for row, of, weight in zip(found.rows, found.of, found.weights, strict=True)
        )

    def _row(self, sentence: Sentence) -> int | None:
        """The row of a live sentence in the graph."""
        for number, segment in enumerate(self._segments):
            row = segment.row_of.get(sentence.document.id)
            if row is not None and row not in self._dead[number]:
                first, stop = segment.sentences_between(row)
                inside = first + sentence.number
                return int(self._starts[number]) + inside if inside < stop else None
        return None

    def _at(self, rows: Sequence[int]) -> list[Sentence]:
        """The sentences of rows of the graph."""
        names: list[str] = []
        for row in rows:
            number = int(np.searchsorted(self._starts, row, "right")) - 1
            inside = np.array([row - int(self._starts[number])])
            names += self._segments[number].sentence_names(inside)
        parts = [name.partition(".") for name in names]
        owners: dict[str, Document] = self._rows.documents([owner for owner, _, _ in parts])
        return [Sentence(owners[owner], int(number)) for owner, _, number in parts]

    def _kept(
        self, kind: str, read: Callable[[Arrays], V], make: Callable[[], tuple[V, Arrays]]
    ) -> V:
        """The stored graph of a kind, or one made now and stored for the next time."""
        path = self._folder / f"{self._name}.{kind}.npz"
        try:
            with np.load(path, allow_pickle=False) as stored:
                return read(dict(stored))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, IragError) as error:
            if path.exists():
                log.warning("%s is made again: %s", path.name, error)
        made, arrays = make()
        try:
            self._store(path, kind, arrays)
        except OSError as error:
            log.warning("%s could not be stored: %s", path.name, error)
        return made

    def _store(self, path: Path, kind: str, arrays: Arrays) -> None:
        """Write one graph; those of generations that are no more go."""
        self._folder.mkdir(exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.part")
        with partial.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        for old in self._folder.glob(f"*.{kind}.npz"):
            old.unlink(missing_ok=True)
        shutil.move(partial, path)


def _by_sentence(triples: Sequence[Triple]) -> dict[int, tuple[str, ...]]:
    """The names of each sentence, by its number."""
    found: dict[int, list[str]] = {}
    for triple in triples:
        if triple.source is not None:
            ends = (name for name in (triple.head, triple.tail) if name.count(" ") < LONGEST)
            found.setdefault(triple.source[1], []).extend(ends)
    return {number: tuple(names) for number, names in found.items()}
