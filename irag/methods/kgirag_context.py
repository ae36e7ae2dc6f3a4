"""What KGiRAG has gathered from the entity graph, and the part of it that the LLM reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from irag.actions import DocumentsOf, Flow
from irag.types import Entity, Scored, Triple

__all__ = ["Context", "Pool", "context"]

NAMED, VISITED = 0.2, 0.1
"""What a triple gains that names an entity of the question, or one that was visited."""

RELATIONS = 0.4
"""The share of the context that relations may take; sentences get the rest."""


@dataclass(frozen=True, slots=True)
class Context:
    """Lines the LLM reads: relations of visited entities, then sentences, most similar first."""

    relations: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass
class Pool:
    """Triples seen so far by id, and which of them name the question's or visited entities."""

    triples: dict[str, Triple] = field(default_factory=dict)
    visited: dict[str, None] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    near: set[str] = field(default_factory=set)

    def name(self, entities: Sequence[Entity]) -> None:
        """These are entities of the question."""
        self.named |= {triple.id for entity in entities for triple in entity.triples}

    def visit(self, entities: Sequence[Entity]) -> None:
        """These are start entities, or neighbours of what was visited before."""
        self.visited |= dict.fromkeys(entity.id for entity in entities)
        self.near |= {triple.id for entity in entities for triple in entity.triples}
        self.read(entities)

    def read(self, entities: Sequence[Entity]) -> None:
        """What the corpus says of these joins the pool."""
        for entity in entities:
            for triple in entity.triples:
                self.triples.setdefault(triple.id, triple)

    def listed(self) -> tuple[Triple, ...]:
        """All triples, in the order of appearance."""
        return tuple(self.triples.values())

    def ranking(self, ranked: Sequence[Scored[Triple]]) -> list[tuple[str, float]]:
        """(document id, score), best first: its best triple, with what naming an entity gains."""
        best: dict[str, float] = {}
        for one in ranked:
            document = one.unit.document
            if document is not None:
                score = round(one.score + self._gain(one.unit), 4)
                best[document] = max(best.get(document, score), score)
        return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))

    def _gain(self, triple: Triple) -> float:
        if triple.id in self.named:
            return NAMED
        return VISITED if triple.id in self.near else 0.0


def context(pool: Pool, ranked: Sequence[Scored[Triple]], characters: int) -> Flow[Context]:
    """Whole lines within so many characters, none twice; most similar to the question first."""
    relations = dict.fromkeys(
        f"{one.unit.head} — {one.unit.relation} — {one.unit.tail}"
        for one in ranked
        if one.unit.id in pool.near
    )
    first = _within(list(relations), int(characters * RELATIONS))
    left = characters - sum(map(len, first))
    sources = list(dict.fromkeys(one.unit.source for one in ranked if one.unit.source))
    owners = tuple(dict.fromkeys(document for document, _ in sources))
    found = {d.id: d for d in (yield from DocumentsOf(owners))}
    told = dict.fromkeys(
        f"{found[document].title}: {found[document].sentence(number).strip()}"
        for document, number in sources
    )
    return Context(first, _within(list(told), left))


def _within(lines: Sequence[str], characters: int) -> tuple[str, ...]:
    """The first lines that fit together; one longer than what is left ends them."""
    kept: list[str] = []
    for line in lines:
        characters -= len(line) + 1
        if characters < 0:
            break
        kept.append(line)
    return tuple(kept)
