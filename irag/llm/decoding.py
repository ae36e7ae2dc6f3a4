"""Reading prompts and writing replies with a causal model of transformers.

Prompts are read one by one, in pieces, each on top of the longest beginning that is still kept from
an earlier one; reading is bound by arithmetic, so a batch would gain nothing. Writing is bound by
memory, so all rows are written together: their caches are padded on the left and stacked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irag.errors import Cancelled
from irag.llm.rows import Row
from irag.tools import Cancel, EmitText

if TYPE_CHECKING:
    import torch

__all__ = ["PIECE", "Decoder", "Kept", "Prefixes"]

PIECE = 256
"""Prompt tokens read at a time; a stop is looked at between them."""

Layers = list[tuple["torch.Tensor", "torch.Tensor"]]
"""Keys and values of each layer, (rows, heads, tokens, size)."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The keys and values of a prompt that was read."""

    tokens: list[int]
    layers: Layers

    def shared(self, tokens: list[int]) -> int:
        """How many first tokens another prompt has in common with this one."""
        pairs = zip(self.tokens, tokens, strict=False)
        differs = (n for n, (a, b) in enumerate(pairs) if a != b)
        return next(differs, min(len(self.tokens), len(tokens)))


class Prefixes:
    """The last few prompts read, so that a beginning they share is read once.

    Several, because a play goes back and forth between prompts (choosing, answering) whose
    beginnings differ.
    """

    def __init__(self, size: int = 4) -> None:
        self._size = size
        self._kept: list[Kept] = []

    def longest(self, tokens: list[int]) -> Layers:
        """Keys and values of the longest kept beginning that leaves a token to read; or []."""
        if not self._kept:
            return []
        best = max(self._kept, key=lambda kept: kept.shared(tokens))
        length = min(best.shared(tokens), len(tokens) - 1)
        if length <= 0:
            return []
        return [(keys[:, :, :length], values[:, :, :length]) for keys, values in best.layers]

    def keep(self, read: Kept) -> None:
        """Remember a prompt, in place of one of which it has the greater part, else the oldest."""
        self._kept = [
            kept for kept in self._kept if 2 * kept.shared(read.tokens) < len(kept.tokens)
        ]
        self._kept = [*self._kept, read][-self._size :]

    def clear(self) -> None:
        """Free them all."""
        self._kept = []


class Decoder:
    """A model that writes rows. `plain`: its layers keep all keys, so prefixes and batches work."""

    def __init__(self, model: Any, prefixes: Prefixes | None = None) -> None:  # noqa: ANN401
        from transformers.cache_utils import DynamicLayer

        self.model = model
        self._prefixes = Prefixes() if prefixes is None else prefixes
        self.plain = all(type(layer) is DynamicLayer for layer in self._cache([]).layers)

    def write(self, rows: list[Row], emit: EmitText, cancel: Cancel) -> None:
        """Write all rows to their end. Raises Cancelled between tokens and pieces of a prompt."""
        import torch

        with torch.inference_mode():
            for group in [rows] if self.plain else [[row] for row in rows]:
                read = [self._read(row, cancel) for row in group]
                self._write(group, read, emit, cancel)

    def close(self) -> None:
        """Free the weights and what is kept."""
        self._prefixes.clear()
        self.model = None

    def _cache(self, layers: Layers) -> Any:  # noqa: ANN401  transformers' own
        from transformers import DynamicCache

        return DynamicCache(layers or None, config=self.model.config)

    def _read(self, row: Row, cancel: Cancel) -> tuple[Any, torch.Tensor]:
        """The cache of a row's prompt, and the logits (vocabulary,) of what comes next."""
        import torch

        known = self._prefixes.longest(row.prompt) if self.plain else []
        cache = self._cache(known)
        length = known[0][0].shape[2] if known else 0
        logits = None
        for start in range(length, len(row.prompt), PIECE):
            if cancel.is_set():
                raise Cancelled()
            piece = torch.tensor([row.prompt[start : start + PIECE]], device=self.model.device)
            logits = self.model(
                input_ids=piece, cache=cache, use_cache=True, logits_to_keep=1
            ).logits
        if self.plain:
            layers = [(layer.keys, layer.values) for layer in cache.layers]
            self._prefixes.keep(Kept(row.prompt, layers))
        assert logits is not None
        return cache, logits[0, -1].float()

    def _write(
        self,
        rows: list[Row],
        read: list[tuple[Any, torch.Tensor]],
        emit: EmitText,
        cancel: Cancel,
    ) -> None:
        cache, mask = self._stack([cache for cache, _ in read])
        logits = [row_logits for _, row_logits in read]
        del read
        while True:
            for row, row_logits in zip(rows, logits, strict=True):
                row.take(row_logits)
                row.show(emit)
            if cancel.is_set():
                raise Cancelled()
            going = [n for n, row in enumerate(rows) if not row.done]
            if not going:
                return
            if len(going) < len(rows):
                rows = [rows[n] for n in going]
                cache.batch_select_indices(mask.new_tensor(going))
                mask = mask[going]
            mask, logits = self._step(rows, cache, mask)

    def _stack(self, caches: list[Any]) -> tuple[Any, torch.Tensor]:
        """One cache of all rows, padded on the left, and its mask (rows, tokens)."""
        import torch
        from torch.nn.functional import pad

        lengths = [cache.get_seq_length() for cache in caches]
        width = max(lengths)
        mask = torch.tensor(
            [[0] * (width - n) + [1] * n for n in lengths], device=self.model.device
        )
        if len(caches) == 1:
            return caches[0], mask
        layers: Layers = []
        for parts in zip(*(cache.layers for cache in caches), strict=True):
            keys = [pad(p.keys, (0, 0, width - p.keys.shape[2], 0)) for p in parts]
            values = [pad(p.values, (0, 0, width - p.values.shape[2], 0)) for p in parts]
            layers.append((torch.cat(keys), torch.cat(values)))
        return self._cache(layers), mask

    def _step(
        self,
        rows: list[Row],
        cache: Any,
        mask: torch.Tensor,  # noqa: ANN401
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """Read the one or more tokens each row wrote last; the new mask and each row's logits."""
        import torch

        width = max(len(row.feed) for row in rows)
        gaps = [width - len(row.feed) for row in rows]
        fed = mask.new_tensor([[0] * gap + row.feed for gap, row in zip(gaps, rows, strict=True)])
        new = mask.new_tensor([[0] * gap + [1] * (width - gap) for gap in gaps])
        mask = torch.cat([mask, new], dim=1)
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, -width:]
        logits = self.model(
            input_ids=fed,
            attention_mask=mask,
            position_ids=positions,
            cache=cache,
            use_cache=True,
            logits_to_keep=1,
        ).logits
        return mask, [row_logits.float() for row_logits in logits[:, -1]]
