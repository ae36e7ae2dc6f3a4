"""irag settings: show each value with where it came from, set one, unset one."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from irag.preferences import change_setting
from irag.settings import home_of, origins

__all__ = ["add_parser"]


def add_parser(subparsers: Any) -> None:
    """Add `settings`."""
    parser = subparsers.add_parser("settings", help="show or change settings")
    parser.set_defaults(run=show, json=False)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    shown = verbs.add_parser("show", help="each value, where it came from and what it means")
    shown.add_argument("--json", action="store_true", help="one JSON object a line")
    shown.set_defaults(run=show)
    put = verbs.add_parser("set", help="write one into settings.toml")
    put.add_argument("name", metavar="KEY")
    put.add_argument("value", metavar="VALUE")
    put.set_defaults(run=write)
    taken = verbs.add_parser("unset", help="take one out of settings.toml")
    taken.add_argument("name", metavar="KEY")
    taken.set_defaults(run=write, value=None)


def show(parsed: argparse.Namespace) -> int:
    """Passwords in addresses are never printed."""
    for one in origins({"home": parsed.home}):
        if parsed.json:
            print(json.dumps(asdict(one), ensure_ascii=False))
        else:
            print(f"{one.name} = {one.value or '(empty)'}  [{one.source}]\n    {one.meaning}")
    return 0


def write(parsed: argparse.Namespace) -> int:
    """Says where the value now comes from, which may be a variable that goes before the file."""
    change_setting(home_of(parsed.home), parsed.name, parsed.value)
    found = [one for one in origins({"home": parsed.home}) if one.name == parsed.name]
    for one in found:
        print(f"{one.name} = {one.value or '(empty)'}  [{one.source}]")
        if parsed.value is not None and one.source != "settings.toml":
            print(f"{one.source} goes before settings.toml: unset it for the file to count.")
    if not found:
        print(f"{parsed.name} is out of settings.toml.")
    return 0
