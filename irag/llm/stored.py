"""Requests as hashes and replies as JSON: what the cache and recorded replies share."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from typing import Any

from irag.tools import Request
from irag.types import Completion, Usage

__all__ = ["digest", "from_row", "request_key", "to_row"]


def digest(*parts: object) -> str:
    """A hash of JSON-able values, the same on every machine."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def request_key(model: str, request: Request) -> str:
    """Hash of the model's name and all of a request: messages, prefix, parameters, sample."""
    return digest(model, asdict(request))


def to_row(reply: Completion) -> dict[str, Any]:
    """A reply as JSON values, without the prompt that the request holds anyway."""
    return {
        "text": reply.text,
        "finish": reply.finish,
        "thinking": reply.thinking,
        "logprobs": [list(pair) for pair in reply.logprobs],
        "prompt_tokens": reply.usage.prompt_tokens,
        "completion_tokens": reply.usage.completion_tokens,
    }


def from_row(row: dict[str, Any], request: Request) -> Completion:
    """The reply to a request from what `to_row` made of it."""
    return Completion(
        text=row["text"],
        finish=row["finish"],
        usage=Usage(1, row["prompt_tokens"], row["completion_tokens"]),
        logprobs=tuple((token, logprob) for token, logprob in row["logprobs"]),
        prompt=request.messages,
        prefix=request.prefix,
        thinking=row.get("thinking", ""),
    )


def served_from_cache(reply: Completion) -> Completion:
    """The same reply, counted as one that cost nothing."""
    return replace(reply, usage=replace(reply.usage, cached=1))
