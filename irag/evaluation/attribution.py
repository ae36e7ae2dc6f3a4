"""Where a wrong question's gold chain was lost first: a function of trace, gold and triples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irag.match import same_triple
from irag.measures import Case, ended, parse_measure, says
from irag.measures.seen import Seen, seen
from irag.text import is_yes_no, locate
from irag.types import Answer, Trace, Triple

__all__ = ["PLACES", "Lost", "lost"]

PLACES: dict[str, str] = {
    "failed": "the run failed",
    "not_retrieved": "not retrieved",
    "not_extracted": "retrieved, but no triple extracted",
    "not_candidate": "extracted, but not a candidate",
    "not_chosen": "a candidate, but not chosen",
    "ignored": "chosen, but ignored by the reader",
    "answer_wrong": "evidence right and answer wrong",
    "unanswerable_answered": "unanswerable, and answered",
    "untold": "wrong, and no gold documents to tell by",
}
"""The places in the order of a chain, with their words."""

Stored = Mapping[str, Sequence[Triple]]
"""The stored triples by document id; those of the gold documents suffice."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The first place where the gold chain was lost; `document` is the gold document's name."""

    place: str
    document: str = ""
    note: str = ""


def lost(case: Case, trace: Trace, stored: Stored) -> Lost | None:
    """None when the answer is right (EM), or nothing was lost before an answer that was not asked.

    Gold documents are taken in the gold's order: the first that was lost decides.
    """
    answer = ended(trace)
    if answer is None:
        return Lost("failed", note=trace.error or trace.stopped)
    right = parse_measure("EM").score(case, trace).value
    if right == 1.0:
        return None
    if not case.question.answerable:
        return Lost("unanswerable_answered") if right == 0.0 else None
    if not case.documents:
        return Lost("untold") if right == 0.0 else None
    met = seen(trace)
    for name, ids in zip(case.question.gold.documents, case.documents, strict=True):
        place = _where(case, ids, answer, met, stored)
        if place:
            note = "" if ids else "not in the corpus"
            return Lost(place, name, note)
    return _at_the_reader(case, answer, met) if right == 0.0 else None


def _where(case: Case, ids: frozenset[str], answer: Answer, met: Seen, stored: Stored) -> str:
    """The place where one gold document was lost before the reader; "" when it came through."""
    if not ids & met.retrieved:
        return "not_retrieved"
    if not met.ranks_triples:
        return _without_triples(ids, answer, met)
    wanted = _wanted(case, ids, stored)
    if not wanted:
        return "not_extracted"
    if not any(triple.id in met.ranked for triple in wanted):
        return "not_candidate"
    chosen = any(c.id == t.id or same_triple(c, t) for c in answer.chain for t in wanted)
    return "" if chosen else "not_chosen"


def _without_triples(ids: frozenset[str], answer: Answer, met: Seen) -> str:
    """For methods that chain sentences or passages, or that read what they retrieved."""
    if answer.chain:
        if met.ranked and not ids & met.ranked:
            return "not_candidate"
        return "" if ids & {triple.document for triple in answer.chain} else "not_chosen"
    return "" if _shown(ids, met) else "not_chosen"


def _shown(ids: frozenset[str], met: Seen) -> bool:
    known = [met.documents[one] for one in ids if one in met.documents]
    return any(map(met.was_read, known)) if known else met.read is None


def _wanted(case: Case, ids: frozenset[str], stored: Stored) -> list[Triple]:
    """The stored triples of a gold document that state a gold fact, or else stand in one of its
    gold sentences, or else all: as much as the gold says."""
    facts = [triple for one in sorted(ids) for triple in stored.get(one, ())]
    gold = case.question.gold.triples
    if gold:
        return [triple for triple in facts if any(says(triple, fact) for fact in gold)]
    sentences = {place for some in case.sentences for place in some if place[0] in ids}
    return [t for t in facts if t.source in sentences] if sentences else facts


def _at_the_reader(case: Case, answer: Answer, met: Seen) -> Lost:
    """The chain came through: was it not read, was something else said, or the wrong part of it?"""
    for name, ids in zip(case.question.gold.documents, case.documents, strict=True):
        if not _shown(ids, met):
            return Lost("ignored", name, "not among what the reader saw")
    if not answer.text or is_yes_no(answer.text):
        return Lost("answer_wrong", note="" if answer.text else "no answer")
    gold = [met.documents[i] for ids in case.documents for i in sorted(ids) if i in met.documents]
    if any(locate(answer.text, f"{one.title}\n{one.text}") for one in gold):
        return Lost("answer_wrong")
    return Lost("ignored", note="the answer stands in no gold document")
