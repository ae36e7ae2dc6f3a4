"""Corpora as a person handles them: created, filled in the background, browsed, removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from irag.corpus import create, delete, list_corpora
from irag.corpus.browsing import Browsing
from irag.corpus.imports import checked_label, imported_labels
from irag.corpus.indexer import RemoveReport, remove
from irag.corpus.names import existing_folder
from irag.corpus.uploads import keep
from irag.errors import UserError
from irag.jobs.queue import Jobs

__all__ = ["Shelf"]


@dataclass(frozen=True)
class Shelf:
    """The corpora of one home. What takes long is a job; its id is returned."""

    home: Path
    jobs: Jobs

    def create(self, corpus: str, language: str = "") -> None:
        """Make an empty corpus; UserError when one of this name is there."""
        if any(card.name == corpus for card in list_corpora(self.home)):
            raise UserError(f"There is a corpus {corpus} already. Open it, or choose another name.")
        create(self.home, corpus, language)

    def add_files(
        self, corpus: str, paths: Sequence[Path], language: str = "", extractor: str = ""
    ) -> str:
        """Index files and folders of this machine; without any, what is pending."""
        missing = [str(path) for path in paths if not path.exists()]
        if missing:
            raise UserError(f"There is no file or folder {', '.join(missing)} on this machine.")
        files = [str(path.expanduser().resolve()) for path in paths]
        return self._add(corpus, files, language, extractor)

    def upload(
        self,
        corpus: str,
        files: Iterable[tuple[str, BinaryIO]],
        language: str = "",
        extractor: str = "",
    ) -> str:
        """Index files that came through a browser, as (name, bytes)."""
        return self._add(corpus, ["--upload", keep(self.home, files)], language, extractor)

    def rebuild(self, corpus: str, triples: str = "") -> str:
        """Make a corpus's vectors and index files anew, and its triples where their source changes.

        `triples` is a source as on the command line ("spacy", "llm:SPEC", "imported:LABEL",
        "none"), "" for the one it has.
        """
        source = ["--triples", triples] if triples else []
        return self.jobs.start(["corpus", "rebuild", corpus, *source, "--json"], corpus)

    def import_triples(self, corpus: str, name: str, stream: BinaryIO, label: str) -> str:
        """Give a corpus the triples of a file that came through a browser, under a label."""
        checked_label(label)
        arrived = self.home / "uploads" / keep(self.home, [(name, stream)]) / "0000"
        path = arrived.with_name("triples.jsonl.gz" if name.endswith(".gz") else "triples.jsonl")
        if arrived.exists():
            arrived.rename(path)
        command = ["corpus", "import-triples", corpus, str(path), "--label", label, "--json"]
        return self.jobs.start(command, corpus)

    def imported(self, corpus: str) -> tuple[str, ...]:
        """The labels of triples that were imported into a corpus, by name."""
        return imported_labels(self.home, corpus)

    def retry(self, corpus: str) -> str:
        """Try again what failed for some documents of a corpus."""
        return self.jobs.start(["corpus", "retry", corpus, "--json"], corpus)

    def browse(self, corpus: str) -> Browsing:
        """The documents and triples of a corpus as it is now."""
        return Browsing.of(self.home, corpus)

    def remove(self, corpus: str, documents: Sequence[str] = (), source: str = "") -> RemoveReport:
        """Remove documents by id, or all that came from one file and no other."""
        return remove(self.home, corpus, documents, source)

    def delete(self, corpus: str) -> None:
        """Delete a corpus with all in it and its ended jobs; UserError while it is worked on."""
        existing_folder(self.home, corpus)
        jobs = self.jobs.list(corpus, limit=1000)
        if any(job.live for job in jobs):
            raise UserError(f"Something is still being done to {corpus}. Cancel that first.")
        delete(self.home, corpus)
        self.jobs.forget(*(job.id for job in jobs))

    def _add(self, corpus: str, what: Sequence[str], language: str, extractor: str) -> str:
        create(self.home, corpus, language)
        chosen = ["--extractor", extractor] if extractor else []
        return self.jobs.start(["corpus", "add", corpus, *what, *chosen, "--json"], corpus)
