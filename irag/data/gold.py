"""What each published set says is right, from one of its question records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from irag.data.passages import shown_title
from irag.text import clean
from irag.types import Gold, document_id

__all__ = ["DATASETS", "Dataset", "Record", "dataset_of"]

Record = Mapping[str, Any]
_YES_NO = {True: "yes", False: "no"}
_NO_PARAGRAPHS = ("operation", "no_evidence")


@dataclass(frozen=True, slots=True)
class Dataset:
    """How the records of a question set are told, and what gold they carry.

    `documents`: how they name their gold documents; "" when they name none.
    """

    fits: Callable[[Record], bool]
    gold: Callable[[Record], Gold]
    documents: str


def dataset_of(record: Record) -> str:
    """The name in DATASETS of the set whose shape a record has; the first that fits."""
    return next(name for name, dataset in DATASETS.items() if dataset.fits(record))


def _has(*names: str) -> Callable[[Record], bool]:
    return lambda record: all(name in record for name in names)


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


def _answers(record: Record) -> tuple[str, ...]:
    """All accepted answers, the main one first; true and false are yes and no."""
    names = ("answers", "answer", "Answer", "answer_aliases")
    found = [one for name in names for one in _listed(record.get(name))]
    shown = (_YES_NO[a] if isinstance(a, bool) else clean(str(a)).strip() for a in found)
    return tuple(dict.fromkeys(a for a in shown if a))


def _pairs(parts: Any) -> tuple[tuple[str, str], ...]:
    return tuple((clean(str(p["question"])), clean(str(p.get("answer", "")))) for p in parts or ())


def _ours(record: Record) -> Gold:
    """Our own format, NQ-open (a list of answers) and every set of plain questions."""
    chain = [tuple(clean(str(part)) for part in triple) for triple in record.get("chain", ())]
    if any(len(triple) != 3 for triple in chain):
        raise ValueError("a triple of the chain has not three parts")
    return Gold(
        answers=_answers(record),
        documents=tuple(shown_title(name) for name in record.get("documents", ())),
        triples=tuple((h, r, t) for h, r, t in chain),
        sub_questions=_pairs(record.get("sub_questions")),
    )


def _with_facts(record: Record) -> Gold:
    """HotpotQA and 2WikiMultiHopQA records: supporting facts by title and sentence."""
    facts = record["supporting_facts"]
    if isinstance(facts, Mapping):  # the hub's columns
        facts = list(zip(facts["title"], facts["sent_id"], strict=True))
    sentences = tuple((shown_title(title), int(number)) for title, number in facts)
    return Gold(
        answers=_answers(record),
        documents=tuple(dict.fromkeys(title for title, _ in sentences)),
        sentences=sentences,
        triples=tuple((str(h), str(r), str(t)) for h, r, t in record.get("evidences") or ()),
    )


def _musique(record: Record) -> Gold:
    """MuSiQue: documents by passage id, or, in official records, by the passage's own text."""
    steps = record["question_decomposition"]
    by_place = {p.get("idx"): p for p in record.get("paragraphs", ())}
    documents = []
    for step in steps:
        passage = by_place.get(step.get("paragraph_support_idx"))
        if step.get("gold_pid"):
            documents.append(f"musique:{step['gold_pid']}")
        elif passage is not None:
            text = clean(str(passage["paragraph_text"])).strip()
            documents.append(document_id(shown_title(passage["title"]), text))
    return Gold(
        answers=_answers(record),
        documents=tuple(dict.fromkeys(documents)),
        sub_questions=_pairs(steps),
    )


def _strategyqa(record: Record) -> Gold:
    """StrategyQA: the paragraphs of one annotator, whose evidence lacks the fewest steps.

    The set's authors score against each annotator and keep the best; a question here has one list
    of gold documents, and the three annotators' together would ask for the same fact three times.
    """
    found = [[_paragraphs(step) for step in annotator] for annotator in record.get("evidence", ())]
    fullest = min(found, key=lambda steps: sum("no_evidence" in s for s in steps), default=[])
    names = [name for step in fullest for name in step if name not in _NO_PARAGRAPHS]
    steps = tuple((clean(str(step)), "") for step in record.get("decomposition", ()))
    return Gold(
        answers=_answers(record),
        documents=tuple(dict.fromkeys(f"strategyqa:{shown_title(name)}" for name in names)),
        sub_questions=steps,
    )


def _paragraphs(step: Any) -> list[str]:
    """The names in the evidence of a step, however deeply its lists are nested."""
    if isinstance(step, str):
        return [step]
    return [name for part in step for name in _paragraphs(part)]


def _with_titles(record: Record) -> Gold:
    """The questions that go with a whole corpus: supporting titles."""
    titles = tuple(shown_title(title) for title in record["supporting_titles"])
    return Gold(answers=_answers(record), documents=tuple(dict.fromkeys(titles)))


def _two_steps(record: Record) -> Gold:
    """Bamboogle: two sub-questions where the copy has them, no documents."""
    steps = tuple(
        (clean(str(record[f"Q{n}"])), clean(str(next(iter(_listed(record[f"A{n}"])), ""))))
        for n in (1, 2)
        if f"Q{n}" in record and f"A{n}" in record
    )
    return Gold(answers=_answers(record), sub_questions=steps)


DATASETS: dict[str, Dataset] = {
    "2wiki": Dataset(_has("supporting_facts", "evidences"), _with_facts, "titles"),
    "hotpotqa": Dataset(_has("supporting_facts"), _with_facts, "titles"),
    "musique": Dataset(_has("question_decomposition"), _musique, "passage ids, or their texts"),
    "strategyqa": Dataset(_has("decomposition", "evidence"), _strategyqa, "paragraph keys"),
    "titles": Dataset(_has("supporting_titles"), _with_titles, "titles"),
    "bamboogle": Dataset(_has("Question", "Answer"), _two_steps, ""),
    "nq_open": Dataset(lambda record: set(record) - {"id"} in (
        {"question", "answers"}, {"question", "answer"}), _ours, ""),
    "irag": Dataset(lambda record: True, _ours, "titles or keys"),
}  # fmt: skip
"""Question sets by name, the most telling shape first."""
