"""Small traces for the measures' tests: documents named by a letter and a number."""

from __future__ import annotations

from collections.abc import Sequence

from irag.measures import Case, case_of
from irag.running import FORMAT
from irag.types import Answer, Document, Gold, Question, Scored, Step, Trace, Triple


def document(name: str, text: str = "One. Two.", title: str = "") -> Document:
    """Two sentences of four characters, unless said otherwise."""
    return Document(name, title or name, text, ((0, 4), (5, 9)))


def ranking(names: Sequence[str]) -> tuple[Scored[Document], ...]:
    return tuple(Scored(document(name), 1.0 / rank) for rank, name in enumerate(names, 1))


def triple(head: str, relation: str, tail: str, source: tuple[str, int] | None = None) -> Triple:
    return Triple(f"{head}{relation}{tail}", head, relation, tail, source)


def question(answers: Sequence[str] = (), documents: Sequence[str] = (), **gold) -> Question:
    return Question("q1", "Who?", Gold(tuple(answers), tuple(documents), **gold))


def trace(
    text: str | None = None,
    evidence: Sequence[str] = (),
    chain: Sequence[Triple] = (),
    steps: Sequence[Step] = (),
    **fields,
) -> Trace:
    answer = Answer(text, ranking(evidence), tuple(chain))
    values = {"answer": answer, "stopped": "sufficient", "error": None, "settings": ()} | fields
    return Trace(
        FORMAT, "naive_rag", values["settings"], "made@1", (), question(), tuple(steps),
        values["answer"], values["stopped"], "2020-01-01T00:00:00+00:00", values["error"],
    )  # fmt: skip


FAILED = trace(answer=None, stopped="failed", error="The server went away.")


def looked_up(asked: Question, titles: dict[str, tuple[str, ...]] | None = None) -> Case:
    """The case of a question in a corpus of two-sentence documents named p1 to p9."""
    names = {f"p{n}": (f"p{n}",) for n in range(1, 10)} | (titles or {})
    return case_of(
        asked,
        lambda name: names.get(name, ()),
        lambda ids: [document(one) for one in ids],
    )
