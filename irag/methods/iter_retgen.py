"""ITER-RETGEN: the whole of an answer with its reasoning joins the question as the next query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.actions import HopStarted, MethodFlow, Retrieve, Stopped
from irag.methods.base import Card, Method, setting
from irag.methods.reading import ask, cite, prose, read
from irag.parse import Unparsed, conclusion
from irag.prompts import Passages, fill
from irag.text import language_of
from irag.types import Answer, Document, Scored, StopReason

__all__ = ["IterRetGen"]

TOKENS = 128  # of a generation


@dataclass(frozen=True)
class IterRetGen(Method):
    """Retrieve, generate, retrieve with question and generation, a few rounds."""

    card: ClassVar[Card] = Card(
        name="iter_retgen",
        title="ITER-RETGEN",
        summary=(
            "Answers with its reasoning from one retrieval, then retrieves again with the question "
            "and all that it said, for a few rounds."
        ),
        paper="Shao et al. 2023, ITER-RETGEN, arXiv 2305.15294",
        departures=(
            "No examples in the prompt.",
            "Three rounds, as in FlashRAG's code; the paper mostly reports two.",
            "A round that finds what the last one did would be answered alike and ends the loop.",
            "The answer is the last one that the reasoning came to; where it came to none, the "
            "passages are read once more for a short one.",
            "Documents are ranked by the last round alone, as in the code.",
        ),
    )

    rounds: int = setting(
        3, "Rounds", "The most retrievals.", (1, 7), source="FlashRAG: 3; paper: 1 to 7"
    )
    documents: int = setting(
        5, "Documents", "How many each round retrieves and reads.", (1, 20), source="paper: 5"
    )

    def solve(self, question: str) -> MethodFlow:
        """Paper, section 3.1."""
        hits: tuple[Scored[Document], ...] = ()
        query, text = question, None
        reason: StopReason = "max_hops"
        note = f"{self.rounds} rounds are done."
        for number in range(1, self.rounds + 1):
            yield from HopStarted(number, query)
            before, hits = hits, (yield from Retrieve(query, self.documents))
            if not hits:
                yield from Stopped("no_candidate", "No document matches the question.")
                return Answer(None)
            if [hit.unit for hit in hits] == [hit.unit for hit in before]:
                reason, note = "repeated", "The round found what the last one did."
                break
            passages = Passages.of(tuple(hit.unit for hit in hits))
            language = language_of(question)
            prompt = fill("iter_retgen/answer", language, passages=passages, question=question)
            reply = yield from ask(prompt, TOKENS)
            said = reply if isinstance(reply, Unparsed) else prose(reply)
            if isinstance(said, Unparsed):
                reason, note = "no_candidate", f"Nothing to search with: {said.reason}."
                break
            answer = conclusion(said)
            text = text if isinstance(answer, Unparsed) else answer
            query = f"{question} {said}"
        documents = [hit.unit for hit in hits]
        text = text or (yield from read(question, documents))
        yield from Stopped(reason, note)
        return Answer(text, hits, citations=cite(text, documents))
