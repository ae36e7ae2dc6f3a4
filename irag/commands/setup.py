"""irag setup: default models, sample corpus, database, the faster engine; idempotent."""

from __future__ import annotations

import argparse
import sys
import threading
from typing import Any

from irag.corpus import list_corpora
from irag.defaults import DEFAULT_MODEL, EngineFigure, figures, remember
from irag.models import convert, present, pull
from irag.settings import Settings, load
from irag.store import open_database
from irag.workbench import SAMPLE

__all__ = ["add_parser"]


def add_parser(subparsers: Any) -> None:
    """Add `setup`."""
    parser = subparsers.add_parser(
        "setup", help="get the default models, index the sample, time the engines"
    )
    parser.add_argument("--no-timing", action="store_true", help="do not time the two engines")
    parser.add_argument("--retime", action="store_true", help="time the two engines again")
    parser.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """What `make demo` calls first."""
    settings = load({"home": parsed.home})
    for name in (settings.embedder, settings.spacy_model, DEFAULT_MODEL):
        _model(settings, name)
    open_database(settings.database_url)
    _sample(settings)
    if not parsed.no_timing and (parsed.retime or not figures(settings)):
        _time(settings)
    for figure in figures(settings):
        seconds = "failed" if figure.seconds is None else f"{figure.seconds:.1f} s"
        print(f"{figure.engine}: 700 tokens read and 16 written in {seconds}. {figure.note}")
    print("Ready.")
    return 0


def _model(settings: Settings, name: str) -> None:
    if present(name, settings.models):
        return
    said = -1

    def progress(done: int, total: int, what: str) -> None:
        nonlocal said
        percent = 100 * done // max(1, total)
        if percent // 10 != said:
            said = percent // 10
            print(f"  {name}: {what}, {percent} %", file=sys.stderr, flush=True)

    print(f"Getting {name} …", file=sys.stderr, flush=True)
    pull(name, settings.models, progress, threading.Event(), settings.hub_timeout)


def _sample(settings: Settings) -> None:
    """Index the sample corpus, unless it is there."""
    if any(card.name == "sample" and card.ready for card in list_corpora(settings.home)):
        return
    from irag.corpus.opening import open_indexer

    print("Indexing the sample corpus …", file=sys.stderr, flush=True)
    report = open_indexer(settings, "sample").add([SAMPLE / "passages.jsonl"])
    print(f"  {report}", file=sys.stderr, flush=True)


def _time(settings: Settings) -> None:
    """Both local engines on one prompt; the faster is this machine's default from now on."""
    from irag.llm.timing import time_engines

    print("Timing the two local engines (about a minute) …", file=sys.stderr, flush=True)
    convert(DEFAULT_MODEL, settings.models)
    measured = tuple(
        EngineFigure(one.engine, one.spec, one.seconds, one.note) for one in time_engines(settings)
    )
    remember(settings, measured)
