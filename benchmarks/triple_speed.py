"""Time of triple extraction over the time of a bare `nlp.pipe` with the model's own components.

python -m benchmarks.triple_speed PASSAGES.jsonl.gz SPACY_MODEL_FOLDER [--passages 1500]

Both are warmed up first, then measured in turn, twice; the ratio is of the better times.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import spacy

from irag.text import clean, sentences
from irag.triples import open_extractor
from irag.types import Document, document_id


def passages(path: Path, count: int) -> list[Document]:
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in islice(lines, count):
            record = json.loads(line)
            title, text = record["title"], clean(record["text"])
            found.append(Document(document_id(title, text), title, text, sentences(text)))
    return found


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("passages", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--passages", dest="count", type=int, default=1500)
    chosen = parser.parse_args()
    documents = passages(chosen.passages, chosen.count)
    texts = [document.text for document in documents]
    nlp, extractor = spacy.load(chosen.model), open_extractor(chosen.model)

    def bare() -> None:
        for _ in nlp.pipe(texts):
            pass

    def ours() -> None:
        for _ in extractor.extract(documents):
            pass

    for _ in nlp.pipe(texts[:50]):
        pass
    list(extractor.extract(documents[:50]))
    times = [(seconds(bare), seconds(ours)) for _ in range(2)]
    base, own = (min(pair[i] for pair in times) for i in (0, 1))
    print(f"{len(documents)} passages: nlp.pipe {base:.1f} s, triples {own:.1f} s")
    print(f"ratio {own / base:.2f} (at most 1.40 wanted)")


if __name__ == "__main__":
    main()
