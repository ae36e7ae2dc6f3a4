"""Is this the same entity or triple? Never looks anything up: only the words decide."""

from irag.match.aliases import Alias, aliases
from irag.match.index import Mention, NameIndex
from irag.match.keys import entity_key, ground, same_triple, title_key, triple_key
from irag.match.ngrams import mentioned, ngram_overlap, same_name, stands_in
from irag.match.numbers import is_literal, numbers_of

__all__ = [
    "Alias",
    "Mention",
    "NameIndex",
    "aliases",
    "entity_key",
    "ground",
    "is_literal",
    "mentioned",
    "ngram_overlap",
    "numbers_of",
    "same_name",
    "same_triple",
    "stands_in",
    "title_key",
    "triple_key",
]
