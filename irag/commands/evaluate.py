"""irag evaluate: methods x questions x measures, kept in a folder as it goes."""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

from irag import __version__
from irag.commands.evaluate_files import write_files
from irag.corpus import Corpus
from irag.corpus import progress as corpus_progress
from irag.corpus.cli import progress_of, stoppable
from irag.data.questions import QuestionFile, load_questions, resolve_gold
from irag.defaults import figures
from irag.errors import Cancelled, UnknownName, UserError
from irag.evaluation import Experiment, Folder, Plan, Planned, Progress, evaluate, report_of
from irag.evaluation.estimate import Estimate, Speed, estimate
from irag.evaluation.exports import report_json
from irag.evaluation.judging import judge
from irag.evaluation.similarity import compare_answers
from irag.evaluation.table import text_table
from irag.llm.recorded import Recorder
from irag.llm.scripted import Scripted, simplest
from irag.measures import STANDARD, Case, case_of, parse_measures
from irag.measures.similar import Cosine
from irag.methods import Method, parse_method
from irag.performing import Tools
from irag.settings import Settings, load
from irag.types import Gold, Question
from irag.workbench import Workbench

__all__ = ["add_parser"]

_PACKAGES = ("numpy", "faiss-cpu", "sentence-transformers", "spacy", "torch", "transformers")


def add_parser(subparsers: Any) -> None:
    """Add `evaluate`."""
    parser = subparsers.add_parser(
        "evaluate", help="play methods over a question set, and compare them"
    )
    say = parser.add_argument
    say("--corpus", required=True, help="the corpus's name")
    say("--questions", required=True, type=Path, help="a question set: JSON or JSON lines, .gz too")
    say("--methods", required=True, nargs="+", help='METHOD strings, "a b:key=value c"')
    say("--out", required=True, type=Path, help="the folder; the same one again goes on with it")
    say("--limit", type=int, help="how many questions: the first, or with --seed a sample")
    say("--seed", type=int, help="of the sample, the intervals and the tests (default: 0)")
    say("--measures", default=" ".join(map(str, STANDARD)), help="such as: R@5 nDCG@10 EM F1")
    say("--baseline", default="", help="the METHOD others are compared with (default: the first)")
    say("--llm", default="", help="LLM SPEC, or none (default: this machine's)")
    say("--judge", default="", help="LLM SPEC that scores answers for judged measures")
    say("--record", type=Path, help="write the LLM's replies here, to play them again: recorded:")
    say("--width", type=int, default=8, help="questions under way at once (default: 8)")
    say("--retry-failed", action="store_true", help="play again what failed before")
    say("--estimate", action="store_true", help="say what it would cost, and do nothing")
    say("--yes", action="store_true", help="do not ask before it starts")
    say("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """Estimate, play, report; 1 when a question failed."""
    bench = Workbench(load({"home": parsed.home}))
    llm = parsed.llm or bench.default_llm()
    methods = _methods(parsed.methods)
    baseline = _baseline(parsed.baseline, methods)
    read = load_questions(parsed.questions)
    questions = _chosen(read, parsed)
    corpus, tools = bench.corpus(parsed.corpus), bench.tools(parsed.corpus, llm)
    cases = [_case(question, corpus) for question in questions]
    plan = _plan(parsed, read, methods, cases, tools)
    if parsed.record and tools.llm is not None:
        tools = replace(tools, llm=Recorder(tools.llm, parsed.record))
    told = _estimate(methods, cases, _kept(parsed), tools, _speed(bench.settings, llm))
    print(told, file=sys.stderr, flush=True)
    if parsed.estimate or not _agreed(parsed, told):
        return 0
    folder = Folder.begin(parsed.out, plan)
    if parsed.retry_failed:
        folder.forget_failed()
    experiment = Experiment(
        methods, cases, tools, parse_measures(parsed.measures), parsed.width, told.weights
    )
    try:
        with stoppable() as cancel:
            evaluate(experiment, folder, _shown(parsed), cancel)
            if parsed.judge:
                judging = bench.tools(parsed.corpus, parsed.judge)
                judge(folder, judging, parsed.width, _judged(parsed), cancel)
            if Cosine.name in plan.measures:
                compare_answers(folder, bench.embedder.embed_passages)
    finally:
        bench.close()
    report = report_of(plan, folder.rows, baseline)
    write_files(parsed.out, plan, folder.rows, cases, report)
    print(report_json(report) if parsed.json else text_table(report), end="")
    return int(any(one.failed for one in report.methods))


def _methods(texts: Sequence[str]) -> list[Method]:
    """Each once; one method may come with several settings."""
    found = {str(m): m for text in texts for m in map(parse_method, text.split())}
    if not found:
        raise UserError("Name at least one method. `python -m irag methods` lists them.")
    return list(found.values())


def _baseline(text: str, methods: Sequence[Method]) -> str:
    """The METHOD string of the baseline; UnknownName when it is not among those compared."""
    names = [str(method) for method in methods]
    named = str(parse_method(text)) if text else names[0]
    if named not in names:
        raise UnknownName("method of this experiment", text, names)
    return named


def _chosen(read: QuestionFile, parsed: argparse.Namespace) -> list[Question]:
    """The first `limit` questions, or a seeded sample of them in the file's order."""
    questions = list(read.questions)
    if not questions:
        raise UserError(f"{parsed.questions} holds no question. {'; '.join(read.notices[:3])}")
    if parsed.limit is None or parsed.limit >= len(questions):
        return questions
    if parsed.limit < 1:
        raise UserError(f"--limit {parsed.limit}: at least one question must be asked.")
    if parsed.seed is None:
        return questions[: parsed.limit]
    picked = random.Random(parsed.seed).sample(range(len(questions)), parsed.limit)
    return [questions[place] for place in sorted(picked)]


def _case(question: Question, corpus: Corpus) -> Case:
    def resolve(name: str) -> tuple[str, ...]:
        asked = Question("", "", Gold(documents=(name,)))
        return next(iter(resolve_gold(asked, corpus).documents), ())

    return case_of(question, resolve, corpus.documents)


def _plan(
    parsed: argparse.Namespace,
    read: QuestionFile,
    methods: Sequence[Method],
    cases: Sequence[Case],
    tools: Tools,
) -> Plan:
    digest = hashlib.sha256(parsed.questions.read_bytes()).hexdigest()
    return Plan(
        tools.corpus,
        (*tools.models, ("judge", parsed.judge or "none")),
        tuple(map(str, methods)),
        tuple(_planned(case.question) for case in cases),
        (parsed.questions.name, digest),
        tuple(map(str, parse_measures(parsed.measures))),
        parsed.seed or 0,
        _versions(),
        _notes(read, cases),
    )


def _planned(question: Question) -> Planned:
    gold = question.gold
    return Planned(question.id, question.kind, len(gold.sub_questions) or len(gold.triples))


def _notes(read: QuestionFile, cases: Sequence[Case]) -> tuple[str, ...]:
    """What was wrong with the file and its gold, counted."""
    notes = []
    if read.notices:
        notes.append(f"{len(read.notices)} notices on the question file, first: {read.notices[0]}")
    lost = [(case.question.id, name) for case in cases for name in case.lost]
    if lost:
        notes.append(
            f"{len(lost)} gold references of {len({one for one, _ in lost})} questions are not in "
            f"the corpus and count as not found, first: {lost[0][1]} ({lost[0][0]})"
        )
    without = sum(not c.question.gold.answers and c.question.answerable for c in cases)
    if without:
        notes.append(f"{without} questions have no gold answer: EM and F1 leave them out")
    return tuple(notes)


def _versions() -> tuple[tuple[str, str], ...]:
    python = ".".join(map(str, sys.version_info[:3]))
    found = {one.metadata["Name"].lower(): one.version for one in metadata.distributions()}
    packages = [(name, found[name]) for name in _PACKAGES if name in found]
    return (("irag", __version__), ("python", python), *packages)


def _kept(parsed: argparse.Namespace) -> frozenset[tuple[str, str]]:
    """The (method, question id) that the folder holds already."""
    if not (parsed.out / "experiment.json").exists():
        return frozenset()
    rows = Folder(parsed.out).rows.items()
    return frozenset(key for key, row in rows if not (row.failed and parsed.retry_failed))


def _estimate(
    methods: Sequence[Method],
    cases: Sequence[Case],
    kept: frozenset[tuple[str, str]],
    tools: Tools,
    speed: Speed | None,
) -> Estimate:
    def left(method: str) -> int:
        return sum((method, case.question.id) not in kept for case in cases)

    dry = Scripted(lambda request: simplest(request.schema) if request.schema else "A")
    llm = None if tools.llm is None else dry
    return estimate(methods, cases, left, Tools(tools.lookups, llm, tools.corpus), speed)


def _speed(settings: Settings, llm: str) -> Speed | None:
    """From what `setup` measured: 700 tokens read and 16 written; writing takes 8 times as long."""
    found = [one.seconds for one in figures(settings) if one.spec == llm and one.seconds]
    if not found:
        return None
    each = found[0] / (700 + 8 * 16)
    return lambda prompt, written: each * (prompt + 8 * written)


def _agreed(parsed: argparse.Namespace, told: Estimate) -> bool:
    """Asks where a person can answer and LLM calls are to be made."""
    if parsed.yes or not told.calls or not sys.stdin.isatty():
        return True
    print("Start? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    raise Cancelled("Not started.")


def _shown(parsed: argparse.Namespace) -> Callable[[Progress], None]:
    """Progress to whoever runs this as a job, else to stderr."""
    report = progress_of(parsed)

    def tell(now: Progress) -> None:
        stage = f"asking ({now.failed} failed)" if now.failed else "asking"
        left = now.seconds_left
        report(corpus_progress.Progress(stage, now.done, now.total, seconds_left=left))

    return tell


def _judged(parsed: argparse.Namespace) -> Callable[[int, int], None]:
    report = progress_of(parsed)
    return lambda done, total: report(corpus_progress.Progress("judging", done, total))
