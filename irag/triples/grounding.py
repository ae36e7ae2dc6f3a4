"""Which sentence of a passage says a triple that a model wrote; none does, none is invented."""

from __future__ import annotations

from functools import cached_property

from irag.text import language_of, plain, retrieval_terms
from irag.types import Document, Triple, triple_id

__all__ = ["Passage"]

LEAST_SHARE = 0.6  # of a name's words that must stand in the passage or its title


class Passage:
    """One document, ready to be asked for the sentences of many triples."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def title(self) -> frozenset[str]:
        """The words of the title."""
        return _words(self.document.title)

    @cached_property
    def sentences(self) -> tuple[frozenset[str], ...]:
        """The words of each sentence."""
        count = len(self.document.sentences)
        return tuple(_words(self.document.sentence(n)) for n in range(count))

    @cached_property
    def _spelt(self) -> str:
        return plain(f"{self.document.title}\n{self.document.text}")

    def holds(self, name: str) -> bool:
        """Whether the passage or its title has a name, or at least 0.6 of its words."""
        if language_of(name) == "zh" and plain(name).strip() in self._spelt:
            return True  # character pairs depend on what stands beside a name
        words = _words(name)
        said = self.title.union(*self.sentences)
        return len(words & said) >= LEAST_SHARE * len(words) > 0

    def sentence_of(self, head: str, relation: str, tail: str) -> int | None:
        """The 0-based sentence that supports a triple, None when there is none.

        Both names must stand in the passage or its title: a sentence may name its topic by a
        pronoun alone. Of the sentences with a word of either name, the one that shares most words
        with the triple; words of the title, which any sentence may be about, only break ties.
        """
        if not (self.holds(head) and self.holds(tail)):
            return None
        scores = self._scores(head, relation, tail)
        best = max(scores, default=(0, 0))
        return scores.index(best) if best[1] else None

    def shares(self, sentence: int, head: str, relation: str, tail: str) -> bool:
        """Whether a sentence shares at least half as many words with a triple as the best does."""
        scores = [shared for _, shared in self._scores(head, relation, tail)]
        return 2 * scores[sentence] >= max(scores) > 0

    def _scores(self, head: str, relation: str, tail: str) -> list[tuple[int, int]]:
        """Of each sentence: words shared with the triple that are not in the title, and all."""
        names = _words(head) | _words(tail)
        whole = names | _words(relation)
        return [
            (len(whole & said - self.title), len(whole & said)) if names & said else (0, 0)
            for said in self.sentences
        ]

    def triple(self, fact: tuple[str, str, str], sentence: int) -> Triple:
        """A triple of this document's sentence."""
        name = self.document.id
        return Triple(triple_id(*fact, name, sentence), *fact, source=(name, sentence))


def _words(text: str) -> frozenset[str]:
    """What is compared: no case, no accents, no function words; Chinese as character pairs."""
    return frozenset(retrieval_terms(text))
