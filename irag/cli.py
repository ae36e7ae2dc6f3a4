"""python -m irag ...: everything the pages can do, headless."""

from __future__ import annotations

import argparse
import atexit
import logging
import sys
from collections.abc import Sequence

from irag.errors import Cancelled, IragError
from irag.settings import Settings
from irag.tools import LLM

__all__ = ["build_parser", "main"]

FAILED, CANCELLED = 2, 130


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command."""
    import irag.corpus.cli as corpus
    from irag.commands import about, ask, evaluate, jobs, labels, models, runs, settings, setup

    parser = argparse.ArgumentParser(
        prog="python -m irag", description="Iterative retrieval-augmented generation, step by step."
    )
    parser.set_defaults(open_llm=_open_llm)
    parser.add_argument("--home", help="folder of corpora and runs (default: IRAG_HOME or .irag)")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for family in (setup, models, corpus, ask, evaluate, runs, jobs, labels, settings, about):
        family.add_parser(subparsers)
    return parser


def _open_llm(settings: Settings, spec: str) -> LLM:
    """The LLM of a spec for commands whose room knows no backend."""
    from irag.workbench import Workbench

    workbench = Workbench(settings)
    atexit.register(workbench.close)
    return workbench.lazy_llm(spec)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 (failed items), 2 (user's error) or 130."""
    logging.basicConfig(level=logging.ERROR, format="%(levelname)s %(name)s: %(message)s")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    parsed = build_parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except Cancelled as stopped:
        print(stopped, file=sys.stderr)
        return CANCELLED
    except KeyboardInterrupt:
        print(Cancelled(), file=sys.stderr)
        return CANCELLED
    except IragError as error:
        print(f"irag: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
