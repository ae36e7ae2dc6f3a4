"""An answer with where it stands: its confidence in the evidence and the sentences behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from irag.text import is_yes_no
from irag.types import Citation, Document, Trace, Triple
from irag.views.calls import reads
from irag.views.escape import shorten
from irag.views.hops import chain_hops, documents
from irag.views.words import t

__all__ = ["AnswerView", "EvidenceRow", "Fact", "Piece", "answer_view", "fact", "pieces"]

State = Literal["running", "found", "missing", "judged", "unasked", "empty", "cancelled", "failed"]
"""How an answer stands: in the evidence, not in it, a yes or no, never asked for, asked for and
not given, stopped, failed."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a document: `hop` gave a chain triple from its sentence (0: none), `answer`
    says that the answer's words are here."""

    text: str
    hop: int = 0
    answer: bool = False


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A document of the final ranking, its text cut into pieces that join to the whole."""

    rank: int
    document: Document
    score: float
    pieces: tuple[Piece, ...]

    @property
    def marked(self) -> bool:
        """Whether anything in it is highlighted."""
        return any(piece.hop or piece.answer for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple with the hop it came in; `title` and `sentence` (1-based) say where it stands."""

    hop: int
    triple: Triple
    title: str
    sentence: int | None
    text: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What the page says on the right: `confidence` is one line, `stopped` why the play ended."""

    state: State
    text: str
    confidence: str
    stopped: str
    error: str
    constructed: str
    evidence: tuple[EvidenceRow, ...]
    chain: tuple[Fact, ...]


def answer_view(trace: Trace, running: bool = False) -> AnswerView:
    """The answer of a trace; while `running`, its chain and documents so far."""
    answer = trace.answer
    state: State = "running" if running else _state(trace)
    known = {document.id: document for document in documents(trace)}
    spoken = answer.text if answer and answer.text else ""
    constructed = answer.constructed if answer and answer.constructed else ""
    return AnswerView(
        state,
        spoken,
        _confidence(state, trace, known),
        "" if running else t("stopped", why=t(f"stopped.{trace.stopped}")),
        "" if running else trace.error or "",
        constructed if constructed != spoken else "",
        _evidence(trace),
        tuple(fact(triple, hop, known) for triple, hop in chain_hops(trace)),
    )


def _state(trace: Trace) -> State:
    answer = trace.answer
    if answer is None or trace.stopped in ("cancelled", "failed"):
        return "cancelled" if trace.stopped == "cancelled" else "failed"
    if not answer.text:
        asked = any(reads(step) for step in trace.steps)
        return "empty" if asked else "unasked"
    if answer.found_in_evidence:
        return "found"
    return "judged" if is_yes_no(answer.text) else "missing"


def _confidence(state: State, trace: Trace, known: dict[str, Document]) -> str:
    if state != "found" or trace.answer is None:
        return t(f"answer.{state}")
    first, *others = trace.answer.citations
    document = known.get(first.document)
    if document is None:
        return t("answer.missing")
    said = t(
        "answer.found",
        text=document.text[first.start : first.end],
        title=shorten(document.title, 80),
        number=first.sentence + 1,
    )
    return f"{said}, {t('answer.more', n=len(others))}" if others else said


def _evidence(trace: Trace) -> tuple[EvidenceRow, ...]:
    if trace.answer is None:
        return ()
    chain = chain_hops(trace)
    return tuple(
        EvidenceRow(
            rank, hit.unit, hit.score, pieces(hit.unit, _sources(chain), trace.answer.citations)
        )
        for rank, hit in enumerate(trace.answer.evidence, 1)
    )


def _sources(chain: Iterable[tuple[Triple, int]]) -> dict[tuple[str, int], int]:
    """Hop by (document id, sentence) of the chain's triples; the first hop that used it wins."""
    found: dict[tuple[str, int], int] = {}
    for triple, hop in chain:
        if triple.source:
            found.setdefault(triple.source, hop)
    return found


def pieces(
    document: Document, sources: dict[tuple[str, int], int], citations: Iterable[Citation]
) -> tuple[Piece, ...]:
    """The document's text cut where a highlight begins or ends; the pieces join to the text."""
    sentences = [
        (*document.sentences[number], hop)
        for (owner, number), hop in sources.items()
        if owner == document.id and number < len(document.sentences)
    ]
    answers = [(c.start, c.end) for c in citations if c.document == document.id]
    size = len(document.text)
    edges = {0, size, *(e for s in sentences for e in s[:2]), *(e for a in answers for e in a)}
    borders = sorted(edge for edge in edges if 0 <= edge <= size)
    return tuple(
        Piece(
            document.text[start:end],
            next((hop for low, high, hop in sentences if low <= start and end <= high), 0),
            any(low <= start and end <= high for low, high in answers),
        )
        for start, end in zip(borders, borders[1:], strict=False)
    )


def fact(triple: Triple, hop: int, known: Mapping[str, Document]) -> Fact:
    """A triple with where it stands; `known` are documents by id."""
    document = known.get(triple.document or "")
    if document is None or triple.source is None:
        return Fact(hop, triple, "", None, "")
    number = triple.source[1]
    return Fact(hop, triple, document.title, number + 1, document.sentence(number))
