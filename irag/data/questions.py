"""Questions of published sets and of our own format become Question values.

Our format (JSON lines): id, question, answers, language, kind, answerable, documents (titles or
keys), chain, sub_questions. The published sets (gold.py) are told apart by their fields.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from irag.data.gold import DATASETS, Record, dataset_of
from irag.data.passages import SETS, records_of
from irag.errors import FileRejected
from irag.text import clean, language_of
from irag.types import Question

__all__ = [
    "GoldCheck",
    "QuestionFile",
    "Resolved",
    "check_gold",
    "load_questions",
    "read_questions",
    "resolve_gold",
]

Records = Iterator[tuple[str, Record]]  # with where each stands: "line 3", "record 3"


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file, in order, with distinct ids; `notices` name lines and reasons."""

    questions: tuple[Question, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A question's gold documents in one corpus: the ids each name means, and names unknown."""

    documents: tuple[tuple[str, ...], ...]
    unresolved: tuple[str, ...]


class _Resolves(Protocol):
    def resolve(self, title_or_key: str) -> tuple[str, ...]: ...


def resolve_gold(question: Question, corpus: _Resolves) -> Resolved:
    """Look up each gold document; a title that several passages share means all of them.

    A key such as "musique:m06307" is looked up without its set too: a corpus made from the set's
    file under another name knows its passages by their bare ids.
    """
    found = [(name, _found(name, corpus)) for name in question.gold.documents]
    return Resolved(
        tuple(ids for _, ids in found if ids), tuple(name for name, ids in found if not ids)
    )


def _found(name: str, corpus: _Resolves) -> tuple[str, ...]:
    set_name, _, bare = name.partition(":")
    keyed = bare and set_name in SETS
    return corpus.resolve(name) or (corpus.resolve(bare) if keyed else ())


@dataclass(frozen=True, slots=True)
class GoldCheck:
    """Whether a corpus holds the gold documents of questions; `unresolved` by question id."""

    questions: int
    documents: int
    unresolved: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def missing(self) -> int:
        """How many gold documents the corpus does not hold."""
        return sum(len(names) for _, names in self.unresolved)

    def __str__(self) -> str:
        if not self.documents:
            return f"{self.questions:,} questions, none of which names its documents."
        if not self.unresolved:
            return f"All {self.documents:,} gold documents are in the corpus."
        shown = ", ".join(name for _, names in self.unresolved[:3] for name in names[:2])
        return (
            f"{self.missing:,} of {self.documents:,} gold documents are not in the corpus "
            f"({len(self.unresolved):,} of {self.questions:,} questions), such as: {shown}."
        )


def check_gold(questions: Sequence[Question], corpus: _Resolves) -> GoldCheck:
    """Count the gold documents that a corpus does not hold, before questions are asked of it."""
    missing = ((q.id, resolve_gold(q, corpus).unresolved) for q in questions)
    return GoldCheck(
        len(questions),
        sum(len(q.gold.documents) for q in questions),
        tuple((name, names) for name, names in missing if names),
    )


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file; FileRejected when it cannot be read. Notices: load_questions."""
    return load_questions(path).questions


def load_questions(path: Path) -> QuestionFile:
    """The questions of a JSON lines or JSON file (gzipped or not), each under its own id."""
    questions: list[Question] = []
    notices: list[str] = []
    texts: dict[str, str] = {}
    ids: Counter[str] = Counter()
    for place, record in _records(path, notices):
        try:
            question = _question(record)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            notices.append(f"{place}: not a question ({type(error).__name__}: {error})")
            continue
        first = texts.setdefault(question.text, place)
        if first != place:
            notices.append(f"{place}: the same question as {first}; both are kept")
        name = question.id or place.replace(" ", "-")
        ids[name] += 1
        if ids[name] > 1:
            kept = _free(name, ids)
            notices.append(f"{place}: the id {name} is taken; kept as {kept}")
            name = kept
        questions.append(replace(question, id=name))
    return QuestionFile(tuple(questions), tuple(notices))


def _free(name: str, ids: Counter[str]) -> str:
    number = ids[name]
    while ids[f"{name}-{number}"]:
        number += 1
    ids[f"{name}-{number}"] += 1
    return f"{name}-{number}"


def _records(path: Path, notices: list[str]) -> Records:
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise FileRejected(path.name, f"cannot be read ({error})") from error
    for place, record in _whole(text) or _lines(text, notices):
        if isinstance(record, Mapping):
            yield place, record
        else:
            notices.append(f"{place}: not an object")


def _whole(text: str) -> list[tuple[str, Record]]:
    """The records of a text that is one JSON list or object of records, as official files are."""
    if text.lstrip()[:1] not in ("[", "{"):
        return []
    try:
        content = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return []
    records = records_of(content)
    one_line = len(records) == 1 and records[0] is content
    return [] if one_line else [(f"record {n}", record) for n, record in enumerate(records, 1)]


def _lines(text: str, notices: list[str]) -> Records:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield f"line {number}", json.loads(line, strict=False)
        except (ValueError, RecursionError) as error:
            notices.append(f"line {number}: not JSON ({error})")


def _question(record: Record) -> Question:
    text = " ".join(clean(str(record.get("question") or record["Question"])).split())
    if not text:
        raise ValueError("no text")
    gold = DATASETS[dataset_of(record)].gold(record)
    return Question(
        id=_name(record),
        text=text,
        gold=gold,
        kind=str(record.get("kind") or record.get("type") or record.get("hop_type") or ""),
        language=str(record.get("language") or language_of(text)),
        answerable=bool(record.get("answerable", True)),
    )


def _name(record: Record) -> str:
    for field in ("id", "_id", "qid"):
        if record.get(field) not in (None, ""):
            return clean(str(record[field]))
    return ""
