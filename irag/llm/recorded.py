"""Replies on file: played back in tests and benchmarks, written by a wrapper as it goes.

A file is JSON lines, gzipped when its name ends in .gz. The first line names the format, the
model, its window and flags; then come token counts by the hash of a text, and replies by the hash
of a request. No prompt is kept, so no passage of a data set gets into a recording.
"""

from __future__ import annotations

import gzip
import io
import json
import logging
import threading
import time
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from irag.errors import Cancelled, IragError, LLMError, UserError
from irag.llm.stored import digest, from_row, request_key, to_row
from irag.settings import Settings
from irag.tools import LLM, Cancel, EmitText, Flags, Request
from irag.types import Completion

__all__ = ["FORMAT", "Recorded", "Recorder", "open_recorded"]

log = logging.getLogger(__name__)

FORMAT = "irag-replies-1"


def _open(path: Path, how: str) -> IO[str]:
    if path.name.endswith((".gz", ".gz.part")):
        return io.TextIOWrapper(gzip.GzipFile(path, how + "b"), encoding="utf-8")
    return path.open(how, encoding="utf-8")


def _rows(path: Path) -> list[dict[str, Any]]:
    """All rows; a last line cut short by a kill is left out with a warning."""
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    try:
        with _open(path, "r") as file:
            for line in file:
                lines.append(line)
    except (EOFError, zlib.error):
        log.warning("The recording %s ends in the middle; its whole lines are used.", path)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The recording {path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            if number < len(lines):
                raise UserError(f"{path}, line {number}, is not JSON: {error}") from error
            log.warning("The last line of %s was cut short and is left out.", path)
    return rows


def _head(path: Path, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    if not rows or rows[0].get("format") != FORMAT:
        raise UserError(f"{path} is no recording: its first line must name the format {FORMAT}.")
    return rows[0]


class Recorded:
    """Plays a recording back; a request that is not in it gives an LLMError.

    `window`, `flags` and token counts are those of the recorded model, so that the same requests
    are made; a text that was never counted is taken to have as many tokens as words.
    """

    def __init__(self, path: Path) -> None:
        rows = _rows(path)
        head = _head(path, rows)
        self.name = f"recorded:{path}"
        self.model: str = head["model"]
        self.window: int = head["window"]
        self.flags = Flags(**head["flags"])
        self._counts: dict[str, int] = {r["text"]: r["tokens"] for r in rows if "text" in r}
        self._replies = {r["request"]: r["reply"] for r in rows if "request" in r}

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens as the recorded model counted them."""
        return [self._counts.get(digest(text), len(text.split())) for text in texts]

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """One recorded reply per request, in order."""
        results: list[Completion | IragError] = []
        for index, request in enumerate(requests):
            if cancel.is_set():
                raise Cancelled()
            row = self._replies.get(request_key(self.model, request))
            if row is None:
                results.append(
                    LLMError(
                        f"The recording of {self.model} has no reply to this request. It was "
                        "made with other prompts, settings or passages: record it again."
                    )
                )
                continue
            reply = from_row(row, request)
            emit(index, reply.text)
            results.append(reply)
        return results

    def close(self) -> None:
        """Nothing to free."""


class Recorder:
    """Wraps an LLM and appends its replies to a recording; errors and thinking are not kept.

    Raises UserError when the file is a recording of another model.
    """

    def __init__(self, llm: LLM, path: Path) -> None:
        self._llm = llm
        self._path = path
        self._lock = threading.Lock()
        self._counted: set[str] = set()
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            flags = asdict(llm.flags)
            head = {"format": FORMAT, "model": llm.name, "window": llm.window, "flags": flags}
            self._append([head])
            return
        rows = _rows(path)
        model = _head(path, rows)["model"]
        if model != llm.name:
            raise UserError(f"{path} holds replies of {model}; record {llm.name} elsewhere.")
        self._counted = {row["text"] for row in rows if "text" in row}
        _rewrite(path, rows)

    @property
    def name(self) -> str:
        """The wrapped LLM's."""
        return self._llm.name

    @property
    def window(self) -> int:
        """The wrapped LLM's."""
        return self._llm.window

    @property
    def flags(self) -> Flags:
        """The wrapped LLM's."""
        return self._llm.flags

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the wrapped LLM counts; the counts are recorded."""
        counts = self._llm.count(texts)
        fresh = {digest(t): n for t, n in zip(texts, counts, strict=True)}
        with self._lock:
            new = fresh.keys() - self._counted
            self._append({"text": text, "tokens": fresh[text]} for text in sorted(new))
            self._counted |= new
        return counts

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """As the wrapped LLM; `seconds` of a recorded reply are those of its whole batch."""
        began = time.perf_counter()
        replies = self._llm.generate(requests, emit, cancel)
        seconds = round(time.perf_counter() - began, 3)
        with self._lock:
            self._append(
                {
                    "request": request_key(self.name, request),
                    "reply": to_row(reply) | {"thinking": ""},
                    "seconds": seconds,
                }
                for request, reply in zip(requests, replies, strict=True)
                if isinstance(reply, Completion)
            )
        return replies

    def close(self) -> None:
        """Close the wrapped LLM."""
        self._llm.close()

    def _append(self, rows: Iterable[dict[str, Any]]) -> None:
        lines = _lines(rows)
        if lines:
            with _open(self._path, "a") as file:
                file.writelines(lines)


def _lines(rows: Iterable[dict[str, Any]]) -> list[str]:
    return [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]


def _rewrite(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Only whole rows, so that nothing is appended to half a line."""
    partial = path.with_name(path.name + ".part")
    with _open(partial, "w") as file:
        file.writelines(_lines(rows))
    partial.replace(path)


def open_recorded(rest: str, settings: Settings) -> Recorded:
    """The spec `recorded:<file>`."""
    path = Path(rest).expanduser()
    if not path.is_file():
        raise UserError(f"There is no recording {path}.")
    return Recorded(path)
