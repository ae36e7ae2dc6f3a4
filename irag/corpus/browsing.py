"""Looking through a corpus: pages of documents, triples and failures, read from disk as asked.

Nothing here loads a corpus: every question is one short query with a limit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from sqlalchemy import (
    Column,
    ColumnElement,
    Table,
    and_,
    exists,
    func,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.engine import Engine

from irag.corpus.database import alive, begin, documents, open_engine, origins, sources, triples
from irag.corpus.lines import Around, DocumentLine, EntityLine, Failure, Found, Said
from irag.corpus.manifest import Manifest
from irag.corpus.names import existing_folder
from irag.corpus.neighbours import READ_AT_MOST, around
from irag.corpus.rows import Rows, SourceCard, document_of
from irag.errors import CorpusError
from irag.text import clean
from irag.types import Document, Triple

__all__ = ["Browsing", "Part", "size_on_disk"]

Part = Literal["", "head", "relation", "tail"]

_TEXT = documents.c.title, documents.c.text, documents.c.sentences

START = 240
"""Characters of a document's text in a list."""


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
        """Every file that was added, waiting ones too, by name, with its passages of now."""
        query = (
            select(sources.c.name, sources.c.sha256, func.count(documents.c.number))
            .join_from(sources, origins, isouter=True)
            .join(
                documents, and_(documents.c.number == origins.c.document, self._there), isouter=True
            )
            .where(or_(alive(sources, self.generation), sources.c.born.is_(None)))
            .group_by(sources.c.number)
            .order_by(sources.c.name, sources.c.number)
        )
        with begin(self.engine) as connection:
            return tuple(SourceCard(*row) for row in connection.execute(query))

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
        return around(entity, depth, limit, lambda names: self._said(_touches(names), READ_AT_MOST))

    @property
    def _alive(self) -> ColumnElement[bool]:
        return alive(documents, self.generation)

    @property
    def _there(self) -> ColumnElement[bool]:
        """In this generation, or pending and not in it: a rebuild makes pending copies of all."""
        living = cast(Table, documents.alias())
        copied = exists().where(living.c.id == documents.c.id, alive(living, self.generation))
        return or_(self._alive, and_(documents.c.born.is_(None), ~copied))

    def _said(self, wanted: ColumnElement[bool], limit: int, offset: int = 0) -> list[Said]:
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
