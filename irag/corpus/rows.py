"""Reads documents and triples of one generation, and keeps those lately used."""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.engine import Engine

from irag.corpus.database import (
    alive,
    begin,
    documents,
    extractions,
    keys,
    origins,
    sources,
    triples,
)
from irag.errors import CorpusError
from irag.match import title_key as folded_title
from irag.triples.extraction import Counts
from irag.types import Document, Triple

__all__ = ["Failed", "Page", "Rows", "SourceCard", "document_of", "folded_title"]

KEPT = 8192
"""Documents, and triples of as many documents, kept in memory; about 3 KB each."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SourceCard:
    """A file that was added, and how many passages came from it."""

    name: str
    sha256: str
    passages: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A document whose triples are not all there: why, and the beginning of the reply, if any."""

    document: str
    title: str
    reason: str
    reply: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the documents that match a search, and how many match in all."""

    total: int
    documents: tuple[Document, ...]


class _Recent(Generic[T]):
    """The values lately used, by id; a missing one is fetched with the others missing."""

    def __init__(self, fetch: Callable[[list[str]], dict[str, T]]) -> None:
        self._fetch = fetch
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, ids: Sequence[str]) -> dict[str, T]:
        with self._lock:
            found = {name: self._kept[name] for name in ids if name in self._kept}
        missing = [name for name in dict.fromkeys(ids) if name not in found]
        if missing:
            found.update(self._fetch(missing))
        with self._lock:
            for name, value in found.items():
                self._kept[name] = value
                self._kept.move_to_end(name)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found


class Rows:
    """The documents and triples of one generation."""

    def __init__(self, engine: Engine, generation: int) -> None:
        self._engine = engine
        self._generation = generation
        self._documents = _Recent(self._read_documents)
        self._triples = _Recent(self._read_triples)

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Documents by id; CorpusError when one is not in this generation."""
        found = self._documents.get(ids)
        missing = [name for name in ids if name not in found]
        if missing:
            raise CorpusError(
                f"No document {', '.join(missing[:3])} in this corpus; it may have been removed."
            )
        return found

    def triples(self, ids: Sequence[str]) -> dict[str, tuple[Triple, ...]]:
        """Triples by document id, by sentence, then as extracted; () where there are none."""
        return self._triples.get(ids)

    def _read(self, wanted: ColumnElement[bool], limit: int = -1, offset: int = 0) -> list[Any]:
        query = select(documents).where(alive(documents, self._generation), wanted)
        query = query.order_by(documents.c.title, documents.c.number).limit(limit).offset(offset)
        with begin(self._engine) as connection:
            found = connection.execute(query).all()
            numbers = [row.number for row in found]
            owned: dict[int, list[str]] = {number: [] for number in numbers}
            asked = select(keys.c.document, keys.c.key).where(keys.c.document.in_(numbers))
            for one in connection.execute(asked):
                owned[one.document].append(one.key)
        return [document_of(row, tuple(sorted(owned[row.number]))) for row in found]

    def _read_documents(self, ids: list[str]) -> dict[str, Document]:
        return {document.id: document for document in self._read(documents.c.id.in_(ids))}

    def _read_triples(self, ids: list[str]) -> dict[str, tuple[Triple, ...]]:
        query = (
            select(documents.c.id.label("owner"), triples)
            .join_from(documents, triples)
            .where(alive(documents, self._generation), documents.c.id.in_(ids))
            .order_by(triples.c.number)
        )
        found: dict[str, list[Triple]] = {name: [] for name in ids}
        with begin(self._engine) as connection:
            for t in connection.execute(query):
                source = (t.owner, t.sentence)
                found[t.owner].append(Triple(t.id, t.head, t.relation, t.tail, source))
        return {name: tuple(some) for name, some in found.items()}

    def browse(self, text: str = "", source: str = "", limit: int = 50, offset: int = 0) -> Page:
        """Documents whose title or text contains `text` (any case), by title."""
        wanted: ColumnElement[bool] = or_(
            documents.c.title.icontains(text, autoescape=True),
            documents.c.text.icontains(text, autoescape=True),
        )
        if source:
            wanted &= documents.c.number.in_(
                select(origins.c.document).join(sources).where(sources.c.name == source)
            )
        count = select(func.count()).where(alive(documents, self._generation), wanted)
        with begin(self._engine) as connection:
            total = connection.execute(count).scalar_one()
        return Page(total, tuple(self._read(wanted, limit, offset)))

    def resolve(self, name: str) -> tuple[str, ...]:
        """Ids of the documents with this id or key; else this title; else one spelt like it."""
        alive_now = alive(documents, self._generation)
        keyed = select(keys.c.document).where(keys.c.key == name)
        with begin(self._engine) as connection:
            for same in (
                or_(documents.c.id == name, documents.c.number.in_(keyed)),
                documents.c.title == name,
                documents.c.folded == folded_title(name),
            ):
                query = select(documents.c.id).where(alive_now, same).order_by(documents.c.id)
                found = connection.execute(query).scalars().all()
                if found:
                    return tuple(found)
        return ()

    def sources(self) -> tuple[SourceCard, ...]:
        """Every file that was added, by name."""
        here = (documents.c.number == origins.c.document) & alive(documents, self._generation)
        query = (
            select(sources.c.name, sources.c.sha256, func.count(documents.c.id))
            .join_from(sources, origins, isouter=True)
            .join(documents, here, isouter=True)
            .where(alive(sources, self._generation))
            .group_by(sources.c.number)
            .order_by(sources.c.name, sources.c.number)
        )
        with begin(self._engine) as connection:
            return tuple(
                SourceCard(name, sha256, n) for name, sha256, n in connection.execute(query)
            )

    def failures(self, born: int = 0) -> tuple[tuple[str, str], ...]:
        """(title, reason) of documents of which something could not be done, born since."""
        query = (
            select(documents.c.title, documents.c.failure)
            .where(alive(documents, self._generation), documents.c.failure.is_not(None))
            .where(documents.c.born >= born)
            .order_by(documents.c.number)
        )
        with begin(self._engine) as connection:
            return tuple((title, reason) for title, reason in connection.execute(query))

    def failed(self) -> tuple[Failed, ...]:
        """Documents whose extraction failed and can be tried again, as they were added."""
        columns = documents.c.id, documents.c.title, documents.c.failure, extractions.c.reply
        query = (
            select(*columns)
            .join_from(documents, extractions)
            .where(alive(documents, self._generation), extractions.c.failed)
            .order_by(documents.c.number)
        )
        with begin(self._engine) as connection:
            return tuple(Failed(*row) for row in connection.execute(query))

    def failed_count(self) -> int:
        """How many documents those are."""
        query = select(func.count()).select_from(documents).join(extractions)
        query = query.where(alive(documents, self._generation), extractions.c.failed)
        with begin(self._engine) as connection:
            return int(connection.execute(query).scalar_one())

    def dropped(self, born: int = 0) -> Counts:
        """What extractors did not keep of replies, by reason; of documents born since."""
        query = (
            select(extractions.c.dropped)
            .join_from(documents, extractions)
            .where(alive(documents, self._generation), documents.c.born >= born)
            .where(extractions.c.dropped != "[]")
        )
        total = Counter[str]()
        with begin(self._engine) as connection:
            for counts in connection.execute(query).scalars():
                total.update(dict(json.loads(counts)))
        return tuple(total.most_common())


def document_of(row: Any, owned: tuple[str, ...] = ()) -> Document:
    """The value of a row of the document table."""
    spans = tuple((start, end) for start, end in json.loads(row.sentences))
    return Document(row.id, row.title, row.text, spans, owned)
