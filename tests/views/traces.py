"""Hand-made traces: a chain of any length, hostile names, failures, no answer asked."""

from __future__ import annotations

from collections.abc import Sequence

from irag.actions import ChainGrew, Generate, HopStarted, Rank, Retrieve, Stopped, TriplesOf
from irag.prompts import Prompt
from irag.text import sentences
from irag.types import (
    Answer,
    Citation,
    Completion,
    Document,
    Message,
    Question,
    Scored,
    Step,
    Trace,
    Triple,
    Usage,
    document_id,
    triple_id,
)

ROWS = (
    ("Kirton End", "Kirton End is a hamlet. It lies in the borough of Boston.", ("Kirton End", "lies in", "borough of Boston")),
    ("Boston, Lincolnshire", "Boston is a town. The town had 35,124 people in 2001.", ("borough of Boston", "had in 2001", "35,124 people")),
    ("River Witham", "The River Witham runs through Boston.", ("River Witham", "runs through", "borough of Boston")),
    ("The Wash", "The Witham ends in The Wash.", ("River Witham", "ends in", "The Wash")),
    ("North Sea", "The Wash is part of the North Sea.", ("The Wash", "is part of", "North Sea")),
)  # fmt: skip
NOISE = tuple(
    (f"Hamlet {n}", f"Hamlet {n} is a place in the fens. Nobody wrote more about it.", (f"Hamlet {n}", "is", "a place in the fens"))
    for n in range(9)
)  # fmt: skip


def document(title: str, text: str) -> Document:
    return Document(document_id(title, text), title, text, sentences(text))


def triple(head: str, relation: str, tail: str, owner: Document | None = None) -> Triple:
    last = len(owner.sentences) - 1 if owner else 0
    source = (owner.id, last) if owner else None
    return Triple(triple_id(head, relation, tail, owner.id if owner else "", last), head, relation, tail, source)  # fmt: skip


def completion(text: str, prompt: str = "Facts: ...", **changes: object) -> Completion:
    messages = (Message("system", "You complete chains."), Message("user", prompt))
    return Completion(text, usage=Usage(1, 812, 9), prompt=messages, prefix="Thought: ", **changes)


def question(text: str = "How many people live in the town near Kirton End?") -> Question:
    return Question("q1", text)


def hop_steps(
    number: int, row: tuple[str, str, tuple[str, str, str]], chosen: Triple | None = None
) -> list[Step]:
    """The steps of one hop: its own document first, nine of noise after it."""
    documents = [document(title, text) for title, text, _ in (row, *NOISE)]
    triples = [triple(*parts, owner) for (_, _, parts), owner in zip((row, *NOISE), documents, strict=True)]  # fmt: skip
    hits = tuple(Scored(d, 0.9 - 0.05 * n) for n, d in enumerate(documents))
    ranked = tuple(Scored(one, 0.8 - 0.07 * n) for n, one in enumerate(reversed(triples)))
    query = question().text if number == 1 else f"{question().text}\nknowledge triples: so far."
    actions = [
        (HopStarted(number, query), None),
        (Retrieve(query, 10), hits),
        (TriplesOf(tuple(documents)), tuple(triples)),
        (Rank(query, tuple(triples), 20), ranked),
        (Generate(Prompt("kirag/choose", "en", ())), completion('{"chain": [1], "answer": ""}')),
        (ChainGrew(chosen or triples[0], "candidate 1, first of 1 named"), None),
    ]
    return [
        Step(0, number, action, result, getattr(result, "usage", Usage()), 0.1 if result else 0.0)
        for action, result in actions
    ]


def trace_of(
    rows: Sequence[tuple[str, str, tuple[str, str, str]]] = ROWS[:2],
    text: str | None = "35,124",
    stopped: str = "answered",
    asked: Question | None = None,
) -> Trace:
    """A whole run over these rows, one hop each; the answer stands in the last row, if anywhere."""
    steps = [step for n, row in enumerate(rows, 1) for step in hop_steps(n, row)]
    hop = len(rows)
    if text is not None:
        reply = completion(f"Answer: {text}")
        steps.append(Step(0, hop, Generate(Prompt("reader/answer", "en", ())), reply, reply.usage, 0.7))  # fmt: skip
    steps.append(Step(0, hop, Stopped(stopped)))
    numbered = tuple(_numbered(steps))
    evidence = tuple(Scored(document(t, body), 0.9 - 0.1 * n) for n, (t, body, _) in enumerate((*reversed(rows), *NOISE[:6])))  # fmt: skip
    chain = tuple(s.action.triple for s in numbered if isinstance(s.action, ChainGrew))
    answer = Answer(text, evidence, chain, _citations(text, evidence))
    return Trace("irag-trace-1", "kirag", (), "sample@3", (("llm", "scripted"),), asked or question(), numbered, answer, stopped, "2026-11-30T10:20:30+00:00")  # fmt: skip


def _numbered(steps: Sequence[Step]) -> list[Step]:
    return [
        Step(n, s.hop, s.action, s.result, s.usage, s.seconds, s.error, s.cut)
        for n, s in enumerate(steps, 1)
    ]


def _citations(text: str | None, evidence: Sequence[Scored[Document]]) -> tuple[Citation, ...]:
    found = []
    for hit in evidence if text else ():
        at = hit.unit.text.find(text)
        for number, (start, end) in enumerate(hit.unit.sentences):
            if start <= at < end:
                found.append(Citation(hit.unit.id, number, at, at + len(text)))
    return tuple(found)
