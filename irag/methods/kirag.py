"""KiRAG: a chain of knowledge triples grows hop by hop and steers what is retrieved next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from irag.actions import (
    ChainGrew,
    Flow,
    HopStarted,
    MethodFlow,
    Retrieve,
    Stopped,
)
from irag.match import triple_key
from irag.methods.base import Card, Method, setting
from irag.methods.kirag_constructors import Pick, choose, generate, shots, take_best
from irag.methods.kirag_units import rank_units
from irag.methods.reading import cite, read
from irag.methods.trace import read_trace
from irag.text import normalise_answer
from irag.types import Answer, Document, Scored, StopReason, Triple

__all__ = ["KiRAG"]

BOOST = 0.5  # KiRAG code: added to the chosen triple and to one that holds the answer
POOL = 100  # KiRAG code: maximum_possible_choices
READ_BY_TRACE = 5  # documents whose triples TRACE chains


@dataclass
class _Pool:
    """What the hops have brought: documents and triples with their best scores so far."""

    documents: dict[str, Scored[Document]] = field(default_factory=dict)
    triples: dict[str, Scored[Triple]] = field(default_factory=dict)

    def add_documents(self, hits: Sequence[Scored[Document]]) -> None:
        for hit in hits:
            known = self.documents.get(hit.unit.id)
            if known is None or known.score < hit.score:
                self.documents[hit.unit.id] = hit

    def add_triples(self, ranked: Sequence[Scored[Triple]]) -> None:
        for one in ranked:
            known = self.triples.get(one.unit.id)
            if known is None or known.score < one.score:
                self.triples[one.unit.id] = one

    def boost(self, triple: Triple) -> None:
        known = self.triples.get(triple.id)
        if known is not None:
            self.triples[triple.id] = Scored(triple, known.score + BOOST)

    def best_triples(self) -> list[Scored[Triple]]:
        return sorted(self.triples.values(), key=lambda one: (-one.score, one.unit.id))

    def ranking(self) -> tuple[Scored[Document], ...]:
        """Documents by their best triple; those without a candidate follow as retrieved."""
        ranked = {}
        for one in self.best_triples():
            document = one.unit.document
            if document in self.documents and document not in ranked:
                ranked[document] = Scored(self.documents[document].unit, one.score)
        rest = [hit for key, hit in self.documents.items() if key not in ranked]
        rest.sort(key=lambda hit: (-hit.score, hit.unit.id))
        return (*ranked.values(), *rest)


@dataclass(frozen=True)
class KiRAG(Method):
    """Retrieve, rank triples against question and chain, let the constructor choose, repeat."""

    card: ClassVar[Card] = Card(
        name="kirag",
        title="KiRAG",
        summary=(
            "Splits retrieved passages into knowledge triples, ranks them against the question and "
            "the chain so far, and appends the best, or one that an LLM chooses, hop by hop."
        ),
        paper="Fang et al. 2025, KiRAG, arXiv 2502.18397 (ACL 2025 long.929)",
        departures=(
            "Triples come from rules over spaCy's parse unless others are stored; the paper uses "
            "an LLM.",
            "The scorer is the corpus's embedder, untrained; the paper trains an Aligner.",
            "constructor=choose: the LLM names candidates by number, so every link is grounded; "
            "the paper lets it write triples (constructor=generate).",
            "The query is question and chain alone: the paper's label before the chain costs an "
            "untrained embedder 1.9 points of R@5 on 2Wiki (69.3 with it, 71.2 without).",
            "A triple whose text already stands in the chain is never a candidate again.",
            "Documents without a candidate triple follow in retrieval order; the paper drops them.",
            "The default constructor is none; the paper's has an LLM.",
        ),
        measured=(
            "40 2Wiki questions, qwen2.5-coder-0.5b: constructor=none EM 27.5, F1 36.0, R@3 71.2, "
            "R@5 76.2 with 1 LLM call (1.6 s) a question; choose EM 27.5, F1 36.0, R@3 70.0, "
            "R@5 76.2 with 6 calls (7.4 s); naive_rag EM 17.5, F1 22.5, R@3 58.8, R@5 61.3; "
            "the reader's prompt was picked on the same 40. "
            "All 616 without an LLM: R@2/R@3/R@5 59.5/67.2/72.4, naive_rag 52.8/57.9/62.6. "
            "python -m benchmarks.constructors, python -m benchmarks.retrieval"
        ),
    )

    profile: str = setting(
        "paper",
        "Profile",
        "paper: query = question + whole chain, candidates of this hop. code: query = question + "
        "last triple, candidates of all hops, +0.5 for chosen triples.",
        choices=("paper", "code"),
        source="paper 3.2; code, KiRAG.retrieve",
    )
    constructor: str = setting(
        "none",  # measured, see the card: as good as choose with a 0.5b model, and one LLM call
        "Constructor",
        "Who chooses the next triple: the LLM by number, the LLM in free text, or the best score.",
        choices=("choose", "generate", "none"),
        source="paper 3.2.3",
    )
    max_hops: int = setting(5, "Hops", "The most hops.", (1, 10), source="code: num_turns 5")
    documents: int = setting(
        10, "Documents per hop", "How many are retrieved.", (1, 100), source="code: topk 10"
    )
    unit: str = setting(
        "triple",
        "Unit",
        "What is ranked and chained: triples, sentences (KiRAG-Sent) or passages (KiRAG-Doc).",
        choices=("triple", "sentence", "document"),
        source="paper 4.3",
    )
    candidates: int = setting(
        20, "Candidates", "How many triples stay each hop.", (1, 100), source="code: 20"
    )
    shown: int = setting(
        8, "Shown", "How many of them the LLM sees; small models want few.", (1, 100)
    )
    demonstrations: int = setting(
        5, "Demonstrations", "Worked examples in the prompt.", (0, 12), source="code: 5 of 20"
    )
    examples: str = setting(
        "fixed",
        "Choice of demonstrations",
        "similar: those whose questions are nearest to this one. fixed: always the same, so that "
        "the LLM reads them once for all questions.",
        choices=("fixed", "similar"),
        source="code: by cosine to the question",
    )
    reader: str = setting(
        "passages",
        "Reader",
        "What the answer is read from: passages, passages with the chain, TRACE's chains over "
        "them (triples, or the passages these come from), or none asked.",
        choices=("passages", "chain", "trace_triples", "trace_documents", "none"),
        source="paper 4.1, 4.3",
    )
    reader_documents: int = setting(
        3, "Reader documents", "How many passages the reader sees.", (1, 20), source="paper 4.1"
    )

    def solve(self, question: str) -> MethodFlow:
        """Paper, section 3.2."""
        pool, chain = _Pool(), list[Triple]()
        reason: StopReason = "max_hops"
        note, constructed = f"{self.max_hops} hops are done.", None
        for hop in range(1, self.max_hops + 1):
            ranked = yield from self._candidates(question, chain, pool, hop)
            if not ranked:
                reason, note = "no_candidate", "No triple is left to choose from."
                break
            pick = yield from self._pick(question, ranked, chain)
            constructed = pick.answer or constructed
            if pick.triple is not None:
                chain.append(pick.triple)
                yield from ChainGrew(pick.triple, pick.how)
            if self.profile == "code":
                self._boost(pool, pick)
            if pick.complete or pick.triple is None:
                reason, note = _why(pick), pick.how
                break
        return (yield from self._answer(question, chain, pool, constructed, (reason, note)))

    def _candidates(
        self, question: str, chain: list[Triple], pool: _Pool, hop: int
    ) -> Flow[tuple[Scored[Triple], ...]]:
        """One hop's documents, their triples, and the best of these that are not in the chain."""
        retrieval, alignment = self._queries(question, chain)
        yield from HopStarted(hop, retrieval)
        beside = () if alignment == retrieval else (alignment,)
        hits = yield from Retrieve(retrieval, self.documents, beside=beside)
        pool.add_documents(hits)
        seen = pool.documents.values() if self.profile == "code" else hits
        taken = {triple_key(triple) for triple in chain}
        documents = tuple(hit.unit for hit in seen)
        ranked = yield from rank_units(alignment, documents, self.unit, taken, self.candidates)
        if not ranked:
            return ()
        pool.add_triples(ranked)
        if self.profile == "paper":
            return ranked
        left = [one for one in pool.best_triples() if triple_key(one.unit) not in taken]
        return tuple(left[:POOL])

    def _queries(self, question: str, chain: list[Triple]) -> tuple[str, str]:
        """What is retrieved with and what triples are ranked against; invented ones never steer."""
        grounded = [triple.text for triple in chain if triple.grounded]
        if not grounded:
            return question, question
        alignment = " ".join([question, *grounded])
        return (alignment if self.profile == "paper" else f"{question} {grounded[-1]}"), alignment

    def _pick(
        self, question: str, ranked: tuple[Scored[Triple], ...], chain: list[Triple]
    ) -> Flow[Pick]:
        shown = ranked[: self.shown]
        if self.constructor == "none":
            return take_best(ranked)
        construct = choose if self.constructor == "choose" else generate
        examples = yield from shots(question, self.demonstrations, self.examples == "similar")
        return (yield from construct(question, shown, chain, examples))

    def _boost(self, pool: _Pool, pick: Pick) -> None:
        """KiRAG code: the chosen triple, or the best one that holds the answer, moves up."""
        if pick.triple is not None:
            pool.boost(pick.triple)
        elif pick.answer:
            wanted = f" {normalise_answer(pick.answer)} "
            for one in pool.best_triples():
                if wanted in f" {normalise_answer(one.unit.text)} ":
                    pool.boost(one.unit)
                    break

    def _answer(
        self,
        question: str,
        chain: list[Triple],
        pool: _Pool,
        constructed: str | None,
        stop: tuple[StopReason, str],
    ) -> MethodFlow:
        ranking = pool.ranking()
        documents = [hit.unit for hit in ranking]
        text = None
        if self.reader.startswith("trace") and documents:
            seen, limit = documents[:READ_BY_TRACE], self.reader_documents
            text = yield from read_trace(question, seen, self.reader, limit)
        elif self.reader != "none" and documents:
            grounded = [triple for triple in chain if triple.grounded]
            text = yield from read(
                question,
                documents[: self.reader_documents],
                grounded if self.reader == "chain" else (),
            )
        yield from Stopped(*stop)
        citations = cite(text, documents, chain)
        return Answer(text, ranking, tuple(chain), citations, constructed)


def _why(pick: Pick) -> StopReason:
    if pick.complete:
        return "answered"
    return "repeated" if pick.how == "repeated" else "no_candidate"
