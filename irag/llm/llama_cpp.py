"""llama.cpp in this process, through xllamacpp: any GGUF file on any processor.

Its server also listens; here on a UNIX socket in a private folder with a random key, so that only
this process reaches it. The socket is what counts tokens, as no call in process does.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irag import models
from irag.errors import Cancelled, IragError, LLMError, ModelError, UserError
from irag.llm.chat import body, closed, read_error, take
from irag.llm.replies import Written, estimate, too_long
from irag.llm.waiting import results_of
from irag.settings import Settings
from irag.tools import Cancel, EmitText, Flags, Request
from irag.types import Completion

if TYPE_CHECKING:
    import httpx

__all__ = ["LlamaCpp", "open_llama"]

log = logging.getLogger(__name__)

BATCH = 128
"""Prompt tokens read at a time; a stop waits for the end of one (half a minute at 2048)."""

CACHE_MIB = 256
"""Memory for prompts whose slot was given to another."""

COMPACT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""JSON on one line: a small model would spend its tokens on white space."""


class LlamaCpp:
    """One model with a few slots; more requests than slots wait their turn, in order.

    `window` is that of each slot. Safe to call from many threads.
    """

    flags = Flags(streams=True, schema=True, logprobs=True, prefix=True, concurrent=True)

    def __init__(self, path: Path, *, name: str, window: int = 4096, slots: int = 2) -> None:
        self.name = name
        # Of mode 0700, and removed at exit even if nobody closes us.
        self._folder = tempfile.TemporaryDirectory(prefix="irag-", ignore_cleanup_errors=True)
        self._key = secrets.token_hex(16)
        self._pool = ThreadPoolExecutor(max_workers=slots, thread_name_prefix="llama")
        try:
            self._server = _serve(path, self._address, self._key, window * slots, slots)
        except ModelError:
            self.close()
            raise
        self._client = self._connect()
        self.window = self._granted(window)

    @property
    def _address(self) -> str:
        return str(Path(self._folder.name) / "llm.sock") if os.name == "posix" else "127.0.0.1"

    def _connect(self) -> httpx.Client:
        import httpx

        listening = str(self._server.listening_address)
        local = listening.startswith("unix:")
        transport = httpx.HTTPTransport(uds=self._address) if local else httpx.HTTPTransport()
        return httpx.Client(
            transport=transport,
            base_url="http://llama" if local else listening,
            headers={"Authorization": f"Bearer {self._key}"},
            timeout=10.0,
        )

    def _granted(self, window: int) -> int:
        """The window of a slot: llama.cpp gives less where memory is short."""
        import httpx

        try:
            props = self._client.get("/props").raise_for_status().json()
        except httpx.HTTPError as error:
            log.warning("llama.cpp did not tell its window (%s).", error)
            return window
        return min(window, int(props["default_generation_settings"]["n_ctx"]))

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens as the model's own tokenizer counts; an upper bound should it not answer."""
        import httpx

        counts = []
        for text in texts:
            try:
                reply = self._client.post("/tokenize", json={"content": text}).raise_for_status()
                counts.append(len(reply.json()["tokens"]))
            except httpx.HTTPError as error:
                log.warning("llama.cpp did not count (%s): estimating.", error)
                counts.append(estimate(text))
        return counts

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """One result per request, in order; a stop takes effect within a second or two."""
        futures = [
            self._pool.submit(self._answer, request, partial(emit, n), cancel)
            for n, request in enumerate(requests)
        ]
        return results_of(futures, cancel)

    def close(self) -> None:
        """Stop the server and free the weights."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        if hasattr(self, "_client"):
            self._client.close()
            del self._client
        if hasattr(self, "_server"):
            del self._server
        self._folder.cleanup()

    def _answer(
        self, request: Request, emit: Callable[[str], None], cancel: Cancel
    ) -> Completion | IragError:
        stream = _Stream(request, self.window, emit, cancel)
        try:
            asked = body(replace(request, schema=None)) | {
                "return_progress": True,
                "chat_template_kwargs": {"enable_thinking": False},
            }
            if request.schema:
                asked["grammar"] = _grammar(request.schema)
            self._server.handle_chat_completions(asked, stream.take)
        except IragError as error:
            return error
        except ValueError as error:  # what it raises for a request that it cannot use
            return LLMError(f"llama.cpp refused the request: {error}")
        return stream.result()


class _Stream:
    """Takes one reply chunk by chunk. Exceptions in the callback are lost, so they are kept."""

    def __init__(
        self, request: Request, window: int, emit: Callable[[str], None], cancel: Cancel
    ) -> None:
        self._request = request
        self._window = window
        self._emit = emit
        self._cancel = cancel
        self._written = Written()
        self._error: Exception | None = None
        self._ended = threading.Event()

    def take(self, chunk: dict[str, Any]) -> bool:
        """Add a chunk; True stops llama.cpp."""
        try:
            self._add(chunk)
        except Exception as error:
            self._error = error
        return self._error is not None or self._cancel.is_set()

    def _add(self, chunk: dict[str, Any]) -> None:
        if chunk.get("error"):
            raise _error_of(chunk["error"], self._request, self._window)
        progress = chunk.get("prompt_progress")
        if progress:
            error = too_long(progress["total"], self._request, self._window)
            if error:
                raise error
        before = len(self._written.text)
        if take(self._written, chunk):
            self._ended.set()
        if len(self._written.text) > before:
            self._emit(self._written.visible(self._request))

    def result(self) -> Completion | IragError:
        """What came of it; Cancelled is raised, and so is any exception that is not ours."""
        if self._cancel.is_set():
            raise Cancelled()
        if isinstance(self._error, IragError):
            return self._error
        if self._error:
            raise self._error
        if not self._ended.is_set():
            return LLMError("llama.cpp broke off in the middle of its reply.")
        return self._written.completion(self._request)


def _grammar(schema: str) -> str:
    """The schema in LLGuidance's form, which alone can forbid white space."""
    return "%llguidance {}\nstart: %json " + json.dumps(closed(schema) | {"x-guidance": COMPACT})


def _error_of(error: dict[str, Any], request: Request, window: int) -> IragError:
    tokens = error.get("n_prompt_tokens")
    too_big = too_long(int(tokens), request, window) if tokens else None
    return too_big or LLMError(f"llama.cpp: {read_error({'error': error})}")


def _serve(path: Path, address: str, key: str, context: int, slots: int) -> Any:  # noqa: ANN401
    try:
        import xllamacpp
    except ImportError as error:
        raise ModelError("llama.cpp is not installed: pip install xllamacpp") from error

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel = context, slots
    params.n_batch = params.n_ubatch = BATCH
    params.cache_ram_mib = CACHE_MIB
    params.verbosity = 0
    params.ui = params.endpoint_slots = False
    params.cors_origins = ""
    params.hostnames, params.api_keys = [address], [key]
    try:
        return xllamacpp.Server(params)
    except (RuntimeError, ValueError, OSError) as error:
        raise ModelError(
            f"llama.cpp could not open {path.name} ({error}). The file may be cut "
            "short or of a kind that this version does not know, or there is too little memory."
        ) from error


def _checked(path: Path) -> Path:
    """A GGUF file by its path; ModelError when it is missing, damaged or something else."""
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ModelError(f"The model file {path} cannot be read: {error.strerror}.") from error
    if magic != b"GGUF":
        raise ModelError(f"{path} is no GGUF file. Name one, or a model of the catalogue.")
    return path


def open_llama(rest: str, settings: Settings) -> LlamaCpp:
    """The spec `llama:<catalogue name or path.gguf>`; the catalogue's bytes are verified."""
    if rest in models.CATALOGUE:
        path = models.path(rest, settings.models)
    elif rest.endswith(".gguf"):
        path = _checked(Path(rest).expanduser())
    else:
        known = [name for name, entry in models.CATALOGUE.items() if entry.kind == "llm"]
        raise UserError(
            f"llama:{rest} names no .gguf file and no model of the catalogue. "
            f"Known: {', '.join(sorted(known))}."
        )
    return LlamaCpp(path, name=f"llama:{rest}", window=settings.window, slots=settings.slots)
