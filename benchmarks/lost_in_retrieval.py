"""Lost in retrieval on MuSiQue: R@2 of the second sub-question, raw and with its reference filled.

    python -m irag corpus add musique PATH/musique/corpus.jsonl.gz
    python -m benchmarks.lost_in_retrieval musique PATH/musique/corpus_questions.jsonl.gz \
        --llm hf:qwen2.5-coder-0.5b --limit 40 --record benchmarks/replies/lost.jsonl.gz

Three rows: the second sub-question as it stands ("#1 >> founded by"), rewritten by the LLM with
its own answer to the first, and with the gold answer filled in. Only questions count whose passages
are known exactly and whose second sub-question refers to the first. The LLM's row is over the first
`--limit` of them, and so are the differences; without `--llm` that row is left out. A second run
with `--llm recorded:FILE` costs nothing.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.scoring import interval, recall
from irag.actions import MethodFlow
from irag.corpus import Corpus
from irag.data.questions import resolve_gold
from irag.engine import play
from irag.llm.recorded import Recorder
from irag.methods import parse_method
from irag.methods.chainrag_calls import Pair, rewrite
from irag.methods.chainrag_references import fill_numbers, refers
from irag.performing import Tools
from irag.remarks import Rewritten
from irag.running import Play
from irag.settings import load
from irag.types import Gold, Question, Trace
from irag.workbench import Workbench

FIRST = "chainrag:decomposition=none"
SEARCH = "naive_rag:reader=none"
K = 2


@dataclass(frozen=True, slots=True)
class TwoSteps:
    """The first two sub-questions of a question, and the gold passage of the second."""

    question: Question
    first: str
    answer: str
    second: str


@dataclass(frozen=True)
class Filled:
    """Searches with the second sub-question, filled in with an answer that is known, or raw."""

    search: str
    asked: str

    def solve(self, question: str) -> MethodFlow:
        """The documents that the sub-question finds."""
        return (yield from parse_method(self.search).solve(self.asked))


@dataclass(frozen=True)
class ByLLM:
    """Answers the first sub-question, rewrites the second with that answer and searches with it."""

    search: str
    steps: TwoSteps
    first: str = FIRST

    def solve(self, question: str) -> MethodFlow:
        """The documents that the rewritten sub-question finds."""
        found = yield from parse_method(self.first).solve(self.steps.first)
        earlier = [Pair(self.steps.first, found.text)]
        asked, how = yield from rewrite(self.steps.second, earlier)
        yield from Rewritten(self.steps.second, asked, how)
        return (yield from parse_method(self.search).solve(asked))


def exact(path: Path) -> Iterator[TwoSteps]:
    """The questions of the file whose every passage is known exactly, in its order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            steps = record["question_decomposition"]
            if all(step.get("gold_pid_how") == "exact" for step in steps):
                first, second = steps[:2]
                gold = Gold(documents=(f"musique:{second['gold_pid']}",))
                asked = Question(record["id"], record["question"], gold)
                yield TwoSteps(asked, first["question"], first["answer"], second["question"])


def scores(plays: Sequence[Play], tools: Tools, corpus: Corpus) -> NDArray[np.float64]:
    """R@2 of each play, in their order; one that failed scores 0 and is named."""
    traces: dict[str, Trace] = {}
    for trace in play(plays, tools):
        traces[trace.question.id] = trace
        remarks = [s.action for s in trace.steps if isinstance(s.action, Rewritten)]
        for one in remarks:
            print(f"  {trace.question.id}: {one.why}", flush=True)
        if trace.error:
            print(f"  {trace.question.id} failed: {trace.error}", flush=True)
    return np.array([_recall(traces[one.question.id], corpus) for one in plays])


def _recall(trace: Trace, corpus: Corpus) -> float:
    found = resolve_gold(trace.question, corpus).documents
    return recall(trace, [frozenset(ids) for ids in found], K)


def parsed_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--llm", default="none")
    parser.add_argument("--limit", type=int, default=40, help="questions of the LLM's row")
    parser.add_argument("--search", default=SEARCH, help="METHOD that searches (naive_rag)")
    parser.add_argument("--first", default=FIRST, help="METHOD that answers the first one")
    parser.add_argument("--record", type=Path)
    return parser.parse_args()


def main() -> None:
    parsed = parsed_arguments()
    bench = Workbench(load())
    tools, corpus = bench.tools(parsed.corpus, parsed.llm), bench.corpus(parsed.corpus)
    if parsed.record and tools.llm is not None:
        tools = replace(tools, llm=Recorder(tools.llm, parsed.record))
    every = list(exact(parsed.questions))
    known = [one for one in every if resolve_gold(one.question, corpus).documents]
    asked = [one for one in known if refers(one.second, 1)]
    print(f"{len(every)} exact questions; {len(every) - len(known)} passages not in the corpus;")
    print(f"{len(asked)} whose second sub-question refers to the first")
    forms = {
        "raw": [one.second for one in asked],
        "gold": [fill_numbers(one.second, [one.answer]) for one in asked],
    }
    rows = {
        name: scores(
            [
                Play(Filled(parsed.search, text), one.question)
                for one, text in zip(asked, texts, strict=True)
            ],
            tools,
            corpus,
        )
        for name, texts in forms.items()
    }
    for name, row in rows.items():
        print(f"{name}: R@{K} {100 * row.mean():.1f} (n={len(row)})", flush=True)
    if tools.llm is not None:
        some = asked[: parsed.limit]
        plays = [Play(ByLLM(parsed.search, one, parsed.first), one.question) for one in some]
        compare({**rows, "by the LLM": scores(plays, tools, corpus)}, len(some))


def compare(rows: dict[str, NDArray[np.float64]], n: int) -> None:
    """All rows over the first n questions, and their paired differences to the raw one."""
    print(f"over the first {n}:")
    for name, row in rows.items():
        mean, low, high = interval(row[:n] - rows["raw"][:n])
        span = f"{100 * mean:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}] to raw"
        print(f"{name}: R@{K} {100 * row[:n].mean():.1f} (n={n})  {span}")


if __name__ == "__main__":
    main()
