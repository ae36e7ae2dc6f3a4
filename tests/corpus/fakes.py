"""An embedder and an extractor that are small, deterministic and count what they are asked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from irag.corpus import Corpus, Indexer, open_corpus
from irag.retrieval.vectors import Vectors
from irag.text import tokens
from irag.triples import Extraction
from irag.types import Document, Triple, triple_id


class WordEmbedder:
    """Hashed bag of words."""

    def __init__(self, dimension: int = 64, name: str = "words", max_tokens: int = 256) -> None:
        self.dimension, self.max_tokens = dimension, max_tokens
        self.name = name
        self.passages: list[str] = []
        self.queries: list[str] = []

    def _rows(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in tokens(text.lower()):
                row[int(hashlib.md5(word.encode()).hexdigest(), 16) % self.dimension] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.passages += texts
        return self._rows(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.queries += texts
        return self._rows(texts)


class TableEmbedder(WordEmbedder):
    """Vectors given by hand for texts that contain a word; other texts as bags of words."""

    def __init__(self, table: dict[str, Sequence[float]]) -> None:
        super().__init__(len(next(iter(table.values()))), "table")
        self.table = table

    def _rows(self, texts: Sequence[str]) -> Vectors:
        rows = super()._rows(texts)
        for row, text in zip(rows, texts, strict=True):
            for word, vector in self.table.items():
                if word in text:
                    row[:] = vector
        return rows


class SentenceExtractor:
    """One triple a sentence: its first word, the others but the last, the last."""

    name = "spacy:sentences-1"

    def __init__(self, fails: str = "\0") -> None:
        self.seen: list[str] = []
        self._fails = fails

    def extract(self, documents: Sequence[Document], sample=0, cancel=None) -> Iterator[Extraction]:
        for document in documents:
            self.seen.append(document.id)
            if self._fails in document.text:
                yield Extraction(problem="no triples: the reply was prose")
                continue
            yield Extraction(tuple(_triples(document)))


def _triples(document: Document) -> Iterator[Triple]:
    for number in range(len(document.sentences)):
        words = document.sentence(number).strip(".").split()
        if len(words) > 2:
            parts = words[0], " ".join(words[1:-1]), words[-1]
            yield Triple(
                triple_id(*parts, document.id, number), *parts, source=(document.id, number)
            )


class Desk:
    """A home with one corpus, and the few things tests do with it."""

    def __init__(self, home: Path, embedder=None, extractor=None, name: str = "osk") -> None:
        self.home, self.name = home, name
        self.embedder = embedder or WordEmbedder()
        self.extractor = extractor or SentenceExtractor()

    @property
    def folder(self) -> Path:
        return self.home / "corpora" / self.name

    @property
    def indexer(self) -> Indexer:
        return Indexer(self.home, self.name, self.embedder, self.extractor)

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.home.parent / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def add(self, *files: Path, **options):
        return self.indexer.add(files, **options)

    def open(self) -> Corpus:
        return open_corpus(self.home, self.name, self.embedder)

    def titles(self, query: str, k: int = 10, **options) -> list[str]:
        return [hit.unit.title for hit in self.open().search([query], k, **options)[0]]


def lines(*rows: tuple[str, str]) -> str:
    """JSON lines of (title, text)."""
    import json

    return "\n".join(json.dumps({"title": title, "text": text}) for title, text in rows)


TOWNS = (
    ("Osk", "Osk lies on the Tem. Ana Kor founded Osk in 1204."),
    ("Tem Bridge", "Tem Bridge opened in 1931. Mira Oduya designed it."),
    ("Mira Oduya", "Mira Oduya was born in Marl. She drew bridges."),
    ("Marl", "Marl is a mining town. It has three schools."),
    ("Jon Pell", "Jon Pell is a potter. He lives in Veldland."),
)
