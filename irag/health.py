"""What is there and what is missing: models, corpora, database, disk; opens no model."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from irag.corpus import list_corpora
from irag.errors import IragError
from irag.llms import added, missing
from irag.models import CATALOGUE, present
from irag.settings import Settings
from irag.store import open_database

__all__ = ["HealthCard", "LLMCard", "health", "llm_cards"]

ENGINES = {"llama": "llama.cpp", "hf": "transformers"}
_LOW = 500e6
"""Bytes free below which an index or a model may not fit."""


@dataclass(frozen=True, slots=True)
class HealthCard:
    """One thing that the app needs, whether it is there, and what to do when it is not."""

    name: str
    ok: bool
    note: str


@dataclass(frozen=True, slots=True)
class LLMCard:
    """An LLM that can be chosen; `note` says what is missing when it is not ready."""

    spec: str
    label: str
    ready: bool
    note: str = ""


def llm_cards(settings: Settings, default: str) -> tuple[LLMCard, ...]:
    """The default first, then the catalogue's on both local engines, those added, and none."""
    cards = {
        f"{scheme}:{entry.name}": _catalogue_card(settings, scheme, entry.name)
        for entry in CATALOGUE.values()
        if entry.kind == "llm"
        for scheme in ENGINES
    }
    cards |= {spec: _added_card(spec) for spec in added(settings.home)}
    first = cards.pop(default, None) or _added_card(default)
    nothing = LLMCard("none", "No LLM (constructor and reader none)", True)
    return (first, *cards.values(), nothing) if default != "none" else (nothing, *cards.values())


def _catalogue_card(settings: Settings, scheme: str, name: str) -> LLMCard:
    ready = present(name, settings.models)
    note = "" if ready else f"Not here yet. Get it: python -m irag models pull {name}"
    return LLMCard(f"{scheme}:{name}", f"{name} on {ENGINES[scheme]}", ready, note)


def _added_card(spec: str) -> LLMCard:
    """An LLM that a person named: ready as far as can be told without opening it."""
    try:
        note = missing(spec)
    except IragError as error:  # written into the file by hand
        note = str(error)
    return LLMCard(spec, spec, not note, note)


def health(settings: Settings) -> tuple[HealthCard, ...]:
    """Models first, then added LLMs, corpora, the database and the disk."""
    cards = []
    for entry in CATALOGUE.values():
        there = present(entry.name, settings.models)
        note = entry.purpose if there else f"missing: python -m irag models pull {entry.name}"
        cards.append(HealthCard(f"model {entry.name}", there, note))
    for spec in added(settings.home):
        card = _added_card(spec)
        cards.append(HealthCard(f"LLM {spec}", card.ready, card.note))
    for corpus in list_corpora(settings.home):
        cards.append(HealthCard(f"corpus {corpus.name}", corpus.ready, corpus.note))
    if not list_corpora(settings.home):
        cards.append(HealthCard("corpora", False, "none yet: python -m irag setup"))
    return (*cards, _database(settings), _disk(settings))


def _database(settings: Settings) -> HealthCard:
    try:
        with open_database(settings.database_url).session():
            return HealthCard("database", True, "open and migrated")
    except IragError as error:
        return HealthCard("database", False, str(error))


def _disk(settings: Settings) -> HealthCard:
    """Whether the home can be written to and has room for a run's worth of work."""
    folder = next(path for path in (settings.home, *settings.home.parents) if path.is_dir())
    if not os.access(folder, os.W_OK):
        return HealthCard("disk", False, f"{folder} cannot be written to: change its owner")
    free = shutil.disk_usage(folder).free
    if free < _LOW:
        note = f"{free / 1e6:,.0f} MB free at {folder}: remove runs, corpora or models"
        return HealthCard("disk", False, note)
    return HealthCard("disk", True, f"{free / 1e9:,.1f} GB free at {folder}")
