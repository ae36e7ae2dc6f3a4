"""ChainRAG: sub-questions one after the other, each answered from a growing set of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from irag.actions import Flow, HopStarted, MethodFlow, Stopped
from irag.errors import UserError
from irag.methods.base import Card, Method, setting
from irag.methods.chainrag_calls import (
    Pair,
    decompose,
    grouped,
    pair_lines,
    rewrite,
    sub_answer,
    summarise,
)
from irag.methods.chainrag_evidence import Gathered, Hits, Search, first_hits, gather, merged
from irag.methods.chainrag_integration import Found, integrate
from irag.methods.chainrag_references import refers, rounds
from irag.methods.chainrag_together import side_by_side
from irag.methods.reading import cite
from irag.remarks import Rewritten, SubAnswered, SubQuestion
from irag.text import language_of
from irag.types import Answer, StopReason

__all__ = ["SEPARATOR", "ChainRAG"]

SEPARATOR = "||"
"""What stands between sub-questions that are given from outside."""

_ON_OFF = ("on", "off")


@dataclass(frozen=True)
class ChainRAG(Method):
    """Decompose, then per sub-question: rewrite, seed sentences, expand until enough, answer."""

    card: ClassVar[Card] = Card(
        name="chainrag",
        title="ChainRAG",
        summary=(
            "Splits the question, puts earlier answers into later sub-questions, and gathers "
            "sentences for each: the best few, then their neighbours in a graph of shared names, "
            "similar wording and nearness, until an LLM says that they are enough."
        ),
        paper="Zhu et al. 2025, ChainRAG, arXiv 2502.14245 (ACL 2025 long.1089)",
        departures=(
            "Documents are ranked by their best sentence against the sub-question as rewritten, "
            "and, where a shared name led to it, its seed; several sub-questions are merged by "
            "the sum of 1 / rank. The paper ranks none. Picked on 160 training questions of 2Wiki.",
            "One call judges and decomposes; the code has two. One call fills in all references "
            "from all earlier pairs, as in the paper; the code asks for each pair first.",
            "References are told by words, and neither a title in quotes nor a capitalised word "
            "inside a sentence is one. The code looks for substrings, so that 'Where' holds 'he'.",
            "A rewriting that loses a name or adds nothing of an earlier answer is not taken.",
            "The first word of the reply decides a sufficiency check; anything else counts as no.",
            "A sub-question is unanswered when the reply says unknown; its context is then "
            "summarised for later ones.",
            "Sub-questions that refer to nothing before them are worked on at the same time.",
            "An expansion keeps the 100 nearest sentences before it reranks; one is made unless "
            "max_expansions says more; the paper goes on until the context is enough.",
            "A question that is its own one sub-question needs no integration.",
            "The graph spans the corpus; the paper builds one for the passages of each question.",
        ),
        measured=(
            "2Wiki, 616 questions, no LLM (decomposition=none,reader=none): R@2/R@3/R@5 55.2/62.9/"
            "70.7, "
            "naive_rag 52.8/58.0/62.6. The ranking was chosen on 160 training questions. "
            "python -m benchmarks.retrieval"
        ),
    )

    profile: str = setting(
        "paper",
        "Profile",
        "paper: 3 seeds, a check after every expansion. code: 7 seeds, two checks, and the last "
        "answer stands in every context.",
        choices=("paper", "code"),
        source="paper 3.3; code of October 2025",
    )
    decomposition: str = setting(
        "llm",
        "Decomposition",
        "Who splits the question: the LLM, or none (the question is its one sub-question).",
        choices=("llm", "none"),
        source="paper 3.2",
    )
    sub_questions: str = setting(
        "",
        "Sub-questions",
        f"Given instead of a decomposition: two or more, with {SEPARATOR} between them. #1 stands "
        "for the first answer.",
    )
    rewriting: str = setting(
        "on", "Rewriting", "Fill earlier answers in.", choices=_ON_OFF, source="paper 3.3"
    )
    unit: str = setting(
        "sentences",
        "Unit",
        "sentences with their graph, or whole passages without one.",
        choices=("sentences", "chunks"),
        source="paper 4.4, without sentence graph",
    )
    entity_edges: str = setting(
        "on", "Shared names", "Expand to sentences with a key name in common.", choices=_ON_OFF,
        source="paper 3.1",
    )  # fmt: skip
    similar_edges: str = setting(
        "on", "Similar sentences", "Expand to mutually similar sentences.", choices=_ON_OFF,
        source="paper 3.1",
    )  # fmt: skip
    adjacent_edges: str = setting(
        "on", "Near sentences", "Expand to sentences at most 3 away.", choices=_ON_OFF,
        source="paper 3.1",
    )  # fmt: skip
    seeds: int = setting(
        0, "Seeds", "Sentences to start from; 0: as the profile says.", (0, 30), source="paper 3.3"
    )
    candidates: int = setting(
        100, "Candidates", "Sentences that are reranked.", (5, 500), source="code: 100"
    )
    scorer: str = setting(
        "reranker",
        "Scorer",
        "What reranks sentences; without a reranker it is the embedder.",
        choices=("reranker", "embedder"),
        source="paper 4.1, a cross-encoder",
    )
    max_expansions: int = setting(
        1,  # a check of 3,000 words costs a laptop 24 s; ranked without an LLM, 3 hops gain nothing
        "Expansions",
        "The most hops along the graph.",
        (0, 5),
        source="code: 1 hop, of October 2025 3; paper: as many as it takes",
    )
    words: int = setting(
        3000, "Words", "The most words of a context.", (100, 20_000), source="code: 3000 words"
    )
    integration: str = setting(
        "answers",
        "Integration",
        "The answer comes from the sub-answers or from all contexts. both: from the sub-answers, "
        "with the other beside it.",
        choices=("answers", "contexts", "both"),
        source="paper 3.4, AnsInt and CxtInt",
    )
    reader: str = setting(
        "passages",
        "Reader",
        "none: no answer is asked; with sub-questions given or no decomposition, no LLM is.",
        choices=("passages", "none"),
    )
    reader_tokens: int = setting(32, "Reader tokens", "Of each answer.", (8, 256))

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        if self.sub_questions and len(self._given()) < 2:
            raise UserError(
                f"chainrag: sub_questions={self.sub_questions}: write two or more, with "
                f"{SEPARATOR} between them."
            )

    def _given(self) -> tuple[str, ...]:
        return tuple(p.strip() for p in self.sub_questions.split(SEPARATOR) if p.strip())

    @property
    def _splits(self) -> bool:
        """Whether the LLM decomposes."""
        return self.decomposition == "llm" and not self.sub_questions

    @property
    def _answers(self) -> bool:
        """Whether sub-questions are answered, which rewriting and checks go with."""
        return self.reader != "none" or self._splits

    def _search(self) -> Search:
        kinds = {
            "entity": self.entity_edges,
            "similar": self.similar_edges,
            "adjacent": self.adjacent_edges,
        }
        paper = self.profile == "paper"
        checks = (self.max_expansions + 1 if paper else 2) if self._answers else 0
        return Search(
            seeds=self.seeds or (3 if paper else 7),
            candidates=self.candidates,
            expansions=self.max_expansions,
            words=self.words,
            checks=checks,
            edges=tuple(kind for kind, chosen in kinds.items() if chosen == "on"),
            scorer="reranker" if self.scorer == "reranker" else "embedder",
            chunks=self.unit == "chunks",
        )

    def solve(self, question: str) -> MethodFlow:
        """Sub-questions in rounds: what refers to an earlier answer waits for it."""
        search = self._search()
        hits = yield from first_hits(question, search)
        if not hits:
            yield from Stopped("no_candidate", "Nothing in the corpus matches the question.")
            return Answer(None)
        asked = self._given() or (question,)
        if self._splits:
            asked = yield from decompose(question)
        found: list[Found] = []
        for hop, one_round in enumerate(rounds(asked), 1):
            yield from HopStarted(hop, " | ".join(one_round))
            earlier = tuple(one.pair for one in found)
            found += yield from side_by_side(
                [
                    self._sub_question(n, text, earlier, hits if text == question else None)
                    for n, text in enumerate(one_round, len(found) + 1)
                ]
            )
        text, other = None, None
        if self.reader != "none":
            text, other = yield from integrate(
                question, found, self.integration, search, self.reader_tokens
            )
        yield from Stopped(*self._why(found))
        evidence = merged([one.gathered.documents() for one in found])
        citations = cite(text, [hit.unit for hit in evidence])
        return Answer(text, evidence, citations=citations, constructed=other)

    def _sub_question(
        self, number: int, text: str, earlier: Sequence[Pair], hits: Hits | None
    ) -> Flow[Found]:
        """One sub-question from rewriting to answer; `hits`: what it found, where that is known."""
        search = self._search()
        asked = yield from self._asked(text, earlier)
        yield from SubQuestion(number, text, asked)
        if hits is None or asked != text:
            hits = yield from first_hits(asked, search)
        if not hits:
            yield from SubAnswered(number, None, "Nothing in the corpus matches it.")
            return Found(Pair(asked, None), Gathered())
        notes = self._notes(earlier, language_of(asked))
        gathered = yield from gather(number, asked, hits, notes, search)
        if not self._answers:
            return Found(Pair(asked, None), gathered)
        context = grouped(gathered.context)
        answer = yield from sub_answer(asked, context, notes, self.reader_tokens)
        summary = ""
        if answer is None:
            summary = yield from summarise(asked, context, notes)
        yield from SubAnswered(number, answer, summary)
        return Found(Pair(asked, answer, summary), gathered)

    def _asked(self, text: str, earlier: Sequence[Pair]) -> Flow[str]:
        if self.rewriting == "off" or not self._answers or not refers(text, len(earlier)):
            return text
        asked, how = yield from rewrite(text, earlier)
        yield from Rewritten(text, asked, how)
        return asked

    def _notes(self, earlier: Sequence[Pair], language: str) -> tuple[str, ...]:
        """What earlier sub-questions put into a context: summaries; in the code the last answer."""
        kept = [pair for pair in earlier if pair.answer is None and pair.summary]
        if self.profile == "code":
            kept += [pair for pair in earlier[-1:] if pair.answer is not None]
        return pair_lines(kept, language).entries

    def _why(self, found: Sequence[Found]) -> tuple[StopReason, str]:
        if not self._answers:
            return "sufficient", f"{len(found)} searched without an LLM."
        open_ones = [str(n) for n, one in enumerate(found, 1) if one.pair.answer is None]
        if open_ones:
            return "max_hops", f"No answer was found to sub-question {', '.join(open_ones)}."
        return "answered", f"{len(found)} answered."
