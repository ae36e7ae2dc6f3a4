"""Looking through a corpus: pages of documents, triples and failures, read from disk as asked.

Nothing here loads a corpus: every question is one short query with a limit.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import Column, ColumnElement, and_, func, or_, select, true, union_all
from sqlalchemy.engine import Engine

from irag.corpus.database import alive, begin, documents, open_engine, origins, sources, triples
from irag.corpus.manifest import Manifest
from irag.corpus.names import existing_folder
from irag.corpus.rows import Rows, SourceCard, document_of
from irag.errors import CorpusError
from irag.text import clean
from irag.types import Document, Triple

__all__ = [
    "Around",
    "Browsing",
    "DocumentLine",
    "EntityLine",
    "Failure",
    "Found",
    "Part",
    "Said",
    "size_on_disk",
]

T = TypeVar("T")
Part = Literal["", "head", "relation", "tail"]

_TEXT = documents.c.title, documents.c.text, documents.c.sentences

START = 240
"""Characters of a document's text in a list."""

READ_AT_MOST = 2000
"""Triples read for one ring of a neighbourhood."""


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """Some of what matches, and how many match in all."""

    total: int
    rows: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A document in a list; `start` is how its text begins. `pending`: it waits to be indexed."""

    id: str
    title: str
    start: str
    triples: int
    pending: bool = False
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A triple with its document's title and the sentence that says it."""

    triple: Triple
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class EntityLine:
    """A head or tail, as most triples spell it, and in how many triples it is."""

    name: str
    triples: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A document of which something could not be done, and why."""

    id: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Around:
    """Triples around an entity, ring by ring; `total` entities are there, `more` says or more."""

    centre: str
    rings: tuple[tuple[Said, ...], ...]
    total: int
    more: bool = False


def size_on_disk(home: Path, name: str) -> int:
    """Bytes of all files of a corpus."""
    files = existing_folder(home, name).rglob("*")
    return sum(path.stat().st_size for path in files if path.is_file())


@dataclass(frozen=True)
class Browsing:
    """One generation of a corpus, with what waits to be indexed after it."""

    engine: Engine
    generation: int

    @classmethod
    def of(cls, home: Path, name: str) -> Browsing:
        """The newest generation; CorpusError when there is no such corpus or it is damaged."""
        folder = existing_folder(home, name)
        return cls(open_engine(folder), Manifest.read(folder).generation)

    def documents(
        self, search: str = "", source: str = "", limit: int = 20, offset: int = 0
    ) -> Found[DocumentLine]:
        """Documents with every word of `search` in title or text, by title; of one file or all."""
        wanted = and_(self._there, _every_word(search, (documents.c.title, documents.c.text)))
        if source:
            named = select(origins.c.document).join(sources).where(sources.c.name == source)
            wanted &= documents.c.number.in_(named)
        owned = select(func.count()).where(triples.c.document == documents.c.number)
        query = (
            select(
                documents.c.id,
                documents.c.title,
                func.substr(documents.c.text, 1, START),
                owned.scalar_subquery(),
                documents.c.born.is_(None),
                func.coalesce(documents.c.failure, ""),
            )
            .where(wanted)
            .order_by(documents.c.title, documents.c.number)
        )
        with begin(self.engine) as connection:
            total = connection.execute(select(func.count()).where(wanted)).scalar_one()
            rows = connection.execute(query.limit(limit).offset(offset)).all()
        return Found(total, tuple(DocumentLine(*row) for row in rows))

    def document(self, document_id: str) -> Document:
        """A document, pending ones too; CorpusError when there is none with that id."""
        query = select(documents).where(self._there, documents.c.id == document_id)
        with begin(self.engine) as connection:
            row = connection.execute(query.order_by(documents.c.number.desc())).first()
        if row is None:
            raise CorpusError(
                f"No document {document_id} in this corpus; it may have been removed."
            )
        return document_of(row)

    def triples_of(self, document_id: str) -> tuple[Triple, ...]:
        """A document's triples, by sentence; () while it is pending."""
        return Rows(self.engine, self.generation).triples([document_id])[document_id]

    def triples(
        self, search: str = "", part: Part = "", limit: int = 50, offset: int = 0
    ) -> Found[Said]:
        """Triples with every word of `search` in one part, or anywhere, by document."""
        parts = (triples.c[part],) if part else (triples.c.head, triples.c.relation, triples.c.tail)
        wanted = _every_word(search, parts)
        count = select(func.count()).select_from(triples).join(documents)
        with begin(self.engine) as connection:
            total = connection.execute(count.where(self._alive, wanted)).scalar_one()
        return Found(total, tuple(self._said(wanted, limit, offset)))

    def failures(self, limit: int = 100, offset: int = 0) -> Found[Failure]:
        """Documents of which something could not be done, oldest first."""
        wanted = and_(self._there, documents.c.failure.is_not(None))
        columns = documents.c.id, documents.c.title, documents.c.failure
        query = select(*columns).where(wanted).order_by(documents.c.number)
        with begin(self.engine) as connection:
            total = connection.execute(select(func.count()).where(wanted)).scalar_one()
            rows = connection.execute(query.limit(limit).offset(offset)).all()
        return Found(total, tuple(Failure(*row) for row in rows))

    def sources(self) -> tuple[SourceCard, ...]:
        """Every file that was added, by name."""
        return Rows(self.engine, self.generation).sources()

    def entities(self, search: str = "", limit: int = 20) -> tuple[EntityLine, ...]:
        """Heads and tails with every word of `search`, those in most triples first."""
        ends = union_all(*(self._ends(end, search) for end in ("head", "tail"))).subquery()
        count = func.count()
        query = select(func.min(ends.c.name), count).group_by(func.lower(ends.c.name))
        query = query.order_by(count.desc(), func.lower(ends.c.name)).limit(limit)
        with begin(self.engine) as connection:
            return tuple(EntityLine(name, n) for name, n in connection.execute(query))

    def around(self, entity: str, depth: int = 1, limit: int = 40) -> Around:
        """The entity graph around one entity: at most `limit` neighbours, 1 or 2 rings.

        Neighbours are taken in the order of their documents, in turn from each entity of the ring
        before. Names are compared without regard to case.
        """
        known = {_folded(entity)}
        ring, rings, total, more = [clean(entity).strip()], [], 0, False
        for _ in range(depth):
            found = list(self._said(_touches(ring), READ_AT_MOST))
            fresh = {_folded(n) for said in found for n in _ends_of(said.triple)} - known
            total, more = total + len(fresh), more or len(found) == READ_AT_MOST
            kept = _in_turn(found, ring, known, limit - len(known) + 1)
            rings.append(tuple(kept))
            names = dict.fromkeys(n for said in kept for n in _ends_of(said.triple))
            ring = [name for name in names if _folded(name) not in known]
            known |= {_folded(name) for name in ring}
            if not ring:
                break
        return Around(clean(entity).strip(), tuple(rings), total, more)

    @property
    def _alive(self) -> ColumnElement[bool]:
        return alive(documents, self.generation)

    @property
    def _there(self) -> ColumnElement[bool]:
        """In this generation, or pending; an older row of a document that is pending again, not."""
        return or_(self._alive, documents.c.born.is_(None))

    def _said(self, wanted: ColumnElement[bool], limit: int, offset: int = 0) -> Iterable[Said]:
        query = (
            select(triples, documents.c.id.label("owner"), *_TEXT)
            .join_from(triples, documents)
            .where(self._alive, wanted)
            .order_by(triples.c.document, triples.c.number)
        )
        with begin(self.engine) as connection:
            rows = connection.execute(query.limit(limit).offset(offset)).all()
        return [_said(row) for row in rows]

    def _ends(self, end: str, search: str) -> Any:
        name = triples.c[end]
        query = select(name.label("name")).join(documents)
        return query.where(self._alive, name != "", _every_word(search, (name,)))


def _said(row: Any) -> Said:
    triple = Triple(row.id, row.head, row.relation, row.tail, (row.owner, row.sentence))
    spans = json.loads(row.sentences)
    start, end = spans[row.sentence] if 0 <= row.sentence < len(spans) else (0, 0)
    return Said(triple, row.title, row.text[start:end].strip())


def _every_word(search: str, columns: Sequence[Column[Any]]) -> ColumnElement[bool]:
    words = clean(search).split()
    return and_(
        true(), *(or_(*(c.icontains(word, autoescape=True) for c in columns)) for word in words)
    )


def _touches(names: Sequence[str]) -> ColumnElement[bool]:
    lowered = [func.lower(name) for name in names]
    return or_(func.lower(triples.c.head).in_(lowered), func.lower(triples.c.tail).in_(lowered))


def _ends_of(triple: Triple) -> tuple[str, str]:
    return triple.head, triple.tail


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", clean(name)).casefold().split())


def _in_turn(found: Sequence[Said], ring: Sequence[str], known: set[str], room: int) -> list[Said]:
    """Triples that bring at most `room` new entities, one from each entity of the ring in turn."""
    queues: dict[str, list[Said]] = {_folded(name): [] for name in ring}
    for said in found:
        head, tail = (_folded(name) for name in _ends_of(said.triple))
        queues[head if head in queues else tail].append(said)
    kept: list[Said] = []
    shown = set(known)
    for place in range(max(map(len, queues.values()), default=0)):
        for queue in queues.values():
            if place < len(queue):
                ends = {_folded(name) for name in _ends_of(queue[place].triple)}
                if len((shown | ends) - known) <= room:
                    shown |= ends
                    kept.append(queue[place])
    return kept
