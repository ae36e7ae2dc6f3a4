"""irag models: the catalogue's verbs, and adding, trying and removing LLMs by their SPEC."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

import irag.models.cli as catalogue
from irag.errors import UnknownName
from irag.health import llm_cards
from irag.llm import open_llm
from irag.llms import add, added, checked, remove
from irag.models import CATALOGUE
from irag.models import removing as weights
from irag.probing import Trial, try_llm
from irag.settings import Settings, load
from irag.tools import LLM

__all__ = ["add_parser"]


def add_parser(subparsers: Any) -> None:
    """Add `models`."""
    verbs = catalogue.add_parser(subparsers)
    new = verbs.add_parser("add", help="add an LLM to choose from; keys only by a variable's name")
    new.add_argument(
        "spec", metavar="SPEC", help="such as openai:http://127.0.0.1:8000/v1#NAME@KEY"
    )
    new.set_defaults(run=add_llm)
    tried = verbs.add_parser("test", help="ask an LLM a few short questions: speed and abilities")
    tried.add_argument("spec", metavar="SPEC", help="a SPEC, or a catalogue name for llama.cpp's")
    tried.add_argument("--json", action="store_true", help="print one JSON object")
    tried.set_defaults(run=test_llm)
    gone = verbs.add_parser("remove", help="forget an added SPEC, or delete a model's files")
    gone.add_argument("name", metavar="NAME|SPEC")
    gone.set_defaults(run=remove_model)


def add_llm(parsed: argparse.Namespace) -> int:
    """Says what is still missing before it can be used."""
    settings = _settings(parsed)
    spec = add(settings.home, parsed.spec)
    (card,) = (card for card in llm_cards(settings, "none") if card.spec == spec)
    print(f"{spec} can be chosen now. Try it: python -m irag models test {spec!r}")
    if not card.ready:
        print(card.note, file=sys.stderr)
    return 0


def test_llm(parsed: argparse.Namespace) -> int:
    """Exit 1 when the LLM gave no reply."""
    settings, spec = _settings(parsed), checked(parsed.spec)
    opened: list[LLM] = []

    def open_it() -> LLM:
        opened.append(open_llm(spec, settings))
        return opened[0]

    trial = try_llm(spec, open_it)
    for llm in opened:
        llm.close()
    if parsed.json:
        print(json.dumps(asdict(trial), ensure_ascii=False))
    else:
        _print(trial)
    return 1 if trial.error else 0


def remove_model(parsed: argparse.Namespace) -> int:
    """An added SPEC is forgotten; a catalogue model's files are deleted, which `pull` undoes."""
    settings = _settings(parsed)
    if parsed.name in added(settings.home):
        remove(settings.home, parsed.name)
        print(f"{parsed.name} is off the list.")
        return 0
    if parsed.name not in CATALOGUE:
        raise UnknownName("model", parsed.name, [*added(settings.home), *CATALOGUE])
    freed = weights.remove(parsed.name, settings.models)
    print(f"{parsed.name}: {freed / 1e6:,.0f} MB freed. Get it again: models pull {parsed.name}")
    return 0


def _print(trial: Trial) -> None:
    if trial.error:
        print(f"{trial.spec}: {trial.error}", file=sys.stderr)
        return
    speed = f"{trial.speed:.1f} tokens a second" if trial.speed else "too few tokens for a speed"
    print(f"{trial.spec}: first text after {trial.first:.2f} s, {speed}")
    print(f"  read {trial.read} and wrote {trial.written} tokens in {trial.seconds:.2f} s")
    print(f"  window {trial.window} tokens; it said: {' '.join(trial.reply.split())[:120]}")
    for one in trial.abilities:
        state = "not claimed" if one.shown is None else "works" if one.shown else "does not work"
        print(f"  {one.name:<9} {state}{f': {one.note}' if one.note else ''}")


def _settings(parsed: argparse.Namespace) -> Settings:
    return load({"home": parsed.home})
