"""One person's answer as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irag.labels.acts import Vote
from irag.labels.exports.base import checked
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
    names = ("origin", "state", "grade", "flags", "reason", "note", "active_ms")
    own = {
        "item_id": "",
        "annotator_id": told["annotator"],
        "guideline": told["guideline_version"],
        "at": seconds_of(told["at"]),
    }
    vote = checked(Vote, {name: told[name] for name in names} | own)
    if not vote.annotator_id.strip():
        raise ValueError("an answer has an annotator")
    if (vote.state == "label") != (vote.grade is not None):
        raise ValueError("a label has a grade; a skip or a flag has none")
    return vote
