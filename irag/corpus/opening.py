"""Opens what a corpus needs by its name in the settings; shared by command line and app."""

from __future__ import annotations

from pathlib import Path

from irag import models
from irag.corpus.indexer import Indexer
from irag.corpus.names import checked_name
from irag.corpus.split import PASSAGE_WORDS, checked_size
from irag.retrieval.vectors import Embedder
from irag.settings import Settings
from irag.tools import NameFinder, Reranker
from irag.triples import Extractor, open_extractor

__all__ = ["open_embedder", "open_extractor_of", "open_indexer", "open_names", "open_reranker"]


def _model(name: str, settings: Settings) -> str | Path:
    """A folder of the catalogue, a folder anywhere, or a hub name as it stands."""
    return models.path(name, settings.models) if name in models.CATALOGUE else name


def open_embedder(settings: Settings) -> Embedder:
    """The embedder of the settings; ModelError, with what to do, when it is not there."""
    from irag.retrieval.embedder import SentenceEmbedder

    return SentenceEmbedder(_model(settings.embedder, settings), settings.embedder)


def open_extractor_of(settings: Settings) -> Extractor:
    """The extractor of the settings; ModelError, with what to do, when its model is not there."""
    return open_extractor(Path(_model(settings.spacy_model, settings)))


def open_indexer(settings: Settings, name: str, words: int = PASSAGE_WORDS) -> Indexer:
    """The writer of a corpus, which is made when it is not there."""
    checked_name(name)
    checked_size(words)
    embedder, extractor = open_embedder(settings), open_extractor_of(settings)
    return Indexer(settings.home, name, embedder, extractor, words)


def open_names(settings: Settings) -> NameFinder:
    """What finds names in questions; ModelError at the first use when its model is not there."""
    from irag.triples.names import SpacyNames

    return SpacyNames(Path(_model(settings.spacy_model, settings)))


def open_reranker(settings: Settings) -> Reranker | None:
    """The cross-encoder of the settings; None when none is named."""
    from irag.retrieval.reranker import CrossReranker

    named = settings.reranker
    return CrossReranker(_model(named, settings), named) if named else None
