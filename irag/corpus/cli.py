"""python -m irag corpus ...: add, list, show, remove, rebuild."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from irag import settings
from irag.corpus import uploads
from irag.corpus.cards import CorpusCard, list_corpora
from irag.corpus.database import open_engine
from irag.corpus.gathering import gather
from irag.corpus.indexer import create, delete, remove
from irag.corpus.names import existing_folder
from irag.corpus.progress import Progress, Report
from irag.corpus.readers import FORMATS
from irag.corpus.reading import AddReport
from irag.corpus.rows import Rows
from irag.corpus.split import PASSAGE_WORDS
from irag.errors import UserError
from irag.tools import Cancel
from irag.triples.extraction import said

__all__ = [
    "add_parser",
    "print_value",
    "progress_of",
    "reported",
    "settings_of",
    "stoppable",
]

Subparsers = Any  # argparse keeps this type private
_FILES = f"{', '.join(FORMATS)}, each also .gz; none: go on with what was interrupted"


def add_parser(subparsers: Subparsers) -> None:
    """Add the `corpus` family of commands."""
    family = subparsers.add_parser("corpus", help="add, list, show and remove documents")
    commands = family.add_subparsers(dest="corpus_command", required=True, metavar="COMMAND")

    add = commands.add_parser("add", help="add files to a corpus; made when it is not there")
    add.add_argument("name", help="the corpus")
    add.add_argument("files", nargs="*", type=Path, help=_FILES)
    add.add_argument(
        "--words", type=int, default=PASSAGE_WORDS, help="words of a passage (default: %(default)s)"
    )
    add.add_argument("--language", choices=("en", "zh"), help="of a new corpus, else found out")
    add.add_argument("--upload", default="", help=argparse.SUPPRESS)
    add.set_defaults(run=_add)

    rebuild = commands.add_parser("rebuild", help="make all vectors and index files anew")
    rebuild.add_argument("name", help="the corpus")
    rebuild.set_defaults(run=_rebuild)

    listed = commands.add_parser("list", help="every corpus")
    listed.set_defaults(run=_list)

    show = commands.add_parser("show", help="one corpus: its files and what failed")
    show.add_argument("name", help="the corpus")
    show.set_defaults(run=_show)

    gone = commands.add_parser("remove", help="remove documents, a file's documents, or all")
    gone.add_argument("name", help="the corpus")
    gone.add_argument("documents", nargs="*", help="document ids; none and no --file: all of it")
    gone.add_argument("--file", default="", help="what came from this file and no other")
    gone.set_defaults(run=_remove)

    from irag.corpus import browsing_cli, triples_cli

    for command in (add, rebuild):
        triples_cli.add_source(command)
    others = browsing_cli.add_parsers(commands) + triples_cli.add_parsers(commands)
    for command in (add, rebuild, listed, show, gone, *others):
        command.add_argument("--json", action="store_true", help="print JSON")


def settings_of(parsed: argparse.Namespace) -> settings.Settings:
    """The settings that a command runs under."""
    return settings.load({"home": parsed.home})


class _Shown:
    """Progress on stderr: a line when a stage begins or ends, and one every two seconds."""

    def __init__(self) -> None:
        self._stage, self._last = "", 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        ended = progress.done >= progress.total
        if progress.stage != self._stage or ended or now - self._last > 2:
            self._stage, self._last = progress.stage, now
            print(f"  {progress}", file=sys.stderr, flush=True)


def progress_of(parsed: argparse.Namespace) -> Report:
    """Where progress goes: to whoever runs this command as a job, else to stderr."""
    return getattr(parsed, "report", None) or _Shown()


@contextmanager
def stoppable() -> Iterator[Cancel]:
    """Ctrl-C and SIGTERM stop the work between two batches; a second one at once."""
    cancel = threading.Event()

    def stop(number: int, frame: object) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    kinds = (signal.SIGINT, signal.SIGTERM)
    before = {kind: signal.signal(kind, stop) for kind in kinds}
    try:
        yield cancel
    finally:
        for kind, old in before.items():
            signal.signal(kind, old)


def print_value(parsed: argparse.Namespace, value: Any, lines: list[str]) -> None:
    """A value as JSON where that was asked for, else its lines."""
    print(json.dumps(value, ensure_ascii=False) if parsed.json else "\n".join(lines))


def _add(parsed: argparse.Namespace) -> int:
    from irag.corpus.opening import open_indexer

    chosen = settings_of(parsed)
    files, notices = gather(parsed.files)
    uploaded = uploads.kept(chosen.home, parsed.upload) if parsed.upload else []
    if uploaded is None:
        notices.append("The uploaded files were read before.")
    if parsed.language:
        create(chosen.home, parsed.name, parsed.language)
    indexer = open_indexer(
        chosen, parsed.name, parsed.words, triples=parsed.triples, llm=parsed.open_llm
    )
    if not (parsed.files or parsed.upload or indexer.pending()):
        raise UserError(f"Nothing to do: name files to add to {parsed.name}.")
    with stoppable() as cancel:
        report = indexer.add([*files, *(uploaded or ())], progress_of(parsed), cancel)
    if uploaded:
        uploads.discard(chosen.home, parsed.upload)
    report.notices[:0] = notices
    return reported(parsed, report)


def _rebuild(parsed: argparse.Namespace) -> int:
    from irag.corpus.opening import open_indexer

    chosen = settings_of(parsed)
    existing_folder(chosen.home, parsed.name)
    indexer = open_indexer(chosen, parsed.name, triples=parsed.triples, llm=parsed.open_llm)
    with stoppable() as cancel:
        report = indexer.rebuild(progress_of(parsed), cancel, bool(parsed.triples))
    return reported(parsed, report)


def reported(parsed: argparse.Namespace, report: AddReport) -> int:
    """Print what came of it; the exit code."""
    problems = [f"  {name}: {reason}" for name, reason in report.failures]
    notes = [f"  {notice}" for notice in report.notices]
    print_value(parsed, asdict(report), [str(report), *problems, *notes])
    return 1 if report.failures else 0


def _line(card: CorpusCard) -> str:
    size = f"{card.documents:,} passages, {card.triples:,} triples, {card.language or '?'}"
    return f"{card.name}: {size}" + (f"; {card.note}" if card.note else "")


def _list(parsed: argparse.Namespace) -> int:
    cards = list_corpora(settings_of(parsed).home)
    lines = [_line(card) for card in cards] or [
        "No corpus yet: python -m irag corpus add NAME FILES"
    ]
    print_value(parsed, [asdict(card) for card in cards], lines)
    return 0


def _show(parsed: argparse.Namespace) -> int:
    home = settings_of(parsed).home
    folder = existing_folder(home, parsed.name)
    card = next(card for card in list_corpora(home) if card.name == parsed.name)
    rows = Rows(open_engine(folder), card.generation)
    files, failures = rows.sources(), rows.failures()
    dropped = rows.dropped()
    shown = {
        **asdict(card),
        "files": [asdict(file) for file in files],
        "failures": [{"title": title, "reason": reason} for title, reason in failures],
        "failed_extractions": [asdict(one) for one in rows.failed()],
        "dropped": dict(dropped),
    }
    lines = [
        _line(card),
        f"embedder {card.embedder or 'none yet'}, generation {card.generation}",
        f"triples by {card.extractor or 'nothing yet'}",
        *([f"  triples that were not kept: {said(dropped)}"] if dropped else []),
        *(f"  {file.name}: {file.passages:,} passages" for file in files),
        *(f"  {title}: {reason}" for title, reason in failures),
    ]
    print_value(parsed, shown, lines)
    return 0


def _remove(parsed: argparse.Namespace) -> int:
    home = settings_of(parsed).home
    if not parsed.documents and not parsed.file:
        delete(home, parsed.name)
        print_value(parsed, {"deleted": parsed.name}, [f"The corpus {parsed.name} is deleted."])
        return 0
    report = remove(home, parsed.name, parsed.documents, parsed.file)
    print_value(parsed, asdict(report), [str(report)])
    return 0
