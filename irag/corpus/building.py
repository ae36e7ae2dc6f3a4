"""Turns pending documents into a segment, in steps that a kill cannot undo.

Each step writes its vectors first and then, in one transaction, that it has: on resume the files
are cut to what the database says. Rows are in the order of document numbers.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.engine import Engine

from irag.corpus.database import begin, documents, extractions, triples
from irag.corpus.manifest import Manifest, write_atomically
from irag.corpus.progress import Watch
from irag.corpus.reusing import Known
from irag.corpus.rows import document_of
from irag.corpus.segment import VECTORS, VectorFile, seal, write_indexes
from irag.corpus.units import document_passage, sentence_passage, triple_passage
from irag.errors import CorpusError, ModelError
from irag.retrieval.vectors import Embedder, checked
from irag.text import retrieval_terms
from irag.triples import Extraction, Extractor
from irag.types import Document, Triple

__all__ = ["Build", "building_folder", "term_lists"]

PLAN = "building.json"
EMBED_AT_ONCE = 256  # passages; their sentences go with them
EXTRACT_AT_ONCE = 128
LINK_AT_ONCE = 512  # documents, about 4,000 triples

_pending = documents.c.born.is_(None)
_sentence_count = func.json_array_length(documents.c.sentences)


def building_folder(folder: Path, manifest: Manifest) -> Path:
    """Where the next segment is built; nothing reads it before a manifest names it."""
    return folder / "segments" / f"s{manifest.next_segment:05d}"


class Build:
    """The segment being built from a corpus's pending documents; see Extractor for `sample`."""

    def __init__(
        self,
        folder: Path,
        engine: Engine,
        embedder: Embedder,
        extractor: Extractor,
        watch: Watch,
        sample: int = 0,
    ) -> None:
        self.folder = folder
        self._engine = engine
        self._embedder = embedder
        self._extractor = extractor
        self._watch = watch
        self._sample = sample
        plan = json.dumps({"embedder": embedder.name, "dimension": embedder.dimension})
        path = folder / PLAN
        if not path.is_file() or path.read_text("utf-8") != plan:
            self._start_over()
            write_atomically(path, plan)

    def run(self, language: str, known: Known | None = None) -> None:
        """All steps that are not yet done; Cancelled between batches. `known` is not embedded."""
        self._embed(known or Known())
        self._index(language)
        self._forget_others()
        self._extract()
        self._link()
        self._seal()

    def _start_over(self) -> None:
        discard(self.folder, self._engine)
        self.folder.mkdir(parents=True)

    def _sum(self, what: ColumnElement[Any], *wanted: ColumnElement[bool]) -> int:
        with begin(self._engine) as connection:
            query = select(func.coalesce(func.sum(what), 0)).where(_pending, *wanted)
            return int(connection.execute(query).scalar_one())

    def _count(self, *wanted: ColumnElement[bool]) -> int:
        with begin(self._engine) as connection:
            query = select(func.count()).select_from(documents).where(_pending, *wanted)
            return int(connection.execute(query).scalar_one())

    def _batches(self, wanted: ColumnElement[bool], size: int) -> Iterator[list[Any]]:
        """Pending rows that still satisfy `wanted`, by number; the caller ends that for each."""
        query = select(documents).where(_pending, wanted).order_by(documents.c.number).limit(size)
        while True:
            with begin(self._engine) as connection:
                rows = list(connection.execute(query).all())
            if not rows:
                return
            yield rows

    def _file(self, name: str, keep: int) -> VectorFile:
        return VectorFile(self.folder / name, self._embedder.dimension, keep)

    def _embed(self, known: Known) -> None:
        done, sentences = self._count(documents.c.embedded), self._sum(
            _sentence_count, documents.c.embedded
        )  # fmt: skip
        meter = self._watch.stage("vectors", self._count(), done)
        try:
            files = self._file(VECTORS[0], done), self._file(VECTORS[1], sentences)
        except CorpusError:
            self._start_over()
            raise
        for rows in self._batches(~documents.c.embedded, EMBED_AT_ONCE):
            some = [document_of(row) for row in rows]
            vectors, lines, usable = self._vectors_of(some, known)
            files[0].append(vectors)
            files[1].append(lines)
            with begin(self._engine) as connection:
                numbers = [row.number for row in rows]
                chosen = documents.c.number.in_(numbers)
                connection.execute(update(documents).where(chosen).values(embedded=True))
                bad = [n for n, fine in zip(numbers, usable, strict=True) if not fine]
                connection.execute(
                    update(documents)
                    .where(documents.c.number.in_(bad))
                    .values(unusable=True, failure="the embedder gave no usable vector (NaN or 0)")
                )
            meter.advance(len(rows))
        for file in files:
            file.close()

    def _vectors_of(self, some: Sequence[Document], known: Known) -> tuple[Any, Any, Any]:
        """Vectors of documents and of their sentences, and which documents have a usable one."""
        stored = known.of([d.id for d in some], sum(len(d.sentences) for d in some))
        if stored is not None:
            return *stored, stored[0].any(axis=1)
        vectors, usable = self._vectors([document_passage(d) for d in some])
        lines = [sentence_passage(d, n) for d in some for n in range(len(d.sentences))]
        return vectors, self._vectors(lines)[0], usable

    def _vectors(self, texts: list[str]) -> tuple[Any, Any]:
        vectors = self._embedder.embed_passages(texts)
        return checked(vectors, len(texts), self._embedder.dimension)

    def _index(self, language: str) -> None:
        total = self._count()
        meter = self._watch.stage("FAISS and BM25", total)
        write_indexes(self.folder, term_lists(self._engine, _pending, language))
        meter.reached(total)

    def _extract(self) -> None:
        total = self._count()
        done = self._count(documents.c.extracted)
        meter = self._watch.stage("triples", total, done)
        for rows in self._batches(~documents.c.extracted, EXTRACT_AT_ONCE):
            numbers = iter(row.number for row in rows)
            some = [document_of(row) for row in rows]
            for found in self._extracted(some):
                self._keep_triples(next(numbers), found)
                meter.advance()

    def _forget_others(self) -> None:
        """Take back what another extractor made: a switch that was stopped and is not gone on."""
        named = extractions.c.extractor != self._extractor.name
        others = select(extractions.c.document).join(documents).where(_pending, named)
        made = documents.c.number.in_(others)
        with begin(self._engine) as connection:
            if not connection.execute(others).first():
                return
            again = update(documents).where(_pending)
            connection.execute(again.values(linked=False))
            connection.execute(again.where(made, ~documents.c.unusable).values(failure=None))
            connection.execute(again.where(made).values(extracted=False))
            connection.execute(delete(triples).where(triples.c.document.in_(others)))
            connection.execute(delete(extractions).where(extractions.c.document.in_(others)))

    def _extracted(self, some: Sequence[Document]) -> Iterator[Extraction]:
        found = iter(self._extractor.extract(some, self._sample, self._watch.cancel))
        for _ in some:
            outcome = next(found, None)
            if outcome is None:
                raise ModelError(
                    f"The extractor {self._extractor.name} gave fewer results than documents."
                )
            yield outcome

    def _keep_triples(self, number: int, found: Extraction) -> None:
        made = {
            "document": number,
            "extractor": self._extractor.name,
            "failed": bool(found.problem),
            "dropped": json.dumps(found.dropped, ensure_ascii=False),
            "reply": found.reply,
        }
        values: dict[str, Any] = {"extracted": True}
        if found.problem:
            values["failure"] = found.problem
        once = {t.id: t for t in found.triples}
        rows = [
            {
                "document": number,
                "sentence": t.source[1] if t.source else 0,
                "id": t.id,
                "head": t.head,
                "relation": t.relation,
                "tail": t.tail,
            }
            for t in once.values()
        ]
        rows.sort(key=lambda row: int(str(row["sentence"])))
        with begin(self._engine) as connection:
            if rows:
                connection.execute(insert(triples), rows)
            connection.execute(insert(extractions).values(made))
            connection.execute(update(documents).where(documents.c.number == number).values(values))

    def _link(self) -> None:
        owned = select(func.count()).where(triples.c.document == documents.c.number)
        count = owned.scalar_subquery()
        total, done = self._sum(count), self._sum(count, documents.c.linked)
        meter = self._watch.stage("triple vectors", total, done)
        file = self._file(VECTORS[2], done)
        for rows in self._batches(~documents.c.linked, LINK_AT_ONCE):
            numbers = [row.number for row in rows]
            titles = {row.number: row.title for row in rows}
            query = select(triples).where(triples.c.document.in_(numbers))
            query = query.order_by(triples.c.document, triples.c.number)
            with begin(self._engine) as connection:
                texts = [
                    triple_passage(titles[t.document], Triple(t.id, t.head, t.relation, t.tail))
                    for t in connection.execute(query)
                ]
            file.append(self._vectors(texts)[0])
            with begin(self._engine) as connection:
                chosen = documents.c.number.in_(numbers)
                connection.execute(update(documents).where(chosen).values(linked=True))
            meter.advance(len(texts))
        file.close()

    def _seal(self) -> None:
        owned = select(func.count()).where(triples.c.document == documents.c.number)
        query = (
            select(documents.c.id, _sentence_count, owned.scalar_subquery())
            .where(_pending)
            .order_by(documents.c.number)
        )
        with begin(self._engine) as connection:
            rows = connection.execute(query).all()
        seal(self.folder, [row[0] for row in rows], [row[1] for row in rows], [r[2] for r in rows])


def discard(folder: Path, engine: Engine) -> None:
    """Throw away a half-built segment; its documents are pending again, their triples kept."""
    shutil.rmtree(folder, ignore_errors=True)
    with begin(engine) as connection:
        again = update(documents).where(_pending)
        connection.execute(again.values(embedded=False, linked=False, unusable=False))


def term_lists(engine: Engine, wanted: ColumnElement[bool], language: str) -> Iterator[list[str]]:
    """The keyword terms of documents, by number."""
    last = 0
    while True:
        query = select(documents).where(wanted, documents.c.number > last)
        with begin(engine) as connection:
            rows = connection.execute(query.order_by(documents.c.number).limit(1000)).all()
        if not rows:
            return
        for row in rows:
            yield retrieval_terms(document_passage(document_of(row)), language)
        last = rows[-1].number
