"""A sentence-transformers model made quick: bf16 passages in batches of like length."""

from __future__ import annotations

import copy
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irag.errors import ModelError
from irag.models.processor import has_bf16
from irag.retrieval.vectors import Vectors, checked

__all__ = ["Prefixes", "SentenceEmbedder"]

BATCH_TOKENS = 4096  # best of 512 to 8192 on two cores, 9 % before 1024
RECENT_QUERIES = 4096  # 384 floats each: 6 MB


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants in front of texts ("query: "); never shown, only embedded."""

    query: str = ""
    passage: str = ""


class SentenceEmbedder:
    """An Embedder over a sentence-transformers folder or hub name; safe to call from threads.

    Passages go through bf16 weights where the device has bf16 units (cosine to float32 above
    0.999), queries through float32; recent queries are remembered. An empty text is embedded
    like any other (the model's vector of "no words"); a text too long is cut at `max_tokens`.
    """

    def __init__(self, model: str | Path, name: str = "", prefixes: Prefixes | None = None) -> None:
        self._model = _load(model)
        self._tokenizer = self._model.tokenizer
        stored = self._model.prompts or {}
        self.prefixes = prefixes or Prefixes(
            stored.get("query") or "", stored.get("passage") or stored.get("document") or ""
        )
        base = name or Path(model).name
        plain = self.prefixes == Prefixes()
        shown = json.dumps([self.prefixes.query, self.prefixes.passage], ensure_ascii=False)
        self.name = base if plain else f"{base} with prefixes {shown}"
        self.dimension: int = self._model.get_embedding_dimension()
        self.max_tokens: int = self._model.max_seq_length or 512
        self._device = str(self._model.device)
        self._narrow: Any = None
        self._recent: OrderedDict[str, Vectors] = OrderedDict()
        # Fast tokenizers are not thread-safe ("Already borrowed"), and two forward passes at
        # once only fight for the same cores.
        self._lock = threading.RLock()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, in their order; shape (n, d)."""
        with self._lock:
            return self._embed(self._for_passages(), self.prefixes.passage, _listed(texts))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to search with, in their order; shape (n, d). Repeats cost nothing."""
        wanted = _listed(texts)
        with self._lock:
            found = {text: self._recent[text] for text in wanted if text in self._recent}
            new = [text for text in dict.fromkeys(wanted) if text not in found]
            rows = self._embed(self._model, self.prefixes.query, new)
            found.update(zip(new, rows, strict=True))
            for text in wanted:
                self._recent[text] = found[text]
                self._recent.move_to_end(text)
            while len(self._recent) > RECENT_QUERIES:
                self._recent.popitem(last=False)
        return np.array([found[text] for text in wanted], np.float32).reshape(-1, self.dimension)

    def _for_passages(self) -> Any:
        if self._narrow is None:
            fast = has_bf16(self._device.partition(":")[0])
            self._narrow = copy.deepcopy(self._model).bfloat16() if fast else self._model
        return self._narrow

    def _embed(self, model: Any, prefix: str, texts: list[str]) -> Vectors:
        import torch

        rows = np.zeros((len(texts), self.dimension), np.float32)
        if not texts:
            return rows
        encoded = self._tokenizer(
            [prefix + text for text in texts],
            truncation=True,
            max_length=self.max_tokens,
            verbose=False,
        )["input_ids"]
        with torch.inference_mode():
            for members in _batches([len(ids) for ids in encoded], BATCH_TOKENS):
                batch = self._tokenizer.pad(
                    {"input_ids": [encoded[i] for i in members]}, return_tensors="pt"
                )
                features = {name: tensor.to(self._device) for name, tensor in batch.items()}
                rows[members] = model(features)["sentence_embedding"].float().cpu().numpy()
        return checked(rows, len(texts), self.dimension)[0]


def _batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices of texts, longest first, so that padded batches hold at most `budget` tokens."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _listed(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):
        raise TypeError("Texts are a list; for one text pass [text].")
    return list(texts)


def _load(model: str | Path) -> Any:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging
    except ImportError as error:
        raise ModelError("An embedder needs: pip install sentence-transformers") from error
    logging.disable_progress_bar()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        loaded = SentenceTransformer(
            str(model), device=device, local_files_only=Path(model).exists()
        )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelError(
            f"The embedder {model} could not be opened ({error}). Get it with "
            "`python -m irag models pull`, or name another one in the settings."
        ) from error
    return loaded.float().eval()
