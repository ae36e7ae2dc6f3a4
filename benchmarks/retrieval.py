"""R@2, R@3, R@5 of methods without an LLM, with paired differences to the first.

python -m irag corpus add wiki2 PATH/2wiki/corpus.jsonl.gz
python -m benchmarks.retrieval wiki2 PATH/2wiki/hipporag1000_questions.jsonl.gz
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.scoring import KS, gold_ids, print_differences, print_means, recall
from irag.data.questions import read_questions
from irag.engine import Play, play
from irag.methods import Method, parse_method
from irag.methods.chainrag import ChainRAG
from irag.methods.chainrag_references import fill_numbers
from irag.settings import load
from irag.types import Question
from irag.workbench import Workbench

NAMES = [f"R@{k}" for k in KS]
GOLD = "chainrag with gold sub-questions"
METHODS = ["naive_rag:reader=none", "kirag:constructor=none,reader=none"]


def parsed_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--limit", type=int)
    parser.add_argument(
        "--exact", action="store_true", help="MuSiQue: only questions whose passages are all exact"
    )
    parser.add_argument("--out", type=Path, help="write R@k per question id as JSON")
    return parser.parse_args()


def exact_ids(path: Path) -> set[str]:
    """Questions of a MuSiQue file whose every step names its passage exactly, not by a match."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {
        row["id"]
        for row in rows
        if all(step["gold_pid_how"] == "exact" for step in row["question_decomposition"])
    }


def method_for(text: str, question: Question) -> Method:
    """The method, or for GOLD ChainRAG with the gold sub-questions, earlier answers filled in."""
    if text != GOLD:
        return parse_method(text)
    asked, answers = list[str](), list[str]()
    for sub_question, answer in question.gold.sub_questions:
        asked.append(fill_numbers(sub_question, answers))
        answers.append(answer)
    return ChainRAG(decomposition="none", reader="none", sub_questions=" || ".join(asked))


def main() -> None:
    parsed = parsed_arguments()
    bench = Workbench(load())
    tools, corpus = bench.tools(parsed.corpus, "none"), bench.corpus(parsed.corpus)
    questions = list(read_questions(parsed.questions))
    if parsed.exact:
        known = exact_ids(parsed.questions)
        questions = [question for question in questions if question.id in known]
    questions = questions[: parsed.limit]
    gold = {q.id: gold_ids(q, corpus) for q in questions}
    lost = sum(not one for some in gold.values() for one in some)
    asked = [q for q in questions if gold[q.id] and all(gold[q.id])]
    print(f"{len(asked)} of {len(questions)} questions; {lost} gold documents not in the corpus")
    scores: dict[str, NDArray[np.float64]] = {}
    for text in parsed.methods:
        began = time.perf_counter()
        plays = [Play(method_for(text, question), question) for question in asked]
        traces = list(play(plays, tools, width=64))
        seconds = time.perf_counter() - began
        failed = sum(trace.stopped == "failed" for trace in traces)
        scores[text] = np.array([[recall(t, gold[t.question.id], k) for k in KS] for t in traces])
        print_means(text, NAMES, scores[text])
        print(f"  n={len(asked)} failed={failed} {seconds:.0f} s", flush=True)
    print_differences(NAMES, scores)
    if parsed.out:
        rows = {
            text: {q.id: row.round(4).tolist() for q, row in zip(asked, values, strict=True)}
            for text, values in scores.items()
        }
        parsed.out.write_text(json.dumps(rows, indent=0), "utf-8")


if __name__ == "__main__":
    main()
