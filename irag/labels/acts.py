"""What people do: who labels, what they are shown and answer, and how an answer was taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from irag.labels.values import Item

__all__ = [
    "CAUSES",
    "FLAGS",
    "SKIP_REASONS",
    "Accepted",
    "Duplicate",
    "Event",
    "Full",
    "Kind",
    "Mark",
    "OriginKind",
    "Outcome",
    "Rest",
    "Role",
    "Seat",
    "Serving",
    "Stale",
    "State",
    "Ticket",
    "Turn",
    "Vote",
]

Role = Literal["annotator", "adjudicator", "owner"]
State = Literal["label", "skip", "flag"]
Kind = Literal["label", "skip", "flag", "undo", "note", "gold", "adjudicate", "import"]
OriginKind = Literal["human", "llm"]

FLAGS = ("unsupported", "duplicate_of_chain", "malformed", "needs_world_knowledge")
"""What may be wrong with a candidate beside its grade."""

SKIP_REASONS = ("cannot_judge", "broken", "conflict_of_interest")
CAUSES = (
    "ambiguous_question",
    "guideline_gap",
    "annotator_error",
    "extraction_error",
    "subjective",
)
"""Why people disagreed, as an adjudicator sees it."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who labels, once let in."""

    annotator_id: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Ticket:
    """What was shown to whom: an answer has to bring it back as it was."""

    project_id: str
    item_id: str
    token: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person answers. `event_id` is made once for each press (32 random hex digits).

    `note` None keeps the note saved before; "" is an empty one. `active_ms` is how long it took.
    """

    event_id: str
    state: State
    grade: int | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    note: str | None = None
    active_ms: int | None = None
    keyboard: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that was done, as it is kept; `at` and `shown` are seconds since 1970, UTC.

    `state` is what it left: None after undo, note, gold and adjudicate. `supersedes` is the id of
    the event it took the place of. `gold` is the known grade at that time.
    """

    seq: int
    id: str
    project_id: str
    item_id: str
    annotator_id: str
    kind: Kind
    state: State | None = None
    grade: int | None = None
    note: str | None = None
    origin: OriginKind = "human"
    guideline: int = 0
    at: float = 0.0
    supersedes: str | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    cause: str = ""
    confidence: float | None = None
    gold: int | None = None
    shown: float | None = None
    active_ms: int | None = None
    keyboard: bool = False
    via: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one person's events on one item come to; `note` None: none was written."""

    item_id: str
    annotator_id: str
    state: State
    grade: int | None
    flags: tuple[str, ...] = ()
    reason: str = ""
    note: str | None = None
    origin: OriginKind = "human"
    guideline: int = 0
    at: float = 0.0
    active_ms: int | None = None
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class Serving:
    """An item in front of a person. `mine` is their own earlier answer, where there is one."""

    ticket: Ticket
    item: Item
    expires: float
    mine: Vote | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing to show now. `held` items are before other people and may come back."""

    held: int = 0

    @property
    def done(self) -> bool:
        """Whether nothing will come back either."""
        return not self.held


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer is kept."""

    event: Event


@dataclass(frozen=True, slots=True)
class Duplicate:
    """This very press was kept before; nothing changed."""

    event: Event


@dataclass(frozen=True, slots=True)
class Stale:
    """The item was answered, released or shown anew since; nothing was kept."""

    reason: str


@dataclass(frozen=True, slots=True)
class Full:
    """Enough people have judged the item meanwhile; nothing was kept."""

    reason: str


Outcome = Accepted | Duplicate | Stale | Full


@dataclass(frozen=True, slots=True)
class Turn:
    """How an answer was taken, and what comes next."""

    outcome: Outcome
    serving: Serving | Rest
