"""python -m irag corpus documents, triples, failures: what the Corpora page shows, as lines."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from irag.corpus.browsing import Browsing
from irag.corpus.cli import print_value, settings_of
from irag.corpus.lines import Found

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> list[argparse.ArgumentParser]:
    """Add the verbs; they are returned."""
    made = []
    for name, text, run in (
        ("documents", "the documents, by title", _documents),
        ("triples", "the triples, with the sentence that says each", _triples),
        ("failures", "documents of which something could not be done", _failures),
    ):
        parser = commands.add_parser(name, help=text)
        parser.add_argument("name", help="the corpus")
        if name != "failures":
            parser.add_argument("--search", default="", metavar="WORDS", help="all must be there")
        if name == "triples":
            parts = ("head", "relation", "tail")
            parser.add_argument("--part", default="", choices=parts, help="search there alone")
        parser.add_argument("--limit", type=int, default=20)
        parser.add_argument("--offset", type=int, default=0)
        parser.set_defaults(run=run)
        made.append(parser)
    return made


def _browsing(parsed: argparse.Namespace) -> Browsing:
    return Browsing.of(settings_of(parsed).home, parsed.name)


def _print(parsed: argparse.Namespace, found: Found[Any], lines: Sequence[str]) -> int:
    shown = f"{len(found.rows):,} of {found.total:,}"
    if found.rows and parsed.offset:
        shown += f", from number {parsed.offset + 1:,}"
    print_value(parsed, asdict(found), [*lines, shown])
    return 0


def _documents(parsed: argparse.Namespace) -> int:
    found = _browsing(parsed).documents(parsed.search, "", parsed.limit, parsed.offset)
    waits = {True: ", waits to be indexed", False: ""}
    lines = [
        f"{row.id}  {row.title}  ({row.triples:,} triples{waits[row.pending]})"
        for row in found.rows
    ]
    return _print(parsed, found, lines)


def _triples(parsed: argparse.Namespace) -> int:
    found = _browsing(parsed).triples(parsed.search, parsed.part, parsed.limit, parsed.offset)
    lines = [
        f"{s.triple.head} — {s.triple.relation} → {s.triple.tail}\n    {s.title}: {s.text}"
        for s in found.rows
    ]
    return _print(parsed, found, lines)


def _failures(parsed: argparse.Namespace) -> int:
    found = _browsing(parsed).failures(parsed.limit, parsed.offset)
    return _print(parsed, found, [f"{row.id}  {row.title}: {row.reason}" for row in found.rows])
