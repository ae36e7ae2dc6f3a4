"""A cross-encoder reads a query and a text together: for a few hundred pairs, never a corpus."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from irag.errors import ModelError

__all__ = ["CrossReranker"]

PAIRS_AT_ONCE = 32


class CrossReranker:
    """A Reranker over a sentence-transformers CrossEncoder folder or hub name; loaded at first use.

    One batch holds the pairs of all queries, longest first, so that little is padded.
    """

    def __init__(self, model: str | Path, name: str = "") -> None:
        self.name = name or Path(model).name
        self._source = model
        self._model: Any = None
        self._lock = threading.Lock()

    def scores(self, queries: Sequence[str], texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """One score per text of each query; higher is better."""
        pairs = [(q, text) for q, some in zip(queries, texts, strict=True) for text in some]
        if not pairs:
            return [[] for _ in queries]
        with self._lock:
            found = self._opened().predict(
                pairs, batch_size=PAIRS_AT_ONCE, show_progress_bar=False, convert_to_numpy=True
            )
        if found.shape != (len(pairs),):
            raise ModelError(
                f"The reranker {self.name} gives {found.shape[1:]} numbers a pair, not one score. "
                "Choose a model trained for ranking, or none."
            )
        values = iter(found.tolist())
        return [[float(next(values)) for _ in some] for some in texts]

    def _opened(self) -> Any:
        if self._model is None:
            import torch
            from sentence_transformers import CrossEncoder

            device = "cuda" if torch.cuda.is_available() else "cpu"
            try:
                self._model = CrossEncoder(
                    str(self._source), device=device, local_files_only=Path(self._source).exists()
                )
            except (OSError, ValueError, KeyError, RuntimeError) as error:
                raise ModelError(
                    f"The reranker {self.name} could not be opened ({error}). Name a folder or a "
                    "model that is there, or leave the setting empty: the embedder ranks then."
                ) from error
        return self._model
