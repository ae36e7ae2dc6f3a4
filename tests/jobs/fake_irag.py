"""The command line with small fakes for the models: `fake_irag.py --home HOME ...`.

`IRAG_FAKE_SECONDS`: how long the extractor takes for each document.
"""

from __future__ import annotations

import os
import sys
import time

from irag.cli import main
from irag.corpus import opening
from tests.corpus.fakes import SentenceExtractor, WordEmbedder

SECONDS = float(os.environ.get("IRAG_FAKE_SECONDS", "0"))


class Slow(SentenceExtractor):
    def extract(self, documents, sample=0, cancel=None):
        for found in super().extract(documents):
            time.sleep(SECONDS)
            yield found


if __name__ == "__main__":
    opening.open_embedder = lambda settings: WordEmbedder()
    opening.open_extractor_of = lambda settings: Slow()
    sys.exit(main(sys.argv[1:]))
