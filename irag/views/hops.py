"""A trace as hops: what each one searched, found, ranked, asked and cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from irag.actions import (
    Action,
    ChainGrew,
    Choose,
    DocumentsOf,
    Generate,
    HopStarted,
    Rank,
    Retrieve,
    RetrieveSentences,
    Stopped,
    Together,
    TriplesOf,
)
from irag.errors import Cancelled
from irag.types import Document, Scored, Sentence, Step, Trace, Triple, Usage
from irag.views.calls import CallView, PendingStep, Writing, call, failed, parts, reads, writing
from irag.views.step_lines import step_lines

__all__ = ["CandidateRow", "DocumentRow", "HopView", "chain_hops", "documents", "hops"]


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document that a hop retrieved; `new` when no earlier hop had it."""

    rank: int
    document: Document
    score: float
    new: bool


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A ranked triple; `title` is that of the document that says it, "" when unknown."""

    triple: Triple
    score: float
    chosen: bool
    title: str


@dataclass(frozen=True, slots=True)
class HopView:
    """One hop. `number` 0 is what came before the first; `reading` what came after the last.

    `triple_count` is None when no triples were asked for; `grown` holds the triples that joined
    the chain, `how` says by which rules. `candidates` has the chosen ones on top. `said` is what
    the method remarked and what it found beside documents and triples, a line each.
    """

    number: int
    reading: bool = False
    query: str = ""
    documents: tuple[DocumentRow, ...] = ()
    triple_count: int | None = None
    candidates: tuple[CandidateRow, ...] = ()
    grown: tuple[Triple, ...] = ()
    how: tuple[str, ...] = ()
    calls: tuple[CallView, ...] = ()
    writing: tuple[Writing, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def new(self) -> int:
        """How many of the documents no earlier hop had."""
        return sum(row.new for row in self.documents)

    @property
    def cancelled(self) -> bool:
        """Whether the person's Stop ended it, which is no failure."""
        return bool(self.errors) and set(self.errors) == {str(Cancelled())}


_SHOWN = (HopStarted, ChainGrew, Stopped, Generate, Choose, Retrieve, TriplesOf, Rank, Together)
"""What has a drawing of its own, or parts that have."""

_FINDS = (Retrieve, RetrieveSentences, DocumentsOf)

Place = tuple[int, bool]


def hops(trace: Trace, pending: Sequence[PendingStep] = ()) -> tuple[HopView, ...]:
    """The hops of a trace in order; each is there from the moment its query is."""
    titles = {document.id: document.title for document in documents(trace)}
    seen: set[str] = set()
    views: list[HopView] = []
    for place, (steps, waiting) in _grouped(trace.steps, pending).items():
        view = _hop(HopView(*place), steps, seen, titles)
        view = replace(view, writing=tuple(w for one in waiting for w in writing(one)))
        seen |= {row.document.id for row in view.documents}
        if view != HopView(*place):
            views.append(view)
    return tuple(views)


def documents(trace: Trace) -> tuple[Document, ...]:
    """Every document that the trace saw, once, in the order of appearance."""
    found: dict[str, Document] = {}
    for step in trace.steps:
        for action, result in parts(step):
            if isinstance(action, _FINDS) and result and not failed(result):
                for hit in result:
                    unit = hit.unit if isinstance(hit, Scored) else hit
                    one = unit.document if isinstance(unit, Sentence) else unit
                    found.setdefault(one.id, one)
    for scored in trace.answer.evidence if trace.answer else ():
        found.setdefault(scored.unit.id, scored.unit)
    return tuple(found.values())


def chain_hops(trace: Trace) -> tuple[tuple[Triple, int], ...]:
    """The chain's triples with the hop that each one joined in, in order."""
    return tuple(
        (step.action.triple, step.hop) for step in trace.steps if isinstance(step.action, ChainGrew)
    )


def _grouped(
    steps: Sequence[Step], pending: Sequence[PendingStep]
) -> dict[Place, tuple[list[Step], list[PendingStep]]]:
    """Steps and actions under way by hop; from the reader's call on it is the reading."""
    groups: dict[Place, tuple[list[Step], list[PendingStep]]] = {}
    over = False
    for step in steps:
        over = over or reads(step)
        groups.setdefault((step.hop, over), ([], []))[0].append(step)
        over = over or isinstance(step.action, Stopped)
    for one in pending:
        place = (one.step.hop, over or reads(one.step))
        groups.setdefault(place, ([], []))[1].append(one)
    return groups


def _hop(view: HopView, steps: list[Step], seen: set[str], titles: dict[str, str]) -> HopView:
    hits: list[Scored[Document]] = []
    ranked: list[Scored[Triple]] = []
    for step in steps:
        view = replace(
            view,
            usage=view.usage + step.usage,
            seconds=view.seconds + step.seconds,
            notes=(*view.notes, *step.cut),
            errors=(*view.errors, step.error) if step.error else view.errors,
        )
        view = replace(view, said=(*view.said, *_said(step)))
        for action, result in parts(step):
            view = _with(view, step, action, result)
            if result and not failed(result):
                hits += result if isinstance(action, Retrieve) else ()
                ranked += _triples(result) if isinstance(action, Rank) else ()
    rows = _candidate_rows(ranked, view.grown, titles)
    return replace(view, documents=_document_rows(hits, seen), candidates=rows)


def _with(view: HopView, step: Step, action: Action[Any], result: Any) -> HopView:
    """The view with what one action said or brought."""
    if failed(result):
        view = replace(view, errors=(*view.errors, str(result)))
    if isinstance(action, HopStarted):
        return replace(view, query=action.query or view.query)
    if isinstance(action, Retrieve):
        return replace(view, query=view.query or str(action.query))
    if isinstance(action, ChainGrew):
        how = (*view.how, action.how) if action.how else view.how
        return replace(view, grown=(*view.grown, action.triple), how=how)
    if isinstance(action, TriplesOf) and result is not None and not failed(result):
        return replace(view, triple_count=(view.triple_count or 0) + len(result))
    if isinstance(action, Generate | Choose):
        return replace(view, calls=(*view.calls, call(step, action, result)))
    return view


def _triples(ranked: Sequence[Scored[Any]]) -> list[Scored[Triple]]:
    return [scored for scored in ranked if isinstance(scored.unit, Triple)]


def _said(step: Step) -> list[str]:
    """What no list of a hop shows: remarks of a method's own, sentences, entities, names."""
    if step.error or isinstance(step.action, _SHOWN):
        return []
    return [line.strip() for line in step_lines(step)]


def _document_rows(hits: list[Scored[Document]], seen: set[str]) -> tuple[DocumentRow, ...]:
    best: dict[str, Scored[Document]] = {}
    for hit in hits:
        if hit.unit.id not in best or hit.score > best[hit.unit.id].score:
            best[hit.unit.id] = hit
    return tuple(
        DocumentRow(rank, hit.unit, hit.score, hit.unit.id not in seen)
        for rank, hit in enumerate(best.values(), 1)
    )


def _candidate_rows(
    ranked: list[Scored[Triple]], grown: tuple[Triple, ...], titles: dict[str, str]
) -> tuple[CandidateRow, ...]:
    chosen = {triple.id for triple in grown}
    first: dict[str, Scored[Triple]] = {}
    for scored in ranked:
        first.setdefault(scored.unit.id, scored)
    rows = (
        CandidateRow(s.unit, s.score, s.unit.id in chosen, titles.get(s.unit.document or "", ""))
        for s in first.values()
    )
    return tuple(sorted(rows, key=lambda row: not row.chosen))
