"""How much a reply's tokens looked at each token before them; a second reading, made on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

__all__ = ["last_layer_attention"]


def last_layer_attention(model: Any, prompt: Sequence[int], reply: Sequence[int]) -> list[float]:
    """The weight of each token of prompt and reply, in order; shape (prompt + reply,).

    From the last layer: the mean over its heads and over the reply's tokens, so that the weights
    sum to 1 (DRAGIN, section 3.2, takes its query words by such weights). [] for no reply.
    """
    import torch

    if not reply:
        return []
    tokens = torch.tensor([[*prompt, *reply]], device=model.device)
    kept: list[Any] = []

    def keep(module: Any, given: Any, result: Any) -> None:
        kept.append(result[1])

    last = model.get_decoder().layers[-1].self_attn
    with _eager(model), torch.inference_mode():
        hook = last.register_forward_hook(keep)
        try:
            model(tokens, use_cache=False, logits_to_keep=1)
        finally:
            hook.remove()
    # The row of a token says what it looked at; the token before the reply wrote its first one.
    rows = kept[0][0, :, len(prompt) - 1 : -1].float()
    return [float(weight) for weight in rows.mean(dim=(0, 1))]


@contextmanager
def _eager(model: Any) -> Iterator[None]:
    """Fused attention never forms the weights; only the plain one returns them."""
    before = model.config._attn_implementation
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(before)
