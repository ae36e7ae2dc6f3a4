"""TRACE's chains over the triples of some documents, and the two readers that use them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from irag.actions import Choose, Chosen, Flow, Generate, Rank, Together, TriplesOf
from irag.errors import IragError
from irag.match import triple_key
from irag.methods.reading import read
from irag.parse import Unparsed, answer_line
from irag.prompts import Lines, Prompt, fill
from irag.remarks import Edge, GraphMade
from irag.text import language_of
from irag.types import Document, Scored, Triple

__all__ = ["ENOUGH", "Path", "read_trace", "trace_chains"]

STEPS = 4  # TRACE code: the longest chain
BRANCHES = 5  # TRACE code: options followed from one path
LEAST = 1e-4  # TRACE code: a less probable option is not followed
SHOWN = 10  # options beside A; the paper shows 20, a small model loses its way among so many
BEAMS = 5  # paths kept; TRACE code has 20, and each costs a call a step
CHAINS = 5  # TRACE code: chains the reader sees
ENOUGH = {
    "en": "nothing more is needed: the chain answers the question",
    "zh": "不再需要：已有的链能回答问题",
}
_NOTHING = {"en": "none yet", "zh": "还没有"}


@dataclass(frozen=True, slots=True)
class Path:
    """A chain under construction with its probability; `closed`: nothing more is needed."""

    triples: tuple[Triple, ...] = ()
    probability: float = 1.0
    closed: bool = False


def trace_chains(question: str, documents: Sequence[Document], beams: int) -> Flow[list[Path]]:
    """The most probable chains, best first; [] where the documents hold no triple.

    An LLM without log-probabilities follows its one choice. A choice that cannot be read or that
    fails closes its path.
    """
    triples = yield from TriplesOf(tuple(documents))
    paths = [Path()]
    if not triples:
        return []
    for _ in range(STEPS):
        going = [path for path in paths if not path.closed]
        if not going:
            break
        grown = yield from _grown(question, triples, going)
        paths = _best([*(path for path in paths if path.closed), *grown], beams)
    return [path for path in paths if path.triples]


def _grown(question: str, triples: Sequence[Triple], paths: Sequence[Path]) -> Flow[list[Path]]:
    """The continuations of open paths; the rankings are one batch and so are the choices."""
    asks = [
        Rank(" ".join([question, *(t.text for t in path.triples)]), _left(triples, path), SHOWN)
        for path in paths
    ]
    ranked = yield from Together(*asks)
    options = [
        [one.unit for one in cast(tuple[Scored[Triple], ...], found)]
        if not isinstance(found, IragError)
        else []
        for found in ranked
    ]
    chosen = yield from Together(
        *(_choose(question, p, some) for p, some in zip(paths, options, strict=True))
    )
    return [
        new
        for path, some, picked in zip(paths, options, chosen, strict=True)
        for new in _continued(path, some, picked)
    ]


def _left(triples: Sequence[Triple], path: Path) -> tuple[Triple, ...]:
    used = {triple_key(triple) for triple in path.triples}
    return tuple(triple for triple in triples if triple_key(triple) not in used)


def _choose(question: str, path: Path, options: Sequence[Triple]) -> Choose:
    language = language_of(question)
    texts = (ENOUGH[language], *(triple.text for triple in options))
    lettered = tuple(f"{'ABCDEFGHIJKLMNOPQRST'[n]}. {text}" for n, text in enumerate(texts))
    prompt: Prompt = fill(
        "trace/next",
        language,
        candidates=Lines(lettered),
        question=question,
        chain="; ".join(t.text for t in path.triples) or _NOTHING[language],
    )
    return Choose(prompt, texts)


def _continued(path: Path, options: Sequence[Triple], picked: Chosen | IragError) -> list[Path]:
    if isinstance(picked, IragError) or (picked.option is None and not picked.probabilities):
        return [Path(path.triples, path.probability, closed=True)]
    shares = dict(enumerate(picked.probabilities)) or {picked.option or 0: 1.0}
    if not path.triples:  # a chain of nothing answers nothing
        shares.pop(0, None)
    likely = sorted(shares, key=lambda n: (-shares[n], n))[:BRANCHES]
    return [
        Path(
            path.triples if not n else (*path.triples, options[n - 1]),
            path.probability * shares[n],
            closed=not n,
        )
        for n in likely
        if shares[n] >= LEAST and n <= len(options)
    ]


def _best(paths: Sequence[Path], beams: int) -> list[Path]:
    def order(path: Path) -> tuple[float, tuple[str, ...]]:
        return -path.probability, tuple(triple.id for triple in path.triples)

    return sorted(paths, key=order)[:beams]


def read_trace(
    question: str, documents: Sequence[Document], what: str, limit: int, beams: int = BEAMS
) -> Flow[str | None]:
    """The answer of TRACE's reader over these documents.

    `what` "trace_triples" reads the chains' facts alone; "trace_documents" the documents they come
    from, those named most often first, at most `limit`. Without a chain the documents are read.
    """
    paths = yield from trace_chains(question, documents, beams)
    if not paths:
        return (yield from read(question, documents[:limit]))
    best = tuple(
        Edge(t.head, t.tail, t.relation, paths[0].probability, t.id) for t in paths[0].triples
    )
    yield from GraphMade("TRACE's most probable chain", best)
    if what == "trace_documents":
        counted = Counter(triple.document for path in paths[:CHAINS] for triple in path.triples)
        # the sort is stable: equally often named ones stay in retrieval order
        named = sorted((d for d in documents if d.id in counted), key=lambda d: -counted[d.id])
        return (yield from read(question, named[:limit]))
    return (yield from _read_facts(question, paths[:CHAINS]))


def _read_facts(question: str, paths: Sequence[Path]) -> Flow[str | None]:
    lines = dict.fromkeys(". ".join(t.text for t in path.triples) for path in paths)
    prompt = fill(
        "reader/answer_facts",
        language_of(question),
        chains=Lines(tuple(lines)),
        question=question,
    )
    reply = yield from Generate(prompt, max_tokens=32)
    answer = answer_line(reply.text)
    return None if isinstance(answer, Unparsed) else answer
