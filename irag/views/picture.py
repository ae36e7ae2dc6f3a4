"""A picture of a run: a graph or a figure, said in words too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from irag.views.graph import Graph

__all__ = ["Picture"]


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
