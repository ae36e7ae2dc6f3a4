"""Label Studio tasks: a JSON list, with the labelling set-up that shows them in a sidecar."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from irag.labels.acts import Vote
from irag.labels.book import Book
from irag.labels.exports.base import (
    BROKEN,
    Exported,
    Format,
    Incoming,
    Refused,
    Wanted,
    brought,
    by_reason,
    counted,
    plain_item,
    read_item,
)
from irag.labels.exports.votes import plain_vote, read_vote
from irag.labels.values import Item, Scale

__all__ = ["FORMAT"]


def write(book: Book, wanted: Wanted) -> Exported:
    """People's answers are annotations, models' are predictions; a skip is a cancelled one."""
    project = book.project

    def task(item: Item) -> dict[str, Any]:
        votes = book.votes.get(item.id, ())
        shown = {
            "question": item.question,
            "chain": "\n".join(link.text for link in item.chain),
            "candidate": item.candidate.text,
            "title": item.passage.title,
            "passage": item.passage.text,
        }
        told = {
            "project": project.name,
            "scale": project.scale.name,
            "relevant_if": project.scale.relevant_if,
            "gold": book.gold.get(item.id),
            "item": plain_item(item),
        }
        people = [_annotation(v, project.scale) for v in votes if v.origin == "human"]
        models = [_prediction(v, project.scale) for v in votes if v.origin != "human"]
        return {"data": shown, "meta": told, "annotations": people, "predictions": models}

    kept = [item for item in book.items if wanted.gold or item.id not in book.gold]
    tasks = list(counted(kept, task))
    text = json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"
    answers = sum(len(one["annotations"]) + len(one["predictions"]) for one in tasks)
    left_out = by_reason("gold items" for _ in range(len(book.items) - len(kept)))
    included = (("tasks", len(tasks)), ("answers", answers))
    return Exported(text, included, left_out, _setup(project.scale))


def _annotation(vote: Vote, scale: Scale) -> dict[str, Any]:
    told = plain_vote(vote)
    return {
        "completed_by": {"email": vote.annotator_id},
        "result": _result(vote, scale),
        "was_cancelled": vote.state == "skip",
        "ground_truth": False,
        "lead_time": None if vote.active_ms is None else vote.active_ms / 1000,
        "created_at": told["at"],
        "updated_at": told["at"],
        "meta": told,
    }


def _prediction(vote: Vote, scale: Scale) -> dict[str, Any]:
    told = plain_vote(vote)
    return {"model_version": vote.annotator_id, "result": _result(vote, scale), "meta": told}


def _result(vote: Vote, scale: Scale) -> list[dict[str, Any]]:
    shared = {"to_name": "candidate"}
    result: list[dict[str, Any]] = []
    if vote.grade is not None:
        chosen = {"choices": [f"{vote.grade} {scale.name_of(vote.grade)}"]}
        result.append({**shared, "from_name": "grade", "type": "choices", "value": chosen})
    if vote.flags:
        value = {"choices": list(vote.flags)}
        result.append({**shared, "from_name": "flags", "type": "choices", "value": value})
    if vote.note is not None:
        note = {"text": [vote.note]}
        result.append({**shared, "from_name": "note", "type": "textarea", "value": note})
    return result


def _setup(scale: Scale) -> str:
    """What Label Studio's labelling set-up has to hold for these tasks."""
    choices = [f"{grade.key} {grade.name}" for grade in scale.grades]
    names = {"grade": choices, "shown": ["question", "chain", "candidate", "title", "passage"]}
    return json.dumps({"format": "irag-label-studio-1", **names}, ensure_ascii=False) + "\n"


def read(text: str) -> Incoming:
    """Items with the answers that hold, of a file written here and perhaps annotated there."""
    try:
        tasks = json.loads(text.removeprefix("\ufeff"))
        if not isinstance(tasks, list):
            raise ValueError("not a list of tasks")
    except (ValueError, RecursionError) as error:
        return Incoming(refused=(Refused("the file", str(error)),))
    told: list[tuple[Item, list[Vote], int | None]] = []
    refused, names = [], ("", "")
    for number, task in enumerate(tasks, 1):
        try:
            meta, gold = task["meta"], task["meta"]["gold"]
            told.append(
                (read_item(meta["item"]), _votes(task), gold if gold is None else int(gold))
            )
            names = (str(meta["project"]), str(meta["scale"]))
        except BROKEN as error:
            refused.append(Refused(f"task {number}", f"{type(error).__name__}: {error}"))
    return brought("label_studio", told, names, refused)


def _votes(task: Mapping[str, Any]) -> list[Vote]:
    people = [_read_annotation(one) for one in task["annotations"]]
    return people + [read_vote(one["meta"]) for one in task["predictions"]]


def _read_annotation(told: Mapping[str, Any]) -> Vote:
    """An annotation; one that was made in Label Studio has no `meta` of ours."""
    if "meta" in told:
        return read_vote(told["meta"])
    values = {one["from_name"]: one["value"] for one in told["result"]}
    grade = values["grade"]["choices"][0].split()[0] if "grade" in values else None
    seconds, who = told.get("lead_time"), told["completed_by"]
    cancelled = bool(told.get("was_cancelled"))
    return read_vote(
        {
            "annotator": who["email"] if isinstance(who, Mapping) else f"label-studio-{who}",
            "origin": "human",
            "state": "skip" if cancelled else "flag" if grade is None else "label",
            "grade": None if cancelled or grade is None else int(grade),
            "flags": values.get("flags", {}).get("choices", ()),
            "reason": "cannot_judge" if cancelled else "",
            "note": "\n".join(values["note"]["text"]) if "note" in values else None,
            "guideline_version": 0,
            "at": told["created_at"],
            "active_ms": None if seconds is None else round(1000 * seconds),
        }
    )


FORMAT = Format(
    "label_studio",
    "Label Studio tasks",
    ".json",
    "Earlier answers, undo, adjudications, guidelines and the runs an item came from.",
    write,
    read,
)
