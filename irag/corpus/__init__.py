"""Documents on disk: add, remove, search, by generations; it asks no LLM and draws nothing."""

from irag.corpus.cards import CorpusCard, list_corpora
from irag.corpus.corpus import Corpus, newest_key, open_corpus
from irag.corpus.indexer import Indexer, create, delete
from irag.corpus.progress import Progress
from irag.corpus.reading import AddReport

__all__ = [
    "AddReport",
    "Corpus",
    "CorpusCard",
    "Indexer",
    "Progress",
    "create",
    "delete",
    "list_corpora",
    "newest_key",
    "open_corpus",
]
