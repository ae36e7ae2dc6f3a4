"""The glossary: the field's terms in a few words each, in the languages that its file holds."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

__all__ = ["glossary"]

_FILE = Path(__file__).with_name("glossary.toml")


def glossary(language: str = "en") -> tuple[tuple[str, str], ...]:
    """(term, meaning) in the terms' alphabetical order; in English where the language lacks one."""
    return tuple(
        (said.get(f"name_{language}", term), said.get(language) or said["en"])
        for term, said in sorted(_read().items(), key=lambda one: one[0].casefold())
    )


@lru_cache(maxsize=1)
def _read() -> dict[str, dict[str, str]]:
    return tomllib.loads(_FILE.read_text("utf-8"))
