"""From one generation to the next: first corpus.db says it, then CURRENT makes it true.

A kill between the two leaves rows of a generation that never came; `recover` takes them back.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    Table,
    and_,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from irag.corpus.building import PLAN, building_folder, discard
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
from irag.corpus.manifest import EmbedderStamp, Manifest
from irag.corpus.segment import open_segment
from irag.errors import CorpusError
from irag.retrieval.vectors import Embedder
from irag.text import language_of
from irag.triples import Extractor

__all__ = [
    "bury",
    "copy_alive",
    "copy_failed",
    "language_now",
    "pending",
    "publish",
    "recover",
    "republish",
]

_LIVES: tuple[Table, ...] = (documents, sources)


def pending(engine: Engine) -> int:
    """How many documents wait to be indexed."""
    with begin(engine) as connection:
        query = select(func.count()).select_from(documents).where(documents.c.born.is_(None))
        return int(connection.execute(query).scalar_one())


def language_now(engine: Engine) -> str:
    """The language of most of the first 200 documents, by script."""
    query = select(documents.c.title, documents.c.text).order_by(documents.c.number).limit(200)
    with begin(engine) as connection:
        found = [language_of(f"{title} {text}") for title, text in connection.execute(query)]
    return "zh" if 2 * found.count("zh") > len(found) else "en"


def recover(folder: Path, engine: Engine, careful: bool = True) -> Manifest:
    """The generation in use, with what an interrupted change left behind taken back.

    A damaged CURRENT is an error, or, when not `careful`, a generation without segments.
    """
    try:
        manifest = Manifest.read(folder)
    except CorpusError:
        if careful:
            raise
        return _from_rows(folder, engine)
    now = manifest.generation
    with begin(engine) as connection:
        for table in _LIVES:
            connection.execute(update(table).where(table.c.born > now).values(born=None))
            connection.execute(update(table).where(table.c.died > now).values(died=None))
    building = building_folder(folder, manifest)
    for segment in (folder / "segments").iterdir():
        unfinished = segment == building and (segment / PLAN).is_file()
        if segment.name not in manifest.segments and not unfinished:
            shutil.rmtree(segment)
    return manifest


def _from_rows(folder: Path, engine: Engine) -> Manifest:
    numbers = [int(p.name[1:]) for p in (folder / "segments").glob("s*") if p.name[1:].isdigit()]
    with begin(engine) as connection:
        born = connection.execute(select(func.max(documents.c.born))).scalar_one_or_none()
        died = connection.execute(select(func.max(documents.c.died))).scalar_one_or_none()
    return Manifest(
        generation=max(born or 0, died or 0), next_segment=max(numbers, default=0) + 1
    )  # fmt: skip


def publish(
    folder: Path,
    engine: Engine,
    manifest: Manifest,
    embedder: Embedder,
    extractor: Extractor,
    language: str,
) -> Manifest:
    """Make the built segment part of a new generation.

    A pending document whose id is alive replaces it. When all are replaced the old segments go,
    else those rows of theirs die.
    """
    built = building_folder(folder, manifest)
    now, then = manifest.generation, manifest.generation + 1
    with begin(engine) as connection:
        fresh = select(documents.c.id).where(documents.c.born.is_(None))
        twins = alive(documents, now) & documents.c.id.in_(fresh)
        replaced = set(connection.execute(select(documents.c.id).where(twins)).scalars())
        connection.execute(update(documents).where(twins).values(died=then))
        left = connection.execute(select(documents.c.id).where(alive(documents, then))).first()
        query = select(documents.c.unusable).where(documents.c.born.is_(None))
        unusable = connection.execute(query.order_by(documents.c.number)).scalars().all()
        connection.execute(update(documents).where(documents.c.born.is_(None)).values(born=then))
    buried = tuple(row for row, bad in enumerate(unusable) if bad)
    if replaced and not left:
        manifest = replace(manifest, segments=(), tombstones=())
    dead = _tombstones(folder, manifest, replaced) if replaced else manifest.tombstones
    manifest = replace(
        manifest,
        segments=(*manifest.segments, built.name),
        tombstones=(*dead, (built.name, buried)) if buried else dead,
        next_segment=manifest.next_segment + 1,
        language=language,
        embedder=EmbedderStamp(embedder.name, embedder.dimension),
        extractor=extractor.name,
    )
    return _next(folder, engine, manifest)


def republish(folder: Path, engine: Engine, manifest: Manifest) -> Manifest:
    """A new generation when only sources were added; else the same one."""
    with begin(engine) as connection:
        new = connection.execute(select(sources.c.number).where(sources.c.born.is_(None))).first()
    return _next(folder, engine, manifest) if new else manifest


def _next(folder: Path, engine: Engine, manifest: Manifest) -> Manifest:
    """Count, name and publish the generation after `manifest`'s, then clear the dead rows."""
    then = manifest.generation + 1
    with begin(engine) as connection:
        connection.execute(update(sources).where(sources.c.born.is_(None)).values(born=then))
        counted = and_(alive(documents, then), ~documents.c.unusable)
        ids = connection.execute(select(documents.c.id).where(counted).order_by(documents.c.id))
        names = ids.scalars().all()
        query = select(func.count()).select_from(triples.join(documents)).where(counted)
        facts = int(connection.execute(query).scalar_one())
    parts = (manifest.language, str(manifest.embedder), manifest.extractor, str(facts), *names)
    manifest = replace(
        manifest,
        generation=then,
        documents=len(names),
        triples=facts,
        content=hashlib.blake2b("\0".join(parts).encode(), digest_size=6).hexdigest(),
    )
    manifest.publish(folder)
    with begin(engine) as connection:
        for table in _LIVES:
            # One generation back is left for those who are still reading it.
            connection.execute(delete(table).where(table.c.died < then))
    return manifest


def bury(
    folder: Path, engine: Engine, manifest: Manifest, ids: Sequence[str], source: str
) -> tuple[Manifest, int]:
    """The generation without some documents, and how many were removed."""
    now, then = manifest.generation, manifest.generation + 1
    with begin(engine) as connection:
        gone = set(ids) | _only_from(connection, source, now)
        known = select(documents.c.id, documents.c.born).where(
            documents.c.id.in_(gone), or_(documents.c.born.is_(None), documents.c.died.is_(None))
        )
        found = {(name, born is None) for name, born in connection.execute(known)}
    missing = gone - {name for name, _ in found}
    if missing:
        raise CorpusError(f"No document {', '.join(sorted(missing)[:3])} in {folder.name}.")
    tombstones = _tombstones(folder, manifest, gone)
    if any(waiting for _, waiting in found):
        discard(building_folder(folder, manifest), engine)
    with begin(engine) as connection:
        chosen = documents.c.id.in_(gone)
        connection.execute(delete(documents).where(chosen, documents.c.born.is_(None)))
        connection.execute(update(documents).where(chosen, alive(documents, now)).values(died=then))
        if source:
            named = update(sources).where(sources.c.name == source, alive(sources, now))
            connection.execute(named.values(died=then))
    after = _next(folder, engine, replace(manifest, tombstones=tombstones))
    return after, len({name for name, _ in found})


def _tombstones(
    folder: Path, manifest: Manifest, gone: Collection[str]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The dead rows of each segment, with those of the documents that go."""
    rows = {}
    for name in manifest.segments:
        ids = open_segment(folder / "segments" / name).ids
        rows[name] = {*manifest.dead(name), *(row for row, d in enumerate(ids) if d in gone)}
    return tuple((name, tuple(sorted(dead))) for name, dead in rows.items() if dead)


def _only_from(connection: Connection, source: str, now: int) -> set[str]:
    """Ids of the documents that came from this source and from no other one."""
    if not source:
        return set()
    living = or_(sources.c.born.is_(None), alive(sources, now))
    named = select(sources.c.number).where(sources.c.name == source, living)
    if not connection.execute(named).first():
        raise CorpusError(f"No file {source!r} was added to this corpus.")
    others = select(origins.c.document).join(sources).where(sources.c.name != source, living)
    query = (
        select(documents.c.id)
        .join(origins)
        .where(origins.c.source.in_(named), documents.c.number.not_in(others))
    )
    return set(connection.execute(query).scalars())


def copy_alive(engine: Engine, manifest: Manifest, extractor: Extractor) -> None:
    """Make a pending copy of every living document, with its keys and sources.

    Its triples go with it, unless another extractor made them or something failed.
    """
    by = func.coalesce(_made(extractions.c.extractor), manifest.extractor)
    sound = by.in_(("", extractor.name)) & documents.c.failure.is_(None)
    _copy(engine, manifest, true(), sound)


def copy_failed(engine: Engine, manifest: Manifest) -> int:
    """Make pending copies, without triples, of the living documents that lack some; how many."""
    return _copy(engine, manifest, _made(extractions.c.failed), false())


def _made(column: Column[Any]) -> ColumnElement[Any]:
    """What is said of how a document's triples were made; null for one of an older version."""
    return select(column).where(extractions.c.document == documents.c.number).scalar_subquery()


def _copy(
    engine: Engine, manifest: Manifest, which: ColumnElement[bool], sound: ColumnElement[bool]
) -> int:
    """Copies of living documents become pending; those that are `sound` keep their triples."""
    old, new = documents.alias("old"), documents.alias("new")
    waiting = select(documents.c.id).where(documents.c.born.is_(None))
    wanted = and_(alive(documents, manifest.generation), documents.c.id.not_in(waiting), which)
    names = ["id", "title", "folded", "text", "sentences"]
    columns = (*(documents.c[name] for name in names), documents.c.extracted & sound)
    living = select(*columns).where(wanted).order_by(documents.c.number)
    pair = and_(old.c.id == new.c.id, new.c.born.is_(None), alive(old, manifest.generation))  # type: ignore[arg-type]
    made = (triples, extractions)
    with begin(engine) as connection:
        copies = connection.execute(
            insert(documents).from_select([*names, "extracted"], living, include_defaults=True)
        ).rowcount
        for table in (keys, origins, triples, extractions):
            names = [c.name for c in table.c if c.name not in ("number", "document")]
            copied = (
                select(new.c.number, *(table.c[name] for name in names))
                .select_from(table)
                .join(old, old.c.number == table.c.document)
                .join(new, and_(pair, new.c.extracted) if table in made else pair)
                .where(new.c.number.not_in(select(table.c.document)))
                .order_by(*table.primary_key.columns)
            )
            connection.execute(insert(table).from_select(["document", *names], copied))
    return copies
