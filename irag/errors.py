"""What can go wrong, as a tree of few kinds; every message says what happened and what to do.

IragError
├── UserError             the person's input: exit code 2, shown as one line
│   ├── UnknownName       a name that is not in a registry; lists the known ones
│   └── QuestionRefused   an empty or over-long question
├── ModelError            weights missing, damaged or not to be had
├── LLMError              a language model call that gave no usable reply
│   ├── ServerDown        nothing answers at the address, or it went away
│   ├── AuthenticationFailed
│   ├── PromptTooLong     does not fit the window even after cutting
│   └── TimedOut
├── CorpusError           a corpus missing, damaged, locked, empty or not indexed
│   └── FileRejected      one file that could not be read; the others go in
├── TraceError            a saved trace that cannot be read
└── Cancelled             the person pressed Stop
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "AuthenticationFailed",
    "Cancelled",
    "CorpusError",
    "FileRejected",
    "IragError",
    "LLMError",
    "ModelError",
    "PromptTooLong",
    "QuestionRefused",
    "ServerDown",
    "TimedOut",
    "TraceError",
    "UnknownName",
    "UserError",
]


class IragError(Exception):
    """The root: its text can be shown to a person as it stands."""


class UserError(IragError):
    """The person's input cannot be used as it is."""


class UnknownName(UserError):
    """A name that no registry knows; the message lists those it knows."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        names = ", ".join(sorted(known)) or "none yet"
        super().__init__(f"Unknown {what} {name!r}. Known: {names}.")


class QuestionRefused(UserError):
    """An empty or over-long question."""


class ModelError(IragError):
    """Weights that are missing, damaged or not to be had."""


class LLMError(IragError):
    """A language model call that gave no usable reply."""


class ServerDown(LLMError):
    """Nothing answers at the server's address, or it went away during the call."""


class AuthenticationFailed(LLMError):
    """The server refused the key."""


class PromptTooLong(LLMError):
    """The prompt does not fit the window, even with everything cut that may be cut."""


class TimedOut(LLMError):
    """No reply within the time-out."""


class CorpusError(IragError):
    """A corpus that is missing, damaged, locked, empty or not indexed."""


class FileRejected(CorpusError):
    """One file that could not be read; carries its name and the reason."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"{name}: {reason}")


class TraceError(IragError):
    """A saved trace that cannot be read."""


class Cancelled(IragError):
    """The person pressed Stop."""

    def __init__(self, message: str = "Stopped by you.") -> None:
        super().__init__(message)
