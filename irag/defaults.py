"""Which LLM this machine uses when none is named: the faster of two local engines, as measured."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

from irag.errors import UserError
from irag.settings import Settings

__all__ = ["DEFAULT_MODEL", "EngineFigure", "default_llm", "figures", "remember"]

DEFAULT_MODEL = "qwen2.5-coder-0.5b"
_FILE = "engines.json"


@dataclass(frozen=True, slots=True)
class EngineFigure:
    """Seconds of one 700-token prompt with 16 written tokens on one engine; None: it failed."""

    engine: str
    spec: str
    seconds: float | None
    note: str = ""


def figures(settings: Settings) -> tuple[EngineFigure, ...]:
    """What `setup` measured on this machine, fastest first; empty before it ran."""
    path = settings.home / _FILE
    if not path.is_file():
        return ()
    try:
        rows = json.loads(path.read_text("utf-8"))["engines"]
        found = tuple(EngineFigure(**row) for row in rows)
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} cannot be read ({error}). Remove it and run setup.") from error
    return tuple(sorted(found, key=lambda f: (f.seconds is None, f.seconds or 0.0, f.engine)))


def remember(settings: Settings, measured: tuple[EngineFigure, ...]) -> None:
    """Keep the figures in the home folder; replaced atomically."""
    settings.home.mkdir(parents=True, exist_ok=True)
    partial = settings.home / f"{_FILE}.{os.getpid()}.part"
    rows = [asdict(figure) for figure in measured]
    partial.write_text(json.dumps({"format": "irag-engines-1", "engines": rows}), "utf-8")
    partial.replace(settings.home / _FILE)


def default_llm(settings: Settings) -> str:
    """The LLM SPEC of the settings, else the faster local engine, else llama.cpp."""
    if settings.llm:
        return settings.llm
    measured = [figure for figure in figures(settings) if figure.seconds is not None]
    return measured[0].spec if measured else f"llama:{DEFAULT_MODEL}"
