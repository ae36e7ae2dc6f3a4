"""From documents to triples, by spaCy and rules; it stores nothing and asks no LLM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from irag.text import language_of
from irag.triples.chinese import RULES as CHINESE_RULES
from irag.triples.chinese import chinese_triples
from irag.triples.quality import weakness
from irag.types import Document, Triple

__all__ = ["Extractor", "open_extractor", "weakness"]


class Extractor(Protocol):
    """Turns documents into triples, batch first.

    `name` holds the model's name and version and the rules' version: where it differs from the
    name kept with stored triples, they are stale.
    """

    @property
    def name(self) -> str:
        """Model, its version, the rules' version."""

    def extract(self, documents: Sequence[Document]) -> Iterator[tuple[Triple, ...]]:
        """One tuple per document, in order, by sentence; lazily, a batch at a time."""


def open_extractor(spacy_model_path: Path) -> Extractor:
    """The extractor for English and Chinese, told apart by script document by document.

    `spacy_model_path` is a spaCy package folder (with config.cfg); ModelError when it is not.
    """
    from irag.triples.spacy_rules import open_spacy

    return _ByLanguage(open_spacy(spacy_model_path))


class _ByLanguage:
    """English by spaCy, Chinese by patterns."""

    def __init__(self, english: Extractor) -> None:
        self._english = english
        self.name = f"{english.name}+zh-{CHINESE_RULES}"

    def extract(self, documents: Sequence[Document]) -> Iterator[tuple[Triple, ...]]:
        chinese = [language_of(document.text) == "zh" for document in documents]
        english = [d for d, is_chinese in zip(documents, chinese, strict=True) if not is_chinese]
        parsed = iter(self._english.extract(english))
        for document, is_chinese in zip(documents, chinese, strict=True):
            yield chinese_triples(document) if is_chinese else next(parsed)
