"""Triples that were made elsewhere, given to the documents they speak of."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from irag.match import title_key
from irag.tools import Cancel
from irag.triples.extraction import Extraction, Extractor, counted
from irag.triples.foreign import Foreign, read_foreign
from irag.triples.grounding import Passage
from irag.types import Document, Triple

__all__ = ["Imported"]


class Imported:
    """The triples of one file, by document id, else by title.

    A sentence that the file names for this very document is taken as it is; one that is named for
    its title must share words with the triple. Otherwise it is the sentence that supports the
    triple best, and a triple that none supports is dropped and counted. Documents of which the
    file says nothing go to `rest`.
    """

    def __init__(self, label: str, path: Path, rest: Extractor) -> None:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        self.name = f"imported:{label}@{digest}+{rest.name}"
        self._rest = rest
        self._by_document: dict[str, list[Foreign]] = defaultdict(list)
        self._by_title: dict[str, list[Foreign]] = defaultdict(list)
        for record in read_foreign(path).records:
            if record.document:
                self._by_document[record.document].append(record)
            if record.title:
                self._by_title[title_key(record.title)].append(record)

    def knows(self, document: str, title: str) -> bool:
        """Whether the file says something of a document with this id or title."""
        return document in self._by_document or title_key(title) in self._by_title

    def extract(
        self, documents: Sequence[Document], sample: int = 0, cancel: Cancel | None = None
    ) -> Iterator[Extraction]:
        """One result per document, in order."""
        others = [d for d in documents if not self.knows(d.id, d.title)]
        made = iter(self._rest.extract(others, sample, cancel))
        for document in documents:
            if not self.knows(document.id, document.title):
                yield next(made)
                continue
            yield self._placed(document)

    def _placed(self, document: Document) -> Extraction:
        records = self._by_document.get(document.id)
        records = records or self._by_title[title_key(document.title)]
        passage, found, reasons = Passage(document), dict[str, Triple](), list[str]()
        for record in records:
            sentence = _sentence(record, passage)
            if sentence is None:
                reasons.append("no sentence says it")
                continue
            triple = passage.triple(record.fact, sentence)
            if found.setdefault(triple.id, triple) is not triple:
                reasons.append("said twice")
        ordered = sorted(
            found.values(), key=lambda triple: triple.source[1] if triple.source else 0
        )
        return Extraction(tuple(ordered), counted(reasons))


def _sentence(record: Foreign, passage: Passage) -> int | None:
    number = record.sentence
    if number is None or not 0 <= number < len(passage.sentences):
        return passage.sentence_of(*record.fact)
    if record.document == passage.document.id or passage.shares(number, *record.fact):
        return number
    return passage.sentence_of(*record.fact)
