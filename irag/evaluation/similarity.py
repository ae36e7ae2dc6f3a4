"""The cosine between each answer and its evidence, by an embedder, kept in an experiment's rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from irag.evaluation.folder import Folder
from irag.measures import Score
from irag.measures.similar import NO_MODEL, Cosine, context_of

__all__ = ["compare_answers"]

AT_ONCE = 64
DIGITS = 4

Embed = Callable[[Sequence[str]], NDArray[np.floating]]
"""n texts -> n rows of length 1."""


def compare_answers(folder: Folder, embed: Embed) -> None:
    """Score every answer that has no cosine yet; rows are kept batch by batch."""
    name = Cosine.name
    rows = [row for row in folder.rows.values() if row.scores.get(name) == NO_MODEL]
    with folder.writing():
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            contexts = []
            for row in some:
                answer = folder.trace(*row.key).answer
                contexts.append(" ".join(sum(context_of(answer), ()) if answer else ()))
            answers = embed([row.answer or "" for row in some])
            for row, cosine in zip(some, (answers * embed(contexts)).sum(axis=1), strict=True):
                score = Score(round(min(1.0, max(0.0, float(cosine))), DIGITS))
                folder.update(replace(row, scores={**row.scores, name: score}))
