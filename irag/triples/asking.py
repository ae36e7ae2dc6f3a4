"""What an LLM is asked for a passage's triples: the prompt, its examples, the form of the reply."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib import resources

from irag.prompts import Lines, fill, render
from irag.prompts.fit import fit
from irag.text import language_of
from irag.tools import LLM, Request
from irag.types import Document

__all__ = ["Fact", "examples", "prompt_version", "request_for"]

Fact = tuple[str, str, str]

MOST_TRIPLES = 30  # of a reply: KiRAG's demonstrations have 2 to 21
LEAST_TOKENS, MOST_TOKENS = 160, 768  # KiRAG's code: 512 for every passage, in a shorter form
TOKENS_PER_TOKEN = 4  # of the reply for each of the passage
WARMTH = 0.4  # of every sample but the first, so that a model can say something else
_LABELS = {"en": ("Title: ", "Passage: ", "Reply: "), "zh": ("标题：", "文字：", "回答：")}

_PARTS = {"head": 100, "relation": 50, "tail": 100}  # characters at most
_TRIPLE = {
    "type": "object",
    "properties": {
        part: {"type": "string", "minLength": 1, "maxLength": most} for part, most in _PARTS.items()
    },
    "required": list(_PARTS),
    "additionalProperties": False,
}
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"triples": {"type": "array", "maxItems": MOST_TRIPLES, "items": _TRIPLE}},
        "required": ["triples"],
        "additionalProperties": False,
    }
)
"""The form of a reply, for LLMs that can be held to one. Named parts, because small models write
whole clauses as relations into lists of three: 3.2 words a relation against 1.7, measured on seven
passages with the default model."""


@lru_cache(maxsize=4)
def _demonstrations(language: str) -> tuple[tuple[str, str, tuple[Fact, ...]], ...]:
    suffix = "" if language == "en" else f".{language}"
    path = resources.files("irag.prompts").joinpath("triples", f"demonstrations{suffix}.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return tuple(
        (row["title"], row["text"], tuple((h, r, t) for h, r, t in row["triples"])) for row in rows
    )


@lru_cache(maxsize=4)
def _shown(language: str) -> Lines:
    title, passage, reply = _LABELS[language]
    return Lines(
        tuple(
            f"{title}{name}\n{passage}{text}\n{reply}{_reply(facts)}\n"
            for name, text, facts in _demonstrations(language)
        )
    )


def _reply(facts: tuple[Fact, ...]) -> str:
    named = [dict(zip(_PARTS, fact, strict=True)) for fact in facts]
    return json.dumps({"triples": named}, ensure_ascii=False)


def examples(language: str) -> frozenset[Fact]:
    """The triples of the examples, which a weak model likes to repeat."""
    return frozenset(fact for _, _, facts in _demonstrations(language) for fact in facts)


@lru_cache(maxsize=1)
def prompt_version() -> str:
    """A hash of everything that is asked in both languages, and of the schema."""
    parts = [SCHEMA]
    for language in _LABELS:
        prompt = fill(
            "triples/extract", language, demonstrations=_shown(language), title="", passage=""
        )
        parts += [message.text for message in render(prompt).messages]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=4).hexdigest()


def request_for(document: Document, llm: LLM, sample: int) -> Request:
    """One call for one passage; raises PromptTooLong.

    To fit the window, examples are left out from the end; the passage is never cut. Sample 0 is
    greedy; the others are sampled and may be twice as long.
    """
    language = language_of(f"{document.title} {document.text}")
    prompt = fill(
        "triples/extract",
        language,
        demonstrations=_shown(language),
        title=document.title,
        passage=" ".join(document.text.split()),
    )
    (size,) = llm.count([document.text])
    budget = min(max(TOKENS_PER_TOKEN * size, LEAST_TOKENS), MOST_TOKENS) * (2 if sample else 1)
    rendered = fit(prompt, llm.count, llm.window - budget)
    return Request(
        rendered.messages,
        budget,
        schema=SCHEMA if llm.flags.schema else None,
        temperature=WARMTH if sample else 0.0,
        seed=sample,
        sample=sample,
    )
