"""The tables of labelling; irag.labels reads and writes them.

An event is never changed or removed; `label_current` is what the events come to, one row for each
item and annotator. Times are seconds since 1970, UTC. Items keep the texts as they were shown and
refer to no corpus and no run, so that removing one of these leaves every label where it is.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from irag.store.tables import Base

__all__ = [
    "LABEL_TABLES",
    "AnnotatorRow",
    "LabelCurrentRow",
    "LabelEventRow",
    "LabelGuidelineRow",
    "LabelItemRow",
    "LabelLeaseRow",
    "LabelOriginRow",
    "LabelProjectRow",
]

_GRADE = "grade IS NULL OR (grade >= 0 AND grade <= 9)"
_STATES = "('label', 'skip', 'flag')"


class LabelProjectRow(Base, table=True):
    """One project; `scale` is JSON. `overlap`: how many people judge an item."""

    __tablename__ = "label_project"
    __table_args__ = (CheckConstraint("overlap >= 1"), CheckConstraint("cap >= 1"))

    id: str = Field(primary_key=True)
    name: str = Field(unique=True, min_length=1)
    scale: str
    overlap: int
    cap: int
    seed: int
    created: float
    guideline: int = 1


class LabelGuidelineRow(Base, table=True):
    """One version of the guidelines in one language, Markdown."""

    __tablename__ = "label_guideline"

    project_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    language: str = Field(primary_key=True)
    text: str
    created: float


class LabelItemRow(Base, table=True):
    """One thing to judge, texts frozen. `chain` is JSON; `start` and `stop` span the passage.

    `group_key` is the same for the items of one question and hop. `gold` is the known grade.
    """

    __tablename__ = "label_item"
    __table_args__ = (
        UniqueConstraint("project_id", "key"),
        CheckConstraint("kind IN ('triple', 'sentence', 'passage')"),
        CheckConstraint("length(question_id) > 0 AND length(question) > 0"),
        CheckConstraint("gold IS NULL OR (gold >= 0 AND gold <= 9)"),
    )

    id: str = Field(primary_key=True)
    project_id: str = Field(index=True)
    key: str
    group_key: str = Field(index=True)
    place: int = Field(index=True)
    question_id: str = Field(index=True)
    question: str
    language: str
    hop: int
    chain: str
    kind: str
    candidate_id: str
    head: str
    relation: str
    tail: str
    text: str
    document_id: str
    title: str
    passage: str
    start: int | None = None
    stop: int | None = None
    gold: int | None = None


class LabelOriginRow(Base, table=True):
    """A run in which an item was a candidate; rank counts from 1."""

    __tablename__ = "label_origin"

    item_id: str = Field(primary_key=True)
    run_id: str = Field(primary_key=True)
    hop: int = Field(primary_key=True)
    project_id: str = Field(index=True)
    method: str
    rank: int
    score: float | None


class AnnotatorRow(Base, table=True):
    """One account; secrets are kept as salted hashes. `locked` is when it may be tried again."""

    __tablename__ = "label_annotator"
    __table_args__ = (CheckConstraint("role IN ('annotator', 'adjudicator', 'owner')"),)

    id: str = Field(primary_key=True)
    name: str = Field(unique=True, min_length=1)
    role: str
    pin: str = ""
    link: str = Field(default="", index=True)
    wrong: int = 0
    locked: float = 0.0
    active: bool = True
    created: float = 0.0


class LabelLeaseRow(Base, table=True):
    """An item shown to someone; `token` is what an answer has to bring back."""

    __tablename__ = "label_lease"

    item_id: str = Field(primary_key=True)
    annotator_id: str = Field(primary_key=True)
    project_id: str = Field(index=True)
    token: str
    shown: float
    expires: float


class LabelEventRow(Base, table=True):
    """What somebody did, once for each client event id; `details` is JSON."""

    __tablename__ = "label_event"
    __table_args__ = (
        CheckConstraint(
            "kind IN ('label', 'skip', 'flag', 'undo', 'note', 'gold', 'adjudicate', 'import')"
        ),
        CheckConstraint(f"state IS NULL OR state IN {_STATES}"),
        CheckConstraint("state <> 'label' OR grade IS NOT NULL"),
        CheckConstraint("kind NOT IN ('label', 'skip', 'flag', 'import') OR state IS NOT NULL"),
        CheckConstraint(_GRADE),
        CheckConstraint("origin IN ('human', 'llm')"),
        CheckConstraint("length(annotator_id) > 0 AND length(item_id) > 0 AND length(id) > 0"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(unique=True)
    project_id: str = Field(index=True)
    item_id: str = Field(index=True)
    annotator_id: str = Field(index=True)
    kind: str
    state: str | None = None
    grade: int | None = None
    note: str | None = None
    origin: str = "human"
    guideline: int = 0
    at: float = 0.0
    supersedes: str | None = None
    details: str = "{}"


class LabelCurrentRow(Base, table=True):
    """What the events of one person on one item come to; `event_seq` is the one that says so."""

    __tablename__ = "label_current"
    __table_args__ = (CheckConstraint(f"state IN {_STATES}"), CheckConstraint(_GRADE))

    item_id: str = Field(primary_key=True)
    annotator_id: str = Field(primary_key=True)
    project_id: str = Field(index=True)
    event_seq: int
    state: str
    grade: int | None = None
    origin: str = "human"


LABEL_TABLES: tuple[Any, ...] = (
    LabelProjectRow,
    LabelGuidelineRow,
    LabelItemRow,
    LabelOriginRow,
    AnnotatorRow,
    LabelLeaseRow,
    LabelEventRow,
    LabelCurrentRow,
)
