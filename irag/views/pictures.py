"""The pictures of a run beside its chain: each is drawn from remarks and results alone.

None knows a method by its name. To add one, write a function that takes a trace and gives its
pictures (none when the trace holds nothing for it), and put it into PICTURES.
"""

from __future__ import annotations

from collections.abc import Callable

from irag.types import Trace
from irag.views.evidence_graph import evidence_pictures, question_pictures
from irag.views.judging import score_pictures
from irag.views.picture import Picture
from irag.views.sentence_graph import sentence_pictures

__all__ = ["PICTURES", "Picture", "pictures"]


PICTURES: tuple[Callable[[Trace], tuple[Picture, ...]], ...] = (
    evidence_pictures,
    question_pictures,
    sentence_pictures,
    score_pictures,
)


def pictures(trace: Trace) -> tuple[Picture, ...]:
    """Every picture that the trace has something for, in a fixed order."""
    return tuple(picture for draw in PICTURES for picture in draw(trace))
