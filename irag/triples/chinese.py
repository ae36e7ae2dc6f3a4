"""Triples of Chinese passages by a few patterns; no model. The title stands for the subject."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irag.match import entity_key
from irag.triples.quality import weakness
from irag.types import Document, Triple, triple_id

__all__ = ["RULES", "chinese_triples"]

RULES = "1"


def chinese_triples(document: Document) -> tuple[Triple, ...]:
    """The triples of one passage, by sentence."""
    raise NotImplementedError
