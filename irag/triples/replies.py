"""From a reply to a passage's triples: what is not in the passage is dropped and counted."""

from __future__ import annotations

import re

from irag.errors import IragError
from irag.match import entity_key
from irag.parse import Unparsed, triples
from irag.parse.replies import KEPT_CHARACTERS
from irag.triples.asking import Fact, examples
from irag.triples.extraction import Counts, Extraction, counted, said
from irag.triples.grounding import Passage
from irag.triples.quality import weakness
from irag.types import Completion, Document, Triple

__all__ = ["NOTHING", "read"]

NOTHING = "no triples: "
"""How the problem of a passage begins of which there is not one triple."""

_CUT = "the reply was cut at the token limit"
_RECORDS = re.compile(r"[\]}]\s*,\s*[\[{]")  # a model that lost its place writes JSON into a name
_PLACEHOLDERS = {"head", "relation", "tail", "subject", "object", "头", "关系", "尾", "…", "..."}


def read(document: Document, reply: Completion | IragError) -> Extraction:
    """The triples of a reply, each with the sentence that says it.

    An empty list that the model wrote is a result. No usable reply, and one that was cut, is a
    `problem`; of a cut one the whole triples are kept.
    """
    if isinstance(reply, IragError):
        return Extraction(problem=f"{NOTHING}{str(reply) or type(reply).__name__}")
    shown = reply.text.strip()[:KEPT_CHARACTERS]
    found = triples(reply.text)
    if isinstance(found, Unparsed):
        return Extraction(problem=NOTHING + found.reason, reply=shown)
    kept, reasons = _kept(Passage(document), found.facts)
    dropped = counted([*reasons, *["not three texts"] * found.rejected])
    problem = _problem(reply, found.cut, bool(kept), dropped)
    return Extraction(kept, dropped, problem, shown if problem or dropped else "")


def _problem(reply: Completion, cut: bool, usable: bool, dropped: Counts) -> str:
    if reply.cut:
        return f"triples are not sure: {'; '.join(reply.cut)}"
    if cut or reply.finish == "length":
        return f"some triples are missing: {_CUT}" if usable else NOTHING + _CUT
    if dropped and not usable:
        return f"{NOTHING}no record of the reply could be used ({said(dropped)})"
    return ""


def _kept(passage: Passage, facts: tuple[Fact, ...]) -> tuple[tuple[Triple, ...], list[str]]:
    """The triples by sentence, and why the others were dropped."""
    found: dict[str, Triple] = {}
    reasons: list[str] = []
    for fact in facts:
        reason = _flaw(fact, passage)
        sentence = None if reason else passage.sentence_of(*fact)
        if sentence is None:
            reasons.append(reason or "no sentence says it")
            continue
        triple = passage.triple(fact, sentence)
        if found.setdefault(entity_key(triple.text), triple) is not triple:
            reasons.append("said twice")
    ordered = sorted(found.values(), key=lambda triple: triple.source[1] if triple.source else 0)
    return tuple(ordered), reasons


def _flaw(fact: Fact, passage: Passage) -> str:
    if all(part.strip("<>[] ").casefold() in _PLACEHOLDERS for part in fact):
        return "a copy of the prompt"
    if any(_RECORDS.search(part) for part in fact):
        return "with records inside a part"
    if not (passage.holds(fact[0]) and passage.holds(fact[2])):
        copied = any(fact in examples(language) for language in ("en", "zh"))
        return "a copy of an example" if copied else "not in the passage"
    return weakness(*fact) or ""
