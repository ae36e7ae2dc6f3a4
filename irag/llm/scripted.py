"""A fake LLM that obeys the protocol: replies come from a queue or a function."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from irag.errors import Cancelled, IragError, LLMError
from irag.llm.replies import Written, too_long
from irag.settings import Settings
from irag.tools import Cancel, EmitText, Flags, Request
from irag.types import Completion

__all__ = ["EVERYTHING", "Reply", "Scripted", "open_scripted", "simplest"]

Reply = str | IragError
"""What a script says: the raw text of a reply, thinking and all, or an error for that request."""

EVERYTHING = Flags(streams=True, schema=True, logprobs=True, prefix=True)


class Scripted:
    """Replies in order from a queue, or as a function says; tokens are words.

    Like a real engine it streams, cuts at stop strings and at the token limit, refuses what does
    not fit the window and stops when told to. `history` holds every request it was given. `delay`
    is the seconds it takes over each. A queue that has run out gives an LLMError.
    """

    def __init__(
        self,
        replies: Iterable[Reply] | Callable[[Request], Reply] = (),
        *,
        name: str = "scripted",
        window: int = 4096,
        flags: Flags = EVERYTHING,
        delay: float = 0.0,
    ) -> None:
        self.name = name
        self.window = window
        self.flags = flags
        self.delay = delay
        self.history: list[Request] = []
        self.closed = False
        self._queue = deque[Reply]() if callable(replies) else deque(replies)
        self._function = replies if callable(replies) else self._next
        self._lock = threading.Lock()

    def _next(self, request: Request) -> Reply:
        if not self._queue:
            return LLMError("The script has no reply left for this request.")
        return self._queue.popleft()

    def count(self, texts: Sequence[str]) -> list[int]:
        """Words of each text."""
        return [len(text.split()) for text in texts]

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """One result per request, in order; Cancelled as soon as it is told to stop."""
        results: list[Completion | IragError] = []
        for index, request in enumerate(requests):
            if cancel.wait(self.delay) if self.delay else cancel.is_set():
                raise Cancelled()
            with self._lock:
                self.history.append(request)
                result = self._answer(request)
            if self.flags.streams and isinstance(result, Completion):
                self._stream(index, result.text, emit)
            results.append(result)
        return results

    def close(self) -> None:
        """Nothing to free."""
        self.closed = True

    def _answer(self, request: Request) -> Completion | IragError:
        texts = [message.text for message in request.messages] + [request.prefix]
        tokens = sum(self.count(texts))
        error = too_long(tokens, request, self.window)
        if error:
            return error
        said = self._function(request)
        if isinstance(said, IragError):
            return said
        written = Written(said, prompt_tokens=tokens)
        words = written.visible(request).split()
        if len(words) > request.max_tokens:
            written = Written(" ".join(words[: request.max_tokens]), "", "length", tokens)
        written.completion_tokens = self.count([written.text])[0]
        if request.logprobs:
            written.logprobs = (((words or [""])[0], 0.0),)
        return written.completion(request)

    @staticmethod
    def _stream(index: int, text: str, emit: EmitText) -> None:
        middle = len(text) // 2
        for end in (middle, len(text)):
            emit(index, text[:end])


def simplest(schema: str) -> str:
    """The simplest JSON that a schema of objects, arrays, strings, numbers and enums allows."""

    def value(part: dict[str, Any]) -> object:
        if "enum" in part:
            return part["enum"][0]
        kind = part.get("type")
        if kind == "object":
            return {name: value(inner) for name, inner in part.get("properties", {}).items()}
        if kind == "array":
            return [value(part["items"])] if part.get("items") else []
        if kind in ("integer", "number"):
            return part.get("minimum", 1)
        return False if kind == "boolean" else ""

    return json.dumps(value(json.loads(schema)), ensure_ascii=False)


def open_scripted(rest: str, settings: Settings) -> Scripted:
    """The spec `scripted`: a schema's simplest JSON, else the letter A; for trying the app."""
    return Scripted(lambda r: simplest(r.schema) if r.schema else "A", window=settings.window)
