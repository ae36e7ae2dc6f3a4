"""The forms in which names, titles and triples are compared."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

from irag.text import plain, token_f1
from irag.types import Triple

__all__ = ["entity_key", "ground", "same_triple", "title_key", "triple_key"]

GROUNDED_F1 = 0.6  # KiRAG code: a generated triple below this matches no candidate

_MARK = re.compile(
    r"(?P<point>(?<=\d)[.,](?=\d))|(?P<sign>(?<![\w)\]])-(?=\d))|(?P<dropped>[.'’\"“”„«»])"
    r"|(?P<gap>[-\u2010-\u2015\u2212_,;:!?()\[\]])"
)
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\S)")


def entity_key(name: str) -> str:
    """The form in which names are compared: equal whatever the case, spacing, hyphens and quotes.

    A leading article goes. Digits, decimal points, signs and symbols stay, so that names which
    differ in a number (Apollo 11, Apollo 12) or a symbol (C, C++, C#) stay apart. Accents stay.
    """
    folded = unicodedata.normalize("NFKC", name).replace("\u2212", "-").casefold()

    def kept(mark: re.Match[str]) -> str:
        if mark["point"] or mark["sign"]:
            return mark.group()
        return "" if mark["dropped"] else " "

    spaced = " ".join(_MARK.sub(kept, folded).split())
    return _ARTICLE.sub("", spaced) or " ".join(folded.split())


def title_key(title: str) -> str:
    """A title as it is compared: entities decoded, no case, no accents, single spaces."""
    return " ".join(plain(html.unescape(title)).split())


def triple_key(triple: Triple) -> str:
    """The normalised text of a triple: what "no repeated triples" compares."""
    return entity_key(triple.text)


def same_triple(first: Triple, second: Triple) -> bool:
    """Whether two triples say the same in the same words, wherever they come from."""
    return triple_key(first) == triple_key(second)


def ground(text: str, candidates: Sequence[Triple]) -> tuple[int, float] | None:
    """(0-based index, token F1) of the candidate nearest to a generated triple; ties: the first.

    None when every candidate is below 0.6 (KiRAG code).
    """
    scores = [token_f1(text, candidate.text) for candidate in candidates]
    best = max(scores, default=0.0)
    return (scores.index(best), best) if best >= GROUNDED_F1 else None
