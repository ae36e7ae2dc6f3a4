"""irag methods and irag health: what there is and whether it works."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from irag.health import health
from irag.methods import METHODS
from irag.settings import load

__all__ = ["add_parser"]


def add_parser(subparsers: Any) -> None:
    """Add `methods` and `health`."""
    methods = subparsers.add_parser("methods", help="the methods with their settings")
    methods.add_argument("--json", action="store_true")
    methods.set_defaults(run=list_methods)
    parser = subparsers.add_parser("health", help="whether models, corpora and database are there")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=show_health)


def list_methods(parsed: argparse.Namespace) -> int:
    """Every method with its paper, departures and settings."""
    for kind in METHODS.values():
        card, settings = kind.card, kind.described()
        if parsed.json:
            row = {**asdict(card), "settings": [asdict(one) for one in settings]}
            print(json.dumps(row, ensure_ascii=False))
            continue
        print(f"{card.name} — {card.title}\n  {card.summary}\n  {card.paper}")
        for departure in card.departures:
            print(f"  departs: {departure}")
        if card.measured:
            print(f"  measured: {card.measured}")
        for one in settings:
            choices = f" [{', '.join(one.choices)}]" if one.choices else ""
            print(f"  {one.name}={one.default}{choices}  {one.help}")
        print()
    return 0


def show_health(parsed: argparse.Namespace) -> int:
    """Exit 1 when something is missing."""
    cards = health(load({"home": parsed.home}))
    for card in cards:
        if parsed.json:
            print(json.dumps(asdict(card), ensure_ascii=False))
        else:
            print(f"{'ok     ' if card.ok else 'missing'}  {card.name}  {card.note}")
    return 0 if all(card.ok for card in cards) else 1
