"""KGiRAG: context from the entity graph grows until a judge finds the answer good enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.actions import (
    DocumentsOf,
    Flow,
    HopStarted,
    MatchEntities,
    MethodFlow,
    NamesIn,
    NearEntities,
    Rank,
    Retrieve,
    RetrieveEntities,
    Stopped,
    Together,
)
from irag.errors import IragError
from irag.methods.base import Card, Method, setting
from irag.methods.kgirag_answers import Attempt, attempt
from irag.methods.kgirag_context import Pool, context
from irag.methods.reading import cite, read
from irag.types import Answer, Entity, Scored, StopReason, Triple

__all__ = ["KGiRAG"]

START = 25  # KGiRAG code: entities of the first iteration
TEXTS, TEXTS_MORE = 50, 100  # code: k_text and what each iteration adds
COMMUNITIES, COMMUNITIES_MORE = 10, 5  # code: k_comm
NEIGHBOURS, NEIGHBOURS_MORE = 30, 10  # code: max_neighbours
LEAST = 0.1  # code: a neighbour's least cosine with the question
CHARACTERS, CHARACTERS_MORE = 4000, 1000  # code: the context's length
READ = 3  # passages, where the graph holds nothing
RANKED = 400  # triples of the pool that are ranked for the context and the documents


@dataclass(frozen=True)
class KGiRAG(Method):
    """Start entities, answer, judge, widen the neighbourhood, repeat."""

    card: ClassVar[Card] = Card(
        name="kgirag",
        title="KGiRAG",
        summary=(
            "Gathers what the entity graph says around the question's entities, answers, lets a "
            "judge score faithfulness, completeness and relevance, and widens the context until "
            "the first two are good enough."
        ),
        paper="KGiRAG 2026, arXiv 2604.20859 (ICAART 2026)",
        departures=(
            "The graph is made of the corpus's own triples, its nodes joined by name; the paper "
            "uses GraphRAG's files, in whose released code the edges join nothing.",
            "An entity's description is its triples and their sentences; communities are found by "
            "the graph alone, with no LLM-written reports.",
            "The judge sees the question; a refusal is a field of the reply, never a phrase.",
            "A judgement that cannot be read is no score and asks for another round; the code "
            "makes it 0.",
            "Documents are ranked by their best triple's cosine with the question, +0.2 where the "
            "triple names an entity of the question, +0.1 where it names a start entity or a "
            "neighbour; the paper ranks none.",
        ),
        measured=(
            "2Wiki, 616 questions, no LLM (judge=none,reader=none): R@2/R@3/R@5 61.6/65.5/"
            "68.6, without named entities 58.8/63.7/67.3, naive_rag 52.8/58.0/62.6. "
            "python -m benchmarks.retrieval"
        ),
    )

    entities: str = setting(
        "spacy",
        "Start entities",
        "spacy: those named in the question, then those nearest to it. none: only the nearest.",
        choices=("spacy", "none"),
        source="paper, with and without NER",
    )
    iterations: int = setting(4, "Iterations", "The most rounds.", (1, 8), source="paper: 4")
    faithful: float = setting(
        0.8, "Faithfulness", "Enough of it ends the loop.", (0.0, 1.0), source="paper: 0.8"
    )
    complete: float = setting(
        0.8, "Completeness", "Enough of it ends the loop.", (0.0, 1.0), source="paper: 0.8"
    )
    keep: str = setting(
        "last",
        "Which answer",
        "last: that of the last iteration. best: the one the judge scored highest.",
        choices=("last", "best"),
        source="paper: last",
    )
    judge: str = setting(
        "llm",
        "Judge",
        "llm: three scores end the loop. none: every iteration is run, the last one answers.",
        choices=("llm", "none"),
    )
    reader: str = setting(
        "context", "Reader", "Whether an answer is asked for.", choices=("context", "none")
    )

    def solve(self, question: str) -> MethodFlow:
        """Paper, figure 2."""
        pool, attempts = Pool(), list[Attempt]()
        reason: StopReason = "max_hops"
        note = f"{self.iterations} iterations are done."
        ranked: tuple[Scored[Triple], ...] = ()
        for number in range(self.iterations):
            yield from HopStarted(number + 1, question)
            yield from self._gather(question, pool, number)
            if not pool.triples:
                return (yield from self._from_passages(question))
            ranked = yield from Rank(question, pool.listed(), RANKED)
            last = number == self.iterations - 1
            if self.reader == "none" or (self.judge == "none" and not last):
                continue
            read = yield from context(pool, ranked, CHARACTERS + CHARACTERS_MORE * number)
            attempts.append((yield from attempt(question, read, number + 1, self.judge == "llm")))
            if attempts[-1].good(self.faithful, self.complete):
                reason, note = "sufficient", "Faithful and complete enough."
                break
        return (yield from self._answer(pool, ranked, attempts, (reason, note)))

    def _gather(self, question: str, pool: Pool, number: int) -> Flow[None]:
        """Start entities or their neighbours, and what is nearest to the question."""
        texts = RetrieveEntities(question, TEXTS + TEXTS_MORE * number)
        reports = RetrieveEntities(question, COMMUNITIES + COMMUNITIES_MORE * number, "community")
        if number:
            count = NEIGHBOURS + NEIGHBOURS_MORE * number
            near = NearEntities(question, tuple(pool.visited), count, LEAST)
            nearest, wide, around = yield from Together(texts, reports, near)
            pool.visit([hit.unit for hit in _hits(around)])
        else:
            named = yield from self._named(question)
            nearest, wide = yield from Together(texts, reports)
            pool.name(named)
            pool.visit([*named, *(hit.unit for hit in _hits(nearest))][:START])
        pool.read([hit.unit for hit in (*_hits(nearest), *_hits(wide))])

    def _named(self, question: str) -> Flow[tuple[Entity, ...]]:
        if self.entities == "none":
            return ()
        names = yield from NamesIn(question)
        return (yield from MatchEntities(names)) if names else ()

    def _from_passages(self, question: str) -> MethodFlow:
        """Where the graph holds nothing for the question, what one retrieval finds is read."""
        hits = yield from Retrieve(question)
        documents = [hit.unit for hit in hits]
        asked = documents and self.reader != "none"
        text = (yield from read(question, documents[:READ])) if asked else None
        yield from Stopped("no_candidate", "The graph holds nothing; passages were read.")
        return Answer(text, hits, (), cite(text, documents))

    def _answer(
        self,
        pool: Pool,
        ranked: tuple[Scored[Triple], ...],
        attempts: list[Attempt],
        stop: tuple[StopReason, str],
    ) -> MethodFlow:
        order = pool.ranking(ranked)
        found = yield from DocumentsOf(tuple(name for name, _ in order))
        evidence = tuple(Scored(d, score) for d, (_, score) in zip(found, order, strict=True))
        best = max(attempts, key=lambda one: (one.quality, -one.iteration), default=None)
        kept = attempts[-1] if attempts and self.keep == "last" else best
        yield from Stopped(*stop)
        text = kept.answer if kept else None
        return Answer(text, evidence, (), cite(text, found))


def _hits(found: tuple[Scored[Entity], ...] | IragError) -> tuple[Scored[Entity], ...]:
    """What came of one of several requests; an error of it is recorded in the step."""
    return () if isinstance(found, IragError) else found
