"""Stored triples of others, read from their files; our own form is what exporting writes.

A line is a JSON object: {title or document, sentence?, head, relation, tail}; or one passage's
triples by sentence, as KG2RAG's data has them; or OpenIE output with its passage; or a triple of a
chunk, whose text stands in corpus.jsonl.gz in the same folder.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irag.errors import UserError
from irag.text import clean
from irag.types import document_id

__all__ = ["Foreign", "Reading", "read_foreign", "to_line"]

CHUNKS = "corpus.jsonl.gz"
LONGEST_FIELD = 1_000  # characters


@dataclass(frozen=True, slots=True)
class Foreign:
    """A stored triple and what is said of where it stands; `sentence` is 0-based."""

    fact: tuple[str, str, str]
    title: str = ""
    document: str = ""
    sentence: int | None = None


@dataclass(slots=True)
class Reading:
    """What a file holds: triples, how many had stray mark-up taken off, what was lost and why."""

    records: list[Foreign] = field(default_factory=list)
    mended: int = 0
    lost: Counter[str] = field(default_factory=Counter)


def to_line(record: Foreign) -> str:
    """A triple in our own form."""
    head, relation, tail = record.fact
    place = {"title": record.title, "document": record.document, "sentence": record.sentence}
    said = {name: value for name, value in place.items() if value not in ("", None)}
    return json.dumps(
        {**said, "head": head, "relation": relation, "tail": tail}, ensure_ascii=False
    )


def read_foreign(path: Path) -> Reading:
    """Every triple of a file, gzipped or not.

    Bad lines and records are counted; UserError when the file cannot be read, or its first line is
    of no known form.
    """
    reading = Reading()
    form: Callable[[dict[str, Any]], Iterable[Foreign]] | None = None
    for row in _rows(path, reading):
        form = form or _form(row, path)
        try:
            found = list(form(row))
        except (KeyError, TypeError, ValueError, AttributeError):
            reading.lost["line of another form"] += 1
            continue
        for record in found:
            _keep(record, reading, own=form is _own)
    if form is None:
        raise UserError(f"{path.name} holds no triples.")
    return reading


def _lines(path: Path) -> Iterator[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as lines:
            yield from lines
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"{path.name} cannot be read ({reason}).") from error


def _rows(path: Path, reading: Reading) -> Iterator[dict[str, Any]]:
    for line in _lines(path):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            yield row
        else:
            reading.lost["line that is no JSON object"] += 1


def _form(row: dict[str, Any], path: Path) -> Callable[[dict[str, Any]], Iterable[Foreign]]:
    if {"head", "relation", "tail"} <= row.keys() and row.keys() & {"title", "document"}:
        return _own
    if {"title", "triples"} <= row.keys():
        return _by_sentence
    if {"title", "text", "extracted_triples"} <= row.keys():
        return _of_passage
    if {"chunk_id", "subject", "relation", "object"} <= row.keys():
        places = {
            chunk["chunk_id"]: (str(chunk["source_title"]), str(chunk["text"]))
            for chunk in _rows(path.with_name(CHUNKS), Reading())
        }
        return lambda triple: _of_chunk(triple, places)
    raise UserError(
        f"{path.name}: a line with {', '.join(sorted(map(str, row)))} is of no known form. Write "
        'one triple a line: {"title": …, "sentence": 0, "head": …, "relation": …, "tail": …}; '
        '"sentence" may be left out, "document" (an id) may stand for "title".'
    )


def _own(row: dict[str, Any]) -> Iterator[Foreign]:
    number = row.get("sentence")
    fact = (str(row["head"]), str(row["relation"]), str(row["tail"]))
    place = str(row.get("title", "")), str(row.get("document", ""))
    yield Foreign(fact, *place, None if number is None else int(number))


def _by_sentence(row: dict[str, Any]) -> Iterator[Foreign]:
    for number, facts in row["triples"].items():
        for head, relation, tail in facts:
            yield Foreign((str(head), str(relation), str(tail)), row["title"], "", int(number))


def _of_passage(row: dict[str, Any]) -> Iterator[Foreign]:
    title, text = str(row["title"]), str(row["text"])
    name = document_id(clean(title), clean(text))
    for parts in row["extracted_triples"]:
        # Parts that are missing or too many are counted with the empty ones.
        head, relation, tail = map(str, parts) if len(parts) == 3 else ("", "", "")
        yield Foreign((head, relation, tail), title, name)


def _of_chunk(row: dict[str, Any], places: dict[str, tuple[str, str]]) -> Iterator[Foreign]:
    title, text = places[row["chunk_id"]]
    fact = (str(row["subject"]), str(row["relation"]), str(row["object"]))
    yield Foreign(fact, title, document_id(clean(title), clean(text)))


_STRAY = re.compile(
    r"""^[\s"'*\-\d.)]*(?:texts?|triples?|triplets?)?\s*:?\s*[<>]+\s*  # * <Osk, Triplets:<Osk
    |^(?:text|triples?|triplets?)\s*:\s*
    |\s*[<>]+[\s.]*$""",
    re.IGNORECASE | re.VERBOSE,
)


def _keep(record: Foreign, reading: Reading, own: bool) -> None:
    """Add a record, in the characters a corpus keeps; others' stray mark-up is taken off."""
    fact: Sequence[str] = record.fact
    if not own:
        fact = [_STRAY.sub("", part) for part in fact]
        if "\n" in "".join(record.fact) or re.search("[<>]", "".join(fact)):
            reading.lost["with stray mark-up inside"] += 1
            return
    spaced = [clean(part) for part in fact]
    head, relation, tail = spaced if own else (" ".join(part.split()) for part in spaced)
    if not (head.strip() and relation.strip() and tail.strip()):
        reading.lost["with an empty part"] += 1
    elif max(map(len, (head, relation, tail))) > LONGEST_FIELD:
        reading.lost["with an endless part"] += 1
    else:
        reading.mended += tuple(fact) != record.fact
        place = clean(record.title), record.document, record.sentence
        reading.records.append(Foreign((head, relation, tail), *place))
