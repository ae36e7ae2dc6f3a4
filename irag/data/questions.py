"""Questions of published sets and of our own format become Question values.

Our format (JSON lines): id, question, answers, language, kind, answerable, documents (titles or
keys), chain, sub_questions. The shapes of HotpotQA, 2WikiMultiHopQA, MuSiQue, Bamboogle and of the
question files that go with a whole corpus are told apart by their fields.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from irag.data.passages import shown_title
from irag.errors import FileRejected
from irag.text import clean, language_of
from irag.types import Gold, Question, document_id

__all__ = ["QuestionFile", "Resolved", "load_questions", "read_questions", "resolve_gold"]

Record = Mapping[str, Any]
_YES_NO = {True: "yes", False: "no"}


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
    """Look up each gold document; a title that several passages share means all of them."""
    found = [(name, corpus.resolve(name)) for name in question.gold.documents]
    return Resolved(
        tuple(ids for _, ids in found if ids), tuple(name for name, ids in found if not ids)
    )


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file; FileRejected when it cannot be read. Notices: load_questions."""
    return load_questions(path).questions


def load_questions(path: Path) -> QuestionFile:
    """The questions of a JSON lines file (gzipped or not), each once and under its own id."""
    questions: list[Question] = []
    notices: list[str] = []
    texts: dict[str, int] = {}
    ids: Counter[str] = Counter()
    for number, record in _records(path, notices):
        try:
            question = _question(record)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            notices.append(f"line {number}: not a question ({type(error).__name__}: {error})")
            continue
        first = texts.setdefault(question.text, number)
        if first != number:
            notices.append(f"line {number}: the same question as line {first}; both are kept")
        name = question.id or f"line-{number}"
        ids[name] += 1
        if ids[name] > 1:
            kept = _free(name, ids)
            notices.append(f"line {number}: the id {name} is taken; kept as {kept}")
            name = kept
        questions.append(replace(question, id=name))
    return QuestionFile(tuple(questions), tuple(notices))


def _free(name: str, ids: Counter[str]) -> str:
    number = ids[name]
    while ids[f"{name}-{number}"]:
        number += 1
    ids[f"{name}-{number}"] += 1
    return f"{name}-{number}"


def _records(path: Path, notices: list[str]) -> Iterator[tuple[int, Record]]:
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise FileRejected(path.name, f"cannot be read ({error})") from error
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, strict=False)
        except (ValueError, RecursionError) as error:
            notices.append(f"line {number}: not JSON ({error})")
            continue
        if isinstance(record, Mapping):
            yield number, record
        else:
            notices.append(f"line {number}: not an object")


def _question(record: Record) -> Question:
    text = " ".join(clean(str(record.get("question") or record["Question"])).split())
    if not text:
        raise ValueError("no text")
    gold = next(build for fits, build in _SHAPES if fits(record))(record)
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


def _answers(record: Record) -> tuple[str, ...]:
    """All accepted answers, the main one first; true and false are yes and no."""
    found = [*record.get("answers", ())]
    found += [record[name] for name in ("answer", "Answer") if record.get(name) is not None]
    found += record.get("answer_aliases") or ()
    shown = (_YES_NO[a] if isinstance(a, bool) else clean(str(a)).strip() for a in found)
    return tuple(dict.fromkeys(a for a in shown if a))


def _pairs(parts: Any) -> tuple[tuple[str, str], ...]:
    return tuple((clean(str(p["question"])), clean(str(p.get("answer", "")))) for p in parts or ())


def _ours(record: Record) -> Gold:
    chain = [tuple(clean(str(part)) for part in triple) for triple in record.get("chain", ())]
    if any(len(triple) != 3 for triple in chain):
        raise ValueError("a triple of the chain has not three parts")
    return Gold(
        answers=_answers(record),
        documents=tuple(shown_title(name) for name in record.get("documents", ())),
        triples=tuple((h, r, t) for h, r, t in chain),
        sub_questions=_pairs(record.get("sub_questions")),
    )


def _with_facts(record: Record) -> Gold:
    """HotpotQA and 2WikiMultiHopQA records: supporting facts by title and sentence."""
    facts = record["supporting_facts"]
    if isinstance(facts, Mapping):  # the hub's columns
        facts = list(zip(facts["title"], facts["sent_id"], strict=True))
    sentences = tuple((shown_title(title), int(number)) for title, number in facts)
    return Gold(
        answers=_answers(record),
        documents=tuple(dict.fromkeys(title for title, _ in sentences)),
        sentences=sentences,
        triples=tuple((str(h), str(r), str(t)) for h, r, t in record.get("evidences") or ()),
    )


def _musique(record: Record) -> Gold:
    """MuSiQue: documents by passage id, or, in official records, by the passage's own text."""
    steps = record["question_decomposition"]
    by_place = {p.get("idx"): p for p in record.get("paragraphs", ())}
    documents = []
    for step in steps:
        passage = by_place.get(step.get("paragraph_support_idx"))
        if step.get("gold_pid"):
            documents.append(f"musique:{step['gold_pid']}")
        elif passage is not None:
            text = clean(str(passage["paragraph_text"])).strip()
            documents.append(document_id(shown_title(passage["title"]), text))
    return Gold(
        answers=_answers(record),
        documents=tuple(dict.fromkeys(documents)),
        sub_questions=_pairs(steps),
    )


def _with_titles(record: Record) -> Gold:
    """The questions that go with a whole corpus: supporting titles."""
    titles = tuple(shown_title(title) for title in record["supporting_titles"])
    return Gold(answers=_answers(record), documents=tuple(dict.fromkeys(titles)))


def _two_steps(record: Record) -> Gold:
    """Bamboogle: two sub-questions, no documents."""
    steps = tuple(
        (str(record[f"Q{n}"]), str(next(iter(record[f"A{n}"]), ""))) for n in (1, 2)
    )  # fmt: skip
    return Gold(answers=_answers(record), sub_questions=steps)


def _has(*names: str) -> Callable[[Record], bool]:
    return lambda record: all(name in record for name in names)


_SHAPES: tuple[tuple[Callable[[Record], bool], Callable[[Record], Gold]], ...] = (
    (_has("supporting_facts"), _with_facts),
    (_has("question_decomposition"), _musique),
    (_has("supporting_titles"), _with_titles),
    (_has("Q1", "A1", "Q2", "A2"), _two_steps),
    (lambda record: True, _ours),
)
