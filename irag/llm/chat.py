"""The chat-completions format: a request as JSON values, and a reply read chunk by chunk."""

from __future__ import annotations

import json
from typing import Any

from irag.errors import LLMError
from irag.llm.replies import Written
from irag.tools import Request

__all__ = ["body", "closed", "messages_of", "read_error", "take"]


def messages_of(request: Request) -> list[dict[str, str]]:
    """The turns of a request; a prefix is an assistant turn that the server continues."""
    turns = [{"role": message.role, "content": message.text} for message in request.messages]
    if request.prefix:
        turns.append({"role": "assistant", "content": request.prefix})
    return turns


def closed(schema: str) -> dict[str, Any]:
    """A JSON schema whose objects allow no further properties; LLMError for what is no schema."""

    try:
        parsed = json.loads(schema)
    except json.JSONDecodeError as error:
        raise LLMError(f"The schema of this request is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise LLMError("The schema of this request is not a JSON object.")
    return {**_close(parsed)}


_TYPES = {"object", "array", "string", "integer", "number", "boolean", "null"}


def _close(part: Any) -> Any:  # noqa: ANN401  JSON values
    if isinstance(part, list):
        return [_close(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    if isinstance(part.get("type"), str) and part["type"] not in _TYPES:
        # Some engines write freely under a schema that they do not understand.
        raise LLMError(f"The schema of this request has the unknown type {part['type']!r}.")
    inner = {name: _close(value) for name, value in part.items()}
    return {"additionalProperties": False, **inner} if part.get("type") == "object" else inner


def body(request: Request) -> dict[str, Any]:
    """A streamed request with all that it asks for."""
    asked: dict[str, Any] = {
        "messages": messages_of(request),
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.stop:
        asked["stop"] = list(request.stop)
    if request.schema:
        schema = {"name": "reply", "schema": closed(request.schema), "strict": True}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.logprobs:
        asked["logprobs"], asked["top_logprobs"] = True, request.logprobs
    return asked


def take(written: Written, chunk: dict[str, Any]) -> bool:
    """Add a chunk (or a whole reply) to what is written; True when it says why the reply ended."""
    usage = chunk.get("usage") or {}
    written.prompt_tokens = usage.get("prompt_tokens") or written.prompt_tokens
    written.completion_tokens = usage.get("completion_tokens") or written.completion_tokens
    ended = False
    for choice in chunk.get("choices") or ():
        part = choice.get("delta") or choice.get("message") or {}
        written.text += part.get("content") or ""
        written.thinking += part.get("reasoning_content") or part.get("reasoning") or ""
        if not written.logprobs:
            written.logprobs = _first_token(choice.get("logprobs") or {})
        reason = choice.get("finish_reason")
        if reason == "length":
            written.finish = "length"
        elif reason == "content_filter":
            written.cut += ("the server's content filter ended the reply",)
        ended = ended or bool(reason)
    return ended


def _first_token(logprobs: dict[str, Any]) -> tuple[tuple[str, float], ...]:
    tokens = logprobs.get("content") or ()
    alternatives = tokens[0].get("top_logprobs") or () if tokens else ()
    return tuple((entry["token"], float(entry["logprob"])) for entry in alternatives)


def read_error(reply: dict[str, Any]) -> str:
    """The message of an error in a reply, in any of the usual forms; "" when there is none."""
    error = reply.get("error") or reply.get("detail") or ""
    if isinstance(error, dict):
        error = error.get("message") or json.dumps(error)
    return str(error)
