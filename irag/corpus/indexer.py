"""Indexer: adds to and removes from one corpus, a generation at a time."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from irag.corpus.building import Build, building_folder
from irag.corpus.corpus import check_embedder
from irag.corpus.database import forget, open_engine
from irag.corpus.generations import (
    bury,
    copy_alive,
    copy_failed,
    language_now,
    pending,
    publish,
    recover,
    republish,
)
from irag.corpus.lock import writing
from irag.corpus.manifest import Manifest
from irag.corpus.merging import merge
from irag.corpus.names import corpus_folder, existing_folder
from irag.corpus.progress import Report, Watch
from irag.corpus.readers import SourceFile
from irag.corpus.reading import AddReport, read_sources
from irag.corpus.reusing import Known, known_vectors
from irag.corpus.rows import Rows
from irag.corpus.split import PASSAGE_WORDS, checked_size
from irag.errors import CorpusError, UserError
from irag.retrieval.vectors import Embedder
from irag.tools import Cancel
from irag.triples import Extractor, source_of
from irag.triples.extraction import said

__all__ = ["MAX_SEGMENTS", "Indexer", "RemoveReport", "create", "delete", "remove"]

MAX_SEGMENTS = 8


@dataclass(frozen=True, slots=True)
class RemoveReport:
    """What came of removing; `documents` counts what the corpus has left."""

    removed: int
    documents: int

    def __str__(self) -> str:
        return f"{self.removed:,} passages removed; the corpus has {self.documents:,}."


def create(home: Path, name: str, language: str = "") -> None:
    """Make an empty corpus unless it is there. `language` "": found out when it is indexed."""
    folder = corpus_folder(home, name)
    if not (folder / "CURRENT").is_file():
        (folder / "segments").mkdir(parents=True, exist_ok=True)
        open_engine(folder)
        Manifest(language=language).publish(folder)


def delete(home: Path, name: str) -> None:
    """Delete a corpus with everything in it; CorpusError while another process changes it."""
    folder = existing_folder(home, name)
    with writing(folder):
        forget(folder)
        (folder / "CURRENT").unlink()
        shutil.rmtree(folder)


def remove(home: Path, name: str, documents: Sequence[str] = (), source: str = "") -> RemoveReport:
    """Remove documents by id, and all that came from no other file than `source`.

    CorpusError when an id or the source is not there; then nothing is removed.
    """
    folder = existing_folder(home, name)
    with _changing(folder) as manifest:
        after, removed = bury(folder, open_engine(folder), manifest, documents, source)
    return RemoveReport(removed, after.documents)


@contextmanager
def _changing(folder: Path, careful: bool = True) -> Iterator[Manifest]:
    """The lock and the generation to start from. Not `careful`: CURRENT may be damaged."""
    with writing(folder):
        try:
            yield recover(folder, open_engine(folder), careful)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise CorpusError(
                f"The disk is full: the corpus {folder.name} could not be changed and serves its "
                "last generation. Free some space and run the same command again."
            ) from error


class Indexer:
    """The writer of one corpus. Every call takes the corpus's lock, and ends in a whole generation
    or in none: after an error, a Stop or a kill the last one is still served, and the next call
    goes on with what is pending."""

    def __init__(
        self,
        home: Path,
        name: str,
        embedder: Embedder,
        extractor: Extractor,
        passage_words: int = PASSAGE_WORDS,
    ) -> None:
        # Word pieces are about two thirds of a word: a passage is never cut by the embedder.
        limit = max(1, embedder.max_tokens * 2 // 3)
        self._words = min(checked_size(passage_words), limit)
        create(home, name)
        self._folder = corpus_folder(home, name)
        self._engine = open_engine(self._folder)
        self._embedder = embedder
        self._extractor = extractor

    def add(
        self,
        sources: Sequence[Path | SourceFile],
        report: Report | None = None,
        cancel: Cancel | None = None,
    ) -> AddReport:
        """Add files, and finish what is pending from before; without files, only that.

        Raises Cancelled between two batches, with finished work kept; CorpusError when another
        writer holds the corpus, the disk is full, or another embedder made its vectors; UserError
        when its triples come from another source.
        """
        files = [s if isinstance(s, SourceFile) else SourceFile.of(s) for s in sources]
        watch = Watch(report, cancel)
        with _changing(self._folder) as manifest:
            check_embedder(self._folder, manifest, self._embedder)
            manifest = self._with_source(manifest)
            result = read_sources(
                files, self._engine, self._words, self._embedder.max_tokens, watch
            )
            return self._finish(manifest, result, watch)

    def rebuild(
        self,
        report: Report | None = None,
        cancel: Cancel | None = None,
        keep_vectors: bool = False,
    ) -> AddReport:
        """Make all vectors and index files anew from the stored texts and triples.

        For another embedder, another extractor or a damaged file. Triples are extracted again only
        where that failed, or when another extractor made them. `keep_vectors`: sound vectors of
        passages and sentences are taken over. The old generation serves until it ends.
        """
        watch = Watch(report, cancel)
        with _changing(self._folder, careful=False) as manifest:
            copy_alive(self._engine, manifest, self._extractor)
            known = known_vectors(self._folder, manifest, self._embedder) if keep_vectors else None
            return self._finish(manifest, AddReport(), watch, known=known)

    def retry_failed(self, report: Report | None = None, cancel: Cancel | None = None) -> AddReport:
        """Extract triples again, with another sample, of the documents where that failed.

        The others are not touched; without any failed one nothing changes. Raises as `add`.
        """
        watch = Watch(report, cancel)
        with _changing(self._folder) as manifest:
            check_embedder(self._folder, manifest, self._embedder)
            self._with_source(manifest)
            copy_failed(self._engine, manifest)
            # Generations only grow, so no retry asks what was asked before.
            known = known_vectors(self._folder, manifest, self._embedder)
            return self._finish(manifest, AddReport(), watch, 2 * manifest.generation, known)

    def remove(self, documents: Sequence[str] = (), source: str = "") -> RemoveReport:
        """Remove documents; see the function of this name."""
        return remove(self._folder.parent.parent, self._folder.name, documents, source)

    def pending(self) -> int:
        """How many documents wait to be indexed."""
        return pending(self._engine)

    def _with_source(self, manifest: Manifest) -> Manifest:
        """The generation, with this extractor named in it when it is the first."""
        name, before = self._extractor.name, manifest.extractor
        if manifest.documents and before and source_of(before) != source_of(name):
            raise UserError(
                f"The triples of {self._folder.name} come from {source_of(before)}, not from "
                f"{source_of(name)}. To change that for all of it: python -m irag corpus rebuild "
                f"{self._folder.name} --triples {source_of(name)}"
            )
        if not manifest.documents and before != name:
            manifest = replace(manifest, extractor=name)
            manifest.publish(self._folder)
        return manifest

    def _finish(
        self,
        manifest: Manifest,
        result: AddReport,
        watch: Watch,
        sample: int = 0,
        known: Known | None = None,
    ) -> AddReport:
        before = manifest.documents
        language = manifest.language or language_now(self._engine)
        if pending(self._engine):
            build = Build(
                building_folder(self._folder, manifest),
                self._engine,
                self._embedder,
                self._extractor,
                watch,
                sample,
            )
            build.run(language, known)
            manifest = publish(
                self._folder, self._engine, manifest, self._embedder, self._extractor, language
            )
            born = manifest.generation
            rows = Rows(self._engine, born)
            result.failures += rows.failures(born)
            if dropped := rows.dropped(born):
                result.notices.append(f"Triples that were not kept: {said(dropped)}.")
            if len(manifest.segments) > MAX_SEGMENTS:
                manifest = merge(self._folder, self._engine, manifest)
        else:
            manifest = republish(self._folder, self._engine, manifest)
        result.added = manifest.documents - before  # with those that waited from an earlier call
        result.documents, result.triples = manifest.documents, manifest.triples
        return result
