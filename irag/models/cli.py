"""`python -m irag models`: list, pull, path and convert."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from irag.errors import ModelError
from irag.models.catalogue import CATALOGUE, find
from irag.models.converting import convert, converted
from irag.models.pulling import pull
from irag.models.stored import path, present
from irag.settings import Settings, load

__all__ = ["ProgressLine", "add_parser"]


def add_parser(subparsers: Any) -> Any:
    """Add `models` with its verbs and return these, for others to add to."""
    parser = subparsers.add_parser("models", help="list, pull, add, try or remove models")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    listed = verbs.add_parser("list", help="every model known, and whether it is here")
    listed.add_argument("--json", action="store_true", help="one JSON object a line")
    listed.set_defaults(run=list_models)
    pulled = verbs.add_parser("pull", help="bring models here, verified")
    pulled.add_argument("names", nargs="*", metavar="NAME", help="default: those setup needs")
    pulled.set_defaults(run=pull_models)
    located = verbs.add_parser("path", help="print where a model lies")
    located.add_argument("name", metavar="NAME")
    located.set_defaults(run=print_path)
    rewritten = verbs.add_parser("convert", help="rewrite an LLM's GGUF for transformers, in bf16")
    rewritten.add_argument("names", nargs="+", metavar="NAME")
    rewritten.set_defaults(run=convert_models)
    return verbs


def list_models(parsed: argparse.Namespace) -> int:
    """Name, size, licence, what for, and whether it is here."""
    models = _settings(parsed).models
    for entry in CATALOGUE.values():
        here = present(entry.name, models)
        if parsed.json:
            row = {"name": entry.name, "kind": entry.kind, "bytes": entry.bytes, "present": here}
            row |= {"licence": entry.licence, "origin": entry.origin, "purpose": entry.purpose}
            print(json.dumps(row | {"converted": _is_converted(entry.name, models)}))
            continue
        state = ("here, converted" if _is_converted(entry.name, models) else "here") if here else ""
        size = f"{entry.bytes / 1e6:.0f} MB"
        print(f"{entry.name:<20} {size:>8}  {entry.licence:<10}  {state:<15}  {entry.purpose}")
        print(f"{'':<20} from {entry.origin}")
    return 0


def pull_models(parsed: argparse.Namespace) -> int:
    """Bring each model; those that cannot be had are named and the exit code is 1."""
    settings = _settings(parsed)
    names = parsed.names or [entry.name for entry in CATALOGUE.values() if entry.default]

    def bring(name: str) -> Path:
        line = ProgressLine(name)
        try:
            return pull(name, settings.models, line, hub_timeout=settings.hub_timeout)
        finally:
            line.end()

    return _each(names, bring)


def convert_models(parsed: argparse.Namespace) -> int:
    """Rewrite each model; those that failed are named and the exit code is 1."""
    models = _settings(parsed).models

    def rewrite(name: str) -> Path:
        print(f"{name}: converting takes a minute or two the first time", file=sys.stderr)
        return convert(name, models)

    return _each(parsed.names, rewrite)


def print_path(parsed: argparse.Namespace) -> int:
    """The model's file or folder on one line."""
    print(path(parsed.name, _settings(parsed).models))
    return 0


class ProgressLine:
    """Says how far a pull is on stderr: one moving line on a terminal, else a line every tenth."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._terminal = sys.stderr.isatty()
        self._said = ""

    def __call__(self, done: int, total: int, what: str) -> None:
        """Take one report of `pull`."""
        percent = 100 * done // max(1, total)
        stage = f"{percent} {what}" if self._terminal else str(percent // 10)
        if stage == self._said:
            return
        self._said = stage
        text = f"{self._name}: {percent:3d} % of {total / 1e6:.0f} MB, {what}"
        print(f"\r\x1b[K{text}" if self._terminal else text, end=self._ending, file=sys.stderr)

    @property
    def _ending(self) -> str:
        return "" if self._terminal else "\n"

    def end(self) -> None:
        """Leave the line for what is printed next."""
        if self._terminal and self._said:
            print(file=sys.stderr)


def _each(names: list[str], work: Callable[[str], Path]) -> int:
    """Do the work for every name; 1 when one failed."""
    for name in names:
        find(name)  # a misspelt name stops us before anything is downloaded
    failed = 0
    for name in names:
        try:
            print(f"{name}: {work(name)}")
        except ModelError as error:
            failed = 1
            print(f"{name}: {error}", file=sys.stderr)
    return failed


def _is_converted(name: str, models: Path) -> bool:
    try:
        converted(name, models)
    except ModelError:
        return False
    return True


def _settings(parsed: argparse.Namespace) -> Settings:
    return load({"home": getattr(parsed, "home", None)})
