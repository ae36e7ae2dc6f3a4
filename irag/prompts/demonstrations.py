"""Worked examples for prompts, written for this project; one JSON line each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

__all__ = ["Demonstration", "demonstrations"]

Parts = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question, candidate triples, the 0-based numbers of its chain in order, its answer."""

    question: str
    candidates: tuple[Parts, ...]
    chain: tuple[int, ...]
    answer: str


@lru_cache(maxsize=16)
def demonstrations(method: str, language: str = "en") -> tuple[Demonstration, ...]:
    """The demonstrations of a method, in their written order."""
    suffix = "" if language == "en" else f".{language}"
    path = resources.files("irag.prompts").joinpath(method, f"demonstrations{suffix}.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return tuple(
        Demonstration(
            row["question"],
            tuple((head, relation, tail) for head, relation, tail in row["candidates"]),
            tuple(number - 1 for number in row["chain"]),
            row["answer"],
        )
        for row in rows
    )
