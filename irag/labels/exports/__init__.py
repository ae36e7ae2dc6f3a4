"""Labels as files and files as labels; it turns values into text and back and never writes a row.

A new format is one file here and one line in EXPORTS; where it has a `read`, importing what was
exported gives the same export again, except for what `loss` names.
"""

from __future__ import annotations

from irag.labels.exports import (
    aligner,
    argilla,
    csv_long,
    csv_wide,
    events,
    label_studio,
    qrels,
    resolved,
)
from irag.labels.exports.base import Exported, Format, Incoming, Wanted

__all__ = ["EXPORTS", "Exported", "Format", "Incoming", "Wanted"]

EXPORTS: dict[str, Format] = {
    one.name: one
    for one in (
        qrels.TRIPLES,
        qrels.DOCUMENTS,
        events.FORMAT,
        resolved.FORMAT,
        csv_long.FORMAT,
        csv_wide.FORMAT,
        argilla.FORMAT,
        label_studio.FORMAT,
        aligner.FORMAT,
    )
}
"""Every format by name."""
