"""One person's answer as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from irag.labels.acts import OriginKind, State, Vote
from irag.labels.values import seconds_of, utc_text

__all__ = ["plain_vote", "read_vote"]


def plain_vote(vote: Vote) -> dict[str, Any]:
    """An answer as a record; its moment is ISO 8601 in UTC."""
    return {
        "annotator": vote.annotator_id,
        "origin": vote.origin,
        "state": vote.state,
        "grade": vote.grade,
        "flags": list(vote.flags),
        "reason": vote.reason,
        "note": vote.note,
        "guideline_version": vote.guideline,
        "at": utc_text(vote.at),
        "active_ms": vote.active_ms,
    }


def read_vote(told: Mapping[str, Any]) -> Vote:
    """The answer of such a record, without an item; ValueError and its kin when it is none."""
    if told["state"] not in get_args(State) or told["origin"] not in get_args(OriginKind):
        raise ValueError(f"an answer is no {told['state']!r} of a {told['origin']!r}")
    name, grade, active, note = (told[k] for k in ("annotator", "grade", "active_ms", "note"))
    if not (isinstance(name, str) and name.strip()):
        raise ValueError("an answer has an annotator")
    if (told["state"] == "label") != (grade is not None):
        raise ValueError("a label has a grade; a skip or a flag has none")
    if not isinstance(grade, int | None) or isinstance(grade, bool):
        raise ValueError(f"{grade!r} is no grade")
    return Vote(
        "",
        name,
        told["state"],
        grade,
        tuple(map(str, told["flags"])),
        str(told["reason"]),
        None if note is None else str(note),
        told["origin"],
        int(told["guideline_version"]),
        seconds_of(told["at"]),
        None if active is None else int(active),
    )
