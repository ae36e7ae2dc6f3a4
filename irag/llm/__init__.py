"""Language models behind one protocol: sends requests and counts them, never builds a prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irag.errors import UnknownName, UserError
from irag.settings import Settings
from irag.tools import LLM

__all__ = ["BACKENDS", "Opener", "Spec", "open_llm", "parse_spec"]

Opener = Callable[[str, Settings], LLM]
"""Opens what stands behind the scheme of a spec."""


@dataclass(frozen=True, slots=True)
class Spec:
    """An LLM SPEC taken apart: `scheme:rest`."""

    scheme: str
    rest: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.rest}" if self.rest else self.scheme


def _llama(rest: str, settings: Settings) -> LLM:
    from irag.llm.llama_cpp import open_llama

    return open_llama(rest, settings)


def _hf(rest: str, settings: Settings) -> LLM:
    from irag.llm.transformers_local import open_transformers

    return open_transformers(rest, settings)


def _openai(rest: str, settings: Settings) -> LLM:
    from irag.llm.openai_compatible import open_server

    return open_server(rest, settings)


def _recorded(rest: str, settings: Settings) -> LLM:
    from irag.llm.recorded import open_recorded

    return open_recorded(rest, settings)


def _scripted(rest: str, settings: Settings) -> LLM:
    from irag.llm.scripted import open_scripted

    return open_scripted(rest, settings)


BACKENDS: dict[str, Opener] = {
    "llama": _llama,
    "hf": _hf,
    "openai": _openai,
    "recorded": _recorded,
    "scripted": _scripted,
}

_ALONE = ("none", "scripted")


def parse_spec(spec: str) -> Spec:
    """Take an LLM SPEC apart; UserError when nothing follows the scheme, UnknownName for others.

    >>> parse_spec("llama:qwen2.5-coder-0.5b")
    Spec(scheme='llama', rest='qwen2.5-coder-0.5b')
    """
    scheme, _, rest = spec.strip().partition(":")
    if scheme not in (*BACKENDS, *_ALONE):
        raise UnknownName("LLM", spec, ["none", *(f"{name}:…" for name in BACKENDS)])
    if not rest and scheme not in _ALONE:
        raise UserError(f"LLM {spec!r} says no model. Write {scheme}:NAME.")
    return Spec(scheme, rest)


def open_llm(spec: str, settings: Settings) -> LLM:
    """Open the LLM that a spec names; the caller closes it.

    Raises UserError for a spec that cannot be used (also for "none", which is no LLM), ModelError
    for missing or damaged weights.
    """
    parsed = parse_spec(spec)
    if parsed.scheme == "none":
        raise UserError("LLM 'none' means that no LLM is used; there is nothing to open.")
    return BACKENDS[parsed.scheme](parsed.rest, settings)
