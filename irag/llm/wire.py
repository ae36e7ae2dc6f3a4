"""HTTP to a chat-completions server: one request with its time-out, retries and clear errors."""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx

from irag.errors import AuthenticationFailed, LLMError, PromptTooLong, ServerDown, TimedOut
from irag.llm.chat import read_error, take
from irag.llm.replies import Written

__all__ = ["LONGEST_WAIT", "TRIES", "Refused", "Server", "TooBusy", "Unreachable"]

TRIES = 5
"""How often a request is sent while the server answers 429 or 5xx."""

LONGEST_WAIT = 60.0
"""Seconds; a server that asks for a longer pause is not waited for."""

_TOO_LONG = ("context_length", "context length", "context size", "context window", "too long")
_BUSY = frozenset({408, 429, 500, 502, 503, 504, 529})


class TooBusy(LLMError):
    """The server refuses for now: no request of the batch is worth sending."""


class Unreachable(ServerDown):
    """Nothing takes the connection: no request of the batch is worth sending."""


class Refused(LLMError):
    """The server does not take the request as it is (400, 404, 422); carries its status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Server:
    """A server's address. `pause` is the first wait in seconds, doubled each time.

    Once it says "too many requests", no request is sent before the pause it asks for is over.
    """

    base: str
    key: str | None
    key_name: str
    timeout: float
    pause: float = 0.5
    _not_before: float = 0.0

    def client(self) -> httpx.AsyncClient:
        """A client with the key; no redirect may carry it away, no proxy gets what is local."""
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        limits = httpx.Timeout(self.timeout, connect=min(5.0, self.timeout))
        local = (httpx.URL(self.base).host or "") in ("localhost", "127.0.0.1", "::1")
        return httpx.AsyncClient(headers=headers, timeout=limits, trust_env=not local)

    async def chat(
        self, client: httpx.AsyncClient, asked: dict[str, Any], show: Callable[[Written], None]
    ) -> Written:
        """The reply to a request body; `show` gets it as it grows. Raises kinds of LLMError."""
        for attempt in range(TRIES):
            await asyncio.sleep(max(0.0, self._not_before - time.monotonic()))
            try:
                async with asyncio.timeout(self.timeout):
                    return await self._once(client, asked, show)
            except _Busy as busy:
                await self._wait(busy, attempt)
            except (TimeoutError, httpx.TimeoutException) as error:
                raise TimedOut(
                    f"{self.base} gave no complete reply within {self.timeout:g} seconds "
                    f"({type(error).__name__}). It may be slow or hang: look at the server, or "
                    "allow more with the setting timeout."
                ) from error
        raise AssertionError("the last attempt raises")

    async def _wait(self, busy: _Busy, attempt: int) -> None:
        wait = busy.wait if busy.wait is not None else self.pause * 2**attempt
        if attempt == TRIES - 1 or wait > LONGEST_WAIT:
            asks = f" It asks to wait {wait:.0f} seconds." if wait > LONGEST_WAIT else ""
            kind = TooBusy if busy.status == 429 else LLMError
            raise kind(
                f"{self.base} still answers {busy.reason} after {attempt + 1} tries.{asks} "
                "Try again later; what is finished is kept."
            )
        if busy.status == 429:
            self._not_before = max(self._not_before, time.monotonic() + wait)
        else:
            await asyncio.sleep(wait)

    async def _once(
        self, client: httpx.AsyncClient, asked: dict[str, Any], show: Callable[[Written], None]
    ) -> Written:
        written = Written()
        try:
            async with client.stream("POST", f"{self.base}/chat/completions", json=asked) as reply:
                await self._check(reply)
                ended = False
                async for chunk in self._chunks(reply):
                    if chunk.get("error"):
                        raise self._refusal(400, read_error(chunk))
                    ended = take(written, chunk) or ended
                    show(written)
        except httpx.ConnectError as error:
            raise self._down(error) from error
        except httpx.TransportError as error:
            if isinstance(error, httpx.TimeoutException):
                raise
            if not written.text:  # an idle connection that the server closed meanwhile
                raise _Busy(502, _reason(error), None) from error
            raise self._broken(written) from error
        if not ended:
            raise self._broken(written)
        return written

    async def _chunks(self, reply: httpx.Response) -> AsyncIterator[dict[str, Any]]:
        """The chunks of a stream; a server that does not stream sends one whole reply."""
        if "text/event-stream" not in reply.headers.get("content-type", ""):
            yield self._json((await reply.aread()).decode("utf-8", "replace"))
            return
        async for line in reply.aiter_lines():
            if line.startswith("data:"):
                said = line.removeprefix("data:").strip()
                if said and said != "[DONE]":
                    yield self._json(said)

    def _json(self, said: str) -> dict[str, Any]:
        with suppress(json.JSONDecodeError):
            chunk = json.loads(said)
            if isinstance(chunk, dict) and ("choices" in chunk or "error" in chunk):
                return chunk
        shown = f"it sent {said[:200]!r}" if said else "it sent an empty reply"
        raise LLMError(
            f"{self.base} does not answer as an OpenAI-compatible server does: {shown}. Check the "
            "address; it usually ends in /v1."
        )

    async def _check(self, reply: httpx.Response) -> None:
        """Raise what a status other than 200 means."""
        status = reply.status_code
        if status == 200:
            return
        text = (await reply.aread()).decode("utf-8", "replace")
        try:
            parsed = json.loads(text)
            said = read_error(parsed) if isinstance(parsed, dict) else text
        except json.JSONDecodeError:
            said = text
        said = " ".join(said.split())[:500]
        if status in _BUSY:
            raise _Busy(status, f"{status} {said}".strip(), _retry_after(reply))
        raise self._refusal(status, said)

    def _refusal(self, status: int, said: str) -> LLMError:
        if status in (401, 403):
            helps = "Name the environment variable with the key: openai:<base url>#<model>@<NAME>."
            if self.key_name:
                helps = f"Check the key in the environment variable {self.key_name}."
            return AuthenticationFailed(
                f"Authentication failed: {self.base} answers {status} ({said}). {helps}"
            )
        if any(mark in said.lower() for mark in _TOO_LONG):
            return PromptTooLong(f"The prompt does not fit the server's window: {said}")
        return Refused(f"{self.base} answers {status}: {said or 'no reason given'}", status)

    def _down(self, error: Exception) -> Unreachable:
        return Unreachable(
            f"Nothing answers at {self.base} ({_reason(error)}). Start the server there, for "
            "example `llama-server -m MODEL.gguf --port 8080`, `ollama serve` or `vllm serve "
            "MODEL`, or choose another LLM."
        )

    def _broken(self, written: Written) -> ServerDown:
        return ServerDown(
            f"{self.base} broke off after {len(written.text)} characters of its reply. Look at "
            "the server, then ask again."
        )

    async def models(self, client: httpx.AsyncClient) -> list[dict[str, Any]]:
        """What GET /models lists; [] when the server does not say."""
        try:
            reply = await client.get(f"{self.base}/models", timeout=min(3.0, self.timeout))
            listed = reply.raise_for_status().json()["data"]
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            return []
        return [entry for entry in listed if isinstance(entry, dict) and "id" in entry]


class _Busy(Exception):
    """Worth another try; `wait` in seconds where the server says one."""

    def __init__(self, status: int, reason: str, wait: float | None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.wait = wait


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _retry_after(reply: httpx.Response) -> float | None:
    """Seconds to wait, from a Retry-After of seconds or of a date; None when there is none."""
    said = reply.headers.get("retry-after", "")
    try:
        return max(0.0, float(said))
    except ValueError:
        with suppress(ValueError):
            return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - time.time())
    return None
