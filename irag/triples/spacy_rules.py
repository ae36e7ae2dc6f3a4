"""Triples of English passages: spaCy's parser, and rules over its trees."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from irag.errors import ModelError
from irag.triples.parsed import Parse
from irag.triples.passage import Passage
from irag.triples.preparing import MASK, Prepared, prepare
from irag.types import Document, Triple

__all__ = ["RULES", "SpacyExtractor", "open_spacy"]

RULES = "3"
"""Version of the rules; it is part of the extractor's name, so that a change is noticed."""

_PIECE = 10_000  # characters parsed at once: bounds memory, far below spaCy's limit of a million
_LONGEST = 2_000  # a longer "sentence" is a table or a list: it is not parsed
_BATCH = 256  # documents
_NOT_NEEDED = ["ner", "lemmatizer", "attribute_ruler", "senter"]


def open_spacy(folder: Path) -> SpacyExtractor:
    """Load the package folder (the one with config.cfg) by path; ModelError when it is no such."""
    try:
        import spacy
    except ImportError as error:
        raise ModelError("spaCy is not installed: pip install spacy") from error
    try:
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        nlp = spacy.load(folder, exclude=_NOT_NEEDED)
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(
            f"No usable spaCy model in {folder} ({error}). Get it with: python -m irag models pull"
        ) from error
    return SpacyExtractor(nlp, f"{meta['lang']}_{meta['name']}-{meta['version']}")


@dataclass(slots=True)
class _Piece:
    """Neighbouring sentences of one document that are parsed together."""

    document: int
    numbers: list[int]
    sentences: list[Prepared]

    @property
    def starts(self) -> list[int]:
        """Where each sentence starts in the piece's text."""
        starts, at = [], 0
        for sentence in self.sentences:
            starts.append(at)
            at += len(sentence.text) + 1
        return starts

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


def _pieces(documents: Sequence[Document]) -> Iterator[_Piece]:
    for place, document in enumerate(documents):
        piece, size = _Piece(place, [], []), 0
        for number in range(len(document.sentences)):
            prepared = prepare(document, number)
            if not 0 < len(prepared.text) <= _LONGEST:
                continue
            if piece.numbers and size + len(prepared.text) > _PIECE:
                yield piece
                piece, size = _Piece(place, [], []), 0
            piece.numbers.append(number)
            piece.sentences.append(prepared)
            size += len(prepared.text) + 1
        if piece.numbers:
            yield piece


def _unmasked(text: str, start: int, length: int, names: dict[int, str]) -> str:
    """A token's text; a mask in it, even one that was not cut off as a token, is put back."""
    word = text[start : start + length]
    if MASK not in word:
        return word
    inside = start + word.index(MASK)
    return word.replace(MASK, names[inside], 1) if inside in names else word


class SpacyExtractor:
    """Batch-first; triples come per document in its order, by sentence."""

    def __init__(self, nlp: Any, model: str) -> None:
        self._nlp = nlp
        self._labels: dict[int, str] = {}
        self.name = f"spacy:{model}+rules-{RULES}"

    def extract(self, documents: Sequence[Document]) -> Iterator[tuple[Triple, ...]]:
        """One tuple per document; documents without sentences give ()."""
        waiting = iter(documents)
        while batch := list(islice(waiting, _BATCH)):
            yield from self._extract(batch)

    def _extract(self, documents: Sequence[Document]) -> Iterator[tuple[Triple, ...]]:
        passages = [Passage(document) for document in documents]
        pieces = list(_pieces(documents))
        parsed = self._nlp.pipe((self._tokenised(piece) for piece in pieces), batch_size=128)
        for piece, doc in zip(pieces, parsed, strict=True):
            parses = self._sentences(doc, piece)
            for number, prepared, parse in zip(piece.numbers, piece.sentences, parses, strict=True):
                passages[piece.document].read(number, prepared, parse)
        for passage in passages:
            yield passage.triples()

    def _tokenised(self, piece: _Piece) -> Any:
        """A Doc whose sentence borders are ours: the parser keeps them."""
        import numpy

        doc = self._nlp.make_doc(piece.text)
        places = doc.to_array(["IDX"]).astype("int64")
        borders = numpy.full((len(doc), 1), -1, dtype="int64")
        borders[numpy.searchsorted(places, piece.starts)] = 1
        return doc.from_array(["SENT_START"], borders.astype("uint64"))

    def _label(self, key: int) -> str:
        if key not in self._labels:
            self._labels[key] = self._nlp.vocab.strings[key] if key else ""
        return self._labels[key]

    def _sentences(self, doc: Any, piece: _Piece) -> Iterator[Parse]:
        """The Doc as plain lists, cut at our borders, with the masked names put back."""
        import numpy

        columns = doc.to_array(["IDX", "LENGTH", "TAG", "DEP", "HEAD"])
        at, lengths, tags, deps = (columns[:, i].tolist() for i in range(4))
        heads = (numpy.arange(len(doc)) + columns[:, 4].astype("int64")).tolist()
        text = doc.text
        starts = piece.starts
        borders = [*numpy.searchsorted(numpy.array(at), starts).tolist(), len(doc)]
        for place, prepared in enumerate(piece.sentences):
            first, stop = borders[place], borders[place + 1]
            tokens = range(first, stop)
            names = {offset + starts[place]: name for offset, name in prepared.names.items()}
            yield Parse(
                [_unmasked(text, at[t], lengths[t], names) for t in tokens],
                [text[at[t] + lengths[t] : at[t] + lengths[t] + 1] in (" ", "") for t in tokens],
                ["NNP" if at[t] in names else self._label(tags[t]) for t in tokens],
                [self._label(deps[t]) for t in tokens],
                [heads[t] - first if first <= heads[t] < stop else t - first for t in tokens],
            )
