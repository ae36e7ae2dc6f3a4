"""The colours of hops; a colour never stands alone, the number is always there too."""

from __future__ import annotations

__all__ = ["GREY", "colour", "ink"]

GREY = "#7A7A7A"
_HOPS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9")


def colour(hop: int) -> str:
    """Colour of a 1-based hop (Okabe and Ito 2008); later hops, and 0 for none, are grey."""
    return _HOPS[hop - 1] if 1 <= hop <= len(_HOPS) else GREY


def ink(hop: int) -> str:
    """The text colour that reads well on colour(hop): contrast of at least 4.5."""
    return "#111111" if 2 <= hop <= len(_HOPS) else "#FFFFFF"
