"""The title in what stands before a Markdown text, in YAML or TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

__all__ = ["front_matter"]

MOST_LINES = 500
MOST_CHARACTERS = 50_000
_TITLE = re.compile(r"title:[ \t]*[\"']?(.*?)[\"']?[ \t]*")
_FIELD = re.compile(r"[\w-]+[ \t]*:(?:\s|$)")
_ENDS = {"---": ("---", "..."), "+++": ("+++",)}


def front_matter(lines: list[str]) -> tuple[str, int]:
    """(title or "", the first line after it); ("", 0) where the text begins at once."""
    mark = lines[0].strip() if lines else ""
    ends = _ENDS.get(mark, ())
    last = next((n for n, line in enumerate(lines[1:MOST_LINES], 1) if line.strip() in ends), 0)
    if not last or sum(map(len, lines[:last])) > MOST_CHARACTERS:
        return "", 0
    inner = lines[1:last]
    fields = _toml(inner) if mark == "+++" else _yaml(inner)
    if fields is None:
        return "", 0
    title = fields.get("title", fields.get("Title"))
    return (str(title).strip() if isinstance(title, str | int | float) else ""), last + 1


def _toml(lines: list[str]) -> Mapping[Any, Any] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return None


def _yaml(lines: list[str]) -> Mapping[Any, Any] | None:
    """The fields; None for lines between two rules that are no fields but text."""
    import yaml

    try:
        # The base loader makes strings only, and no date or number loses its form.
        found = yaml.load("\n".join(lines), Loader=yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, RecursionError):
        if not any(_FIELD.match(line) for line in lines):
            return None
        named = (_TITLE.fullmatch(line) for line in lines)  # "title: Osk: a town" is no YAML
        return {"title": next((one[1] for one in named if one), "")}
    return {} if found in (None, "") else found if isinstance(found, Mapping) else None
