"""Training records for a scorer of triples, in the form of KiRAG's train_aligner.json.

One record a question: the chain that its labels support, hop by hop, and at each hop what people
judged not relevant (KiRAG, section 3.2.2; its code, dataset/datasets.py).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from irag.labels.book import Book
from irag.labels.exports.base import Exported, Format, Wanted, by_reason, counted
from irag.labels.values import Item

__all__ = ["FORMAT"]


def write(book: Book, wanted: Wanted) -> Exported:
    """Questions with a relevant first hop; the chain takes the best label at each hop."""
    questions: dict[str, list[Item]] = {}
    for item in book.items:
        questions.setdefault(item.question_id, []).append(item)
    records, reasons = [], []
    for some in questions.values():
        judged = [item for item in some if item.id not in book.gold and _grade(book, item) >= 0]
        reasons += ["items without a final label, or gold"] * (len(some) - len(judged))
        chain = _chain(book, judged)
        if not chain:
            reasons.append("questions without a relevant candidate at the first hop")
            continue
        records.append(_record(book, judged, chain, wanted))
        if not records[-1]["answers"]:
            reasons.append("answers of questions, which were not given")
    negatives = sum(len(t) for r in records for t in r["hard_negative_triples"].values())
    positives = sum(len(record["supporting_triples"]) for record in records)
    counts = (("questions", len(records)), ("supporting", positives), ("negative", negatives))
    text = json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    return Exported(text, counts, by_reason(reasons))


def _grade(book: Book, item: Item) -> int:
    grade = book.finals[item.id].grade
    return -1 if grade is None else grade


def _chain(book: Book, judged: Sequence[Item]) -> list[Item]:
    """The best judged candidate of each step, each under the chain that the ones before make."""
    chain: list[Item] = []
    while True:
        texts = [item.candidate.text for item in chain]
        fitting = [
            item
            for item in judged
            if [link.text for link in item.chain] == texts
            and _grade(book, item) >= book.project.scale.relevant
        ]
        if not fitting:
            return chain
        chain.append(max(fitting, key=lambda item: (_grade(book, item), -item.place)))


def _record(
    book: Book, judged: Sequence[Item], chain: Sequence[Item], wanted: Wanted
) -> dict[str, Any]:
    negatives: dict[str, list[dict[str, str]]] = {}
    for item in judged:
        place = len(item.chain)
        taken = place < len(chain) and [link.text for link in item.chain] == [
            one.candidate.text for one in chain[:place]
        ]
        if taken and _grade(book, item) < book.project.scale.relevant:
            negatives.setdefault(str(place), []).append(_triple(item))
    first = chain[0]
    return {
        "id": first.question_id,
        "question": first.question,
        "answers": list(wanted.answers.get(first.question_id, ())),
        "supporting_triples": list(counted(chain, _triple)),
        "hard_negative_triples": negatives,
    }


def _triple(item: Item) -> dict[str, str]:
    return {"title": item.passage.title, "text": item.candidate.text}


FORMAT = Format(
    "aligner",
    "KiRAG aligner training file",
    ".json",
    "Grades become relevant or not; items off the chain are left out; it cannot be read back.",
    write,
)
