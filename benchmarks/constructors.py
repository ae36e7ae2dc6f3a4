"""Which constructor is the default: choose or none, on 40 2Wiki questions with one LLM.

    python -m benchmarks.constructors wiki2 PATH/2wiki/hipporag1000_questions.jsonl.gz \
        --llm hf:qwen2.5-coder-0.5b --record benchmarks/results/constructors.jsonl.gz

Replies are recorded as they come (hash of the request and reply, no passage), and a second run
with `--llm recorded:FILE` costs nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from benchmarks.scoring import KS, gold_ids, interval, recall
from irag.data.questions import read_questions
from irag.engine import answer_many
from irag.llm.recorded import Recorder
from irag.methods import parse_method
from irag.settings import load
from irag.text import exact_match, token_f1
from irag.types import Question, Trace
from irag.workbench import Workbench

METHODS = ["naive_rag", "kirag:constructor=none", "kirag:constructor=choose"]


def quality(question: Question, trace: Trace) -> tuple[float, float]:
    """EM and F1, best over the gold answers; no answer scores 0."""
    text = trace.answer.text if trace.answer else None
    if text is None:
        return 0.0, 0.0
    gold = question.gold.answers
    return (
        float(any(exact_match(text, g) for g in gold)),
        max(token_f1(text, g) for g in gold),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--llm", required=True)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--first", type=int, default=40)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--show", action="store_true", help="print every answer")
    parsed = parser.parse_args()
    bench = Workbench(load())
    corpus = bench.corpus(parsed.corpus)
    tools = bench.tools(parsed.corpus, parsed.llm)
    if parsed.record:
        from dataclasses import replace

        assert tools.llm is not None
        tools = replace(tools, llm=Recorder(tools.llm, parsed.record))
    every = [q for q in read_questions(parsed.questions) if q.gold.documents]
    questions = every[: parsed.first]
    scores: dict[str, np.ndarray] = {}
    for text in parsed.methods:
        began = time.perf_counter()
        traces = answer_many(questions, parse_method(text), tools, parsed.width)
        seconds = time.perf_counter() - began
        rows = [
            [*quality(q, t), *(recall(t, gold_ids(q, corpus), k) for k in KS)]
            for q, t in zip(questions, traces, strict=True)
        ]
        scores[text] = np.array(rows)
        calls = sum(t.usage.calls for t in traces) / len(traces)
        failed = sum(t.stopped == "failed" for t in traces)
        names = ["EM", "F1", *(f"R@{k}" for k in KS)]
        means = scores[text].mean(axis=0)
        line = "  ".join(f"{n} {100 * m:.1f}" for n, m in zip(names, means, strict=True))
        print(
            f"{text}: {line}  n={len(traces)} failed={failed} calls/question={calls:.1f} "
            f"{seconds / len(traces):.1f} s/question",
            flush=True,
        )
        if parsed.show:
            for q, t in zip(questions, traces, strict=True):
                said = t.answer.text if t.answer else None
                chain = [x.text for x in t.answer.chain] if t.answer else []
                print(json.dumps([q.id, said, list(q.gold.answers)[:2], chain, t.stopped]))
    first, *others = parsed.methods
    for text in others:
        for column, name in enumerate(["EM", "F1", *(f"R@{k}" for k in KS)]):
            mean, low, high = interval(scores[text][:, column] - scores[first][:, column])
            print(
                f"{text} - {first}: {name} {100 * mean:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
            )


if __name__ == "__main__":
    main()
