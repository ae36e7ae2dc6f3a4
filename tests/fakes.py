"""A 12-passage corpus whose bridge hop 1 cannot reach, searched by shared words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from irag.actions import Query
from irag.lookups import Lookups, unit_text
from irag.performing import Tools
from irag.text import sentences, tokens
from irag.tools import LLM
from irag.types import Document, Scored, Triple, document_id, triple_id
from tests.fakes_graph import CapitalNames, FakeGraphs

U = TypeVar("U")

QUESTION = "In which river's valley lies the town where the painter of The Quiet Harbour was born?"
BRIDGE = "Ana Kor"
SECOND = "Marl (town)"

_ROWS: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
    ("The Quiet Harbour", "The Quiet Harbour is a painting by the painter Ana Kor.",
     (("The Quiet Harbour", "is a painting by", "Ana Kor"),)),
    (BRIDGE, "Ana Kor was an artist. She came from Marl.", (("Ana Kor", "came from", "Marl"),)),
    (SECOND, "Marl lies beside the Tem.", (("Marl", "lies beside", "the Tem"),)),
    ("Painter", "A painter paints what a harbour shows.", (("A painter", "paints", "harbours"),)),
    ("River valley", "Each river has its valley.", (("Each river", "has", "its valley"),)),
    ("Harbour town", "A town was born at the harbour.", (("A town", "was born at", "the harbour"),)),
    ("Valley town", "The town lies in which valley.", (("The town", "lies in", "a valley"),)),
    ("Quiet valley", "The quiet valley was painted.", (("The quiet valley", "was", "painted"),)),
    ("Osk", "Osk is a port.", (("Osk", "is", "a port"),)),
    ("Jon Pell", "Jon Pell was a potter.", (("Jon Pell", "was", "a potter"),)),
    ("Veldland", "Veldland is flat.", (("Veldland", "is", "flat"),)),
    ("Kestrel Mill", "Kestrel Mill ground rye.", (("Kestrel Mill", "ground", "rye"),)),
)  # fmt: skip
_COMMON = {"the", "a", "is", "was", "in", "of", "by", "where", "which", "s", "its", "an"}


def _words(text: str) -> set[str]:
    return {word.lower() for word in tokens(text)} - _COMMON


def _overlap(query: str, wanted: set[str], document: Document) -> float:
    """Shared words, and two more where the query names the document."""
    named = document.title.partition(" (")[0] in query
    return len(wanted & _words(f"{document.title} {document.text}")) + 2.0 * named


def _nearness(query: Query, document: Document) -> float:
    """The overlap with a text; of a Blend the weighted mean over its parts' words."""
    if isinstance(query, str):
        return _overlap(query, _words(query), document)
    texts = [(p if isinstance(p, str) else unit_text(p), weight) for p, weight in query.parts]
    return sum(weight * _overlap("", _words(text), document) for text, weight in texts)


def documents() -> list[Document]:
    return [
        Document(document_id(title, text), title, text, sentences(text), (f"fake:{title}",))
        for title, text, _ in _ROWS
    ]


def triples() -> dict[str, tuple[Triple, ...]]:
    made = {}
    for document, (_, _, parts) in zip(documents(), _ROWS, strict=True):
        last = len(document.sentences) - 1
        made[document.id] = tuple(
            Triple(triple_id(h, r, t, document.id, last), h, r, t, (document.id, last))
            for h, r, t in parts
        )
    return made


@dataclass
class FakeCorpus:
    """Obeys Retriever, TripleSource and Scorer; `batches` counts the calls of each."""

    without_triples: bool = False
    empty: bool = False
    batches: dict[str, list[int]] = field(default_factory=dict)

    def _note(self, what: str, size: int) -> None:
        self.batches.setdefault(what, []).append(size)

    def search(
        self,
        queries: Sequence[Query],
        k: int,
        by: str | None = None,
        exclude: Sequence[str] = (),
        beside: Sequence[str] = (),
    ) -> list[tuple[Scored[Document], ...]]:
        self._note("search", len(queries))
        found = []
        for query in queries:
            hits = [
                Scored(d, _nearness(query, d))
                for d in ([] if self.empty else documents())
                if d.id not in exclude
            ]
            hits = sorted((h for h in hits if h.score > 0), key=lambda h: (-h.score, h.unit.id))
            found.append(tuple(hits[:k]))
        return found

    def documents(self, ids: Sequence[str]) -> tuple[Document, ...]:
        known = {document.id: document for document in documents()}
        return tuple(known[key] for key in ids)

    def triples_of(self, ids: Sequence[str]) -> list[tuple[Triple, ...]]:
        self._note("triples_of", len(ids))
        stored = triples()
        return [() if self.without_triples else stored[key] for key in ids]

    def rank(self, queries: Sequence[str], units: Sequence[Sequence[U]], k: int):
        self._note("rank", len(queries))
        ranked = []
        for query, some in zip(queries, units, strict=True):
            wanted = _words(query)
            scored = [Scored(u, _share(wanted, _words(unit_text(u)))) for u in some]
            ranked.append(tuple(sorted(scored, key=lambda s: (-s.score, s.unit.id))[:k]))
        return ranked


def _share(wanted: set[str], words: set[str]) -> float:
    return len(wanted & words) / (1 + len(words))


def fake_tools(llm: LLM | None = None, corpus: FakeCorpus | None = None) -> Tools:
    searched = corpus or FakeCorpus()
    name = llm.name if llm else "none"
    known = [] if searched.empty else documents()
    facts = [] if searched.without_triples else [t for d in known for t in triples()[d.id]]
    graphs = FakeGraphs(known, facts)
    lookups = Lookups(searched, searched, searched, graphs, graphs, CapitalNames())
    return Tools(lookups, llm, "fake@1", (("llm", name),))
