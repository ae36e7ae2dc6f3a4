"""irag runs: list, show, delete and replay saved runs."""

from __future__ import annotations

import argparse
import json
from typing import Any

from irag.commands.ask import as_json
from irag.engine import replay
from irag.errors import UserError
from irag.methods import parse_method
from irag.settings import load
from irag.traces import dumps
from irag.types import Trace
from irag.workbench import Workbench

__all__ = ["add_parser"]


def add_parser(subparsers: Any) -> None:
    """Add `runs`."""
    parser = subparsers.add_parser("runs", help="list, show, delete or replay saved runs")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    listed = verbs.add_parser("list", help="the newest runs")
    listed.add_argument("--limit", type=int, default=20)
    listed.add_argument("--corpus", default="")
    listed.add_argument("--method", default="")
    listed.add_argument("--stopped", default="")
    listed.add_argument("--json", action="store_true")
    listed.set_defaults(run=list_runs)
    for name, text, function in (
        ("show", "one run; --trace prints the whole trace", show),
        ("delete", "remove a run", delete),
        ("replay", "drive a run again with its recorded results", replay_run),
    ):
        verb = verbs.add_parser(name, help=text)
        verb.add_argument("run_id")
        verb.set_defaults(run=function)
        if name == "show":
            verb.add_argument("--trace", action="store_true", help="print the trace as JSON")
        if name == "replay":
            verb.add_argument("--until", type=int, help="the last recorded step to use")


def _bench(parsed: argparse.Namespace) -> Workbench:
    return Workbench(load({"home": parsed.home}))


def _trace(bench: Workbench, run_id: str) -> Trace:
    trace = bench.runs.load(run_id)
    if trace is None:
        raise UserError(f"There is no run {run_id!r}. `runs list` shows those there are.")
    return trace


def list_runs(parsed: argparse.Namespace) -> int:
    """The newest first."""
    cards = _bench(parsed).runs.cards(parsed.limit, parsed.corpus, parsed.method, parsed.stopped)
    for card in cards:
        if parsed.json:
            row = {name: getattr(card, name) for name in card.__slots__}
            print(json.dumps(row, ensure_ascii=False))
        else:
            answer = card.answer if card.answer is not None else "—"
            print(f"{card.run_id}  {card.started_at}  {card.method}  {card.stopped}  {answer}")
            print(f"    {card.question}")
    if not cards and not parsed.json:
        print("No runs yet.")
    return 0


def show(parsed: argparse.Namespace) -> int:
    """The documented JSON of a run, or its whole trace."""
    trace = _trace(_bench(parsed), parsed.run_id)
    print(
        dumps(trace)
        if parsed.trace
        else json.dumps(as_json(trace, parsed.run_id), ensure_ascii=False, indent=1)
    )
    return 0


def delete(parsed: argparse.Namespace) -> int:
    """Remove a run."""
    _bench(parsed).runs.delete(parsed.run_id)
    print(f"Run {parsed.run_id} is removed.")
    return 0


def replay_run(parsed: argparse.Namespace) -> int:
    """Drive a run again; live from the first step that is not recorded."""
    bench = _bench(parsed)
    trace = _trace(bench, parsed.run_id)
    llm = dict(trace.models).get("llm", "")
    tools = bench.tools(trace.corpus.partition("@")[0], llm)
    again = replay(trace, parse_method(trace.method), tools, parsed.until)
    run_id = bench.keep(again, llm)
    print(json.dumps(as_json(again, run_id), ensure_ascii=False, indent=1))
    bench.close()
    return 0
