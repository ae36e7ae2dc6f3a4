"""Opens what a corpus needs by its name in the settings; shared by command line and app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from irag import models
from irag.corpus.database import last_extractor, open_engine
from irag.corpus.imports import kept_import
from irag.corpus.indexer import Indexer
from irag.corpus.manifest import CURRENT, Manifest
from irag.corpus.names import checked_name, corpus_folder
from irag.corpus.split import PASSAGE_WORDS, checked_size
from irag.errors import CorpusError, UnknownName, UserError
from irag.retrieval.vectors import Embedder
from irag.settings import Settings
from irag.tools import LLM, NameFinder, Reranker
from irag.triples import Extractor, NoTriples, open_extractor, source_of
from irag.triples.imported import Imported
from irag.triples.llm import LLMExtractor
from irag.triples.stored import Stored

__all__ = [
    "SOURCES",
    "OpenLLM",
    "open_embedder",
    "open_extractor_of",
    "open_indexer",
    "open_names",
    "open_reranker",
    "open_triples",
]

OpenLLM = Callable[[Settings, str], LLM]
"""Opens the LLM of a SPEC, the default one for ""; this room knows no backend."""

SOURCES = ("spacy", "llm", "llm:SPEC", "none", "imported:LABEL")
"""Where triples can come from."""


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


def open_triples(
    settings: Settings, corpus: str, source: str = "", llm: OpenLLM | None = None
) -> Extractor:
    """The extractor of a source: "spacy", "llm" or "llm:SPEC", "none", "imported:LABEL".

    After an imported label "+" and another source may follow, for passages it says nothing of.
    "" is what the corpus has, spaCy when it is new. What rules and LLMs made is kept in the home.
    Raises UnknownName, UserError without a way to open an LLM, ModelError.
    """
    kind, _, rest = (source or _source_now(settings.home, corpus)).partition(":")
    kept = settings.home / "cache" / "triples.db"
    if kind == "none":
        return NoTriples()
    if kind == "spacy":
        return Stored(open_extractor_of(settings), kept)
    if kind == "imported":
        label, _, others = rest.partition("+")
        path = kept_import(settings.home, corpus, label)
        if not path.is_file():
            raise UserError(
                f"Triples labelled {label} were never imported into {corpus}: "
                f"python -m irag corpus import-triples {corpus} FILE --label {label}"
            )
        return Imported(label, path, open_triples(settings, corpus, others or "none", llm))
    if kind != "llm":
        raise UnknownName("source of triples", source, SOURCES)
    if llm is None:
        raise UserError("Triples by an LLM need a way to open one; use the command line.")
    return Stored(LLMExtractor(llm(settings, rest)), kept)


def _source_now(home: Path, corpus: str) -> str:
    """What the corpus has; where CURRENT is damaged, what its documents say of their triples."""
    folder = corpus_folder(home, corpus)
    if not (folder / CURRENT).is_file():
        return "spacy"
    try:
        stamped = Manifest.read(folder).extractor
    except CorpusError:
        stamped = last_extractor(open_engine(folder))
    return source_of(stamped) or "spacy"


def open_indexer(
    settings: Settings,
    name: str,
    words: int = PASSAGE_WORDS,
    triples: str = "",
    llm: OpenLLM | None = None,
) -> Indexer:
    """The writer of a corpus, which is made when it is not there; `triples` as in open_triples."""
    checked_name(name)
    checked_size(words)
    extractor = open_triples(settings, name, triples, llm)
    return Indexer(settings.home, name, open_embedder(settings), extractor, words)


def open_names(settings: Settings) -> NameFinder:
    """What finds names in questions; ModelError at the first use when its model is not there."""
    from irag.triples.names import SpacyNames

    return SpacyNames(Path(_model(settings.spacy_model, settings)))


def open_reranker(settings: Settings) -> Reranker | None:
    """The cross-encoder of the settings; None when none is named."""
    from irag.retrieval.reranker import CrossReranker

    named = settings.reranker
    return CrossReranker(_model(named, settings), named) if named else None
