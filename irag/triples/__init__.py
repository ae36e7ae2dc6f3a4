"""From documents to triples: by rules, by an LLM, or as others left them; it opens no LLM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irag.text import language_of
from irag.tools import Cancel
from irag.triples.chinese import RULES as CHINESE_RULES
from irag.triples.chinese import chinese_triples
from irag.triples.extraction import Extraction, Extractor, NoTriples, source_of
from irag.triples.quality import weakness
from irag.types import Document

if TYPE_CHECKING:
    from irag.triples.spacy_rules import SpacyExtractor

__all__ = [
    "Extraction",
    "Extractor",
    "NoTriples",
    "open_extractor",
    "source_of",
    "weakness",
]


def open_extractor(spacy_model_path: Path) -> Extractor:
    """The extractor for English and Chinese, told apart by script document by document.

    `spacy_model_path` is a spaCy package folder (with config.cfg); ModelError when it is not.
    """
    from irag.triples.spacy_rules import open_spacy

    return _ByLanguage(open_spacy(spacy_model_path))


class _ByLanguage:
    """English by spaCy, Chinese by patterns; neither ever fails."""

    def __init__(self, english: SpacyExtractor) -> None:
        self._english = english
        self.name = f"{english.name}+zh-{CHINESE_RULES}"

    def extract(
        self, documents: Sequence[Document], sample: int = 0, cancel: Cancel | None = None
    ) -> Iterator[Extraction]:
        """One result per document, in order."""
        chinese = [language_of(document.text) == "zh" for document in documents]
        english = [d for d, is_chinese in zip(documents, chinese, strict=True) if not is_chinese]
        parsed = iter(self._english.extract(english))
        for document, is_chinese in zip(documents, chinese, strict=True):
            yield Extraction(chinese_triples(document) if is_chinese else next(parsed))
