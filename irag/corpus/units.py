"""What text stands for a document, a sentence and a triple in vectors and keyword search."""

from __future__ import annotations

from irag.types import Document, Triple

__all__ = ["document_passage", "sentence_passage", "triple_passage"]


def document_passage(document: Document) -> str:
    """The text that is embedded and indexed for a document."""
    return f"{document.title}. {document.text}" if document.title else document.text


def sentence_passage(document: Document, number: int) -> str:
    """The text that is embedded for one sentence."""
    sentence = document.sentence(number)
    return f"{document.title}: {sentence}" if document.title else sentence


def triple_passage(title: str, triple: Triple) -> str:
    """The text that is embedded for a triple of a document with this title."""
    return triple.text if not title or triple.head == title else f"{title}: {triple.text}"
