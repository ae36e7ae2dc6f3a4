"""The passages in one record of a file: our own lines, and the contexts of published sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irag.text import clean

__all__ = ["SETS", "Passage", "passages_of", "records_of", "set_of_record", "shown_title"]

SETS = ("2wiki", "hotpotqa", "musique", "strategyqa")
"""Published sets by the names their keys begin with."""

_TEXT_NAMES = ("text", "contents", "paragraph_text", "passage", "body", "content")


@dataclass(frozen=True, slots=True)
class Passage:
    """A clean passage as a file gives it. `sentences` () : to be found by rule."""

    title: str
    text: str
    keys: tuple[str, ...] = ()
    sentences: tuple[tuple[int, int], ...] = ()


def shown_title(title: object) -> str:
    """A title on one line."""
    return " ".join(clean(str(title or "")).split())


def set_of_record(record: Mapping[str, Any]) -> str:
    """Which published set an official record is from, by its fields; "" for none."""
    if "paragraphs" in record:
        return "musique"
    if "context" in record:
        return "2wiki" if "evidences" in record else "hotpotqa"
    return "strategyqa" if "para_index" in record else ""


def records_of(content: Any) -> list[Any]:
    """The records of a JSON file: those of its list, those its object names by id, or itself."""
    if isinstance(content, list):
        return content
    named = isinstance(content, Mapping) and all(isinstance(v, Mapping) for v in content.values())
    return [{"id": name, **value} for name, value in content.items()] if named else [content]


def passages_of(record: Mapping[str, Any], set_name: str = "") -> Iterator[Passage]:
    """The passages of a record, in order; none when it holds no text.

    `set_name` is the published set the file belongs to, or "". Keys: "musique:m06307" for one with
    a passage id, "2wiki:Title" and "hotpotqa:Title" by title, "strategyqa:Title-4" by paragraph.
    """
    set_name = set_of_record(record) or set_name
    for title, body, name in _bodies(record):
        passage = _from_sentences(title, body) if isinstance(body, list) else _whole(title, body)
        if passage is None:
            continue
        keys = tuple(_keys(passage.title, name, set_name))
        yield Passage(passage.title, passage.text, keys, passage.sentences)


def _bodies(record: Mapping[str, Any]) -> Iterator[tuple[object, object, object]]:
    """(title, text or list of sentences, id) of each passage."""
    if isinstance(record.get("paragraphs"), list):
        for one in record["paragraphs"]:
            if isinstance(one, Mapping):
                yield one.get("title"), one.get("paragraph_text"), None
    elif "context" in record:
        context = record["context"]
        if isinstance(context, Mapping):  # the hub's columns
            context = zip(context.get("title", ()), context.get("sentences", ()), strict=False)
        for pair in context:
            title, sentences = pair
            yield title, list(sentences), None
    elif isinstance(record.get("gold_passages"), list):
        for text in record["gold_passages"]:
            yield None, text, None
    else:
        body: object = next((record[n] for n in _TEXT_NAMES if record.get(n)), None)
        own = record.get("sentences")
        parts = list(own) if isinstance(own, list) and isinstance(body, str) else None
        yield (
            record.get("title"),
            (body, parts) if parts else body,
            _own_id(record),
        )


def _own_id(record: Mapping[str, Any]) -> object:
    if "para_index" in record:  # as the evidence of StrategyQA names it
        return f"{shown_title(record.get('title'))}-{record['para_index']}"
    return record.get("pid") or record.get("id")


def _keys(title: str, name: object, set_name: str) -> Iterator[str]:
    if name not in (None, ""):
        yield f"{set_name}:{name}" if set_name else str(name)
    elif title and set_name in ("2wiki", "hotpotqa"):
        yield f"{set_name}:{title}"


def _whole(title: object, body: object) -> Passage | None:
    parts: Sequence[object] = ()
    if isinstance(body, tuple):
        body, parts = body
    text = clean(body).strip() if isinstance(body, str) else ""
    if not text:
        return None
    return Passage(shown_title(title), text, (), _located(text, [clean(str(p)) for p in parts]))


def _from_sentences(title: object, parts: Sequence[object]) -> Passage | None:
    own = [clean(str(part)) for part in parts]
    # Some sets keep the space before a sentence, some do not.
    text = "".join(p if not i or p[:1].isspace() else f" {p}" for i, p in enumerate(own)).strip()
    return Passage(shown_title(title), text, (), _located(text, own)) if text else None


def _located(text: str, sentences: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Spans of a set's own sentences in its text, empty ones kept; () when one is not there."""
    spans, at = [], 0
    for sentence in sentences:
        body = sentence.strip()
        start = text.find(body, at)
        if start < 0 or text[at:start].strip():
            return ()
        at = start + len(body)
        spans.append((start, at))
    return tuple(spans) if not text[at:].strip() else ()
