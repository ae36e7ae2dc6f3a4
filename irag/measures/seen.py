"""What a play came across, read off its steps; the places where evidence can be lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from irag.actions import Generate, Neighbour, Rank, Together
from irag.measures.base import Case
from irag.prompts import Passages
from irag.types import Document, Entity, Scored, Sentence, Trace, Triple

__all__ = ["Seen", "hop_recall", "seen"]

Unit = Document | Sentence | Triple


@dataclass(frozen=True, slots=True)
class Seen:
    """`documents` are those that stood in any result, by id; `retrieved` also ids known only from a
    triple. `ranked` are the ids of the triples, and the documents, that a ranking held;
    `read` the (title, sentences) that prompts showed; None where no prompt showed passages."""

    documents: dict[str, Document]
    retrieved: frozenset[str]
    ranked: frozenset[str]
    ranks_triples: bool
    read: frozenset[tuple[str, str]] | None

    def was_read(self, document: Document) -> bool:
        """Whether a prompt showed a sentence of a document, or it is not known what it showed."""
        if self.read is None:
            return True
        ((title, sentences),) = Passages.of((document,)).entries
        return any((title, sentence) in self.read for sentence in sentences)


def _units(result: Any) -> Iterator[Unit]:
    if isinstance(result, Document | Sentence | Triple):
        yield result
    elif isinstance(result, Scored):
        yield from _units(result.unit)
    elif isinstance(result, Neighbour):
        yield result.sentence
    elif isinstance(result, Entity):
        yield from result.triples
    elif isinstance(result, tuple | list):
        for part in result:
            yield from _units(part)


def _document(unit: Unit) -> str | None:
    if isinstance(unit, Document):
        return unit.id
    return unit.document.id if isinstance(unit, Sentence) else unit.document


def _parts(action: Any, result: Any) -> list[tuple[Any, Any]]:
    """An action with its result, or those of a Together."""
    if isinstance(action, Together) and isinstance(result, tuple):
        return list(zip(action.requests, result, strict=True))
    return [(action, result)]


def seen(trace: Trace) -> Seen:
    """Go through the steps of a play once."""
    documents: dict[str, Document] = {}
    retrieved, ranked, read = set(), set(), set()
    ranks_triples = shows = False
    done = [part for step in trace.steps for part in _parts(step.action, step.result)]
    for action, result in done:
        if isinstance(action, Generate):
            shown = [v for _, v in action.prompt.values if isinstance(v, Passages)]
            shows = shows or bool(shown)
            read |= {(title, s) for v in shown for title, some in v.entries for s in some}
        for unit in _units(result):
            name = _document(unit)
            retrieved.add(name)
            if isinstance(unit, Document | Sentence):
                whole = unit if isinstance(unit, Document) else unit.document
                documents[whole.id] = whole
            if isinstance(action, Rank):
                ranked |= {unit.id, name}
                ranks_triples = ranks_triples or isinstance(unit, Triple)
    evidence = trace.answer.evidence if trace.answer else ()
    documents |= {hit.unit.id: hit.unit for hit in evidence}
    known = frozenset(one for one in retrieved | set(documents) if one is not None)
    kept = frozenset(one for one in ranked if one is not None)
    return Seen(documents, known, kept, ranks_triples, frozenset(read) if shows else None)


def hop_recall(case: Case, trace: Trace) -> tuple[float, ...]:
    """Share of the gold documents come across by the end of each hop, 1 first; () without gold."""
    if not case.documents:
        return ()
    found: set[str | None] = set()
    shares = [0.0] * trace.hops
    for step in trace.steps:
        found |= {_document(unit) for unit in _units(step.result)}
        if step.hop:
            hits = sum(bool(gold & found) for gold in case.documents)
            shares[step.hop - 1] = hits / len(case.documents)
    return tuple(shares)
