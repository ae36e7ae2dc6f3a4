"""ChainRAG's context of one sub-question: seed sentences, and what the sentence graph adds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from irag.actions import Expand, Flow, Rank, Retrieve, RetrieveSentences
from irag.methods.chainrag_calls import enough, grouped
from irag.remarks import ContextGrew
from irag.text import tokens
from irag.types import Document, Scored, Sentence

__all__ = ["Gathered", "Hits", "Search", "first_hits", "gather", "merged", "within"]

COARSE, FINE = 45, 15  # chunks found and kept, as RT-RAG sets them for ChainRAG

Scorer = Literal["embedder", "reranker"]
Hits = tuple[Scored[Sentence], ...] | tuple[Scored[Document], ...]


@dataclass(frozen=True, slots=True)
class Search:
    """How a context is gathered; `checks` is how often at most the LLM says if it suffices."""

    seeds: int
    candidates: int
    expansions: int
    words: int
    checks: int
    edges: tuple[str, ...] = ("entity", "similar", "adjacent")
    scorer: Scorer = "reranker"
    chunks: bool = False


@dataclass
class Gathered:
    """The context of a sub-question, best first, and every document it was chosen from.

    `best` holds the documents with the score of their best sentence, `seed` the seed from which
    each sentence was reached, by the sentence's id.
    """

    context: list[Sentence] = field(default_factory=list)
    best: dict[str, Scored[Document]] = field(default_factory=dict)
    seed: dict[str, Sentence] = field(default_factory=dict)

    def add(self, ranked: Iterable[Scored[Sentence]]) -> None:
        """Note the documents of ranked sentences: each counts as its best sentence."""
        for one in ranked:
            self.note(Scored(one.unit.document, one.score))

    def note(self, one: Scored[Document]) -> None:
        """Note a document with its score; the best one counts."""
        known = self.best.get(one.unit.id)
        if known is None or known.score < one.score:
            self.best[one.unit.id] = one

    def documents(self) -> tuple[Scored[Document], ...]:
        """Documents by their best sentence; ties by id."""
        return tuple(sorted(self.best.values(), key=lambda one: (-one.score, one.unit.id)))


def first_hits(asked: str, search: Search) -> Flow[Hits]:
    """What a question finds before anything is reranked; () in a corpus without a match."""
    if search.chunks:
        return (yield from Retrieve(asked, min(search.candidates, COARSE)))
    return (yield from RetrieveSentences(asked, search.candidates))


def gather(
    number: int, asked: str, hits: Hits, notes: Sequence[str], search: Search
) -> Flow[Gathered]:
    """The context of sub-question `number`, from what it found."""
    if search.chunks:
        return (yield from _chunks(asked, _documents(hits), search))
    found = Gathered()
    pool = tuple(hit.unit for hit in hits if isinstance(hit.unit, Sentence))
    ranked = yield from Rank(asked, pool, len(pool), search.scorer)
    found.add(ranked)
    frontier = within([one.unit for one in ranked[: search.seeds]], search.words)
    found.seed |= {one.id: one for one in frontier}
    for expansion in range(search.expansions + 1):
        found.context += frontier
        yield from ContextGrew(number, expansion, tuple(frontier), words(found.context))
        if expansion < search.checks and (yield from enough(asked, grouped(found.context), notes)):
            break
        if expansion == search.expansions or not search.edges:
            break
        frontier = yield from _expansion(asked, frontier, found, search)
        if not frontier:
            break
    return found


def _expansion(
    asked: str, frontier: Sequence[Sentence], found: Gathered, search: Search
) -> Flow[list[Sentence]]:
    """What one hop along the graph adds, best first: as many as fit the cap of words."""
    near = yield from Expand(tuple(frontier), search.edges)
    inside = {one.id for one in found.context}
    fresh = {n.sentence.id: n.sentence for n in near if n.sentence.id not in inside}
    if not fresh:
        return []
    nearest = yield from Rank(asked, tuple(fresh.values()), search.candidates)
    for one in near:
        found.seed.setdefault(one.sentence.id, found.seed[one.of])
    named = {one.sentence.id for one in near if one.edge == "entity"}
    ranked = yield from _along(asked, [one.unit for one in nearest], named, found, search.scorer)
    found.add(ranked)
    return within([one.unit for one in ranked], search.words - words(found.context))


def _along(
    asked: str, sentences: Sequence[Sentence], named: Set[str], found: Gathered, scorer: Scorer
) -> Flow[list[Scored[Sentence]]]:
    """Reached sentences, best first; `named` (ids) share a name with what they were reached from.

    These are ranked against the sub-question and their seed together: the seed names what the
    sub-question only describes. The others are ranked against the sub-question alone, because what
    is like its seed would be lifted by that likeness.
    """
    groups: dict[str, list[Sentence]] = {}
    for one in sentences:
        query = f"{asked} {found.seed[one.id].text}" if one.id in named else asked
        groups.setdefault(query, []).append(one)
    ranked: list[Scored[Sentence]] = []
    for query, some in groups.items():
        ranked += yield from Rank(query, tuple(some), len(some), scorer)
    return sorted(ranked, key=lambda one: (-one.score, one.unit.id))


def _documents(hits: Hits) -> tuple[Document, ...]:
    return tuple(hit.unit for hit in hits if isinstance(hit.unit, Document))


def _chunks(asked: str, pool: tuple[Document, ...], search: Search) -> Flow[Gathered]:
    """Without a sentence graph: the best passages as they are, up to the cap of words."""
    ranked = yield from Rank(asked, pool, len(pool), search.scorer)
    found = Gathered()
    for one in ranked:
        found.note(one)
    kept = [Sentence(one.unit, n) for one in ranked[:FINE] for n in range(len(one.unit.sentences))]
    found.context += within(kept, search.words)
    return found


def words(sentences: Iterable[Sentence]) -> int:
    """Words of all sentences; a Chinese character counts as one."""
    return sum(len(tokens(one.text)) for one in sentences)


def within(sentences: Sequence[Sentence], cap: int) -> list[Sentence]:
    """The first sentences, as many as stay within so many words."""
    kept, left = [], cap
    for one in sentences:
        left -= len(tokens(one.text))
        if left < 0:
            break
        kept.append(one)
    return kept


def merged(rankings: Sequence[Sequence[Scored[Document]]]) -> tuple[Scored[Document], ...]:
    """One ranking of several: the score is the sum of 1 / rank over the rankings.

    Scores of different questions do not compare, ranks do: the best document of each sub-question
    comes first. Equal sums keep the order of the sub-questions, then of their rankings.
    """
    sums: dict[str, Scored[Document]] = {}
    for place in range(max(map(len, rankings), default=0)):
        for ranking in rankings:
            if place < len(ranking):
                unit = ranking[place].unit
                before = sums[unit.id].score if unit.id in sums else 0.0
                sums[unit.id] = Scored(unit, before + 1 / (place + 1))
    return tuple(sorted(sums.values(), key=lambda one: -one.score))
