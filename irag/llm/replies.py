"""What every backend does with raw model text: thinking out, prefix and stop strings off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from irag.errors import PromptTooLong
from irag.tools import Request
from irag.types import Completion, Usage

__all__ = ["Written", "at_least", "estimate", "split_thinking", "too_long"]

_THINKING = re.compile(r"<(think|thinking)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


def split_thinking(raw: str) -> tuple[str, str]:
    """(reply, thinking) of a model's text; a reply without thinking comes back unchanged.

    Templates that open the block themselves leave only its end in the text; a block that the token
    limit cut has no end. Both count as thinking.
    """
    head, closed, rest = raw.partition("</think>")
    hidden = bool(closed) and "<think>" not in head.lower()
    thoughts = [head] if hidden else []
    text = rest if hidden else raw
    thoughts += [found[2] for found in _THINKING.finditer(text)]
    if not thoughts:
        return raw, ""
    return _THINKING.sub("", text).lstrip(), "\n".join(t.strip() for t in thoughts)


def estimate(text: str) -> int:
    """Tokens of a text where no tokenizer is at hand: an upper bound for prose in most scripts.

    Three UTF-8 bytes a token: English prose has four letters a token and more, Chinese has one to
    two characters of three bytes each.
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)


def at_least(text: str) -> int:
    """Fewest tokens that any common tokenizer makes of a text; shows that a server cut a prompt."""
    ascii_letters = sum(character.isascii() for character in text)
    prose = max(len(text.split()), ascii_letters * 0.7 / 4)
    return int(prose + 0.35 * (len(text) - ascii_letters))


def too_long(prompt_tokens: int, request: Request, window: int) -> PromptTooLong | None:
    """The error of a request whose prompt and reply exceed the window; None when they fit."""
    if prompt_tokens + request.max_tokens <= window:
        return None
    return PromptTooLong(
        f"The prompt has {prompt_tokens} tokens and the reply may have {request.max_tokens}, "
        f"but the window holds {window}. Use fewer documents, or open the model with a larger "
        "window."
    )


def _cut_at(text: str, stop: Sequence[str]) -> tuple[str, bool]:
    ends = [text.find(mark) for mark in stop if mark and mark in text]
    return (text[: min(ends)], True) if ends else (text, False)


@dataclass(slots=True)
class Written:
    """A reply as it is being written; token counts of 0 mean that nobody counted yet."""

    text: str = ""
    thinking: str = ""
    finish: Literal["stop", "length"] = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    logprobs: tuple[tuple[str, float], ...] = ()
    cut: tuple[str, ...] = ()

    def visible(self, request: Request) -> str:
        """What a person may see of it so far."""
        return self._parts(request)[0]

    def stopped(self, request: Request) -> bool:
        """Whether a stop string has been written."""
        return self._parts(request)[2]

    def completion(self, request: Request) -> Completion:
        """The finished reply to a request."""
        text, thinking, stopped = self._parts(request)
        prompt = "".join(message.text for message in request.messages) + request.prefix
        usage = Usage(
            calls=1,
            prompt_tokens=self.prompt_tokens or estimate(prompt),
            completion_tokens=self.completion_tokens or estimate(self.text + self.thinking),
        )
        return Completion(
            text,
            "stop" if stopped else self.finish,
            usage,
            self.logprobs,
            request.messages,
            request.prefix,
            thinking,
            self.cut,
        )

    def _parts(self, request: Request) -> tuple[str, str, bool]:
        """(text, thinking, whether a stop string ended it)."""
        text, thinking = split_thinking(self.text)
        if request.prefix:
            text = text.removeprefix(request.prefix)  # some servers say it again
        text, stopped = _cut_at(text, request.stop)
        return text, "\n".join(part for part in (self.thinking, thinking) if part), stopped
