"""TREC qrels: `question hop id grade`, separated by spaces; a sidecar says where the cut is."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from urllib.parse import quote, unquote

from irag.labels.book import Book
from irag.labels.exports.base import (
    Exported,
    Format,
    Incoming,
    Refused,
    Wanted,
    by_reason,
    counted,
)
from irag.labels.resolving import RESOLVED
from irag.labels.values import Item

__all__ = ["DOCUMENTS", "TRIPLES"]

_KEPT = "".join(chr(code) for code in range(33, 127) if chr(code) != "%")


def _token(text: str) -> str:
    """A text without white space, which is percent-encoded; read back by `unquote`."""
    return "".join(quote(c, errors="surrogatepass") if c.isspace() or c == "%" else c for c in text)


def _write(level: str, name: Callable[[Item], str], book: Book, wanted: Wanted) -> Exported:
    """One line for each question, hop and id; of several labels of one id the highest counts."""
    grades: dict[tuple[str, int, str], int] = {}
    reasons: list[str] = []

    def judge(item: Item) -> None:
        final, gold = book.finals[item.id], book.gold.get(item.id)
        own = (item.question_id, item.hop, name(item))
        if gold is not None and not wanted.gold:
            reasons.append("gold items")
        elif gold is None and (final.source not in RESOLVED or final.grade is None):
            reasons.append(f"{final.source} items")
        elif not own[2]:
            reasons.append("items without a document")
        else:
            grade = gold if gold is not None else final.grade
            assert grade is not None
            reasons.extend(["items merged with another of the same id"] * (own in grades))
            grades[own] = max(grade, grades.get(own, grade))

    for _ in counted(book.items, judge):
        continue
    lines = [
        f"{_token(question)} {hop} {_token(one)} {grade}\n"
        for (question, hop, one), grade in sorted(grades.items())
    ]
    included, left_out = (("judgements", len(lines)),), by_reason(reasons)
    return Exported("".join(lines), included, left_out, _sidecar(level, book, included, left_out))


def _sidecar(
    level: str,
    book: Book,
    included: tuple[tuple[str, int], ...],
    left_out: tuple[tuple[str, int], ...],
) -> str:
    scale = book.project.scale
    told = {
        "format": "irag-qrels-1",
        "columns": ["question_id", "hop", f"{level}_id", "grade"],
        "level": level,
        "project": book.project.name,
        "relevant_if": scale.relevant_if,
        "scale": {str(grade.key): grade.name for grade in scale.grades},
        "guideline_version": book.project.guideline,
        "included": dict(included),
        "left_out": dict(left_out),
        "note": "Measures of ir_measures take the cut as rel: P(rel=2)@5 for relevant_if >=2.",
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _candidate(item: Item) -> str:
    return item.candidate.id


def _document(item: Item) -> str:
    return item.passage.document_id


def read(text: str) -> Incoming:
    """Grades by question, hop and candidate; lines that are none are refused by number."""
    taken: list[tuple[tuple[str, int, str], int]] = []
    refused = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        try:
            question, hop, one, grade = line.split()
            taken.append(((unquote(question), int(hop), unquote(one)), int(grade)))
        except ValueError as error:
            refused.append(Refused(f"line {number}", f"not question hop id grade ({error})"))
    return Incoming(grades=tuple(taken), refused=tuple(refused))


TRIPLES = Format(
    "qrels_triples",
    "TREC qrels of candidates",
    ".qrels",
    "Grades alone, without texts: they go to items that are there already. Unresolved, flagged "
    "and unlabelled items are not in it, and who labelled is not.",
    partial(_write, "candidate", _candidate),
    read,
)
DOCUMENTS = Format(
    "qrels_documents",
    "TREC qrels of documents",
    ".qrels",
    "A document has the highest grade of its candidates at a hop; it cannot be read back.",
    partial(_write, "document", _document),
)
