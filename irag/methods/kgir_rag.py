"""KGIR-RAG: an evidence subgraph tells how to put the question anew, round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irag.actions import ChainGrew, Flow, HopStarted, MethodFlow, Rank, Retrieve, Stopped, TriplesOf
from irag.graphs import around
from irag.methods.base import Card, Method, setting
from irag.methods.kgir_rag_calls import entities, reflect, rewrite
from irag.methods.kgir_rag_found import Found, Hits
from irag.methods.kgir_rag_subgraph import Subgraph, edges_of, evidence_subgraph, seeds_of
from irag.methods.reading import cite, read
from irag.prompts import Lines, Passages, Value
from irag.remarks import Edge, GraphMade, Rewritten
from irag.types import Answer, Document, Scored, StopReason, Triple

__all__ = ["KGIRRAG"]

UNREAD = 2  # so many unreadable reflections end the rounds


@dataclass(frozen=True, slots=True)
class _Turn:
    """How it goes on: the question whose names are looked up and the query, or why it ends."""

    asked: str = ""
    query: str = ""
    stop: tuple[StopReason, str] | None = None
    answer: str | None = None


@dataclass(frozen=True)
class KGIRRAG(Method):
    """Retrieve, grow the evidence subgraph, rewrite, retrieve again, reflect; repeat."""

    card: ClassVar[Card] = Card(
        name="kgir_rag",
        title="KGIR-RAG",
        summary=(
            "Grows a subgraph of triples around the question's entities, keeps its maximum "
            "spanning tree, puts the question anew with it, retrieves again and reflects whether "
            "the new passages answer; if not, what is missing steers the next round."
        ),
        paper="KGIR-RAG (knowledge-graph-guided iterative rewriting); subgraph after KG²RAG, "
        "Zhu et al. 2025, arXiv 2502.06864",
        departures=(
            "Triples come from rules over spaCy's parse unless others are stored; the paper uses "
            "a 72B model.",
            "The subgraph takes the whole component of an entity; the paper takes the edges beside "
            "it (radius=1), of which a spanning tree can drop parallel ones alone.",
            "The weakest leaves of the tree are cut down to `facts` edges (8, picked on 100 2Wiki "
            "questions); seeds stay. A number or a date joins no two facts.",
            "The weights come from the reranker where one is set, else from the embedder; the "
            "paper names the reranker in one place and passage similarity in another "
            "(weights=passage).",
            "What the LLM names must stand in the question; without a name in the graph, nodes "
            "whose name stands in the question are the seeds, else the best triple's ends.",
            "A rewrite that cannot be read or was made before falls back to question + evidence.",
            "Reflection sees the best 3 of the new passages, for a window of 4,096 tokens.",
            "A reflection that names something missing is no answer, whatever else it says.",
            "A later round's graph holds the triples of its passages and the evidence so far, "
            "weighed anew.",
            "The next query is the rewrite + what reflection misses (not said in the paper).",
            "Document ranking (not said in the paper): best similarity over the rounds + best "
            "weight of an evidence triple from it, each as its share of its own list, 0 to 1.",
            "rewriting=off reads the passages of the subgraph beside its triples.",
            "rewriting=evidence and reflection=all ask no LLM; the paper has no such variant.",
        ),
        measured=(
            "2Wiki, 616 questions, no LLM (entities=spacy,rewriting=evidence,reflection=all,"
            "reader=none): R@2/R@3/R@5 62.1/67.4/70.9, naive_rag 52.8/58.0/62.6; facts=8 was "
            "picked on the first 100 of them. python -m benchmarks.retrieval"
        ),
    )

    subgraph: str = setting(
        "on",
        "Evidence subgraph",
        "off: the most similar passages take its place.",
        choices=("on", "off"),
        source="paper, ablation w/o subgraph",
    )
    rewriting: str = setting(
        "llm",
        "Rewriting",
        "Who puts the question anew: the LLM; question + evidence as it stands; off: the first "
        "subgraph is read and nothing more is retrieved.",
        choices=("llm", "evidence", "off"),
        source="paper, ablation w/o rewriting",
    )
    reflection: str = setting(
        "llm",
        "Reflection",
        "llm: judges whether the new passages answer. all: nobody judges, every round is done. "
        "off: one rewrite, one retrieval.",
        choices=("llm", "all", "off"),
        source="paper, ablation w/o reflection",
    )
    entities: str = setting(
        "llm", "Entities", "Who names the question's entities.", choices=("llm", "spacy")
    )
    weights: str = setting(
        "reranker",
        "Edge weights",
        "What weighs a triple: the reranker (else the embedder), or its passage's similarity.",
        choices=("reranker", "passage"),
        source="paper: both are named",
    )
    rounds: int = setting(3, "Rounds", "The most rounds.", (1, 10), source="not in the paper")
    documents: int = setting(
        10, "Documents", "How many passages a query retrieves.", (1, 100), source="paper: 10"
    )
    radius: int = setting(
        0, "Radius", "Edges away from an entity; 0: its whole component; 1: as the paper.", (0, 10)
    )
    edges: int = setting(200, "Edges", "The most edges before the spanning tree.", (1, 1000))
    facts: int = setting(8, "Facts", "The most edges that the pruned tree keeps.", (1, 50))
    leaf: float = setting(
        0.0, "Least leaf", "Leaves below this share of the weights' range are cut.", (0.0, 1.0)
    )
    new_passages: int = setting(3, "New passages", "How many of them the reflection sees.", (1, 20))
    reader: str = setting(
        "chain",
        "Reader",
        "What a direct answer is read from: passages with the facts, passages, or none asked.",
        choices=("chain", "passages", "none"),
    )
    reader_documents: int = setting(
        3, "Reader documents", "How many passages the reader sees.", (1, 20)
    )

    def solve(self, question: str) -> MethodFlow:
        """Rounds of subgraph, rewriting and reflection, then the answer (paper, section 3)."""
        found, turn = Found(question), _Turn(question, question)
        for number in range(1, self.rounds + 1):
            turn = yield from self._round(number, turn, found)
            if turn.stop:
                break
        ranking = found.ranking()
        documents = [hit.unit for hit in ranking]
        text = turn.answer
        if text is None and self.reader != "none" and documents:
            facts = found.facts if self.reader == "chain" else ()
            text = yield from read(question, documents[: self.reader_documents], facts)
        yield from Stopped(*(turn.stop or ("max_hops", f"{self.rounds} rounds are done.")))
        chain = tuple(found.chain.values())
        return Answer(text, ranking, chain, cite(text, documents, chain))

    def _round(self, number: int, now: _Turn, found: Found) -> Flow[_Turn]:
        """One round: subgraph (A), rewriting (B), reflection on what the rewrite brings (C)."""
        yield from HopStarted(number, now.query)
        yield from self._retrieve(now.query, found)
        hits = found.searched[now.query]
        if not hits:
            return _Turn(stop=("no_candidate", "No passage matches the query."))
        if self.subgraph == "on":
            yield from self._grow(number, now, hits, found)
        if self.rewriting == "off":
            return _Turn(stop=("sufficient", "The first evidence subgraph is read."))
        following = yield from self._rewrite(now, hits, found)
        if following.stop:
            return following
        new = yield from self._retrieve(following.query, found)
        if self.reflection == "off":
            return _Turn(stop=("sufficient", "One rewrite and one retrieval are done."))
        if self.reflection == "all":
            return following
        return (yield from self._reflect(following, new, found))

    def _retrieve(self, query: str, found: Found) -> Flow[tuple[Document, ...]]:
        """The new documents of a query; nothing is asked where it was searched before."""
        if query in found.searched:
            return ()
        hits = yield from Retrieve(query, self.documents)
        return found.add(query, hits)

    def _grow(self, number: int, now: _Turn, hits: Hits, found: Found) -> Flow[None]:
        """Step A: the evidence becomes the pruned tree over this round's triples and itself."""
        if now.asked not in found.names:
            found.names[now.asked] = yield from entities(now.asked, self.entities)
        brought = yield from TriplesOf(tuple(hit.unit for hit in hits))
        pool = {one.id: one for one in (*brought, *found.facts)}
        edges = edges_of(Scored(one, 0.0) for one in pool.values())
        seeds = seeds_of(found.names[now.asked], now.asked, edges)
        near = around(edges, seeds, self.radius, self.edges) if seeds else edges[: self.edges]
        weighed = yield from self._weigh(now.query, tuple(edge.unit for edge in near), found)
        heavy = edges_of(weighed)
        if heavy and not seeds:
            seeds = heavy[0].a, heavy[0].b
            heavy = around(heavy, seeds, self.radius)
        graph = evidence_subgraph(heavy, seeds, self.leaf, self.facts)
        yield from _drawn(f"Evidence subgraph, round {number}", graph, seeds)
        for triple in found.take(graph):
            yield from ChainGrew(triple, "in the evidence subgraph")

    def _weigh(
        self, query: str, triples: tuple[Triple, ...], found: Found
    ) -> Flow[tuple[Scored[Triple], ...]]:
        """The triples with their weights, heaviest first (paper, Eq. 2 or Algorithm 1)."""
        if not triples:
            return ()
        if self.weights == "reranker":
            return (yield from Rank(query, triples, len(triples), scorer="reranker"))
        similar = [Scored(one, found.similarity.get(one.document or "", 0.0)) for one in triples]
        return tuple(sorted(similar, key=lambda one: (-one.score, one.unit.id)))

    def _rewrite(self, now: _Turn, hits: Hits, found: Found) -> Flow[_Turn]:
        """Step B: the question anew; it ends where that leads to nothing that was not searched."""
        why = "question and evidence"
        if self.rewriting == "llm":
            evidence = self._evidence(hits, found)
            said = yield from rewrite(found.question, evidence, found.history)
            if said and not found.was_put(said):
                found.history.append(said)
                yield from Rewritten(now.asked, said, "by the LLM")
                return _Turn(said, said)
            why = "the LLM gave no new question: question and evidence"
        facts = [triple.text for triple in found.facts] or [hits[0].unit.text]
        query = " ".join([found.question, *facts])
        if query in found.searched:
            return _Turn(stop=("repeated", "The evidence leads to no new query."))
        yield from Rewritten(now.query, query, why)
        return _Turn(found.question, query)

    def _evidence(self, hits: Hits, found: Found) -> Value:
        """What the LLM sees: the subgraph's facts, or the most similar passages without them."""
        if found.facts:
            return Lines(tuple(triple.text for triple in found.facts))
        return Passages.of(tuple(hit.unit for hit in hits[: self.reader_documents]))

    def _reflect(self, put: _Turn, new: tuple[Document, ...], found: Found) -> Flow[_Turn]:
        """Step C: an answer ends it; what is missing joins the next query."""
        evidence = self._evidence(found.searched[put.query], found)
        shown = new[: self.new_passages]
        thought = yield from reflect(found.question, evidence, found.history, shown)
        if thought.answerable:
            return _Turn(
                stop=("answered", "The reflection found an answer."), answer=thought.answer
            )
        found.unread += not thought.readable
        if found.unread >= UNREAD:
            return _Turn(stop=("no_candidate", "Two reflections could not be read."))
        return _Turn(put.asked, " ".join(filter(None, [put.query, thought.missing])))


def _drawn(title: str, graph: Subgraph, seeds: tuple[str, ...]) -> GraphMade:
    kept, dropped = (
        tuple(Edge(e.unit.head, e.unit.tail, e.unit.relation, e.weight, e.id) for e in edges)
        for edges in (graph.kept, graph.dropped)
    )
    names = dict.fromkeys(seed.partition("\x1f")[0] for seed in seeds)
    return GraphMade(title, kept, dropped, tuple(names))
