"""Runs become items: the candidates of every method and hop, pooled, each once."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from irag.actions import ChainGrew, Rank, Retrieve, TriplesOf
from irag.labels.values import Candidate, CandidateKind, Item, Link, Origin, Passage
from irag.types import Document, Sentence, Trace, Triple
from irag.views.calls import failed, parts
from irag.views.hops import documents

__all__ = ["EVERY", "Choice", "Pool", "Seen", "candidates", "item_id", "item_key", "pool"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which candidates become items. Empty `methods` or `hops`: all of them.

    `methods` are how METHOD strings begin. `question_ids`: ids of a question set by the question's
    text, for runs that were asked by hand.
    """

    methods: tuple[str, ...] = ()
    hops: tuple[int, ...] = ()
    kinds: tuple[CandidateKind, ...] = ("triple",)
    question_ids: Mapping[str, str] = field(default_factory=dict)


EVERY = Choice()
"""The triples that any method ranked in any hop."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A candidate as one run had it; the item has neither project nor place yet."""

    item: Item
    method: str
    hop: int
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Pool:
    """Items with their origins, in order; what the cap left out, and runs that gave nothing."""

    items: tuple[Item, ...]
    origins: tuple[Origin, ...]
    capped: int
    without: tuple[tuple[str, str], ...]


def _digest(*parts: str) -> str:
    text = "\x00".join(unicodedata.normalize("NFC", part) for part in parts)
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def item_key(item: Item) -> str:
    """What an item is, in any project: question, chain, candidate and the passage it stands in.

    The passage counts because a candidate is judged against it, and the question by its text, so
    that a question asked by hand is the one of the set.
    """
    question = " ".join(item.question.split())
    chain = (link.text for link in item.chain)
    end = (item.candidate.kind, item.candidate.text, item.passage.document_id)
    return _digest(question, *chain, *end)


def item_id(project_id: str, key: str) -> str:
    """An item's id: the same for the same content in the same project."""
    return "i" + _digest(project_id, key)[:16]


def candidates(trace: Trace, choice: Choice) -> Iterator[Seen]:
    """The candidates of a trace, each with the chain as it was when it was ranked."""
    known = _documents(trace)
    chain: list[Link] = []
    for step in trace.steps:
        hop = max(step.hop, 1)
        wanted = not choice.hops or hop in choice.hops
        for action, result in parts(step):
            if isinstance(action, ChainGrew):
                chain.append(_link(action.triple))
            elif wanted and isinstance(action, Rank | Retrieve) and result and not failed(result):
                for rank, hit in enumerate(result, 1):
                    found = _candidate(hit.unit, known, isinstance(action, Retrieve))
                    if found is not None and found[0].kind in choice.kinds:
                        item = _item(trace, choice, hop, tuple(chain), found)
                        yield Seen(item, trace.method, hop, rank, hit.score)


def pool(runs: Iterable[tuple[str, Trace]], choice: Choice, cap: int) -> Pool:
    """The items of runs; of one question at most `cap`, those that some run ranked highest.

    An item's hop is the first in which it was seen; a run names each item once a hop, by its best
    rank. The cap takes rank by rank, so that no method is left out.
    """
    items: dict[str, Item] = {}
    best: dict[str, tuple[int, int]] = {}
    origins: dict[tuple[str, str, int], Origin] = {}
    without: list[tuple[str, str]] = []
    for run_id, trace in runs:
        if choice.methods and not trace.method.startswith(choice.methods):
            without.append((run_id, f"its method is {trace.method}"))
            continue
        seen = list(candidates(trace, choice))
        if not seen:
            without.append((run_id, f"it ranked no {' or '.join(choice.kinds)}"))
        for one in seen:
            key = one.item.key
            items.setdefault(key, one.item)
            best[key] = min(best.get(key, (one.rank, one.hop)), (one.rank, one.hop))
            origin = Origin(key, run_id, one.method, one.hop, one.rank, one.score)
            origins.setdefault((key, run_id, one.hop), origin)
    kept = _capped(_one_name(items), best, cap)
    left = tuple(origin for origin in origins.values() if origin.item_id in kept)
    return Pool(tuple(kept.values()), left, len(items) - len(kept), tuple(without))


def _one_name(items: Mapping[str, Item]) -> dict[str, Item]:
    """Items whose question has one id, whatever the runs called it; a made-up id yields."""
    names: dict[str, str] = {}
    for item in items.values():
        if names.get(item.question) in (None, _made_name(item.question)):
            names[item.question] = item.question_id
    return {key: replace(one, question_id=names[one.question]) for key, one in items.items()}


def _made_name(question: str) -> str:
    return f"q{_digest(' '.join(question.split()))[:12]}"


def _capped(
    items: Mapping[str, Item], best: Mapping[str, tuple[int, int]], cap: int
) -> dict[str, Item]:
    count: dict[str, int] = {}
    chosen = set()
    for key in sorted(items, key=lambda key: (best[key], key)):
        question = items[key].question_id
        count[question] = count.get(question, 0) + 1
        if count[question] <= cap:
            chosen.add(key)
    order = {one.question_id: n for n, one in reversed(list(enumerate(items.values())))}
    ranked = sorted(chosen, key=lambda key: (order[items[key].question_id], items[key].hop, key))
    return {key: items[key] for key in ranked}


def _documents(trace: Trace) -> dict[str, Document]:
    known = {document.id: document for document in documents(trace)}
    for step in trace.steps:
        for action, _ in parts(step):
            if isinstance(action, TriplesOf):
                known |= {document.id: document for document in action.documents}
    return known


def _link(triple: Triple) -> Link:
    return Link(triple.id, triple.head, triple.relation, triple.tail, triple.document or "")


def _candidate(
    unit: object, known: Mapping[str, Document], retrieved: bool
) -> tuple[Candidate, Passage] | None:
    """A ranked unit as a candidate with its passage; None for what is no candidate.

    Documents count where they were retrieved: a ranking may hold worked examples of a prompt.
    """
    if isinstance(unit, Triple):
        document, number = unit.source or ("", -1)
        parts_ = (unit.head, unit.relation, unit.tail, unit.text)
        return Candidate("triple", unit.id, *parts_), _passage(known.get(document), number)
    if isinstance(unit, Sentence):
        passage = _passage(unit.document, unit.number)
        return Candidate("sentence", unit.id, "", "", "", unit.text), passage
    if isinstance(unit, Document) and retrieved:
        return Candidate("passage", unit.id, "", "", "", unit.text), _passage(unit, -1)
    return None


def _passage(document: Document | None, number: int) -> Passage:
    if document is None:
        return Passage("", "", "")
    there = 0 <= number < len(document.sentences)
    span = document.sentences[number] if there else None
    return Passage(document.id, document.title, document.text, span)


def _item(
    trace: Trace,
    choice: Choice,
    hop: int,
    chain: tuple[Link, ...],
    found: tuple[Candidate, Passage],
) -> Item:
    question = trace.question
    asked = question.id if question.id not in ("", "asked") else _made_name(question.text)
    named = choice.question_ids.get(question.text, asked)
    item = Item("", "", "", 0, named, question.text, question.language, hop, chain, *found)
    return replace(item, key=item_key(item))
