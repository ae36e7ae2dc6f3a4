"""Traces to and from JSON text; documents and triples are written once and steps refer by id.

Nothing read is ever evaluated: only the value classes named here can come out.
"""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

from irag import types
from irag.actions import ACTIONS, Blend, Chosen, Neighbour
from irag.errors import IragError, TraceError
from irag.prompts import Lines, Passages, Prompt
from irag.remarks import REMARKS, Edge
from irag.running import FORMAT
from irag.types import Document, Sentence, Trace, Triple

__all__ = ["dumps", "loads"]

_VALUES = (
    types.Answer,
    types.Citation,
    types.Completion,
    types.Entity,
    types.Gold,
    types.Message,
    types.Question,
    types.Scored,
    types.Step,
    types.Trace,
    types.Usage,
    Blend,
    Chosen,
    Edge,
    Lines,
    Neighbour,
    Passages,
    Prompt,
)
_KINDS: dict[str, type[Any]] = (
    {kind.__name__: kind for kind in _VALUES} | dict(ACTIONS) | dict(REMARKS)
)


def dumps(trace: Trace) -> str:
    """The trace as one JSON text, UTF-8 safe."""
    tables: dict[str, dict[str, Any]] = {"documents": {}, "triples": {}}
    body = _encode(trace, tables)
    return json.dumps({"format": FORMAT, **tables, "trace": body}, ensure_ascii=False)


def _encode(value: Any, tables: dict[str, dict[str, Any]]) -> Any:
    if isinstance(value, Document):
        tables["documents"][value.id] = [value.title, value.text, value.sentences, value.keys]
        return {"d": value.id}
    if isinstance(value, Triple):
        tables["triples"][value.id] = [value.head, value.relation, value.tail, value.source]
        return {"t": value.id}
    if isinstance(value, Sentence):
        _encode(value.document, tables)
        return {"s": [value.document.id, value.number]}
    if isinstance(value, tuple | list):
        return [_encode(entry, tables) for entry in value]
    if isinstance(value, Exception):
        return {"!": "error", "text": str(value)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        name = type(value).__name__
        if name not in _KINDS:
            raise TypeError(f"{name} is no value of a trace.")
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {"!": name, **{k: _encode(v, tables) for k, v in fields.items()}}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def loads(text: str) -> Trace:
    """The trace of a JSON text; TraceError when it is none, or of a format not known here."""
    try:
        stored = json.loads(text)
        found = stored["format"] if isinstance(stored, dict) else None
        if found != FORMAT:
            raise TraceError(f"This is no {FORMAT} file (its format is {found!r}).")
        return _Reader(stored).trace()
    except TraceError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TraceError(f"The trace is damaged ({type(error).__name__}: {error}).") from error


class _Reader:
    def __init__(self, stored: dict[str, Any]) -> None:
        self._body = stored["trace"]
        self._documents = {
            key: Document(key, title, text, tuple(map(tuple, spans)), tuple(keys))
            for key, (title, text, spans, keys) in stored["documents"].items()
        }
        self._triples = {
            key: Triple(key, head, relation, tail, tuple(source) if source else None)
            for key, (head, relation, tail, source) in stored["triples"].items()
        }

    def trace(self) -> Trace:
        trace = self._value(self._body)
        if not isinstance(trace, Trace):
            raise TraceError("The file holds no trace.")
        return trace

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(self._value(entry) for entry in value)
        if not isinstance(value, dict):
            return value
        if "d" in value:
            return self._documents[value["d"]]
        if "t" in value:
            return self._triples[value["t"]]
        if "s" in value:
            document, number = value["s"]
            return Sentence(self._documents[document], number)
        if value["!"] == "error":
            return IragError(value["text"])
        return self._make(_KINDS[value["!"]], value)

    def _make(self, kind: type[Any], stored: dict[str, Any]) -> Any:
        fields = {name: self._value(v) for name, v in stored.items() if name != "!"}
        if kind is ACTIONS["Together"]:
            return kind(*fields["requests"])
        return kind(**fields)
