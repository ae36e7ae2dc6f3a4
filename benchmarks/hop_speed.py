"""One KiRAG hop without its LLM call, against embedding its queries alone.

    python -m benchmarks.hop_speed CORPUS QUESTIONS.jsonl.gz [how many questions]

A hop is: search the 10 best documents for the question (the chain's query embedded beside it),
get their triples, rank the best 20. Every question is new to both sides, so nothing is served from
memory but hot documents. Both sides are timed in turns; medians over questions are compared.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from irag import settings
from irag.corpus import Corpus, open_corpus
from irag.corpus.opening import open_embedder
from irag.data.questions import read_questions


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def hop(corpus: Corpus, question: str, chained: str) -> int:
    documents = [hit.unit.id for hit in corpus.search([question], 10, beside=[chained])[0]]
    triples = [triple for some in corpus.triples_of(documents) for triple in some]
    corpus.rank([chained], [triples], 20)
    return len(triples)


def main(name: str, questions: str, count: int = 100) -> None:
    chosen = settings.load()
    embedder = open_embedder(chosen)
    corpus = open_corpus(chosen.home, name, embedder)
    texts = [question.text for question in read_questions(Path(questions))][: 2 * count]
    hop(corpus, "warm", "up")
    hops, alone, triples = [], [], 0
    for first, second in zip(texts[::2], texts[1::2], strict=False):
        pair = [f"{first} 1", f"{second} (Osk; capital of; Veldland)"]
        alone.append(seconds(lambda pair=pair: embedder.embed_queries(pair)))
        began = time.perf_counter()
        triples += hop(corpus, f"{first} 2", f"{second} (Tem; flows into; Osk)")
        hops.append(time.perf_counter() - began)
    whole, embedding = statistics.median(hops), statistics.median(alone)
    print(f"{corpus.key}: {corpus.document_count} passages, {corpus.triple_count} triples")
    print(f"{len(hops)} hops, {triples / len(hops):.0f} triples a hop")
    print(f"hop {1e3 * whole:.1f} ms, its queries alone {1e3 * embedding:.1f} ms")
    print(f"ratio {whole / embedding:.2f} (wanted at most 2.5)")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
