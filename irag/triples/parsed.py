"""A parsed sentence as plain lists, and the phrases that can be read off its tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["NOUNS", "PROPER", "Parse"]

PROPER = frozenset({"NNP", "NNPS"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_PUNCTUATION = frozenset({",", ":", "HYPH", "``", "''", "-LRB-", "-RRB-", "SYM", "."})
_CLAUSES = frozenset({"relcl", "acl", "advcl", "ccomp", "parataxis", "dep"})
_SHORTENED = {"n't": "not", "'s": "is", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
_CLOSED = frozenset({"DT", "IN", "PRP$", "RB", "CC", "WRB", "WDT", "TO", "VBN", "VBG", "EX"})
_BEFORE_COMMA = re.compile(r"\s+(?=[,;])")
_EDGES = " ,;:–-\"'“”‘’`/&"


@dataclass(slots=True)
class Parse:
    """Parallel lists by token; `heads` and `kids` are indexes in the sentence, kids in order.

    `tags` are Penn Treebank tags and `deps` ClearNLP labels, as spaCy's English models give them.
    `spaced`: whether white space follows.
    """

    words: list[str]
    spaced: list[bool]
    tags: list[str]
    deps: list[str]
    heads: list[int]
    kids: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.kids = [[] for _ in self.words]
        for token, head in enumerate(self.heads):
            if head != token:
                self.kids[head].append(token)
        self._spell_out()
        first = self.words[0] if self.words else ""
        if first.istitle() and self.tags[0] in _CLOSED:
            self.words[0] = first.lower()

    def _spell_out(self) -> None:
        """ "was n't" becomes "was not", "it 's a port" "it is a port"."""
        for token, word in enumerate(self.words):
            plain = word.replace("’", "'").casefold()
            if plain not in _SHORTENED or self.tags[token] == "POS" or not token:
                continue
            before = self.words[token - 1]
            if plain == "n't":
                self.words[token - 1] = _STEMS.get(before.casefold(), before)
            self.words[token] = _SHORTENED[plain]
            self.spaced[token - 1] = True

    @property
    def root(self) -> int:
        """The first token that is its own head."""
        return next((i for i, head in enumerate(self.heads) if head == i), 0)

    def kids_as(self, token: int, *deps: str) -> list[int]:
        """Children with one of these labels."""
        return [kid for kid in self.kids[token] if self.deps[kid] in deps]

    def is_verb(self, token: int) -> bool:
        """Whether it is a verb or auxiliary by its tag."""
        return self.tags[token].startswith(("VB", "MD"))

    def is_proper(self, token: int) -> bool:
        """Whether it is tagged as a name."""
        return self.tags[token] in PROPER

    def is_name_of(self, token: int, top: int) -> bool:
        """Whether a token of a name's phrase is part of the name, not a role before it."""
        plain = range(min((t for t in self.members(top) if self.is_proper(t)), default=top), top)
        return token >= top or token in plain

    def with_conjuncts(self, token: int) -> list[int]:
        """The token and what is coordinated with it: "A", "B" and "C" of "A, B and C"."""
        found, at = [token], 0
        while at < len(found):
            found += self.kids_as(found[at], "conj")
            at += 1
        return found

    def _stays(self, kid: int, top: int) -> bool:
        """Whether a child belongs to the noun phrase of `top`."""
        dep = self.deps[kid]
        if dep in _CLAUSES:
            return False
        if self.heads[kid] == top and kid > top and dep in ("conj", "cc", "preconj"):
            return False
        if dep == "appos":
            anchor = self.heads[kid]
            bare = not self.kids_as(kid, "det", "poss")
            return bare and self.is_proper(kid) and self.is_proper(anchor)
        return True

    def members(self, top: int, without: Iterable[int] = ()) -> list[int]:
        """Tokens of the noun phrase of `top`: no clauses, no right-hand conjuncts."""
        left_out = set(without)
        kept, stack = [], [top]
        while stack:
            token = stack.pop()
            kept.append(token)
            stack += [k for k in self.kids[token] if k not in left_out and self._stays(k, top)]
        return sorted(kept)

    def subtree(self, top: int) -> list[int]:
        """Every token below `top`, itself included."""
        kept, stack = [], [top]
        while stack:
            token = stack.pop()
            kept.append(token)
            stack += self.kids[token]
        return sorted(kept)

    def render(self, tokens: Iterable[int], spoken: Mapping[int, str] | None = None) -> str:
        """Tokens as text; punctuation only between two words that are both kept.

        `spoken` gives other words for some tokens.
        """
        said = spoken or {}
        chosen = list(tokens)
        while chosen and self.tags[chosen[0]] in _PUNCTUATION:
            chosen.pop(0)
        while chosen and (self.tags[chosen[-1]] in _PUNCTUATION or self.tags[chosen[-1]] == "POS"):
            chosen.pop()
        parts: list[str] = []
        for place, token in enumerate(chosen):
            following = chosen[place + 1] if place + 1 < len(chosen) else token + 1
            if self.tags[token] in _PUNCTUATION and following != token + 1:
                parts.append(" ")
                continue
            parts.append(said.get(token, self.words[token]))
            if self.spaced[token] or following != token + 1:
                parts.append(" ")
        return _balanced(" ".join("".join(parts).split()).strip(_EDGES))

    def phrase(self, top: int, without: Iterable[int] = ()) -> str:
        """The noun phrase of a token as text."""
        return self.render(self.members(top, without))

    def verbs(self) -> Iterator[int]:
        """Tokens that head a clause, in order."""
        for token, dep in enumerate(self.deps):
            if self.is_verb(token) and dep not in ("aux", "auxpass", "amod", "compound", "nmod"):
                yield token


def _balanced(text: str) -> str:
    """Without a bracket or quote that has no partner, or a space before a comma."""
    text = _BEFORE_COMMA.sub("", text)
    if text.count("(") != text.count(")"):
        text = text.replace("(", " ").replace(")", " ")
    if text.count('"') % 2:
        text = text.replace('"', " ")
    return " ".join(text.split()).strip(_EDGES)
