"""The neighbourhood of an entity, ring by ring: which triples are shown of the many there are."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from irag.corpus.lines import Around, Said
from irag.text import clean
from irag.types import Triple

__all__ = ["READ_AT_MOST", "around"]

READ_AT_MOST = 2000
"""Triples read for one ring."""


def around(
    entity: str, depth: int, limit: int, read: Callable[[Sequence[str]], Sequence[Said]]
) -> Around:
    """The triples around an entity, at most `limit` neighbours in `depth` rings.

    `read` gives the triples that touch some names, at most READ_AT_MOST, in a fixed order.
    """
    centre = clean(entity).strip()
    known, seen, ring = {_folded(centre)}, set[str](), [centre]
    rings: list[tuple[Said, ...]] = []
    total, more = 0, False
    for _ in range(depth):
        found = read(ring)
        more |= len(found) == READ_AT_MOST
        fresh = [said for said in found if said.triple.id not in seen]
        total += len({_folded(name) for said in fresh for name in _ends(said.triple)} - known)
        kept = _in_turn(fresh, ring, known, limit + 1 - len(known))
        seen.update(said.triple.id for said in kept)
        rings.append(tuple(kept))
        names = {_folded(name): name for said in kept for name in _ends(said.triple)}
        ring = [name for folded, name in names.items() if folded not in known]
        known.update(names)
        if not ring:
            break
    return Around(centre, tuple(rings), total, more)


def _in_turn(found: Sequence[Said], ring: Sequence[str], known: set[str], room: int) -> list[Said]:
    """Triples that bring at most `room` new entities, one from each entity of the ring in turn."""
    queues: dict[str, list[Said]] = {_folded(name): [] for name in ring}
    for said in found:
        ends = (_folded(name) for name in _ends(said.triple))
        owner = next((end for end in ends if end in queues), None)
        if owner is not None:
            queues[owner].append(said)
    kept: list[Said] = []
    shown = set(known)
    for place in range(max(map(len, queues.values()), default=0)):
        for queue in queues.values():
            if place < len(queue):
                both = shown | {_folded(name) for name in _ends(queue[place].triple)}
                if len(both - known) <= room:
                    shown = both
                    kept.append(queue[place])
    return kept


def _ends(triple: Triple) -> tuple[str, str]:
    return triple.head, triple.tail


def _folded(name: str) -> str:
    """A name as names are compared: no case, single spaces."""
    return " ".join(unicodedata.normalize("NFC", clean(name)).casefold().split())
