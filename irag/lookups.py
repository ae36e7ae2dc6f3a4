"""How the actions that look something up in a corpus are done, each kind as one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from irag.actions import (
    Action,
    DocumentsOf,
    Expand,
    MatchEntities,
    NamesIn,
    NearEntities,
    Rank,
    Retrieve,
    RetrieveEntities,
    RetrieveSentences,
    TriplesOf,
)
from irag.errors import IragError
from irag.tools import (
    EntityGraph,
    NameFinder,
    Reranker,
    Retriever,
    Scorer,
    SentenceGraph,
    TripleSource,
)
from irag.types import Document, Scored, Sentence, Triple

__all__ = ["DIGITS", "Lookups", "unit_text"]

P = TypeVar("P")
DIGITS = 4
"""Scores of a reranker are compared at this many decimals, equal ones by id."""

Lookup = Callable[[list[Any]], Sequence[Any]]

_SHARED: dict[type[Action[Any]], tuple[str, ...]] = {
    Retrieve: ("k", "by", "exclude"),
    Rank: ("k", "scorer"),
    RetrieveSentences: ("k",),
    Expand: ("edges",),
    RetrieveEntities: ("k", "unit"),
    NearEntities: ("k", "least"),
}
"""Fields that must be equal for actions to share a batch."""


def unit_text(unit: Triple | Sentence | Document) -> str:
    """What a reranker reads of a unit."""
    if isinstance(unit, Document):
        return f"{unit.title}. {unit.text}" if unit.title else unit.text
    if isinstance(unit, Sentence):
        return f"{unit.title}: {unit.text}" if unit.title else unit.text
    return unit.text


@dataclass(frozen=True)
class Lookups:
    """What one corpus offers; a part that is None cannot be asked for."""

    retriever: Retriever
    triples: TripleSource
    scorer: Scorer
    sentences: SentenceGraph | None = None
    entities: EntityGraph | None = None
    names: NameFinder | None = None
    reranker: Reranker | None = None

    def of(self, action: Action[Any]) -> tuple[Any, Lookup]:
        """(what must be equal to share a batch, how a batch is done); TypeError for no lookup."""
        lookup = self._lookups().get(type(action))
        if lookup is None:
            raise TypeError(f"No tool performs {type(action).__name__}.")
        shared = tuple(getattr(action, name) for name in _SHARED.get(type(action), ()))
        kind = type(action.units[0]).__name__ if isinstance(action, Rank) and action.units else ""
        return (type(action).__name__, *shared, kind), lookup

    def _lookups(self) -> dict[type[Action[Any]], Lookup]:
        return {
            Retrieve: self._retrieve,
            TriplesOf: self._triples_of,
            DocumentsOf: self._documents_of,
            Rank: self._rank,
            RetrieveSentences: self._retrieve_sentences,
            Expand: self._expand,
            NamesIn: self._names_in,
            MatchEntities: self._match,
            RetrieveEntities: self._retrieve_entities,
            NearEntities: self._near,
        }

    def _retrieve(self, batch: list[Retrieve]) -> Sequence[Any]:
        first = batch[0]
        beside = [text for action in batch for text in action.beside]
        queries = [action.query for action in batch]
        return self.retriever.search(queries, first.k, first.by, first.exclude, beside)

    def _triples_of(self, batch: list[TriplesOf]) -> Sequence[Any]:
        ids = list(dict.fromkeys(d.id for action in batch for d in action.documents))
        found = dict(zip(ids, self.triples.triples_of(ids), strict=True))
        return [tuple(t for d in a.documents for t in found[d.id]) for a in batch]

    def _documents_of(self, batch: list[DocumentsOf]) -> Sequence[Any]:
        found = {d.id: d for d in self.triples.documents([i for a in batch for i in a.ids])}
        return [tuple(found[name] for name in a.ids) for a in batch]

    def _rank(self, batch: list[Rank[Any]]) -> Sequence[Any]:
        queries, units = [a.query for a in batch], [a.units for a in batch]
        if batch[0].scorer == "embedder" or self.reranker is None:
            return self.scorer.rank(queries, units, batch[0].k)
        texts = [[unit_text(unit) for unit in some] for some in units]
        scores = self.reranker.scores(queries, texts)
        return [_best(some, values, batch[0].k) for some, values in zip(units, scores, strict=True)]

    def _retrieve_sentences(self, batch: list[RetrieveSentences]) -> Sequence[Any]:
        source = _there(self.sentences, "sentences")
        return source.search_sentences([a.query for a in batch], batch[0].k)

    def _expand(self, batch: list[Expand]) -> Sequence[Any]:
        source = _there(self.sentences, "sentence graph")
        return source.neighbours([a.sentences for a in batch], batch[0].edges)

    def _names_in(self, batch: list[NamesIn]) -> Sequence[Any]:
        return _there(self.names, "model that finds names").names([a.text for a in batch])

    def _match(self, batch: list[MatchEntities]) -> Sequence[Any]:
        return _there(self.entities, "entity graph").match_entities([a.names for a in batch])

    def _retrieve_entities(self, batch: list[RetrieveEntities]) -> Sequence[Any]:
        source, first = _there(self.entities, "entity graph"), batch[0]
        return source.search_entities([a.query for a in batch], first.k, first.unit)

    def _near(self, batch: list[NearEntities]) -> Sequence[Any]:
        source, first = _there(self.entities, "entity graph"), batch[0]
        queries, entities = [a.query for a in batch], [a.entities for a in batch]
        return source.near_entities(queries, entities, first.k, first.least)


def _there(part: P | None, what: str) -> P:
    if part is None:
        raise IragError(f"This method needs a {what}, and none was given to it.")
    return part


def _best(units: Sequence[Any], scores: Sequence[float], k: int) -> tuple[Scored[Any], ...]:
    scored = [Scored(u, round(float(s), DIGITS)) for u, s in zip(units, scores, strict=True)]
    return tuple(sorted(scored, key=lambda one: (-one.score, one.unit.id))[: max(k, 0)])
