"""A passage, and what comes of replies about it."""

import json

from irag.llm.scripted import Scripted
from irag.text import sentences
from irag.triples.llm import LLMExtractor
from irag.types import Document, document_id

OSK = "Osk is the capital of Veldland. The Tem flows into Lake Orrin. Tem Bridge opened in 1931."


def document(title="Osk", text=OSK):
    return Document(document_id(title, text), title, text, sentences(text))


def extracted(*replies, documents=None, **options):
    """What comes of replies given in their order, one document each unless said."""
    llm = Scripted(replies, **options)
    return list(LLMExtractor(llm).extract(documents or [document()])), llm


def facts(extraction):
    return [(t.head, t.relation, t.tail) for t in extraction.triples]


def listed(*triples):
    return json.dumps({"triples": triples})


CAPITAL = ("Osk", "capital of", "Veldland")
FLOWS = ("Tem", "flows into", "Lake Orrin")
