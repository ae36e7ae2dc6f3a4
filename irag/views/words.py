"""Every word that the pages say, by key; English here, other languages beside it."""

from __future__ import annotations

from irag.errors import UnknownName
from irag.views.words_corpora import ENGLISH as _CORPORA
from irag.views.words_labels import ENGLISH as _LABELS
from irag.views.words_runs import ENGLISH as _RUNS

__all__ = ["CATALOGUE", "measure", "t"]

_ENGLISH: dict[str, str] = {
    **_RUNS,
    **_CORPORA,
    **_LABELS,
    # navigation and health
    "app": "irag",
    "ask": "Ask",
    "about": "About",
    "health.ok": "Models ready",
    "health.bad": "{n} thing needs attention|{n} things need attention",
    # the question
    "corpus": "Corpus",
    "method": "Method",
    "llm": "LLM",
    "llm.none": "No LLM",
    "settings": "Settings",
    "settings.count": "Settings ({n} changed)",
    "settings.reset": "Back to the defaults",
    "settings.source": "Default {default}; source: {source}.",
    "settings.default": "Default {default}.",
    "question": "Question",
    "question.placeholder": "Ask something that needs more than one passage to answer",
    "examples": "Examples",
    "stop": "Stop",
    "stopping": "Stopping…",
    # empty states
    "corpora.none": "No corpus yet. Add files, or open the sample.",
    "corpora.how": "One command in a terminal; this page shows the corpus once it is there:",
    "models.none": "Models to get: {names}",
    "models.why": (
        "Questions are answered on this machine, so a small language model and an embedder have "
        "to be fetched once. They need no account and are checked after the download."
    ),
    "models.get": "Get the models",
    "models.getting": "Getting {name}",
    "models.failed": "The models could not be fetched: {error}",
    "run.unknown": "There is no run with the id {run}. It may have been deleted, or the link cut.",
    "run.back": "Ask a question",
    "run.starting": "Starting; the first question loads the models",
    "run.invite": "Ask a question, or start from an example: each hop appears here as it happens.",
    # hops
    "hop": "Hop {number}",
    "hop.before": "Before the first hop",
    "reading": "Reading the evidence",
    "query": "Query",
    "documents": "{n} document|{n} documents",
    "documents.new": "{n} document, {new} new|{n} documents, {new} new",
    "triples": "{n} triple|{n} triples",
    "candidates": "{n} candidate|{n} candidates",
    "new": "new",
    "chosen": "chosen",
    "ungrounded": "not in any sentence",
    "hop.nothing": "nothing joined the chain",
    "calls.open": "Prompt and reply",
    "call": "LLM call {n}: {purpose}",
    "call.prompt": "Prompt, exactly as sent",
    "call.prefix": "Beginning of the reply, given to the model",
    "call.reply": "Reply, exactly as written",
    "call.thinking": "Thinking",
    "call.no_reply": "No reply came back.",
    "call.empty": "The reply is empty.",
    "call.length": "The reply was cut by the token limit.",
    "cut": "Left out to fit the window: {what}",
    "doing.Retrieve": "Searching documents",
    "doing.TriplesOf": "Collecting triples",
    "sentences.title": "Sentences {number}",
    "sentences.seeds": "Left the {n} seed ({words} words).|Left the {n} seeds ({words} words).",
    "sentences.added": "Expansion {number} added {n} ({kinds}), {words} words in all.",
    "sentences.limit": "showing {shown} of {n} sentences",
    "sentences.entity": "shared name",
    "sentences.similar": "similar",
    "sentences.adjacent": "near",
    "judged.title": "Scores",
    "judged.note": "What the judge gave each iteration's answer.",
    "judged.none": "No score for iteration {number}: {why}.",
    "judged.iteration": "Iteration",
    "judged.score": "Score",
    "pictures": "Pictures of this run",
    "evidence.before": "{title}, before pruning",
    "evidence.dashed": (
        "{kept} of {n} edges stay; dashed ones were dropped. The wider, the heavier; large names "
        "are those that the graph grew from."
    ),
    "evidence.kept": (
        "The {kept} of {n} edges that stay. The wider, the heavier; large names are those that "
        "the graph grew from."
    ),
    "questions.title": "Question",
    "questions.note": "The question as asked (0) and each time that it was put anew.",
    "questions.version": "Version",
    "questions.words": "Words",
    "doing.Rank": "Ranking",
    "doing.RetrieveSentences": "Searching sentences",
    "doing.RetrieveEntities": "Searching entities",
    "doing.MatchEntities": "Looking for named entities",
    "doing.NearEntities": "Following relations",
    "doing.NamesIn": "Reading names",
    "doing.DocumentsOf": "Reading passages",
    "doing.Expand": "Expanding along the sentence graph",
    "doing.Generate": "The LLM reads and writes",
    "doing.Choose": "The LLM chooses",
    "doing.start": "Starting",
    "tokens": "{prompt} + {written} tokens",
    "calls": "{n} LLM call|{n} LLM calls",
    "column.hop": "Step",
    "column.documents": "Documents",
    "column.calls": "LLM calls",
    "column.read": "Tokens read",
    "column.written": "Tokens written",
    "column.seconds": "Seconds",
    "total": "Total",
    "cached": "{n} from the cache",
    "costs": "Cost of each step",
    # how it ended
    "stopped.answered": "the chain holds the answer",
    "stopped.no_candidate": "no candidate continued the chain",
    "stopped.repeated": "the next step would have repeated an earlier one",
    "stopped.max_hops": "the hop limit was reached",
    "stopped.sufficient": "the evidence was read once",
    "stopped.cancelled": "stopped by you",
    "stopped.failed": "failed",
    "stopped": "Ended: {why}",
    # the answer
    "answer.running": "No answer yet: the run is under way.",
    "answer.found": "“{text}” — in {title}, sentence {number}",
    "answer.more": "and {n} other place|and {n} other places",
    "answer.missing": "Not found in the evidence",
    "answer.judged": "A yes or no stands in no sentence: check the evidence",
    "answer.unasked": "No answer asked",
    "answer.unasked.why": "This run only searched; its reader is set to none.",
    "answer.empty": "The model gave no answer",
    "answer.failed": "Failed",
    "answer.cancelled": "Stopped by you",
    "answer.constructed": "The chain's own answer: {text}",
    "chain": "Chain",
    "chain.none": "No chain: this method keeps none, or no triple was chosen.",
    "graph.note": "showing {shown} of {n} entities",
    "graph.rest": "Candidates too",
    "graph.alt": "The reasoning chain as a graph; the numbered list above says the same.",
    "graph.hint": "Click an entity or an arrow for its sentence.",
    "graph.nothing": "No sentence says it: the model wrote this triple.",
    "evidence": "Evidence, best first",
    "evidence.none": "No document was found.",
    "evidence.more": "{n} more document|{n} more documents",
    "sentence": "sentence {number}",
    "save": "Save the run",
    "save.picture": "Save the picture",
    "link": "Link to this run",
    "link.help": "Opens this run again, on this machine, at any time.",
    # about
    "about.methods": "Methods",
    "about.departures": "Where it departs from the paper",
    "about.measured": "Measured",
    "about.unmeasured": "Not measured yet.",
    "about.llms": "Language models",
    "about.engines": "Engines on this machine",
    "about.engine": "{seconds} for 700 tokens read and 16 written",
    "about.engine.failed": "failed",
    "about.health": "Health",
    "about.glossary": "Glossary",
    "about.setting": "Setting",
    "about.default": "Default",
    "about.meaning": "Meaning",
    "about.source": "Source",
    "ready": "ready",
    "unready": "not ready",
    # terms that have a tooltip; all of them stand in glossary.toml
    "term.score": "How well a document or triple fits the query; compares only within one list.",
}

CATALOGUE: dict[str, dict[str, str]] = {"en": _ENGLISH}
"""Texts by language and key. "one|other" is chosen by the value `n`; a key that a language lacks
is said in English."""


def t(key: str, language: str = "en", **values: str | int) -> str:
    """The text of a key with its values, which are never expanded again; UnknownName without it."""
    text = CATALOGUE.get(language, _ENGLISH).get(key) or _ENGLISH.get(key)
    if text is None:
        raise UnknownName("text", key, _ENGLISH)
    if "|" in text:
        one, _, other = text.partition("|")
        text = one if values.get("n") == 1 else other
    shown = {
        name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()
    }
    return text.format(**shown)


def measure(seconds: float) -> str:
    """Seconds with their unit: 0.04 s, 3.1 s, 2 min 5 s."""
    if seconds < 0.095:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"
