"""IRCoT: each sentence of a chain of thought is the next query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from irag.actions import Flow, HopStarted, MethodFlow, Retrieve, Stopped
from irag.methods.base import Card, Method, setting
from irag.methods.reading import ask, cite, prose, read
from irag.parse import Unparsed, conclusion
from irag.prompts import Lines, Passages, fill
from irag.text import language_of, normalise_answer, sentences
from irag.types import Answer, Document, Scored, StopReason

__all__ = ["IRCoT"]

PASSAGES = 15  # code: the most that are collected
THOUGHT = 64  # tokens of a sentence
_NONE_YET = {"en": "none yet", "zh": "还没有"}
_REASONS = re.compile(
    r"\s*(?:(?:thus|so|therefore|hence|that is)\b|因此|所以|可见|也就是说)"
    r"|.*\d\s*[-+*/×÷]\s*\d+\s*=",
    re.IGNORECASE,
)
"""A sentence that only draws a conclusion or calculates names nothing to search for (code)."""


@dataclass(frozen=True)
class IRCoT(Method):
    """Retrieve, think one sentence, retrieve with it, until a thought is the answer."""

    card: ClassVar[Card] = Card(
        name="ircot",
        title="IRCoT",
        summary=(
            "Thinks aloud one sentence at a time; each sentence is the next query, and all that "
            "was found so far is read before the next one."
        ),
        paper="Trivedi et al. 2023, IRCoT, arXiv 2212.10509",
        departures=(
            "The corpus's own search; the paper uses BM25.",
            "The prompt holds one short example; the code has fifteen and more.",
            "The thoughts so far are shown and the next sentence is asked for, because not every "
            "LLM can continue its own text.",
            "At most 5 sentences; the code allows 10. A repeated thought ends the loop.",
            "reader=thoughts: the answer is that of the last thought; the paper always reads the "
            "passages once more, as reader=passages does and as is done where no thought answers.",
            "Only the same passage is a repetition; the code compares passages loosely.",
            "Documents are ranked in the order in which they were first found; the score is "
            "1 / rank.",
        ),
    )

    documents: int = setting(
        6, "Documents", "How many each thought retrieves.", (1, 15), source="code: 6"
    )
    max_hops: int = setting(
        5, "Thoughts", "The most sentences of reasoning.", (1, 10), source="code: 10"
    )
    reader: str = setting(
        "thoughts",
        "Reader",
        "thoughts: the answer that the reasoning comes to. passages: all passages are read anew.",
        choices=("thoughts", "passages"),
        source="paper 3.2",
    )

    def solve(self, question: str) -> MethodFlow:
        """Paper, section 3.1."""
        found: dict[str, Document] = {}
        thoughts: list[str] = []
        query, text = question, None
        reason: StopReason = "max_hops"
        note = f"{self.max_hops} thoughts are done."
        for hop in range(1, self.max_hops + 1):
            yield from HopStarted(hop, query)
            hits = yield from Retrieve(query, self.documents)
            fresh = [hit.unit for hit in hits if hit.unit.id not in found]
            found |= {one.id: one for one in fresh[: PASSAGES - len(found)]}
            if not found:
                yield from Stopped("no_candidate", "No document matches the question.")
                return Answer(None)
            thought = yield from _think(question, tuple(found.values()), thoughts)
            if isinstance(thought, Unparsed):
                reason, note = "no_candidate", f"No next thought: {thought.reason}."
                break
            if normalise_answer(thought) in map(normalise_answer, thoughts):
                reason, note = "repeated", "The thought was there before."
                break
            thoughts.append(thought)
            answer = conclusion(thought)
            if not isinstance(answer, Unparsed):
                text, reason, note = answer, "answered", "The reasoning came to an answer."
                break
            query = next((one for one in reversed(thoughts) if not _REASONS.match(one)), question)
        documents = tuple(found.values())
        if text is None or self.reader == "passages":
            text = (yield from read(question, documents)) or text
        yield from Stopped(reason, note)
        evidence = tuple(Scored(one, 1 / rank) for rank, one in enumerate(documents, 1))
        return Answer(text, evidence, citations=cite(text, documents))


def _think(
    question: str, documents: tuple[Document, ...], thoughts: Sequence[str]
) -> Flow[str | Unparsed]:
    """The next sentence; whatever follows it is not taken."""
    language = language_of(question)
    so_far = Lines(tuple(thoughts) or (_NONE_YET[language],))
    passages = Passages.of(documents)
    prompt = fill("ircot/next", language, passages=passages, thoughts=so_far, question=question)
    reply = yield from ask(prompt, THOUGHT, stop=("\n\n",))
    spoken = reply if isinstance(reply, Unparsed) else prose(reply)
    if isinstance(spoken, Unparsed):
        return spoken
    spans = sentences(spoken)
    return spoken[spans[0][0] : spans[0][1]].strip() if spans else spoken
