"""irag runs: list, show, share, delete and replay saved runs."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, get_args

from irag.commands.ask import as_json
from irag.engine import replay
from irag.errors import UserError
from irag.methods import parse_method
from irag.settings import load
from irag.store import RunCard
from irag.traces import dumps
from irag.types import StopReason, Trace
from irag.views.csv_text import csv_text
from irag.views.static_page import static_page
from irag.workbench import Workbench

__all__ = ["add_parser"]


def add_parser(subparsers: Any) -> None:
    """Add `runs`."""
    parser = subparsers.add_parser("runs", help="list, show, share, delete or replay saved runs")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    _add_list(verbs.add_parser("list", help="the newest runs"))
    shown = verbs.add_parser("show", help="one run; --trace prints the whole trace")
    shown.add_argument("run_id")
    shown.add_argument("--trace", action="store_true", help="print the trace as JSON")
    shown.set_defaults(run=show)
    shared = verbs.add_parser("share", help="write a run as one HTML file that opens offline")
    shared.add_argument("run_id")
    shared.add_argument("--out", type=Path, help="the file to write (default: RUN_ID.html)")
    shared.set_defaults(run=share)
    deleted = verbs.add_parser("delete", help="remove runs")
    deleted.add_argument("run_ids", nargs="+", metavar="run_id")
    deleted.set_defaults(run=delete)
    replayed = verbs.add_parser("replay", help="drive a run again with its recorded results")
    replayed.add_argument("run_id")
    replayed.add_argument("--until", type=int, help="the last recorded step to use")
    replayed.set_defaults(run=replay_run)


def _add_list(listed: argparse.ArgumentParser) -> None:
    listed.add_argument("--limit", type=int, default=20, help="how many (default: 20)")
    listed.add_argument("--offset", type=int, default=0, help="how many newer ones to skip")
    listed.add_argument("--corpus", default="", help="only runs on this corpus")
    listed.add_argument("--method", default="", help="only METHOD strings that begin so")
    listed.add_argument("--stopped", default="", choices=get_args(StopReason), help="how it ended")
    listed.add_argument("--text", default="", help="words that stand in the question, any case")
    form = listed.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a line")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    listed.set_defaults(run=list_runs)


def _bench(parsed: argparse.Namespace) -> Workbench:
    return Workbench(load({"home": parsed.home}))


def _trace(bench: Workbench, run_id: str) -> Trace:
    trace = bench.runs.load(run_id)
    if trace is None:
        raise UserError(f"There is no run {run_id!r}. `runs list` shows those there are.")
    return trace


def list_runs(parsed: argparse.Namespace) -> int:
    """The newest first."""
    runs = _bench(parsed).runs
    wanted = (parsed.corpus, parsed.method, parsed.stopped, parsed.text)
    cards = runs.cards(max(0, parsed.limit), *wanted, offset=max(0, parsed.offset))
    if parsed.csv:
        print(csv_text(list(RunCard.__dataclass_fields__), map(astuple, cards)), end="")
        return 0
    for card in cards:
        if parsed.json:
            print(json.dumps(asdict(card), ensure_ascii=False))
        else:
            answer = card.answer if card.answer is not None else "—"
            print(f"{card.run_id}  {card.started_at}  {card.method}  {card.stopped}  {answer}")
            print(f"    {card.question}")
    total = runs.count(*wanted)
    if not cards and not parsed.json:
        print("No run fits these filters." if runs.count() else "No runs yet.")
    elif total > len(cards):
        print(
            f"{len(cards)} of {total:,} runs; see more with --limit and --offset", file=sys.stderr
        )
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


def share(parsed: argparse.Namespace) -> int:
    """One HTML file that needs nothing else; a file that is there already is replaced."""
    page = static_page(_trace(_bench(parsed), parsed.run_id), parsed.run_id)
    path = parsed.out or Path(f"{parsed.run_id}.html")
    try:
        path.write_text(page, "utf-8")
    except OSError as error:
        raise UserError(
            f"{path} cannot be written ({error.strerror}). Name another with --out."
        ) from error
    print(path)
    return 0


def delete(parsed: argparse.Namespace) -> int:
    """Remove runs; those that are not there are named, and the others are removed all the same."""
    _bench(parsed).runs.delete(*parsed.run_ids)
    names = ", ".join(parsed.run_ids)
    print(f"Run {names} is removed." if len(parsed.run_ids) == 1 else f"Removed: {names}.")
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
