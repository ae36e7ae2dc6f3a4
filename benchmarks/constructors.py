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
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.scoring import KS, gold_ids, print_differences, print_means, recall, score
from irag.data.questions import read_questions
from irag.engine import answer_many
from irag.llm.recorded import Recorder
from irag.methods import parse_method
from irag.settings import load
from irag.types import Question, Trace
from irag.workbench import Workbench

NAMES = ["EM", "F1", *(f"R@{k}" for k in KS)]
METHODS = ["naive_rag", "kirag:constructor=none", "kirag:constructor=choose"]


def parsed_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--llm", required=True)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--first", type=int, default=40)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--show", action="store_true", help="print every answer")
    return parser.parse_args()


def show(questions: Sequence[Question], traces: Sequence[Trace]) -> None:
    for question, trace in zip(questions, traces, strict=True):
        said = trace.answer.text if trace.answer else None
        chain = [triple.text for triple in trace.answer.chain] if trace.answer else []
        row = [question.id, said, list(question.gold.answers)[:2], chain, trace.stopped]
        print(json.dumps(row, ensure_ascii=False))


def main() -> None:
    parsed = parsed_arguments()
    bench = Workbench(load())
    corpus, tools = bench.corpus(parsed.corpus), bench.tools(parsed.corpus, parsed.llm)
    if parsed.record and tools.llm is not None:
        tools = replace(tools, llm=Recorder(tools.llm, parsed.record))
    every = [q for q in read_questions(parsed.questions) if q.gold.documents]
    questions = every[parsed.skip : parsed.skip + parsed.first]
    scores: dict[str, NDArray[np.float64]] = {}
    for text in parsed.methods:
        began = time.perf_counter()
        traces = answer_many(questions, parse_method(text), tools, parsed.width)
        seconds = (time.perf_counter() - began) / len(traces)
        rows = [
            [score("EM", t), score("F1", t), *(recall(t, gold_ids(q, corpus), k) for k in KS)]
            for q, t in zip(questions, traces, strict=True)
        ]
        scores[text] = np.array(rows)
        print_means(text, NAMES, scores[text])
        calls = sum(t.usage.calls for t in traces) / len(traces)
        failed = sum(t.stopped == "failed" for t in traces)
        print(
            f"  n={len(traces)} failed={failed}; a question: {calls:.1f} calls, {seconds:.1f} s",
            flush=True,
        )
        if parsed.show:
            show(questions, traces)
    print_differences(NAMES, scores)


if __name__ == "__main__":
    main()
