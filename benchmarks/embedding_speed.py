"""Passages per second against a plain SentenceTransformer.encode, and the cosine between both.

    python -m benchmarks.embedding_speed MODEL_FOLDER PASSAGES.jsonl.gz [how many]

Both run on the same passages in turns, and the best of three rounds counts for each. The last line
says how much quicker the processor multiplies bf16 matrices of this model's sizes than float32
ones: the whole can hardly be quicker than that.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Callable

import numpy as np

from irag.models.processor import has_bf16
from irag.retrieval.embedder import SentenceEmbedder


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def multiplication_ratio(hidden: int) -> float:
    """How much quicker bf16 is than float32 at the largest product of a layer."""
    import torch

    rows, weights = torch.randn(1024, hidden), torch.randn(4 * hidden, hidden)
    narrow = rows.bfloat16(), weights.bfloat16()

    def spent(left: torch.Tensor, right: torch.Tensor) -> float:
        def many() -> None:
            for _ in range(50):
                torch.nn.functional.linear(left, right)

        many()
        return min(seconds(many) for _ in range(3))

    with torch.inference_mode():
        slow, fast = spent(rows, weights), spent(*narrow)
    return slow / fast


def main(folder: str, passages: str, count: int = 384) -> None:
    from sentence_transformers import SentenceTransformer

    with gzip.open(passages, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(count), strict=False)]
    texts = [f"{row['title']}. {row['text']}" for row in rows]
    plain = SentenceTransformer(folder, device="cpu")
    ours = SentenceEmbedder(folder)

    def encode(some: list[str]) -> np.ndarray:
        return plain.encode(some, batch_size=32, normalize_embeddings=True, show_progress_bar=False)

    encode(texts[:32])
    ours.embed_passages(texts[:32])
    slow = fast = float("inf")
    for _ in range(3):
        slow = min(slow, seconds(lambda: encode(texts)))
        fast = min(fast, seconds(lambda: ours.embed_passages(texts)))
    cosine = (encode(texts) * ours.embed_passages(texts)).sum(axis=1)
    bf16 = has_bf16("cpu")
    print(f"passages {len(texts)}, bf16 units {'yes' if bf16 else 'no'}")
    print(f"plain encode {len(texts) / slow:.1f}/s, embed_passages {len(texts) / fast:.1f}/s")
    wanted = 2.3 if bf16 else 0.95
    print(f"ratio {slow / fast:.2f} (wanted {wanted}), cosine at least {cosine.min():.5f}")
    print(f"bf16 products alone: {multiplication_ratio(ours.dimension):.2f} times as quick")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
