"""Whether two names are one entity by their letters, as KG²RAG and KGIR-RAG compare them.

Departure: their rule takes a name inside another for the same one ("York", "New York") and cannot
tell numbers apart; here what is left over must not be part of a name.
"""

from __future__ import annotations

from collections.abc import Sequence

from irag.match.aliases import aliases
from irag.match.index import NameIndex
from irag.match.keys import entity_key
from irag.match.numbers import numbers_of
from irag.match.words import FUNCTION_WORDS, Word, key_words, words_of
from irag.text import plain, word_set

__all__ = ["mentioned", "ngram_overlap", "same_name", "stands_in"]

SAME = 0.9  # KG²RAG code
N = 3  # KG²RAG code

_DESCRIBES = FUNCTION_WORDS | word_set(
    "film movie director actor actress singer writer author painter king queen president band "
    "album song book novel city town village river company person place"
)


def ngram_overlap(first: str, second: str, n: int = N) -> float:
    """Share of the first name's character n-grams that the second has too, 0 to 1.

    Spaces, punctuation, case and accents do not count. Shorter names are one gram. An empty name
    has no gram: 0.
    """
    grams, other = _grams(first, n), _grams(second, n)
    return len(grams & other) / len(grams) if grams else 0.0


def _grams(name: str, n: int) -> frozenset[str]:
    letters = "".join(key_words(plain(name)))
    return frozenset(letters[i : i + n] for i in range(max(len(letters) - n, 0) + 1) if letters)


def same_name(first: str, second: str) -> bool:
    """Whether two names mean one entity.

    Equal but for case and spelling, or one is the other without "(band)" or ", Lincolnshire", or
    they share 0.9 of their character 3-grams in both directions, or one holds the other and only
    describes it ("the potter Jon Pell"). Never when their numbers differ.
    """
    if entity_key(first) == entity_key(second):
        return True
    if not first.strip() or not second.strip() or _bare_numbers(first) != _bare_numbers(second):
        return False
    if _other_form(first, second) or _other_form(second, first):
        return True
    if min(ngram_overlap(first, second), ngram_overlap(second, first)) >= SAME:
        return not _qualified(first) and not _qualified(second)
    return _describes(first, second) or _describes(second, first)


def _bare_numbers(name: str) -> tuple[str, ...]:
    forms = [alias.text for alias in aliases(name) if alias.how == "bare"]
    return numbers_of(forms[0] if forms else name)


def _qualified(name: str) -> bool:
    return any(alias.how == "bare" for alias in aliases(name))


def _other_form(whole: str, form: str) -> bool:
    """Whether `form` is `whole` without its qualifier; two qualified names never are."""
    bare = [alias.text for alias in aliases(whole) if alias.how == "bare"]
    return bool(bare) and key_words(bare[0]) == key_words(form)


def _describes(whole: str, name: str) -> bool:
    """Whether `whole` is `name` and words before it that describe it, none of them capitalised."""
    words, sought = words_of(whole), key_words(name)
    if not sought or len(words) <= len(sought):
        return False
    rest, last = words[: -len(sought)], words[-len(sought) :]
    if tuple(word.folded for word in last) != sought:
        return False
    return all(_is_description(word, cased=whole != whole.lower()) for word in rest)


def _is_description(word: Word, cased: bool) -> bool:
    return word.folded in _DESCRIBES or (cased and word.written.islower())


def stands_in(name: str, text: str) -> bool:
    """Whether a text mentions a name or an alias of it, at word borders and not in a longer name.

    For many names use one `NameIndex`.
    """
    return bool(NameIndex([name]).find(text))


def mentioned(names: Sequence[str], text: str) -> tuple[str, ...]:
    """Those of the names that a text mentions, in the text's order, without repeats."""
    found = NameIndex(names).find(text)
    return tuple(dict.fromkeys(name for mention in found for name in mention.names))
