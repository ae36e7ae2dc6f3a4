"""The weights irag knows and how to get them; nothing here loads a model to answer with.

`pull` brings a model and `convert` rewrites one for transformers; both check every byte against
the catalogue's sha256. `path` only looks: it never downloads.
"""

from __future__ import annotations

from irag.models.catalogue import CATALOGUE, Entry, File, find
from irag.models.converting import convert, converted
from irag.models.pulling import pull
from irag.models.stored import path, present

__all__ = ["CATALOGUE", "Entry", "File", "convert", "converted", "find", "path", "present", "pull"]
