"""Records of the shape Argilla and Hugging Face data sets use, a JSON line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irag.labels.acts import Vote
from irag.labels.book import Book
from irag.labels.exports.base import (
    Exported,
    Format,
    Incoming,
    Wanted,
    brought,
    by_reason,
    counted,
    json_line,
    plain_item,
    read_item,
    read_lines,
)
from irag.labels.exports.votes import plain_vote, read_vote
from irag.labels.values import Item

__all__ = ["FORMAT"]

_STATUS = {"label": "submitted", "flag": "submitted", "skip": "discarded"}


def write(book: Book, wanted: Wanted) -> Exported:
    """People's answers are responses, models' are suggestions; the question is called `grade`."""

    def line(item: Item) -> str:
        votes = book.votes.get(item.id, ())
        fields = {
            "question": item.question,
            "chain": "\n".join(f"{n}. {link.text}" for n, link in enumerate(item.chain, 1)),
            "candidate": item.candidate.text,
            "title": item.passage.title,
            "passage": item.passage.text,
        }
        responses = [_response(vote) for vote in votes if vote.origin == "human"]
        models = [_response(vote) for vote in votes if vote.origin != "human"]
        metadata = {
            "project": book.project.name,
            "scale": book.project.scale.name,
            "relevant_if": book.project.scale.relevant_if,
            "hop": item.hop,
            "question_id": item.question_id,
            "gold": book.gold.get(item.id),
            "item": plain_item(item),
        }
        return json_line(
            {
                "id": item.key,
                "fields": fields,
                "metadata": metadata,
                "suggestions": {"grade": models},
                "responses": {"grade": responses},
            }
        )

    kept = [item for item in book.items if wanted.gold or item.id not in book.gold]
    lines = list(counted(kept, line))
    left_out = by_reason("gold items" for _ in range(len(book.items) - len(kept)))
    answers = sum(len(book.votes.get(item.id, ())) for item in kept)
    included = (("records", len(lines)), ("answers", answers))
    return Exported("".join(f"{one}\n" for one in lines), included, left_out)


def _response(vote: Vote) -> dict[str, Any]:
    told = plain_vote(vote)
    who = "user_id" if vote.origin == "human" else "agent"
    shaped = {"value": told.pop("grade"), who: told.pop("annotator"), "score": None}
    return shaped | {"status": _STATUS[vote.state], "answer": told}


def _vote(told: Mapping[str, Any]) -> Vote:
    who = told["user_id"] if "user_id" in told else told["agent"]
    return read_vote({**told["answer"], "grade": told["value"], "annotator": who})


def read(text: str) -> Incoming:
    """Items with the answers that hold, of a file written here."""
    rows, refused = read_lines(text, _row)
    names = rows[0][1] if rows else ("", "")
    return brought("argilla", (told for told, _ in rows), names, refused)


def _row(record: dict[str, Any]) -> tuple[tuple[Item, list[Vote], int | None], tuple[str, str]]:
    metadata = record["metadata"]
    answers = [*record["suggestions"]["grade"], *record["responses"]["grade"]]
    gold = metadata["gold"]
    votes = [_vote(one) for one in answers]
    told = read_item(metadata["item"]), votes, None if gold is None else int(gold)
    return told, (str(metadata["project"]), str(metadata["scale"]))


FORMAT = Format(
    "argilla",
    "Argilla records (JSON lines)",
    ".jsonl",
    "Earlier answers, undo, adjudications, guidelines and the runs an item came from.",
    write,
    read,
)
