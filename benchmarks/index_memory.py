"""Peak memory while indexing 10,000 and 30,000 passages, and the line through both at 100,000.

    python -m benchmarks.index_memory PASSAGES.jsonl.gz [--light] [--sizes 10000 30000]

Passages beyond those of the file are copies with changed text. Each size is indexed by a child
process into a folder of its own, and its largest resident set counts. --light puts a stand-in for
the extractor's model and a quick embedder of the same dimension, to see the index alone.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from irag import settings
from irag.corpus import Indexer
from irag.corpus.opening import open_embedder, open_extractor_of
from irag.retrieval.vectors import Embedder, Vectors
from irag.tools import Cancel
from irag.triples import Extraction, Extractor
from irag.types import Document, Triple, triple_id

SIZES = (10_000, 30_000)
PLANNED, LIMIT = 100_000, 3.0


class QuickEmbedder:
    """Random directions: the cost of vectors without that of a model."""

    name, dimension, max_tokens = "quick", 384, 256

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.random.default_rng(0).normal(size=(len(texts), 384)).astype(np.float32)

    embed_queries = embed_passages


class QuickExtractor:
    """Two triples a sentence, about as many as the rules find."""

    name = "quick"

    def extract(
        self, documents: Sequence[Document], sample: int = 0, cancel: Cancel | None = None
    ) -> Iterator[Extraction]:
        for document in documents:
            triples = (
                Triple(triple_id(*p, document.id, n), *p, source=(document.id, n))
                for n in range(len(document.sentences))
                for p in ((document.title, f"says {k}", document.sentence(n)[:60]) for k in (1, 2))
            )
            yield Extraction(tuple(triples))


def write_copies(source: Path, target: Path, count: int) -> None:
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    with target.open("w", encoding="utf-8") as out:
        for number, row in enumerate(itertools.islice(itertools.cycle(rows), count)):
            text = f"{row['text']} Entry {number}." if number >= len(rows) else row["text"]
            out.write(json.dumps({"title": row["title"], "text": text}) + "\n")


def child(passages: Path, light: bool) -> None:
    chosen = settings.load()
    embedder: Embedder = QuickEmbedder() if light else open_embedder(chosen)
    extractor: Extractor = QuickExtractor() if light else open_extractor_of(chosen)
    with tempfile.TemporaryDirectory() as home:
        Indexer(Path(home), "copies", embedder, extractor).add([passages])
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20))


def measured(source: Path, count: int, light: bool) -> float:
    with tempfile.TemporaryDirectory() as folder:
        passages = Path(folder) / "copies.jsonl"
        write_copies(source, passages, count)
        flags = ["--light"] if light else []
        command = [
            sys.executable,
            "-m",
            "benchmarks.index_memory",
            str(passages),
            "--child",
            *flags,
        ]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(told.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=Path)
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--sizes", type=int, nargs=2, default=SIZES)
    parser.add_argument("--child", action="store_true")
    parsed = parser.parse_args()
    if parsed.child:
        child(parsed.passages, parsed.light)
        return
    peaks = []
    for count in parsed.sizes:
        peaks.append(measured(parsed.passages, count, parsed.light))
        print(f"{count:,} passages: {peaks[-1]:.2f} GB", flush=True)
    small, large = parsed.sizes
    planned = peaks[1] + (peaks[1] - peaks[0]) / (large - small) * (PLANNED - large)
    print(f"the line at {PLANNED:,}: {planned:.2f} GB (wanted under {LIMIT:.0f})")


if __name__ == "__main__":
    main()
