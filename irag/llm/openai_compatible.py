"""Any server that speaks chat completions: vLLM, Ollama, llama.cpp, a cloud."""

from __future__ import annotations

import asyncio
import os
import re
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import Any, TypeVar

from irag.errors import AuthenticationFailed, Cancelled, IragError, LLMError, UserError
from irag.llm.chat import body
from irag.llm.replies import Written, at_least, estimate
from irag.llm.wire import Refused, Server, TooBusy, Unreachable
from irag.settings import Settings
from irag.tools import Cancel, EmitText, Flags, Request
from irag.types import Completion

__all__ = ["WIDTH", "OpenAICompatible", "open_server", "parse_server"]

T = TypeVar("T")

WIDTH = 8
"""Requests in flight at once."""

REFUSAL_SECONDS = 10.0
"""How long a refused key is not tried again, so that a hundred plays ask once."""

_LOOK_SECONDS = 0.1
_SPEC = re.compile(r"(?P<url>https?://[^#\s]+)#(?P<model>.+?)(?:@(?P<key>[A-Z][A-Z0-9_]*))?")
_OPTIONAL = ("response_format", "logprobs", "stream_options", "temperature", "seed", "stop")
_CONTINUES = {
    "vllm": {"continue_final_message": True, "add_generation_prompt": False},
    "llamacpp": {},
}
"""Servers that continue a half-written reply, by `owned_by`, and what asks them to."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """The requests of one call and the error, if any, that makes sending more of them pointless."""

    requests: Sequence[Request]
    emit: EmitText
    halted: list[LLMError]


class OpenAICompatible:
    """One model of a server. Requests go out together, at most `width` at once.

    What the server is found not to take (a schema, log-probabilities) is left out from then on, and
    the flags say so. A loop in a thread of its own does the talking, so a stop closes connections
    at once, which is what makes a server stop writing.
    """

    def __init__(
        self, server: Server, model: str, *, name: str, window: int = 4096, width: int = WIDTH
    ) -> None:
        self.name = name
        self.window = window
        self._server = server
        self._model = model
        self._left_out: set[str] = set()
        self._length_field = "max_tokens"
        self._refused: tuple[float, LLMError] | None = None
        self._proven = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name=name)
        self._thread.start()
        self._client = server.client()
        self._free = asyncio.Semaphore(width)
        self._scout = asyncio.Lock()
        self._kind = ""
        self._probe()

    @property
    def flags(self) -> Flags:
        """As far as the server has shown; an untried schema counts as taken."""
        return Flags(
            streams=True,
            schema="response_format" not in self._left_out,
            logprobs="logprobs" not in self._left_out,
            prefix=self._kind in _CONTINUES,
            concurrent=True,
        )

    def count(self, texts: Sequence[str]) -> list[int]:
        """An upper bound from the number of bytes."""
        return [estimate(text) for text in texts]

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """One result per request, in order; a refused key or a dead server fails all at once."""
        results = self._run(self._answers(_Batch(requests, emit, [])), cancel)
        if cancel.is_set():
            raise Cancelled()
        return results

    def close(self) -> None:
        """Close the connections and end the thread."""
        self._run(self._client.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T], cancel: Cancel | None = None) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        while True:
            if cancel and cancel.is_set():
                future.cancel()
                raise Cancelled()
            try:
                return future.result(timeout=_LOOK_SECONDS)
            except NotYet:
                continue

    def _probe(self) -> None:
        """Learn the server's kind and window, where it tells them."""
        listed = self._run(self._server.models(self._client))
        mine = next((entry for entry in listed if entry["id"] == self._model), None)
        if mine is None and len(listed) == 1 and listed[0].get("owned_by") == "llamacpp":
            mine = listed[0]  # it serves one model and takes any name for it
        if mine:
            self._kind = str(mine.get("owned_by", ""))
            self.window = min(self.window, int(mine.get("max_model_len") or self.window))

    async def _answers(self, batch: _Batch) -> list[Completion | IragError]:
        first: list[Completion | IragError] = []
        if not self._proven and batch.requests:
            async with self._scout:  # the others wait for a server that works
                first = [await self._answer(batch, 0)]
        rest = range(len(first), len(batch.requests))
        return first + list(await asyncio.gather(*(self._answer(batch, n) for n in rest)))

    async def _answer(self, batch: _Batch, index: int) -> Completion | IragError:
        request = batch.requests[index]
        async with self._free:
            halted = self._halted(batch)
            if halted:
                return halted
            try:
                written = await self._ask(
                    request, lambda so_far: batch.emit(index, so_far.visible(request))
                )
            except LLMError as error:
                if isinstance(error, AuthenticationFailed):
                    self._refused = time.monotonic(), error
                if isinstance(error, AuthenticationFailed | TooBusy | Unreachable):
                    batch.halted.append(error)
                return error
        self._proven = True
        return self._whole(written, request)

    def _halted(self, batch: _Batch) -> LLMError | None:
        """Why nothing more should be sent, if so."""
        if batch.halted:
            return batch.halted[0]
        if self._refused and time.monotonic() - self._refused[0] < REFUSAL_SECONDS:
            return self._refused[1]
        return None

    async def _ask(self, request: Request, show: Callable[[Written], None]) -> Written:
        while True:
            try:
                return await self._server.chat(self._client, self._body(request), show)
            except Refused as refused:
                if not self._leave_out(str(refused), request):
                    raise await self._explained(refused) from refused

    def _body(self, request: Request) -> dict[str, Any]:
        asked = {"model": self._model, **body(request)}
        asked[self._length_field] = asked.pop("max_tokens")
        if request.prefix:
            asked |= _CONTINUES.get(self._kind, {})
        for name in self._left_out:
            asked.pop(name, None)
        if "logprobs" not in asked:
            asked.pop("top_logprobs", None)
        return asked

    def _leave_out(self, said: str, request: Request) -> bool:
        """Whether a refused request is worth sending again, without what the server named."""
        if "max_completion_tokens" in said and self._length_field == "max_tokens":
            self._length_field = "max_completion_tokens"
            return True
        sent = [name for name in _OPTIONAL if name in self._body(request)]
        named = {name for name in sent if name in said}
        if not named and "response_format" in sent:
            named = {"response_format"}
        self._left_out |= named
        return bool(named)

    async def _explained(self, refused: Refused) -> LLMError:
        """Where the model is unknown, the ones that the server has."""
        if refused.status not in (400, 404):
            return refused
        known = [str(entry["id"]) for entry in await self._server.models(self._client)]
        if self._model in known or not known:
            return refused
        return LLMError(
            f"{self._server.base} has no model {self._model!r}. It has: {', '.join(sorted(known))}."
        )

    def _whole(self, written: Written, request: Request) -> Completion:
        sent = sum(at_least(message.text) for message in request.messages)
        if 0 < written.prompt_tokens < sent:
            written.cut += (
                f"the server says it read {written.prompt_tokens} tokens of a prompt of at least "
                f"{sent}: its window is too small and it cut the prompt",
            )
        return written.completion(request)


def parse_server(rest: str) -> tuple[str, str, str]:
    """(base url, model, name of the key's variable or "") of `<base url>#<model>[@<NAME>]`.

    A bare host gets the usual /v1. UserError for anything else, and for a url that holds a secret.
    """
    found = _SPEC.fullmatch(rest.strip())
    if not found:
        raise UserError(
            f"openai:{rest} cannot be read. Write openai:<base url>#<model>, and @<NAME> after it "
            "for the environment variable with the key: openai:http://127.0.0.1:8080/v1#llama3"
        )
    url, model, key = found["url"].rstrip("/"), found["model"], found["key"] or ""
    host = url.partition("://")[2]
    if "@" in host or "?" in host:
        raise UserError("Keep keys out of the address: put the key into an environment variable.")
    return (url if "/" in host else f"{url}/v1"), model, key


def open_server(rest: str, settings: Settings) -> OpenAICompatible:
    """The spec `openai:<base url>#<model>[@<NAME of the environment variable with the key>]`."""
    base, model, key_name = parse_server(rest)
    key = os.environ.get(key_name) if key_name else None
    if key_name and not key:
        raise UserError(f"The environment variable {key_name} with the key is not set.")
    server = Server(base, key, key_name, settings.timeout)
    return OpenAICompatible(server, model, name=f"openai:{rest}", window=settings.window)
