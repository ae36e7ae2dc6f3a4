"""Measures as values that print as papers write them; they score traces and never run anything."""

from __future__ import annotations

from irag.errors import UnknownName, UserError
from irag.measures.answers import EM, F1, FirstF1, LenientEM, OfficialEM, OfficialF1, asked
from irag.measures.base import NO_GOLD, Case, Measure, Score, case_of, ended
from irag.measures.chains import ChainF1, SupportF1, says, support
from irag.measures.cost import Hops, LLMCalls, Seconds, Tokens
from irag.measures.judged import Completeness, Faithfulness, Judged, Relevance
from irag.measures.retrieval import AllGold, AnswerIn, Ranked, Recall, Success, nDCG
from irag.measures.similar import Cosine

__all__ = [
    "MEASURES",
    "NO_GOLD",
    "STANDARD",
    "Case",
    "Judged",
    "Measure",
    "Score",
    "asked",
    "case_of",
    "ended",
    "parse_measure",
    "parse_measures",
    "says",
    "support",
]

_RANKED: tuple[type[Ranked], ...] = (Recall, Success, AllGold, nDCG, AnswerIn)
_PLAIN: tuple[type[Measure], ...] = (
    *(EM, F1, SupportF1, ChainF1),
    *(OfficialEM, OfficialF1, LenientEM, FirstF1),
    *(LLMCalls, Tokens, Seconds, Hops),
    *(Faithfulness, Completeness, Relevance, Cosine),
)
MEASURES: dict[str, type[Measure]] = {kind.name: kind for kind in (*_RANKED, *_PLAIN)}
"""Every measure by name; those over a ranking are written with @k."""


def parse_measure(text: str) -> Measure:
    """A measure from its name: `R@5`, `EM`; UnknownName lists those there are.

    >>> str(parse_measure("nDCG@10"))
    'nDCG@10'
    """
    name, at, depth = text.strip().partition("@")
    known = [f"{n}@k" if issubclass(kind, Ranked) else n for n, kind in MEASURES.items()]
    kind = MEASURES.get(name)
    if kind is None:
        raise UnknownName("measure", text, known)
    if not issubclass(kind, Ranked):
        if at:
            raise UserError(f"{text!r}: {name} takes no @k.")
        return kind()
    if not depth.isdecimal():
        raise UserError(f"{text!r}: write {name}@k with a number, such as {name}@5.")
    return kind(int(depth))


def parse_measures(text: str) -> tuple[Measure, ...]:
    """Measures from names separated by spaces or commas, without repeats; at least one."""
    found = tuple(dict.fromkeys(map(parse_measure, text.replace(",", " ").split())))
    if not found:
        raise UserError(f"Name a measure. Known: {', '.join(sorted(MEASURES))}.")
    return found


STANDARD = parse_measures(
    "R@2 R@3 R@5 R@10 Success@5 All@5 nDCG@10 EM F1 SupportF1 ChainF1 LLMCalls Tokens Seconds Hops"
)
"""What an experiment measures when nothing else is said."""
