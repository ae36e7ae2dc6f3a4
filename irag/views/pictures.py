"""The pictures of a run beside its chain: each is drawn from remarks and results alone.

None knows a method by its name. To add one, write a function that takes a trace and gives its
pictures (none when the trace holds nothing for it), and put it into PICTURES.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irag.types import Trace
from irag.views.graph import Graph

__all__ = ["PICTURES", "Picture", "pictures"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph or a plotly figure with its title and, in words, what it shows.

    `key` is unique within a trace and stays the same while the run goes on.
    """

    key: str
    title: str
    note: str
    graph: Graph | None = None
    figure: Any = None


PICTURES: tuple[Callable[[Trace], tuple[Picture, ...]], ...] = ()


def pictures(trace: Trace) -> tuple[Picture, ...]:
    """Every picture that the trace has something for, in a fixed order."""
    return tuple(picture for draw in PICTURES for picture in draw(trace))
