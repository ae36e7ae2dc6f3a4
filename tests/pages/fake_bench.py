"""A Workbench without models or disk: real runs in threads over the fake corpus, or given ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from irag.asking import Asking, RunView
from irag.corpus import CorpusCard
from irag.engine import Play, checked_question
from irag.health import HealthCard, LLMCard
from irag.llm.scripted import Scripted
from irag.methods import METHODS, parse_method
from irag.preferences import Preferences
from irag.pulling import PullView
from irag.settings import Settings
from irag.tools import Request
from irag.types import Gold, Question, Trace
from tests.fakes import QUESTION, fake_tools

READY = LLMCard("scripted", "Scripted", True)
ABSENT = LLMCard("llama:tiny", "tiny on llama.cpp", False, "Not here yet.")
NOTHING = LLMCard("none", "No LLM", True)
EXAMPLES = (
    Question("e1", QUESTION, Gold(("the Tem",)), "bridge"),
    Question("e2", "Is Osk older than Marl?", Gold(("no",)), "yes_no"),
    Question("e3", "谁画了静港？", Gold(("安娜",)), "bridge", "zh"),
)


def corpus_card(name: str = "sample", ready: bool = True, note: str = "") -> CorpusCard:
    return CorpusCard(name, "en", 12, 12, ready, note)


def first_candidate(request: Request) -> str:
    """Always candidate 1, and an answer in the reader's call."""
    if request.schema:
        return json.dumps({"chain": [1, 2], "answer": "the Tem"})
    return "the Tem"


@dataclass
class FakeBench:
    """What the pages use of a Workbench; `asked` remembers every start."""

    llm_cards: tuple[LLMCard, ...] = (READY, ABSENT, NOTHING)
    cards: tuple[CorpusCard, ...] = (corpus_card(),)
    checks: tuple[HealthCard, ...] = ()
    delay: float = 0.0
    home: Path = Path("no-such-home")
    examples: tuple[Question, ...] = EXAMPLES
    asked: list[tuple[str, str, str, str]] = field(default_factory=list)
    pulled: list[str] = field(default_factory=list)
    pull: PullView | None = None
    stopped: list[str] = field(default_factory=list)
    saved: dict[str, Trace] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.settings = Settings(self.home, Path("models"), "sqlite://")
        self.asking = Asking(2, lambda run_id, trace, llm: None)

    @property
    def preferences(self) -> Preferences:
        return Preferences(self)  # type: ignore[arg-type]

    def llm(self, spec: str) -> Scripted:
        return Scripted(first_candidate, delay=self.delay)

    def close_llms(self, model: str) -> None:
        """None is open."""

    def corpora(self) -> tuple[CorpusCard, ...]:
        return self.cards

    def methods(self) -> dict[str, type]:
        return METHODS

    def llms(self) -> tuple[LLMCard, ...]:
        return self.llm_cards

    def health(self) -> tuple[HealthCard, ...]:
        return self.checks

    def sample_questions(self) -> tuple[Question, ...]:
        return self.examples

    def start(self, question: str, corpus: str, method: str, llm: str) -> str:
        one = Play(parse_method(method), checked_question(question))
        self.asked.append((question, corpus, method, llm))
        run_id = f"r{len(self.asked)}"
        script = Scripted(first_candidate, delay=self.delay)
        self.asking.start(run_id, one, llm, lambda: fake_tools(script))
        return run_id

    def view(self, run_id: str) -> RunView | None:
        if run_id in self.saved:
            return RunView(run_id, self.saved[run_id], llm="scripted")
        return self.asking.view(run_id)

    def stop(self, run_id: str) -> None:
        self.stopped.append(run_id)
        self.asking.stop(run_id)

    def pull_model(self, name: str) -> None:
        self.pulled.append(name)
        self.pull = PullView(name, 40_000_000, 90_000_000)

    def pull_progress(self) -> PullView | None:
        return self.pull


def with_runs(runs: Iterable[tuple[str, Trace]]) -> FakeBench:
    return FakeBench(saved=dict(runs))
