"""ChainRAG's answer, from the answers of its sub-questions or from their contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from irag.actions import Flow, Generate, Rank, Together
from irag.errors import IragError
from irag.methods.chainrag_calls import Pair, grouped, pair_lines
from irag.methods.chainrag_evidence import Gathered, Search, within
from irag.parse import Unparsed, answer_line
from irag.prompts import Prompt, fill
from irag.text import language_of
from irag.types import Completion, Sentence

__all__ = ["Found", "integrate"]


@dataclass(frozen=True, slots=True)
class Found:
    """A sub-question that was worked on: with its answer or summary, and its context."""

    pair: Pair
    gathered: Gathered


def integrate(
    question: str, found: Sequence[Found], how: str, search: Search, max_tokens: int
) -> Flow[tuple[str | None, str | None]]:
    """The answer to the question, and the one that `how` "both" puts beside it.

    A question that is its own one sub-question is answered already. Where no sub-question has an
    answer, the contexts are read whatever `how` says. A reply without an answer gives way to the
    other reply, then to the last sub-question's answer.
    """
    pairs = [one.pair for one in found]
    answered = [pair.answer for pair in pairs if pair.answer is not None]
    alone = len(pairs) == 1 and pairs[0].question == question
    if alone and answered:
        return answered[0], None
    language = language_of(question)
    prompts: list[Prompt] = []
    if how != "contexts" and answered:
        lines = pair_lines(pairs, language)
        prompts.append(fill("reader/answer_pairs", language, pairs=lines, question=question))
    if how != "answers" or not answered:
        context = yield from _union(question, found, search)
        passages = grouped(context)
        prompts.append(fill("reader/answer", language, passages=passages, question=question))
    said = yield from _read(prompts, max_tokens)
    known = [*(one for one in said if one is not None), *reversed(answered)]
    return (known[0] if known else None), (said[1] if len(said) > 1 else None)


def _union(question: str, found: Sequence[Found], search: Search) -> Flow[list[Sentence]]:
    """All contexts without repeats, reranked against the question, within the cap of words."""
    every = {one.id: one for some in found for one in some.gathered.context}
    units = tuple(every.values())
    if not units:
        return []
    ranked = yield from Rank(question, units, len(units), search.scorer)
    return within([one.unit for one in ranked], search.words)


def _read(prompts: Sequence[Prompt], max_tokens: int) -> Flow[list[str | None]]:
    """What the reader says to each prompt; an error is raised when there is nothing else."""
    if len(prompts) == 1:
        reply = yield from Generate(prompts[0], max_tokens)
        return [_said(reply)]
    replies = yield from Together(*(Generate(one, max_tokens) for one in prompts))
    errors = [one for one in replies if isinstance(one, IragError)]
    if len(errors) == len(replies):
        raise errors[0]
    return [None if isinstance(one, IragError) else _said(one) for one in replies]


def _said(reply: Completion) -> str | None:
    answer = answer_line(reply.text)
    return None if isinstance(answer, Unparsed) else answer
