"""irag ask: one question through one method, hops printed as they happen."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from irag.engine import Ended, Event, Play, StepDone, checked_question, play
from irag.errors import Cancelled
from irag.methods import parse_method
from irag.settings import load
from irag.types import Trace
from irag.views.step_lines import step_lines
from irag.workbench import Workbench

__all__ = ["add_parser", "as_json"]

EXIT = {"failed": 1, "cancelled": 130}


def add_parser(subparsers: Any) -> None:
    """Add `ask`."""
    parser = subparsers.add_parser("ask", help="ask one question over a corpus")
    parser.add_argument("question")
    parser.add_argument("--corpus", default="sample", help="its name (default: sample)")
    parser.add_argument("--method", default="kirag", help="NAME[:key=value,...] (default: kirag)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a method setting"
    )
    parser.add_argument("--llm", default="", help="LLM SPEC, or none (default: this machine's)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """Ask, save the run, print it."""
    bench = Workbench(load({"home": parsed.home}))
    joined = "".join(f",{one}" for one in parsed.set)
    method = parse_method(parsed.method + (joined if ":" in parsed.method else f":{joined[1:]}"))
    llm = parsed.llm or bench.default_llm()
    tools = bench.tools(parsed.corpus, llm)
    emit = (lambda event: None) if parsed.json else _Printer()
    with _interrupt() as cancel:
        one = Play(method, checked_question(parsed.question))
        trace = next(play([one], tools, 1, emit, cancel))
    run_id = bench.keep(trace, llm)
    if parsed.json:
        print(json.dumps(as_json(trace, run_id), ensure_ascii=False))
    else:
        _print_end(trace, run_id)
    bench.close()
    return EXIT.get(trace.stopped, 0)


@contextmanager
def _interrupt() -> Iterator[threading.Event]:
    """Ctrl-C asks the run to stop, so that what was done is saved; a second one ends at once."""
    cancel = threading.Event()

    def stop(number: int, frame: object) -> None:
        if cancel.is_set():
            raise Cancelled()
        cancel.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)


def as_json(trace: Trace, run_id: str) -> dict[str, Any]:
    """The answer as the documented JSON object."""
    answer, usage = trace.answer, trace.usage
    return {
        "answer": answer.text if answer else None,
        "found_in_evidence": answer.found_in_evidence if answer else False,
        "evidence": [
            {"id": hit.unit.id, "title": hit.unit.title, "score": hit.score}
            for hit in (answer.evidence if answer else ())
        ],
        "chain": [
            {
                "head": triple.head,
                "relation": triple.relation,
                "tail": triple.tail,
                "document": triple.document,
                "grounded": triple.grounded,
            }
            for triple in (answer.chain if answer else ())
        ],
        "constructed": answer.constructed if answer else None,
        "hops": trace.hops,
        "llm_calls": usage.calls,
        "tokens": {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens},
        "seconds": round(trace.seconds, 3),
        "run_id": run_id,
        "warnings": warnings(trace),
        "stopped": trace.stopped,
    }


def warnings(trace: Trace) -> list[str]:
    """What went wrong or was cut on the way."""
    found = [f"step {step.number}: {step.error}" for step in trace.steps if step.error]
    found += [f"step {step.number}: {cut}" for step in trace.steps for cut in step.cut]
    if trace.error and not any(trace.error in one for one in found):
        found.append(trace.error)
    return found


class _Printer:
    """Prints each step in a line or two as it ends."""

    def __call__(self, event: Event) -> None:
        if isinstance(event, StepDone):
            for line in step_lines(event.step):
                print(line, flush=True)
        elif isinstance(event, Ended) and event.trace.error:
            print(f"  {event.trace.stopped}: {event.trace.error}", flush=True)


def _print_end(trace: Trace, run_id: str) -> None:
    answer, usage = trace.answer, trace.usage
    if answer is None:
        print("no answer: the run did not end by itself")
    elif answer.text is None:
        print("answer: none was asked for" if not usage.calls else "answer: the reply held none")
    else:
        where = "found in the evidence" if answer.found_in_evidence else "not found in the evidence"
        print(f"answer: {answer.text}  ({where})")
    if answer:
        print("evidence: " + ", ".join(hit.unit.title for hit in answer.evidence[:5]))
    print(
        f"{trace.hops} hops, {usage.calls} LLM calls, {usage.prompt_tokens} + "
        f"{usage.completion_tokens} tokens, {trace.seconds:.1f} s, run {run_id}",
        file=sys.stdout,
    )
