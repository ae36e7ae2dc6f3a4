"""Workbench: the one place that picks backends by name and builds Tools; one per process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, TypeVar

from irag.asking import Asking, Pending, RunView
from irag.corpus import Corpus, CorpusCard, list_corpora, newest_key, open_corpus
from irag.data.questions import read_questions
from irag.defaults import default_llm
from irag.engine import Play, checked_question
from irag.errors import IragError, UserError
from irag.health import HealthCard, LLMCard, health, llm_cards
from irag.jobs import Job, Jobs, Shelf
from irag.labels import Labels
from irag.llm import open_llm, parse_spec
from irag.llm.cached import cached
from irag.lookups import Lookups
from irag.methods import METHODS, Method, parse_method
from irag.performing import Tools
from irag.preferences import Preferences
from irag.pulling import Pulling, PullView
from irag.retrieval.vectors import Embedder
from irag.settings import Settings
from irag.store import RunCard, RunStore, open_database
from irag.store.jobs import JobStore
from irag.store.runs import new_run_id
from irag.tools import LLM, Cancel, EmitText, Flags, NameFinder, Request, Reranker
from irag.types import Completion, Question, Trace

__all__ = ["CorpusCard", "Pending", "PullView", "RunView", "Workbench"]

SAMPLE = Path(__file__).resolve().parent.parent / "assets" / "sample"
OPEN_LLMS = 2
OPEN_CORPORA = 3


class _Closes(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closes)
K = TypeVar("K")


class _Kept(OrderedDict[K, C]):
    """The last few opened, by key; the one unused longest is closed when there are too many."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._lock = threading.RLock()

    def use(self, key: K, open_it: Callable[[], C]) -> C:
        """The open one, opened now when it is not."""
        with self._lock:
            if key not in self:
                self[key] = open_it()
            self.move_to_end(key)
            while len(self) > self._limit:
                _, oldest = self.popitem(last=False)
                oldest.close()
            return self[key]

    def drop(self, wanted: Callable[[K], bool]) -> None:
        """Close those whose key is wanted."""
        with self._lock:
            for key in [key for key in self if wanted(key)]:
                self.pop(key).close()


@dataclass(frozen=True)
class _OpensWhenAsked:
    """An LLM that is loaded at its first call, so that retrieval shows before it."""

    name: str
    opened: Callable[[], LLM]

    @property
    def window(self) -> int:
        return self.opened().window

    @property
    def flags(self) -> Flags:
        return self.opened().flags

    def count(self, texts: Sequence[str]) -> list[int]:
        return self.opened().count(texts)

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        return self.opened().generate(requests, emit, cancel)

    def close(self) -> None:
        """Nothing: whoever opened it closes it."""


class Workbench:
    """Corpora, LLMs, methods and runs of one home, opened when they are first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.asking = Asking(settings.slots, lambda *run: self.runs.save(*run))
        self.pulling = Pulling(settings.models, settings.hub_timeout)
        self._llms: _Kept[str, LLM] = _Kept(OPEN_LLMS)
        self._corpora: _Kept[str, Corpus] = _Kept(OPEN_CORPORA)

    @cached_property
    def preferences(self) -> Preferences:
        """The LLMs to choose from, the models on this machine, and the settings."""
        return Preferences(self)

    @cached_property
    def runs(self) -> RunStore:
        """The saved runs."""
        return RunStore(open_database(self.settings.database_url))

    @cached_property
    def labels(self) -> Labels:
        """Labelling: projects, annotators, the queue, agreement, exports."""
        return Labels(open_database(self.settings.database_url))

    @cached_property
    def shelf(self) -> Shelf:
        """The corpora as a person handles them, and the long work on them."""
        jobs = Jobs(self.settings, JobStore(open_database(self.settings.database_url)))
        return Shelf(self.settings.home, jobs)

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of the settings, loaded at the first use."""
        from irag.corpus.opening import open_embedder

        return open_embedder(self.settings)

    @cached_property
    def names(self) -> NameFinder:
        """What finds named entities in questions; its model is loaded at the first use."""
        from irag.corpus.opening import open_names

        return open_names(self.settings)

    @cached_property
    def reranker(self) -> Reranker | None:
        """The cross-encoder of the settings, loaded at the first use; None when none is named."""
        from irag.corpus.opening import open_reranker

        return open_reranker(self.settings)

    def llm(self, spec: str) -> LLM:
        """An open LLM behind the reply cache; the two last used stay open."""
        return self._llms.use(spec, lambda: cached(open_llm(spec, self.settings), self.settings))

    def close_llms(self, model: str) -> None:
        """Free what is open of a model, by its catalogue name."""
        self._llms.drop(lambda spec: spec.partition(":")[2] == model)

    def lazy_llm(self, spec: str) -> LLM:
        """An LLM, the default one for "", that is loaded at its first call; UserError for none."""
        chosen = spec or self.default_llm()
        if parse_spec(chosen).scheme == "none":
            raise UserError("No language model is there: python -m irag models pull, or name one.")
        return _OpensWhenAsked(chosen, lambda: self.llm(chosen))

    def corpus(self, name: str) -> Corpus:
        """The newest generation of a corpus; three stay open."""
        home = self.settings.home
        key = newest_key(home, name)
        return self._corpora.use(key, lambda: open_corpus(home, name, self.embedder))

    def tools(self, corpus: str, llm: str) -> Tools:
        """What a play works with. `llm` "" or "none": no LLM."""
        opened = self.corpus(corpus)
        model: LLM | None = None
        if llm not in ("", "none"):
            model = _OpensWhenAsked(llm, lambda: self.llm(llm))
        reranker = self.reranker
        models = (
            ("embedder", self.embedder.name),
            ("reranker", reranker.name if reranker else f"none: {self.embedder.name}"),
            ("llm", llm or "none"),
        )
        lookups = Lookups(opened, opened, opened, opened, opened, self.names, reranker)
        return Tools(lookups, model, opened.key, models)

    def start(self, question: str | Question, corpus: str, method: str, llm: str) -> str:
        """Begin a run in the background and return its id; a user's error is raised at once."""
        one = Play(parse_method(method), checked_question(question))
        run_id = new_run_id()
        self.asking.start(run_id, one, llm, lambda: self.tools(corpus, llm))
        return run_id

    def view(self, run_id: str) -> RunView | None:
        """A run as it is now, live or saved; None when there is none with that id."""
        live = self.asking.view(run_id)
        if live is not None:
            return live
        trace = self.runs.load(run_id)
        if trace is None:
            return None
        return RunView(run_id, trace, llm=dict(trace.models).get("llm", ""))

    def stop(self, run_id: str) -> None:
        """Ask a run to stop."""
        self.asking.stop(run_id)

    def delete_runs(self, run_ids: Sequence[str]) -> None:
        """Delete saved runs; UserError names those that were not there."""
        self.asking.forget(run_ids)
        self.runs.delete(*run_ids)

    def recent(self, limit: int = 20) -> tuple[RunCard, ...]:
        """The newest saved runs."""
        return self.runs.cards(limit)

    def keep(self, trace: Trace, llm: str) -> str:
        """Save a trace that was played elsewhere; returns its run id."""
        run_id = new_run_id()
        self.runs.save(run_id, trace, llm)
        return run_id

    def corpora(self) -> tuple[CorpusCard, ...]:
        """Every corpus of this home, ready or not."""
        return tuple(list_corpora(self.settings.home))

    def jobs(self, about: str | None = None) -> tuple[Job, ...]:
        """The long work, newest first: about one corpus, or all."""
        return self.shelf.jobs.list(about)

    def job(self, job_id: str) -> Job:
        """A job as it is now; UnknownName when there is none with that id."""
        return self.shelf.jobs.get(job_id)

    def add_files(
        self, corpus: str, paths: Sequence[Path], language: str = "", extractor: str = ""
    ) -> str:
        """Index files and folders of this machine in the background; returns the job's id."""
        return self.shelf.add_files(corpus, paths, language, extractor)

    def add_sample(self) -> str:
        """Index the sample corpus in the background; returns the job's id."""
        return self.shelf.add_files("sample", [SAMPLE / "passages.jsonl"])

    def cancel_job(self, job_id: str) -> None:
        """Ask a job to stop."""
        self.shelf.jobs.cancel(job_id)

    def resume_job(self, job_id: str) -> None:
        """Start a job's command again; UserError when there is nothing to resume."""
        self.shelf.jobs.resume(job_id)

    def methods(self) -> dict[str, type[Method]]:
        """Every method by name."""
        return METHODS

    def llms(self) -> tuple[LLMCard, ...]:
        """The LLMs that can be chosen, the default first."""
        return llm_cards(self.settings, self.default_llm())

    def default_llm(self) -> str:
        """The LLM SPEC used when none is named."""
        return default_llm(self.settings)

    def health(self) -> tuple[HealthCard, ...]:
        """Whether models, corpora and database are there."""
        return health(self.settings)

    def sample_questions(self) -> tuple[Question, ...]:
        """The sample's questions; empty when the sample is not there."""
        path = SAMPLE / "questions.jsonl"
        return tuple(read_questions(path)) if path.is_file() else ()

    def pull_model(self, name: str) -> None:
        """Begin to get a model in the background."""
        self.pulling.start(name)

    def pull_progress(self) -> PullView | None:
        """How far the last pull is; None when there was none."""
        return self.pulling.view()

    def close(self) -> None:
        """Stop every run and free the models."""
        self.asking.stop_all()
        for llm in self._llms.values():
            llm.close()
