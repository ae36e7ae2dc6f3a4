"""The graphs of a corpus against embedding its sentences, and single steps in milliseconds.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \\
        python -m benchmarks.graph_speed CORPUS [passages that are embedded, default 600]

With more threads, those that wait for others count as work where the machine is busy.

The sentence graph is built anew, reading the triples' names from the database, and stored nowhere.
The sentences of evenly spread passages are embedded; the time of all follows from their number.
Both are processor time. Steps: an expansion from 3 seeds over all edges, a spanning tree of 300
triples, a page rank over the entity graph from 5 names, the mentions of all titles in a question.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from irag import settings
from irag.corpus.database import open_engine
from irag.corpus.entities import build_entities
from irag.corpus.graphs import Graphs
from irag.corpus.manifest import Manifest
from irag.corpus.names import existing_folder
from irag.corpus.opening import open_embedder
from irag.corpus.rows import Rows
from irag.corpus.segment import open_segment
from irag.graphs import maximum_spanning_tree, triple_edges
from irag.graphs.communities import communities
from irag.graphs.pagerank import Walk
from irag.graphs.sentences import KINDS, SentenceEdges
from irag.match import NameIndex
from irag.types import Document, Scored, Sentence, Triple

QUESTION = "Where was the director of the film Hypocrite who was married to Osk Harbour born?"


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def processor_seconds(work: Callable[[], object]) -> float:
    """Of all threads together: other work on the machine changes it little."""
    began = time.process_time()
    work()
    return time.process_time() - began


def step(name: str, work: Callable[[], object]) -> None:
    print(f"{name}: {1e3 * statistics.median(seconds(work) for _ in range(20)):.2f} ms")


def adjacency(ends: NDArray[np.int32], nodes: int) -> sparse.csr_array:
    joins = ends[(ends >= 0).all(axis=1)]
    ones = np.ones(len(joins), np.float32)
    one_way = sparse.coo_array((ones, (joins[:, 0], joins[:, 1])), shape=(nodes, nodes)).tocsr()
    return sparse.csr_array(one_way + one_way.T)


def steps(graphs: Graphs, documents: list[Document], triples: list[Triple]) -> None:
    seeds = [Sentence(one, 0) for one in documents[:: max(1, len(documents) // 3)]]
    rows = list(range(0, 300, 100))
    step("expansion, rows alone", lambda: [graphs.sentences.neighbours(rows, k) for k in KINDS])
    step("expansion, with its sentences read", lambda: graphs.neighbours([seeds], KINDS))
    titles = [one.title for one in documents]
    scored = [Scored(triple, float(n % 17)) for n, triple in enumerate(triples[:300])]
    step("spanning tree", lambda: maximum_spanning_tree(triple_edges(scored)))
    index: list[NameIndex] = []
    print(
        f"index of {len(titles)} titles: {seconds(lambda: index.append(NameIndex(titles))):.2f} s"
    )
    step("mentions of all titles in a question", lambda: index[0].find(QUESTION))


def entity_steps(ends: NDArray[np.int32], nodes: int) -> None:
    graph = adjacency(ends, nodes)
    print(f"{nodes} entities, {graph.nnz // 2} edges")
    print(f"communities: {seconds(lambda: communities(graph)):.2f} s")
    walk, start = Walk(graph), np.zeros(nodes)
    start[np.linspace(0, nodes - 1, 5).astype(int)] = 1
    step("page rank", lambda: walk.spread(start))


def main(name: str, sample: int = 600) -> None:
    chosen = settings.load()
    embedder, folder = open_embedder(chosen), existing_folder(chosen.home, name)
    manifest = Manifest.read(folder)
    segments = [open_segment(folder / "segments" / one) for one in manifest.segments]
    dead = [manifest.dead(one) for one in manifest.segments]
    rows = Rows(open_engine(folder), manifest.generation)
    ids = [one for segment in segments for one in segment.ids]
    total = sum(len(segment.sentences) for segment in segments)
    documents = rows.documents(ids)
    spread = ids[:: max(1, len(ids) // sample)][:sample]
    texts = [documents[i].sentence(n) for i in spread for n in range(len(documents[i].sentences))]
    embedder.embed_passages(texts[:64])
    sampled = processor_seconds(lambda: embedder.embed_passages(texts))
    embedding = sampled * total / len(texts)
    made: list[SentenceEdges] = []
    with tempfile.TemporaryDirectory() as empty:
        graphs = Graphs(Path(empty), "timing", segments, dead, rows, embedder.embed_queries)
        building = processor_seconds(lambda: made.append(graphs.sentences))
    edges = made[0]
    print(f"{len(ids)} passages, {total} sentences, {len(texts)} of them embedded")
    print("edges: " + ", ".join(f"{kind} {getattr(edges, kind).nnz}" for kind in KINDS))
    print(f"processor time: graph {building:.1f} s, embedding all sentences {embedding:.1f} s")
    print(f"ratio {building / embedding:.2f} (wanted at most 0.5)")
    some = [triple for found in rows.triples(ids[:100]).values() for triple in found]
    steps(graphs, list(documents.values()), some)
    table = build_entities(segments, dead, rows, communities)
    entity_steps(table.ends, len(table.names))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
