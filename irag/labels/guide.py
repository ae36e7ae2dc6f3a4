"""The guidelines that every new project starts with, one Markdown file a language."""

from __future__ import annotations

from pathlib import Path

__all__ = ["LANGUAGES", "supplied"]

LANGUAGES = ("en", "zh")
_FOLDER = Path(__file__).resolve().parent / "guidelines"


def supplied() -> dict[str, str]:
    """The guidelines by language, Markdown; read when asked."""
    return {tongue: (_FOLDER / f"{tongue}.md").read_text("utf-8") for tongue in LANGUAGES}
