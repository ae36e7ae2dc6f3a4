"""Agreement of a whole project, ready to be shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy

from irag.labels.agreement import (
    COEFFICIENTS,
    PAIRS,
    Coefficient,
    Matrix,
    confusion,
    measured,
    pairs,
)
from irag.labels.book import Book
from irag.labels.values import Scale

__all__ = ["Agreement", "Confusion", "agreement", "matrix"]


@dataclass(frozen=True, slots=True)
class Confusion:
    """How two people's grades met; `counts[i][j]`: the first gave grade i, the second j."""

    who: tuple[str, str]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything on agreement. `headline` is ordinal alpha; `removed` is it without each person.

    `binary` is nominal alpha of the grades cut at the scale's `relevant`.
    """

    scale: Scale
    headline: Coefficient
    binary: Coefficient
    others: tuple[Coefficient, ...]
    pairs: tuple[Coefficient, ...]
    removed: tuple[Coefficient, ...]
    confusions: tuple[Confusion, ...]
    left_out: tuple[tuple[str, int], ...]


def agreement(book: Book, seed: int = 0) -> Agreement:
    """How far people agree; a few seconds for thousands of items and many annotators."""
    people, grades, left_out = matrix(book)
    scale, size = book.project.scale, len(book.project.scale.keys)
    cut = numpy.where(grades < 0, -1, grades >= scale.keys.index(scale.relevant))
    headline, *others = (measured(name, grades, size, seed) for name in COEFFICIENTS)
    twos = [((people[a], people[b]), grades[:, [a, b]]) for a, b in pairs(people)]
    return Agreement(
        scale,
        headline,
        replace(measured("alpha_nominal", cut, 2, seed), name="alpha_binary"),
        tuple(others),
        tuple(measured(name, two, size, seed, who) for who, two in twos for name in PAIRS),
        _removed(people, grades, size, seed),
        tuple(Confusion(who, _rows(confusion(two, size))) for who, two in twos),
        left_out,
    )


def matrix(book: Book) -> tuple[tuple[str, ...], Matrix, tuple[tuple[str, int], ...]]:
    """People, their grades (items x people, -1 for none), and what was left out by reason."""
    places = {key: place for place, key in enumerate(book.project.scale.keys)}
    left_out: Counter[str] = Counter()
    rows: list[dict[str, int]] = []
    for item in book.items:
        if item.id in book.gold:
            left_out["gold items"] += 1
            continue
        graded = {}
        for vote in book.votes.get(item.id, ()):
            if vote.origin != "human":
                left_out["answers of models"] += 1
            elif vote.grade is None:
                left_out[f"{vote.state}s"] += 1
            else:
                graded[vote.annotator_id] = places[vote.grade]
        rows.append(graded)
    people = tuple(sorted({name for row in rows for name in row}))
    grades = numpy.array([[row.get(name, -1) for name in people] for row in rows], numpy.int64)
    return people, grades.reshape(len(rows), len(people)), tuple(sorted(left_out.items()))


def _removed(
    people: tuple[str, ...], grades: Matrix, size: int, seed: int
) -> tuple[Coefficient, ...]:
    """Ordinal alpha without each person, where that leaves two."""
    if len(people) < 3:
        return ()
    return tuple(
        measured("alpha_ordinal", numpy.delete(grades, place, axis=1), size, seed, (name,))
        for place, name in enumerate(people)
    )


def _rows(table: Matrix) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(int, row)) for row in table)
