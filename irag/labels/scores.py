"""Labels at work: what a run's candidates were judged, and how well methods rank them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from irag.labels.book import Book, read_events, replay, rulings
from irag.labels.pooling import Choice, candidates, item_id
from irag.labels.resolving import Final, resolve
from irag.labels.rows import Books
from irag.labels.values import Item, Origin
from irag.store.label_tables import LabelItemRow
from irag.types import Trace

__all__ = ["MethodScore", "Ranked", "judged", "method_scores", "projects_about", "scorer_score"]

Scorer = Callable[[str, Sequence[str]], Sequence[float]]

_ANY = Choice(kinds=("triple", "sentence", "passage"))


@dataclass(frozen=True, slots=True)
class MethodScore:
    """How one method ranks candidates against the labels, means over rankings; None for no value.

    A ranking is one run's candidates at one hop. Only those count in which people found something
    relevant; `rankings` says how many. An unjudged candidate counts as not relevant in precision
    and nDCG: read them beside `judged`, the share of the first k that is judged (Judged@k).
    """

    method: str
    k: int
    rankings: int
    without_relevant: int
    precision: float | None
    recall: float | None
    ndcg: float | None
    judged: float | None
    unjudged: int

    @property
    def summary(self) -> str:
        """All of it on one line; a dash where there is no value."""
        told = (
            ("P", self.precision),
            ("R", self.recall),
            ("nDCG", self.ndcg),
            ("Judged", self.judged),
        )
        shown = (f"{name}@{self.k} {_shown(value)}" for name, value in told)
        counts = f"{self.rankings} rankings, {self.without_relevant} without a relevant candidate"
        return f"{'  '.join(shown)}  ({counts}; {self.unjudged} unjudged)"


@dataclass(frozen=True, slots=True)
class Ranked:
    """One ranking: grades by rank, best first, None where nobody judged; all grades of its pool."""

    method: str
    grades: tuple[int | None, ...]
    pool: tuple[int, ...]


def _shown(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"


def judged(books: Books, project_id: str, trace: Trace) -> dict[tuple[int, str], Final]:
    """The final labels of a run's candidates by (hop, candidate id), where the project has them.

    A candidate counts only under the chain and in the passage in which it was judged. The run
    need not be one of the project's.
    """
    project = books.project(project_id)
    seen = {(one.hop, one.item.candidate.id): one.item.key for one in candidates(trace, _ANY)}
    ids = {key: item_id(project.id, key) for key in seen.values()}
    events = read_events(books, project.id, ids.values())
    votes, ruled = replay(events), rulings(events)
    finals = {key: resolve(i, votes.get(i, ()), ruled.get(i)) for key, i in ids.items()}
    return {place: finals[key] for place, key in seen.items() if finals[key].votes}


def projects_about(books: Books, question: str) -> tuple[str, ...]:
    """The ids of the projects that have items of a question, by its text."""
    asked = select(LabelItemRow.project_id).where(col(LabelItemRow.question) == question)
    with books.reading() as session:
        return tuple(sorted(session.exec(asked.distinct()).all()))


def method_scores(book: Book, k: int = 5) -> tuple[MethodScore, ...]:
    """Each method's score at k, by method; its candidate ranking is its scorer's order."""
    by_method: dict[str, list[Ranked]] = defaultdict(list)
    for ranked in rankings(book):
        by_method[ranked.method].append(ranked)
    cut = book.project.scale.relevant
    return tuple(_score(name, some, k, cut) for name, some in sorted(by_method.items()))


def scorer_score(book: Book, name: str, score: Scorer, k: int = 5) -> MethodScore:
    """How a scorer of texts ranks each question's candidates under each chain; ties by item id.

    `score` takes the query (the question and the chain's triples, KiRAG 3.2.2) and texts, and gives
    a number for each, more for better: an embedder, a cross-encoder, a trained aligner.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Item]] = defaultdict(list)
    for item in book.items:
        groups[item.question, tuple(link.text for link in item.chain)].append(item)
    some = []
    for (question, chain), items in groups.items():
        values = score(" ".join([question, *chain]), [item.candidate.text for item in items])
        order = sorted(zip(values, items, strict=True), key=lambda pair: (-pair[0], pair[1].id))
        grades = tuple(book.finals[item.id].grade for _, item in order)
        some.append(Ranked(name, grades, tuple(g for g in grades if g is not None)))
    return _score(name, some, k, book.project.scale.relevant)


def rankings(book: Book) -> Iterable[Ranked]:
    """Every ranking of the project's runs; what the cap left out of it counts as unjudged.

    The pool of a ranking is what was judged of its question under the same chain.
    """
    items = {item.id: item for item in book.items}
    pools: dict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    for item in book.items:
        grade = book.finals[item.id].grade
        if grade is not None:
            pools[item.question_id, tuple(link.text for link in item.chain)].append(grade)
    groups: dict[tuple[str, int, str], list[Origin]] = defaultdict(list)
    for origin in book.origins:
        groups[origin.run_id, origin.hop, origin.method].append(origin)
    for (_, _, method), origins in sorted(groups.items()):
        first = items[origins[0].item_id]
        chain = tuple(link.text for link in first.chain)
        grades = {one.rank: book.finals[one.item_id].grade for one in origins}
        by_rank = tuple(grades.get(rank) for rank in range(1, max(grades) + 1))
        yield Ranked(method, by_rank, tuple(pools[first.question_id, chain]))


def _score(method: str, some: Sequence[Ranked], k: int, cut: int) -> MethodScore:
    found = [one for one in some if any(grade >= cut for grade in one.pool)]
    tops = [one.grades[:k] for one in some]
    return MethodScore(
        method,
        k,
        len(found),
        len(some) - len(found),
        _mean([sum(g is not None and g >= cut for g in one.grades[:k]) / k for one in found]),
        _mean([_recall(one, k, cut) for one in found]),
        _mean([_ndcg(one, k) for one in found]),
        _mean([sum(g is not None for g in top) / len(top) for top in tops if top]),
        sum(grade is None for top in tops for grade in top),
    )


def _recall(one: Ranked, k: int, cut: int) -> float:
    hit = sum(grade is not None and grade >= cut for grade in one.grades[:k])
    return hit / sum(grade >= cut for grade in one.pool)


def _ndcg(one: Ranked, k: int) -> float:
    """Jarvelin and Kekalainen 2002 with the grade itself as the gain, as trec_eval has it."""
    ideal = _dcg(sorted(one.pool, reverse=True)[:k])
    return _dcg([grade or 0 for grade in one.grades[:k]]) / ideal if ideal else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
