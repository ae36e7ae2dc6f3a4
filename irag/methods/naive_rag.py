"""Naive RAG: retrieve once with the question, read the best passages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from irag.actions import Flow, HopStarted, MethodFlow, Retrieve, Stopped
from irag.methods.base import Card, Method, setting
from irag.methods.reading import cite, read
from irag.types import Answer, Document, Scored

__all__ = ["NaiveRAG"]


@dataclass(frozen=True)
class NaiveRAG(Method):
    """One search, one read; a method that only searches otherwise says so in `search` or `way`."""

    card: ClassVar[Card] = Card(
        name="naive_rag",
        title="Naive RAG",
        summary="Retrieves once with the question and reads the best passages.",
        paper="Lewis et al. 2020, Retrieval-Augmented Generation, arXiv 2005.11401",
        measured=(
            "2Wiki: R@2/R@3/R@5 52.8/57.9/62.6 over 616 questions; EM 17.5, F1 22.5 on 40 with "
            "qwen2.5-coder-0.5b. python -m benchmarks.retrieval, python -m benchmarks.constructors"
        ),
        iterative=False,
    )

    way: ClassVar[Literal["dense", "bm25"] | None] = None

    documents: int = setting(
        10, "Documents", "How many documents are retrieved.", (1, 100), source="KiRAG code: topk 10"
    )
    reader: str = setting(
        "passages", "Reader", "What the answer is read from.", choices=("passages", "none")
    )
    reader_documents: int = setting(
        3, "Reader documents", "How many passages the reader sees.", (1, 20), source="KiRAG 4.1"
    )

    def search(self, question: str) -> Flow[tuple[Scored[Document], ...]]:
        """The ranking that is read, best first: here what the question as it stands finds."""
        return (yield from Retrieve(question, self.documents, self.way))

    def solve(self, question: str) -> MethodFlow:
        """Search, then read the best."""
        yield from HopStarted(1, question)
        hits = yield from self.search(question)
        documents = [hit.unit for hit in hits]
        if not documents:
            yield from Stopped("no_candidate", "No document matches the question.")
            return Answer(None)
        text = None
        if self.reader != "none":
            text = yield from read(question, documents[: self.reader_documents])
        note = (
            "The best passages were read." if self.reader != "none" else "No answer was asked for."
        )
        yield from Stopped("sufficient", note)
        return Answer(text, hits, citations=cite(text, documents))
