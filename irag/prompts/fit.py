"""Fits a prompt into the window: lists lose entries, passages sentences, questions nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from irag.errors import PromptTooLong
from irag.prompts import Lines, Passages, Prompt, Rendered, Value, quote, render

__all__ = ["fit"]

Count = Callable[[Sequence[str]], list[int]]
_TEMPLATE_TOKENS = 24
"""What a chat template adds around the messages, at most."""


def _pieces(value: Value) -> list[str]:
    """What may be cut from a value, in its order."""
    if isinstance(value, Lines):
        return list(value.entries)
    if isinstance(value, Passages):
        return [sentence for _, sentences in value.entries for sentence in sentences]
    return []


def _shorten(value: Value, keep: int) -> Value:
    """The value with its first `keep` pieces only; a passage left without sentences goes."""
    if isinstance(value, Lines):
        return Lines(value.entries[:keep])
    if not isinstance(value, Passages):
        return value
    kept, left = [], keep
    for title, sentences in value.entries:
        if left > 0:
            kept.append((title, sentences[:left]))
        left -= len(sentences)
    return Passages(tuple(kept))


def _said(name: str, value: Value, keep: int) -> str:
    total = len(_pieces(value))
    unit = "entries" if isinstance(value, Lines) else "sentences"
    return f"{name}: {total - keep} of {total} {unit} did not fit the window"


def _size(rendered: Rendered, count: Count) -> int:
    texts = [message.text for message in rendered.messages] + [rendered.prefix]
    return sum(count(texts)) + _TEMPLATE_TOKENS


def fit(prompt: Prompt, count: Count, budget: int) -> Rendered:
    """Render the prompt in at most `budget` tokens, cutting the longest input first.

    Raises PromptTooLong when it does not fit even with everything cut that may be cut.
    """
    values = dict(prompt.values)
    rendered = render(prompt, values)
    size = _size(rendered, count)
    if size <= budget:
        return rendered
    keep = {name: len(_pieces(value)) for name, value in values.items()}
    weights = {
        name: count([quote(p) for p in _pieces(v)]) for name, v in values.items() if keep[name]
    }
    while size > budget and any(keep[name] for name in weights):
        over = size - budget
        longest = max(
            (n for n in weights if keep[n]), key=lambda n: (sum(weights[n][: keep[n]]), n)
        )
        while over > 0 and keep[longest]:
            keep[longest] -= 1
            over -= max(1, weights[longest][keep[longest]])
        short = {name: _shorten(value, keep[name]) for name, value in values.items()}
        rendered = render(prompt, short)
        size = _size(rendered, count)
    if size > budget:
        raise PromptTooLong(
            f"The prompt needs {size} tokens and {budget} fit the window, even with all passages "
            "and lists cut. Shorten the question or open the model with a larger window."
        )
    cut = tuple(_said(n, values[n], keep[n]) for n in weights if keep[n] < len(_pieces(values[n])))
    return replace(rendered, cut=cut)
