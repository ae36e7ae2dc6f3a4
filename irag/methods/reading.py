"""Asking and answering, shared by methods: calls with their fallbacks, the reader, citations."""

from __future__ import annotations

from collections.abc import Sequence

from irag.actions import Flow, Generate
from irag.errors import AuthenticationFailed, LLMError, ServerDown
from irag.parse import Unparsed, answer_line, without_thinking
from irag.prompts import Lines, Passages, Prompt, fill
from irag.text import language_of, locate, tokens
from irag.types import Citation, Document, Triple

__all__ = ["ask", "cite", "prose", "read"]

LONGEST_PROSE = 1200  # characters of a reply that are kept


def ask(
    prompt: Prompt, max_tokens: int, schema: str | None = None, stop: tuple[str, ...] = ()
) -> Flow[str | Unparsed]:
    """The reply's text; Unparsed for an empty one and for a call that failed by itself.

    A server that is down or refuses the key will do so again: that error ends the run.
    """
    try:
        reply = yield from Generate(prompt, max_tokens, schema, stop)
    except (ServerDown, AuthenticationFailed):
        raise
    except LLMError as error:
        return Unparsed(f"the call failed ({error})")
    return reply.text if reply.text.strip() else Unparsed("empty model reply")


def prose(text: str) -> str | Unparsed:
    """A reply's own words in one line, at most 1,200 characters; Unparsed without two words."""
    spoken = " ".join(without_thinking(text).split())[:LONGEST_PROSE].rstrip()
    if spoken.startswith(("{", "[", "```")):
        return Unparsed.of("the reply is no prose", text)
    return spoken if len(tokens(spoken)) > 1 else Unparsed.of("the reply says nothing", text)


def read(
    question: str,
    documents: Sequence[Document],
    chain: Sequence[Triple] = (),
    max_tokens: int = 32,
) -> Flow[str | None]:
    """The reader's answer from these documents, with the chain's facts ahead where given.

    None when the reply holds no answer (an empty reply, or only thinking).
    """
    language = language_of(question)
    passages = Passages.of(tuple(documents))
    if chain:
        facts = Lines(tuple(triple.text for triple in chain))
        prompt = fill(
            "reader/answer_chain", language, passages=passages, chain=facts, question=question
        )
    else:
        prompt = fill("reader/answer", language, passages=passages, question=question)
    reply = yield from Generate(prompt, max_tokens=max_tokens)
    answer = answer_line(reply.text)
    return None if isinstance(answer, Unparsed) else answer


def cite(
    answer: str | None, documents: Sequence[Document], chain: Sequence[Triple] = ()
) -> tuple[Citation, ...]:
    """Every place where the answer's words stand, the chain's own sentences first.

    Empty when there is no answer or its words stand nowhere (a yes or no stands nowhere).
    """
    if not answer:
        return ()
    sources = [triple.source for triple in reversed(chain) if triple.source]
    found: list[Citation] = []
    for document in documents:
        for number, (start, end) in enumerate(document.sentences):
            span = locate(answer, document.text[start:end])
            if span:
                found.append(Citation(document.id, number, start + span[0], start + span[1]))
    order = {source: rank for rank, source in enumerate(dict.fromkeys(sources))}
    found.sort(key=lambda c: order.get((c.document, c.sentence), len(order)))
    return tuple(found)
