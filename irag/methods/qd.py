"""Naive RAG with question decomposition: every sub-question is searched for, as written or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from irag.actions import Flow, Generate, HopStarted, MethodFlow, Retrieve, Stopped, Together
from irag.errors import IragError
from irag.methods.base import Card, Method, setting
from irag.methods.chainrag_calls import Pair, decompose, pair_lines, rewrite, sub_answer
from irag.methods.chainrag_evidence import merged
from irag.methods.chainrag_references import refers
from irag.methods.reading import cite, read
from irag.parse import Unparsed, answer_line
from irag.prompts import Passages, fill
from irag.remarks import SubAnswered, SubQuestion
from irag.text import language_of
from irag.types import Answer, Document, Scored

__all__ = ["QD"]

Ranking = tuple[Scored[Document], ...]
ANSWER = 32  # tokens


@dataclass(frozen=True)
class QD(Method):
    """Decompose, retrieve for each sub-question, read the question over all of it."""

    card: ClassVar[Card] = Card(
        name="qd",
        title="Naive RAG with question decomposition",
        summary=(
            "Splits the question into sub-questions, retrieves for each and reads the original "
            "question over what all of them found."
        ),
        paper="A baseline (NaiveRAG w/ QD) of Zhu et al. 2025, ChainRAG, arXiv 2502.14245",
        departures=(
            "One call judges and splits (ChainRAG's prompt, in our words); the code makes two.",
            "sub_questions=answered is no setting of the baseline: it shows what rewriting a "
            "sub-question with the answers before it brings.",
            "Documents are ranked by the sum of 1 / rank over the sub-questions, whose lists "
            "share the number of documents evenly.",
        ),
    )

    documents: int = setting(
        10, "Documents", "How many are retrieved by all sub-questions together.", (1, 100)
    )
    sub_questions: str = setting(
        "raw",
        "Sub-questions",
        "raw: all are searched for at once as they are written. answered: one after the other, "
        "with the answers before put in.",
        choices=("raw", "answered"),
        source="baseline: raw",
    )
    reader: str = setting(
        "passages", "Reader", "What the answer is read from.", choices=("passages", "none")
    )
    reader_documents: int = setting(
        3, "Reader documents", "How many passages are read at a time.", (1, 20), source="KiRAG 4.1"
    )

    def solve(self, question: str) -> MethodFlow:
        """Sub-questions, rankings, one read."""
        asked = yield from decompose(question)
        each = -(-self.documents // len(asked))
        pairs: list[Pair] = []
        if self.sub_questions == "raw" or len(asked) == 1:
            rankings = yield from _at_once(asked, each)
        else:
            pairs, rankings = yield from self._one_by_one(asked, each)
        evidence = merged(rankings)
        documents = [hit.unit for hit in evidence]
        if not documents:
            yield from Stopped("no_candidate", "No document matches a sub-question.")
            return Answer(None)
        text = None
        if self.reader != "none":
            text = yield from self._read(question, documents[: self.reader_documents], pairs)
        yield from Stopped("sufficient", f"{len(asked)} sub-questions were searched for.")
        return Answer(text, evidence, citations=cite(text, documents))

    def _one_by_one(
        self, asked: Sequence[str], each: int
    ) -> Flow[tuple[list[Pair], list[Ranking]]]:
        pairs: list[Pair] = []
        rankings: list[Ranking] = []
        for number, text in enumerate(asked, 1):
            yield from HopStarted(number, text)
            query = (yield from rewrite(text, pairs))[0] if refers(text, len(pairs)) else text
            yield from SubQuestion(number, text, query)
            hits = yield from Retrieve(query, each)
            answer = None
            if hits:
                passages = Passages.of(tuple(hit.unit for hit in hits[: self.reader_documents]))
                answer = yield from sub_answer(query, passages, (), ANSWER)
            yield from SubAnswered(number, answer)
            pairs.append(Pair(query, answer))
            rankings.append(hits)
        return pairs, rankings

    def _read(
        self, question: str, documents: Sequence[Document], pairs: Sequence[Pair]
    ) -> Flow[str | None]:
        """From the passages, with the sub-questions' answers where there are any."""
        if not any(pair.answer for pair in pairs):
            return (yield from read(question, documents))
        language = language_of(question)
        lines, passages = pair_lines(pairs, language), Passages.of(tuple(documents))
        prompt = fill("qd/answer", language, pairs=lines, passages=passages, question=question)
        reply = yield from Generate(prompt, ANSWER)
        said = answer_line(reply.text)
        return None if isinstance(said, Unparsed) else said


def _at_once(asked: Sequence[str], each: int) -> Flow[list[Ranking]]:
    """One batch; raises the error of a search that failed."""
    yield from HopStarted(1, " | ".join(asked))
    for number, text in enumerate(asked, 1):
        yield from SubQuestion(number, text, text)
    found = yield from Together(*(Retrieve(text, each) for text in asked))
    for one in found:
        if isinstance(one, IragError):
            raise one
    return list(found)
