"""The one home of escaping: whatever a corpus, a model or a person wrote is shown literally."""

from __future__ import annotations

import html as _html
import re

from irag.text import clean
from irag.types import Triple

__all__ = ["arrow", "clean", "html", "isolate", "literal", "shorten"]

_JOINER = "\u2060"
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_REPLACED = re.compile(r"(?<=[<>\-=~])(?=[<>\-=~])|(?<=@)|(?<=:)(?=//)|(?<=www)(?=\.)", re.I)


def html(text: str) -> str:
    """Text as HTML text or attribute value."""
    return _html.escape(clean(text), quote=True)


def literal(text: str) -> str:
    r"""Text for Streamlit's Markdown that shows as it stands.

    Every ASCII punctuation character gets a backslash. Arrows (`->`) and bare links are replaced
    after Markdown was read, so backslashes do not help there: an invisible word joiner (U+2060)
    breaks them.

    >>> literal("$5 *a*")
    '\\$5 \\*a\\*'
    """
    joined = _REPLACED.sub(_JOINER, clean(text))
    return _PUNCTUATION.sub(lambda found: "\\" + found.group(), joined).replace("\n", " ")


def isolate(text: str) -> str:
    """Text between U+2068 and U+2069, so that right-to-left text keeps to its own place."""
    return f"\u2068{clean(text)}\u2069"


def arrow(triple: Triple) -> str:
    """A triple on one plain line, each part isolated: head — relation → tail."""
    parts = (isolate(part) for part in (triple.head, triple.relation, triple.tail))
    return "{} — {} → {}".format(*parts)


def shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters, the last an ellipsis where text is left out."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
