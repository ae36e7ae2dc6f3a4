"""What every method has: settings as fields, a card for people, and its METHOD string."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from irag.actions import MethodFlow
from irag.errors import UnknownName, UserError

__all__ = ["Card", "Method", "Setting", "setting", "with_settings"]

M = TypeVar("M", bound="Method")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as pages and `--help` show it. Numbers have bounds, words have choices."""

    name: str
    label: str
    help: str
    default: int | float | str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """What people read about a method; `measured` are figures of our own, with their command."""

    name: str
    title: str
    summary: str
    paper: str
    departures: tuple[str, ...] = ()
    measured: str = ""
    iterative: bool = True


def setting(
    default: Any,
    label: str,
    help: str,
    bounds: tuple[float, float] | None = None,
    choices: tuple[str, ...] = (),
    source: str = "",
) -> Any:
    """A dataclass field that keeps its label, help, bounds, choices and source beside it."""
    low, high = bounds or (None, None)
    kept = Setting("", label, help, default, choices, low, high, source)
    return dataclasses.field(default=default, metadata={"setting": kept})


@dataclass(frozen=True)
class Method:
    """The base: `str(method)` is its METHOD string, with the settings that differ from default."""

    card: ClassVar[Card]

    def __post_init__(self) -> None:
        for one in self.described():
            _check(self.card.name, one, getattr(self, one.name))

    def solve(self, question: str) -> MethodFlow:
        """The method itself; see the README of this room."""
        raise TypeError(f"{type(self).__name__} does not say how to solve a question.")

    @classmethod
    def described(cls) -> tuple[Setting, ...]:
        """Its settings in order."""
        return tuple(
            dataclasses.replace(field.metadata["setting"], name=field.name)
            for field in dataclasses.fields(cls)
            if "setting" in field.metadata
        )

    def settings(self) -> tuple[tuple[str, str], ...]:
        """All settings as (name, value) text, for the trace."""
        return tuple((one.name, str(getattr(self, one.name))) for one in self.described())

    def __str__(self) -> str:
        changed = [
            f"{one.name}={getattr(self, one.name)}"
            for one in self.described()
            if getattr(self, one.name) != one.default
        ]
        return ":".join([self.card.name, ",".join(changed)]) if changed else self.card.name


def _check(method: str, one: Setting, value: Any) -> None:
    if one.choices and value not in one.choices:
        raise UserError(
            f"{method}: {one.name}={value} is not possible. Choose {', '.join(one.choices)}."
        )
    if one.low is not None and one.high is not None and not one.low <= value <= one.high:
        raise UserError(f"{method}: {one.name}={value} must be {one.low:g} to {one.high:g}.")


def with_settings(kind: type[M], texts: dict[str, str]) -> M:
    """A method with settings given as text; UserError names the one that cannot be used."""
    known = {one.name: one for one in kind.described()}
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in known:
            raise UnknownName(f"setting of {kind.card.name}", name, known)
        wanted = type(known[name].default)
        try:
            values[name] = wanted(text)
        except ValueError as error:
            raise UserError(f"{kind.card.name}: {name}={text} is not a number.") from error
    return kind(**values)
