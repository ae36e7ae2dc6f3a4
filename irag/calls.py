"""Turns Generate and Choose into LLM requests and replies into their results; calls nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from irag.actions import Choose, Chosen, Generate
from irag.prompts import Rendered
from irag.prompts.fit import fit
from irag.text import clean
from irag.tools import LLM, Request
from irag.types import Completion, Message

__all__ = ["LETTERS", "SCHEMA_SPARE", "reply_of", "request_for"]

LETTERS = "ABCDEFGHIJKLMNOPQRST"
"""The names of Choose's options."""

SCHEMA_SPARE = 16
"""Extra tokens of a schema call, for the closing brackets."""


def request_for(action: Generate | Choose, llm: LLM) -> tuple[Request, Rendered]:
    """The request of an action, cut to the LLM's window; raises PromptTooLong."""
    if isinstance(action, Choose):
        rendered = fit(action.prompt, llm.count, llm.window - 1)
        messages, prefix = _prefixed(rendered, llm)
        logprobs = len(LETTERS) if llm.flags.logprobs else 0
        return Request(messages, 1, prefix=prefix, logprobs=logprobs), rendered
    max_tokens = action.max_tokens + (SCHEMA_SPARE if action.schema else 0)
    rendered = fit(action.prompt, llm.count, llm.window - max_tokens)
    messages, prefix = _prefixed(rendered, llm)
    request = Request(
        messages,
        max_tokens,
        action.stop,
        action.schema if llm.flags.schema else None,
        prefix,
        temperature=action.temperature,
        seed=action.sample,
        sample=action.sample,
    )
    return request, rendered


def _prefixed(rendered: Rendered, llm: LLM) -> tuple[tuple[Message, ...], str]:
    """Where the LLM cannot continue a half-written reply, its beginning goes into the prompt."""
    if not rendered.prefix or llm.flags.prefix:
        return rendered.messages, rendered.prefix
    last = rendered.messages[-1]
    told = f"{last.text}\n\nYour reply so far, to be continued without repeating it:\n"
    return (*rendered.messages[:-1], Message(last.role, told + rendered.prefix)), ""


def reply_of(action: Generate | Choose, reply: Completion) -> Completion | Chosen:
    """The result of an action from the LLM's reply, whose text can be stored and shown."""
    reply = replace(reply, text=clean(reply.text), thinking=clean(reply.thinking))
    return _chosen(action.options, reply) if isinstance(action, Choose) else reply


def _chosen(options: Sequence[str], reply: Completion) -> Chosen:
    """The option letter of the reply and the probabilities normalised over the letters."""
    letters = LETTERS[: len(options)]
    weights = [0.0] * len(letters)
    for token, logprob in reply.logprobs:
        letter = token.strip().upper()
        if len(letter) == 1 and letter in letters:
            weights[letters.index(letter)] += math.exp(logprob)
    total = sum(weights)
    if total > 0:
        shares = tuple(weight / total for weight in weights)
        return Chosen(max(range(len(letters)), key=lambda i: shares[i]), shares, reply)
    first = reply.text.strip()[:1].upper()
    return Chosen(letters.index(first) if first and first in letters else None, (), reply)
