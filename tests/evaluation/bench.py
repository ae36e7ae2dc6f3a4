"""A small experiment on the 12-passage corpus with a scripted LLM, for tests that run it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from irag.evaluation import Experiment, Folder, Plan, Planned, Progress, Report, evaluate, report_of
from irag.llm.scripted import Scripted, simplest
from irag.measures import STANDARD, Case, case_of
from irag.methods import parse_method
from irag.performing import Tools
from irag.tools import LLM
from irag.types import Gold, Question
from tests.fakes import BRIDGE, QUESTION, SECOND, FakeCorpus, documents, fake_tools

METHODS = ("naive_rag", "kirag:constructor=choose,max_hops=2,documents=4")
KNOWN = {document.title: document for document in documents()}


def cases(count: int = 4, answers: Sequence[str] = ("Tem",)) -> list[Case]:
    """Questions of different words, so that no two share a cached reply."""
    gold = Gold(tuple(answers), ("The Quiet Harbour", BRIDGE, SECOND))
    asked = [Question(f"q{n}", f"{QUESTION[:-1]}, {n}?", gold, "bridge") for n in range(count)]
    look = {one.id: one for one in KNOWN.values()}
    return [
        case_of(q, lambda name: (KNOWN[name].id,), lambda ids: [look[i] for i in ids])
        for q in asked
    ]


def scripted() -> Scripted:
    """The first of what is offered, and "Tem" as the answer of even questions."""

    def reply(request) -> str:
        even = any(f", {n}?" in m.text for m in request.messages for n in (0, 2, 4, 6))
        return simplest(request.schema) if request.schema else "Tem" if even else "Osk"

    return Scripted(reply)


def plan(some: Sequence[Case], methods: Sequence[str] = METHODS, seed: int = 0) -> Plan:
    names = tuple(str(parse_method(text)) for text in methods)
    asked = tuple(Planned(c.question.id, c.question.kind, 2) for c in some)
    measures = tuple(map(str, STANDARD))
    return Plan("fake@1", (("llm", "scripted"),), names, asked, ("q.jsonl", "0"), measures, seed)


def run(
    path: Path,
    some: Sequence[Case],
    tools: Tools | None = None,
    methods: Sequence[str] = METHODS,
    tell: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
) -> Report:
    """Begin or go on, to the end, and report."""
    planned = plan(some, methods)
    folder = Folder.begin(path, planned)
    played = [parse_method(text) for text in planned.methods]
    experiment = Experiment(played, some, tools or fake_tools(scripted()), width=2)
    evaluate(experiment, folder, tell, cancel)
    return report_of(planned, Folder(path).rows)


def tools_with(llm: LLM, corpus: FakeCorpus | None = None) -> Tools:
    return fake_tools(llm, corpus)
