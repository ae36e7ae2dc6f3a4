"""The sentence graph, the entity graph and the name finder of the 12-passage corpus."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irag.actions import Neighbour
from irag.match import entity_key
from irag.text import tokens
from irag.types import Document, Entity, Scored, Sentence, Triple


def _words(text: str) -> set[str]:
    return {word.lower() for word in tokens(text) if len(word) > 2}


def _ranked(scored, k):
    kept = (one for one in scored if one.score > 0)
    return tuple(sorted(kept, key=lambda one: (-one.score, one.unit.id))[:k])


class FakeGraphs:
    """Obeys SentenceGraph and EntityGraph over documents and their triples."""

    def __init__(self, documents: Sequence[Document], triples: Sequence[Triple]) -> None:
        self._sentences = [Sentence(d, n) for d in documents for n in range(len(d.sentences))]
        self._triples = triples
        self._names = {
            s.id: {
                entity_key(name)
                for t in triples
                if t.source == (s.document.id, s.number)
                for name in (t.head, t.tail)
            }
            for s in self._sentences
        }

    def search_sentences(self, queries, k):
        return [
            _ranked(
                [
                    Scored(s, float(len(_words(query) & _words(f"{s.title} {s.text}"))))
                    for s in self._sentences
                ],
                k,
            )
            for query in queries
        ]

    def neighbours(self, sentences, edges):
        return [
            tuple(n for edge in edges for n in self._joined(given, edge)) for given in sentences
        ]

    def _joined(self, given, edge):
        inside = {s.id for s in given}
        found = {}
        for one in given:
            for other in self._sentences:
                weight = self._weight(one, other, edge)
                if other.id not in inside and weight > 0 and other.id not in found:
                    found[other.id] = Neighbour(other, edge, one.id, weight)
        return sorted(found.values(), key=lambda n: (-n.weight, n.sentence.id))

    def _weight(self, one, other, edge):
        if edge == "adjacent":
            apart = abs(one.number - other.number)
            return 1 / (1 + apart) if one.document == other.document and apart <= 3 else 0.0
        if edge == "entity":
            return float(len(self._names[one.id] & self._names[other.id]))
        return float(len(_words(one.text) & _words(other.text)) >= 3)

    def _entities(self):
        kept = {}
        for triple in self._triples:
            for name in (triple.head, triple.tail):
                kept.setdefault(entity_key(name), (name, []))[1].append(triple)
        return [Entity(f"e:{key}", name, tuple(some)) for key, (name, some) in kept.items()]

    def match_entities(self, names):
        known = {one.id: one for one in self._entities()}
        wanted = [[f"e:{entity_key(name)}" for name in some] for some in names]
        return [tuple(known[key] for key in dict.fromkeys(some) if key in known) for some in wanted]

    def search_entities(self, queries, k, unit):
        entities = self._entities()
        if unit == "community":
            entities = [
                Entity(f"c:{e.id}", e.name, e.triples, (e.name,)) for e in entities if e.triples
            ]
        return [_ranked([_near(q, one) for one in entities], k) for q in queries]

    def near_entities(self, queries, entities, k, least):
        everything = self._entities()
        found = []
        for query, ids in zip(queries, entities, strict=True):
            touched = {t.id for one in everything if one.id in ids for t in one.triples}
            near = [
                _near(query, one)
                for one in everything
                if one.id not in ids and any(t.id in touched for t in one.triples)
            ]
            near = [one for one in near if one.score > least]
            found.append(tuple(sorted(near, key=lambda one: (-one.score, one.unit.id))[:k]))
        return found


def _near(query, entity):
    text = " ".join([entity.name, *(t.text for t in entity.triples)])
    return Scored(entity, len(_words(query) & _words(text)) / (1 + len(_words(text))))


class CapitalNames:
    """Runs of capitalised words, but for the first word of a question."""

    def names(self, texts):
        return [
            tuple(dict.fromkeys(re.findall(r"(?<!^)\b[A-Z]\w+(?: [A-Z]\w+)*", text)))
            for text in texts
        ]
