"""KiRAG's three ways of choosing the next triple: choose by number, generate text, take the best.

Each is a flow that gets the question, the candidates (best first) and the chain so far.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from irag.actions import Flow, Generate, Rank
from irag.match import ground, triple_key
from irag.parse import Unparsed, answer_line, json_value, numbers
from irag.prompts import Lines, fill
from irag.prompts.demonstrations import Demonstration, demonstrations
from irag.text import language_of
from irag.types import Document, Scored, Triple, triple_id

__all__ = ["Pick", "choose", "generate", "shots", "take_best"]

NEXT_TRIPLE_TOKENS = 64  # KiRAG code: max_new_tokens of the constructor


@dataclass(frozen=True, slots=True)
class Pick:
    """The constructor's word: the next triple, its answer where it gave one, and how it came.

    `complete`: the chain holds the answer once the triple is in it.
    """

    triple: Triple | None
    how: str
    answer: str | None = None
    complete: bool = False


def shots(question: str, count: int, similar: bool) -> Flow[tuple[Demonstration, ...]]:
    """The first `count` demonstrations, or those whose questions are nearest to this one.

    The nearest comes last, next to the question.
    """
    known = demonstrations("kirag", language_of(question))
    if not similar or not count:
        return known[:count]
    asked = tuple(Document(str(n), "", shown.question) for n, shown in enumerate(known))
    nearest = yield from Rank(question, asked, count)
    return tuple(known[int(one.unit.id)] for one in reversed(nearest))


def take_best(candidates: Sequence[Scored[Triple]]) -> Pick:
    """No LLM: the best-scored candidate (paper, ablation "w/o Constructor")."""
    return Pick(candidates[0].unit, "best-scored candidate")


def _fact(parts: tuple[str, str, str]) -> str:
    return " | ".join(parts)


def _bracketed(parts: tuple[str, str, str]) -> str:
    return f"<{'; '.join(parts)}>"


def _parts(triple: Triple) -> tuple[str, str, str]:
    return triple.head, triple.relation, triple.tail


def _numbered(facts: Sequence[tuple[str, str, str]]) -> tuple[str, ...]:
    return tuple(f"{number}. {_fact(parts)}" for number, parts in enumerate(facts, 1))


def _reply(chain: Sequence[int], answer: str) -> str:
    return json.dumps({"chain": list(chain), "answer": answer}, ensure_ascii=False)


_LABELS = {
    "en": ("Facts:", "Question:", "Chain so far:", "none yet", "Reply:"),
    "zh": ("事实：", "问题：", "已有的链：", "还没有", "回答："),
}


def _choose_example(shown: Demonstration, language: str, begun: bool) -> str:
    """One demonstration for `choose`; `begun`: its first triple already stands in the chain."""
    facts, question, so_far, nothing, reply = _LABELS[language]
    begun = begun and len(shown.chain) > 1
    inside = shown.chain[:1] if begun else ()
    left = [parts for n, parts in enumerate(shown.candidates) if n not in inside]
    rest = [left.index(shown.candidates[n]) + 1 for n in shown.chain if n not in inside]
    chain = _fact(shown.candidates[inside[0]]) if inside else nothing
    return "\n".join(
        [
            facts,
            *_numbered(left),
            f"{question} {shown.question}",
            f"{so_far} {chain}",
            f"{reply} {_reply(rest, shown.answer)}",
            "",
        ]
    )


def choose(
    question: str,
    candidates: Sequence[Scored[Triple]],
    chain: Sequence[Triple],
    examples: Sequence[Demonstration],
) -> Flow[Pick]:
    """The LLM names the candidates that complete the whole chain; the first is appended.

    The chain is grounded by construction. A reply that names none and gives an answer says that
    the chain is complete; one that cannot be read falls back to the best-scored candidate.
    """
    language = language_of(question)
    labels = _LABELS[language]
    prompt = fill(
        "kirag/choose",
        language,
        demonstrations=Lines(
            tuple(_choose_example(d, language, n % 2 == 1) for n, d in enumerate(examples))
        ),
        candidates=Lines(_numbered([_parts(c.unit) for c in candidates])),
        question=question,
        chain="; ".join(_fact(_parts(t)) for t in chain) or labels[3],
    )
    reply = yield from Generate(
        prompt, max_tokens=NEXT_TRIPLE_TOKENS, schema=choose_schema(len(candidates))
    )
    return _read_choice(reply.text, candidates)


def choose_schema(limit: int) -> str:
    """The JSON schema of a choice among `limit` candidates."""
    number = {"type": "integer", "minimum": 1, "maximum": limit}
    return json.dumps(
        {
            "type": "object",
            "properties": {
                "chain": {"type": "array", "items": number, "maxItems": 5},
                "answer": {"type": "string", "maxLength": 100},
            },
            "required": ["chain", "answer"],
            "additionalProperties": False,
        }
    )


def _read_choice(text: str, candidates: Sequence[Scored[Triple]]) -> Pick:
    stated = json_value(text)
    said = stated.get("answer") if isinstance(stated, dict) else None
    answer = said.strip() or None if isinstance(said, str) else None
    named = numbers(text, len(candidates))
    if isinstance(named, Unparsed):
        best = candidates[0].unit
        return Pick(best, f"the reply could not be read ({named.reason}); best-scored candidate")
    if not named:
        how = "nothing more is needed" if answer else "no candidate was named"
        return Pick(None, how, answer, complete=answer is not None)
    complete = answer is not None and len(named) == 1
    how = f"candidate {named[0]}, first of {len(named)} named"
    return Pick(candidates[named[0] - 1].unit, how, answer, complete)


def generate(
    question: str,
    candidates: Sequence[Scored[Triple]],
    chain: Sequence[Triple],
    examples: Sequence[Demonstration],
) -> Flow[Pick]:
    """The paper's free text: the LLM writes the next triple, matched back to a candidate.

    Below token F1 0.6 with every candidate the triple is invented: kept, marked ungrounded.
    """
    language = language_of(question)
    prompt = fill(
        "kirag/generate",
        language,
        demonstrations=Lines(tuple(_generate_example(d, language) for d in examples)),
        candidates=Lines(tuple(_bracketed(_parts(c.unit)) for c in candidates)),
        question=question,
        chain="".join(f"{_bracketed(_parts(t))}. " for t in chain),
    )
    reply = yield from Generate(prompt, max_tokens=NEXT_TRIPLE_TOKENS, stop=(">", "\n"))
    return _read_thought(reply.text, [c.unit for c in candidates], chain)


_SO_THE_ANSWER = {"en": "So the answer is:", "zh": "所以答案是："}


def _generate_example(shown: Demonstration, language: str) -> str:
    facts, question, *_ = _LABELS[language]
    thought = "".join(f"{_bracketed(shown.candidates[n])}. " for n in shown.chain)
    return "\n".join(
        [
            facts,
            *map(_bracketed, shown.candidates),
            f"{question} {shown.question}",
            f"{thought}{_SO_THE_ANSWER[language]} {shown.answer}",
            "",
        ]
    )


_CONCLUSION = re.compile(r"answer is|答案(?:是|为)", re.IGNORECASE)


def _read_thought(text: str, candidates: Sequence[Triple], chain: Sequence[Triple]) -> Pick:
    before, opened, inside = text.partition("<")
    concluded = _CONCLUSION.search(before if opened else text)
    if concluded:
        answer = answer_line(text)
        if not isinstance(answer, Unparsed):
            return Pick(None, "the reply states the answer", answer, complete=True)
    if not opened:
        return Pick(None, "the reply holds no triple")
    parts = [part.strip(" ;,.") for part in inside.split(";")]
    matched = ground(" ".join(parts), candidates)
    if matched:
        return Pick(candidates[matched[0]], f"matched with token F1 {matched[1]:.2f}")
    if len(parts) != 3 or not all(parts):
        return Pick(None, "the reply holds no whole triple")
    head, relation, tail = parts
    made = Triple(triple_id(head, relation, tail, "", 0), head, relation, tail)
    if triple_key(made) in {triple_key(triple) for triple in chain}:
        return Pick(None, "repeated")
    return Pick(made, "not among the candidates: ungrounded")
