"""Corpus: one generation, open for searching; safe to use from several threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from irag.actions import Neighbour, Query
from irag.corpus.blends import query_vectors, query_words
from irag.corpus.database import open_engine
from irag.corpus.graphs import Graphs
from irag.corpus.manifest import EmbedderStamp, Manifest
from irag.corpus.names import existing_folder
from irag.corpus.rows import Page, Rows, SourceCard
from irag.corpus.segment import Segment, open_segment
from irag.corpus.stored_units import StoredUnits
from irag.errors import CorpusError, UnknownName
from irag.retrieval.bm25 import bm25_scores
from irag.retrieval.ranking import DIGITS, Hit, fuse, ordered
from irag.retrieval.vectors import Embedder, Vectors, checked
from irag.text import retrieval_terms
from irag.types import Document, Entity, Scored, Sentence, Triple

__all__ = ["WAYS", "Corpus", "check_embedder", "newest_key", "open_corpus"]

WAYS = ("dense", "bm25", "fused")
FUSED_DEPTH = 100  # of each list
CHINESE_DEPTH = 50  # documents whose sentences are looked at

U = TypeVar("U", Triple, Sentence, Document)


class Corpus:
    """A Retriever, a TripleSource and a Scorer over one generation of a corpus.

    `key` names the corpus, its generation and its content: what was computed over one key is never
    valid for another. Chinese is searched by BM25 and ranked by shared bigrams unless dense search
    is asked for, because the default embedder reads most Chinese as unknown.
    """

    def __init__(self, folder: Path, manifest: Manifest, embedder: Embedder) -> None:
        self.name = folder.name
        self.language = manifest.language
        self.key = _key(folder, manifest)
        self.document_count = manifest.documents
        self.triple_count = manifest.triples
        self._embedder = embedder
        self._segments = tuple(open_segment(folder / "segments" / s) for s in manifest.segments)
        self._dead = tuple(manifest.dead(s) for s in manifest.segments)
        self._rows = Rows(open_engine(folder), manifest.generation)
        self._units = StoredUnits(self._segments, self._dead, self._rows, embedder)
        name = f"{manifest.generation}-{manifest.content}"
        shared = (self._segments, self._dead, self._rows, self._embedded)
        self.graphs = Graphs(folder, name, *shared)

    @property
    def default_way(self) -> str:
        """How it is searched when nothing is said."""
        return "bm25" if self.language == "zh" else "dense"

    def search(
        self,
        queries: Sequence[Query],
        k: int,
        by: str | None = None,
        exclude: Sequence[str] = (),
        beside: Sequence[str] = (),
    ) -> list[tuple[Scored[Document], ...]]:
        """At most k documents per query, best first, equal scores by id; see irag.tools."""
        way = by or self.default_way
        if way not in WAYS:
            raise UnknownName("way to search", way, WAYS)
        if not self.document_count or k < 1:
            return [() for _ in queries]
        depth = FUSED_DEPTH if way == "fused" else k
        lists: list[list[list[Hit]]] = []
        if way != "bm25":
            lists.append(self._dense(queries, beside, depth, self._without(exclude)))
        if way != "dense":
            lists.append(self._keywords(queries, depth, self._without(exclude)))
        hits = [some[0] if len(some) == 1 else fuse(some, k) for some in zip(*lists, strict=True)]
        found = self._rows.documents([name for some in hits for name, _ in some])
        return [tuple(Scored(found[name], score) for name, score in some) for some in hits]

    def triples_of(self, documents: Sequence[str]) -> list[tuple[Triple, ...]]:
        """The stored triples, one tuple per document id; () for a document without any."""
        found = self._rows.triples(documents)
        return [found.get(name, ()) for name in documents]

    def rank(
        self, queries: Sequence[str], units: Sequence[Sequence[U]], k: int
    ) -> list[tuple[Scored[U], ...]]:
        """At most k triples, sentences or documents per query by cosine (Chinese: shared
        bigrams), ties by id."""
        if self.language == "zh":
            scores = [self._overlap(q, some) for q, some in zip(queries, units, strict=True)]
        else:
            vectors = self._embedded(queries)
            scores = [
                self._units.vectors(some) @ vector
                for vector, some in zip(vectors, units, strict=True)
            ]
        return [_best(some, values, k) for some, values in zip(units, scores, strict=True)]

    def search_sentences(
        self, queries: Sequence[str], k: int
    ) -> list[tuple[Scored[Sentence], ...]]:
        """At most k sentences per query, best first, equal scores by id; see irag.tools."""
        if k < 1 or not self.document_count:
            return [() for _ in queries]
        if self.language == "zh":
            return self._sentences_of(self.search(queries, CHINESE_DEPTH), queries, k)
        return self._units.nearest_sentences(self._embedded(queries), k)

    def neighbours(
        self, sentences: Sequence[Sequence[Sentence]], edges: Sequence[str]
    ) -> list[tuple[Neighbour, ...]]:
        """What the sentence graph joins to each group; see irag.tools."""
        return self.graphs.neighbours(sentences, edges)

    def match_entities(self, names: Sequence[Sequence[str]]) -> list[tuple[Entity, ...]]:
        """The entities each group of names means; see irag.tools."""
        return self.graphs.entities.match_entities(names)

    def search_entities(
        self, queries: Sequence[str], k: int, unit: str
    ) -> list[tuple[Scored[Entity], ...]]:
        """At most k entities or communities per query; see irag.tools."""
        return self.graphs.entities.search_entities(queries, k, unit)

    def near_entities(
        self, queries: Sequence[str], entities: Sequence[Sequence[str]], k: int, least: float
    ) -> list[tuple[Scored[Entity], ...]]:
        """The nearest to each query of what one relation joins; see irag.tools."""
        return self.graphs.entities.near_entities(queries, entities, k, least)

    def _sentences_of(
        self, hits: list[tuple[Scored[Document], ...]], queries: Sequence[str], k: int
    ) -> list[tuple[Scored[Sentence], ...]]:
        """The best sentences of found documents, by shared bigrams."""
        inside = [
            [Sentence(hit.unit, n) for hit in some for n in range(len(hit.unit.sentences))]
            for some in hits
        ]
        ranked = self.rank(queries, inside, k)
        return [tuple(one for one in some if one.score > 0) for some in ranked]

    def vectors(self, units: Sequence[U]) -> Vectors:
        """Vectors of units of one kind, shape (n, d); stored ones are looked up, others embedded
        now."""
        return self._units.vectors(units)

    def documents(self, ids: Sequence[str]) -> tuple[Document, ...]:
        """Documents in the order of their ids; CorpusError for one that is not here."""
        found = self._rows.documents(ids)
        return tuple(found[name] for name in ids)

    def resolve(self, title_or_key: str) -> tuple[str, ...]:
        """Ids of the documents a title or key means; () when none."""
        return self._rows.resolve(title_or_key)

    def browse(self, text: str = "", source: str = "", limit: int = 50, offset: int = 0) -> Page:
        """Documents whose title or text contains `text`, by title."""
        return self._rows.browse(text, source, limit, offset)

    def sources(self) -> tuple[SourceCard, ...]:
        """The files it was made of."""
        return self._rows.sources()

    def failures(self) -> tuple[tuple[str, str], ...]:
        """(title, reason) of documents of which something could not be done."""
        return self._rows.failures()

    def close(self) -> None:
        """Nothing to do: memory maps end with the last reader."""

    def _embedded(self, texts: Sequence[str]) -> Vectors:
        found = self._embedder.embed_queries(texts)
        return checked(found, len(texts), self._embedder.dimension)[0]

    def _without(self, exclude: Sequence[str]) -> list[list[int]]:
        """Rows of each segment that must not be found."""
        return [
            [*dead, *(s.row_of[name] for name in exclude if name in s.row_of)]
            for s, dead in zip(self._segments, self._dead, strict=True)
        ]

    def _dense(
        self, queries: Sequence[Query], beside: Sequence[str], k: int, without: list[list[int]]
    ) -> list[list[Hit]]:
        vectors = query_vectors(queries, beside, self._embedded, self._units.vectors)
        hits: list[list[Hit]] = [[] for _ in queries]
        for segment, rows_out in zip(self._segments, without, strict=True):
            for index, found in enumerate(_nearest(segment, vectors, k, rows_out)):
                hits[index] += found
        # A query without a usable vector is near nothing.
        return [ordered(h, k) if v.any() else [] for h, v in zip(hits, vectors, strict=True)]

    def _keywords(
        self, queries: Sequence[Query], k: int, without: list[list[int]]
    ) -> list[list[Hit]]:
        masks = []
        for segment, rows in zip(self._segments, without, strict=True):
            mask = np.ones(len(segment.ids), np.bool_)
            mask[rows] = False
            masks.append(mask)
        terms = [s.terms for s in self._segments]
        words = [retrieval_terms(query_words(query), self.language) for query in queries]
        return [self._top(bm25_scores(terms, masks, some), k) for some in words]

    def _top(self, scores: list[NDArray[np.float32]], k: int) -> list[Hit]:
        hits: list[Hit] = []
        for segment, values in zip(self._segments, scores, strict=True):
            rounded = values.round(DIGITS)
            floor = np.partition(rounded, -k)[-k] if k < len(rounded) else 0.0
            rows = np.flatnonzero((rounded > 0) & (rounded >= floor))
            hits += [(segment.ids[row], float(rounded[row])) for row in rows]
        return ordered(hits, k)

    def _overlap(self, query: str, units: Sequence[U]) -> NDArray[np.float32]:
        """Cosine between the sets of terms; titles count."""
        asked = set(retrieval_terms(query, self.language))
        scores = []
        for text in self._units.passages(units):
            terms = set(retrieval_terms(text, self.language))
            scores.append(len(asked & terms) / max(len(asked) * len(terms), 1) ** 0.5)
        return np.array(scores, np.float32)


def _nearest(segment: Segment, vectors: Vectors, k: int, without: list[int]) -> list[list[Hit]]:
    """The k nearest of each query, and all that equal the last of them at DIGITS decimals."""
    depth = k + 8
    while True:
        scores, rows = segment.dense.search(vectors, depth, without)
        rounded = scores.round(DIGITS)
        cut = rounded.shape[1] <= k or bool((rounded[:, -1] < rounded[:, k - 1]).all())
        if cut or depth >= len(segment.ids):
            break
        depth *= 4
    return [
        [
            (segment.ids[r], max(-1.0, min(1.0, float(s))))
            for r, s in zip(rs, ss, strict=True)
            if r >= 0
        ]
        for rs, ss in zip(rows.tolist(), rounded.tolist(), strict=True)
    ]


def _best(units: Sequence[U], scores: NDArray[np.float32], k: int) -> tuple[Scored[U], ...]:
    ranked = [Scored(u, round(float(s), DIGITS)) for u, s in zip(units, scores, strict=True)]
    return tuple(sorted(ranked, key=lambda one: (-one.score, one.unit.id))[: max(k, 0)])


def _key(folder: Path, manifest: Manifest) -> str:
    return f"{folder.name}@{manifest.generation}-{manifest.content}"


def newest_key(home: Path, name: str) -> str:
    """The key that open_corpus would give now, from the manifest alone; CorpusError as there."""
    folder = existing_folder(home, name)
    return _key(folder, Manifest.read(folder))


def check_embedder(folder: Path, manifest: Manifest, embedder: Embedder) -> None:
    """CorpusError when the vectors were made by another embedder than this."""
    now = EmbedderStamp(embedder.name, embedder.dimension)
    if manifest.embedder not in (None, now):
        raise CorpusError(
            f"The corpus {folder.name} was indexed with the embedder {manifest.embedder}, but the "
            f"settings name {now}. Switch back in the settings, or rebuild it: "
            f"python -m irag corpus rebuild {folder.name}"
        )


def open_corpus(home: Path, name: str, embedder: Embedder) -> Corpus:
    """The newest generation of a corpus.

    CorpusError, with what to do, when there is none of that name, when it was never indexed, when
    a file is damaged (named), or when another embedder made its vectors.
    """
    folder = existing_folder(home, name)
    manifest = Manifest.read(folder)
    if not manifest.generation:
        raise CorpusError(
            f"The corpus {name} is not indexed yet. Add files, or finish what was begun: "
            f"python -m irag corpus add {name} FILES"
        )
    check_embedder(folder, manifest, embedder)
    return Corpus(folder, manifest, embedder)
