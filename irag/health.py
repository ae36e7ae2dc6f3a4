"""What is there and what is missing: models, corpora, database; opens no model."""

from __future__ import annotations

from dataclasses import dataclass

from irag.corpus import list_corpora
from irag.errors import IragError
from irag.models import CATALOGUE, present
from irag.settings import Settings
from irag.store import open_database

__all__ = ["HealthCard", "LLMCard", "health", "llm_cards"]

ENGINES = {"llama": "llama.cpp", "hf": "transformers"}


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
    """The default first, then the catalogue's on both local engines, then none."""
    cards = {
        f"{scheme}:{entry.name}": _catalogue_card(settings, scheme, entry.name)
        for entry in CATALOGUE.values()
        if entry.kind == "llm"
        for scheme in ENGINES
    }
    first = cards.pop(default, LLMCard(default, default, True))
    nothing = LLMCard("none", "No LLM (constructor and reader none)", True)
    return (first, *cards.values(), nothing) if default != "none" else (nothing, *cards.values())


def _catalogue_card(settings: Settings, scheme: str, name: str) -> LLMCard:
    ready = present(name, settings.models)
    note = "" if ready else f"Not here yet. Get it: python -m irag models pull {name}"
    return LLMCard(f"{scheme}:{name}", f"{name} on {ENGINES[scheme]}", ready, note)


def health(settings: Settings) -> tuple[HealthCard, ...]:
    """Models first, then corpora, then the database."""
    cards = []
    for entry in CATALOGUE.values():
        there = present(entry.name, settings.models)
        note = entry.purpose if there else f"missing: python -m irag models pull {entry.name}"
        cards.append(HealthCard(f"model {entry.name}", there, note))
    for corpus in list_corpora(settings.home):
        cards.append(HealthCard(f"corpus {corpus.name}", corpus.ready, corpus.note))
    if not list_corpora(settings.home):
        cards.append(HealthCard("corpora", False, "none yet: python -m irag setup"))
    cards.append(_database(settings))
    return tuple(cards)


def _database(settings: Settings) -> HealthCard:
    try:
        with open_database(settings.database_url).session():
            return HealthCard("database", True, "open and migrated")
    except IragError as error:
        return HealthCard("database", False, str(error))
