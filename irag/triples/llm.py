"""Triples that an LLM writes, one call a passage (KiRAG, section 3.1)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import islice

from irag.errors import AuthenticationFailed, IragError, LLMError, PromptTooLong, ServerDown
from irag.tools import LLM, Cancel, Request
from irag.triples.asking import prompt_version, request_for
from irag.triples.extraction import Extraction
from irag.triples.replies import NOTHING, read
from irag.types import Completion, Document

__all__ = ["LLMExtractor"]

BATCH_LOCAL = 4  # prompts read together; KiRAG's code uses as many
BATCH_SERVER = 16  # requests under way at once; the backend keeps its own limit
LOST_IN_A_ROW = 8  # passages without any reply: then it is the LLM, not the passages

Reply = Completion | IragError


class LLMExtractor:
    """Asks an LLM for the triples of each passage, and once more where the reply is unusable.

    A refused key and a server that went away end it at once with their error, as do eight
    passages in a row without a reply; what was given before that is whole.
    """

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self.name = f"llm:{llm.name}+prompt-{prompt_version()}"

    def extract(
        self, documents: Sequence[Document], sample: int = 0, cancel: Cancel | None = None
    ) -> Iterator[Extraction]:
        """One result per document; documents without text are not asked about."""
        stop = cancel or threading.Event()
        size = BATCH_SERVER if self._llm.flags.concurrent else BATCH_LOCAL
        waiting, lost = iter(documents), 0
        while batch := list(islice(waiting, size)):
            answered = iter(self._read([d for d in batch if d.text.strip()], sample, stop))
            for document in batch:
                if not document.text.strip():
                    yield Extraction()
                    continue
                reply, extraction = next(answered)
                lost = lost + 1 if _unanswered(reply) else 0
                yield extraction
                if lost == LOST_IN_A_ROW:
                    raise LLMError(f"{lost} passages in a row got no reply; the last: {reply}")

    def _read(
        self, documents: Sequence[Document], sample: int, cancel: Cancel
    ) -> list[tuple[Reply, Extraction]]:
        """A reply each, and what is in it. Even samples are first tries: where nothing could be
        read from the reply, the passage is asked about once more."""
        replies = self._ask(documents, sample, cancel)
        found = [(reply, read(d, reply)) for d, reply in zip(documents, replies, strict=True)]
        again = [n for n, one in enumerate(found) if _useless(*one)] if sample % 2 == 0 else []
        if again:
            second = self._read([documents[n] for n in again], sample + 1, cancel)
            better = zip(again, second, strict=True)
            for n, (reply, extraction) in better:
                if not extraction.problem.startswith(NOTHING):
                    found[n] = reply, extraction
        return found

    def _ask(self, documents: Sequence[Document], sample: int, cancel: Cancel) -> list[Reply]:
        prepared = [self._request(document, sample) for document in documents]
        requests = [one for one in prepared if isinstance(one, Request)]
        if not requests:
            return [one for one in prepared if not isinstance(one, Request)]
        replies = iter(self._llm.generate(requests, lambda index, text: None, cancel))
        found = [next(replies) if isinstance(one, Request) else one for one in prepared]
        for reply in found:
            if isinstance(reply, AuthenticationFailed | ServerDown):
                raise reply
        return found

    def _request(self, document: Document, sample: int) -> Request | PromptTooLong:
        try:
            return request_for(document, self._llm, sample)
        except PromptTooLong as error:
            return error


def _unanswered(reply: Reply) -> bool:
    """Whether nothing came back; a passage beyond the window says nothing about the LLM."""
    return isinstance(reply, IragError) and not isinstance(reply, PromptTooLong)


def _useless(reply: Reply, extraction: Extraction) -> bool:
    """Whether asking again may help: a reply came, and not one triple could be read from it."""
    return isinstance(reply, Completion) and extraction.problem.startswith(NOTHING)
