"""The default model writes the triples of three passages of the sample."""

import json

import pytest

from irag import models, settings
from irag.llm import open_llm
from irag.text import sentences
from irag.triples.llm import LLMExtractor
from irag.types import Document, document_id
from irag.workbench import SAMPLE

TITLES = ("Fitzwilliam Museum", "Ludvig Nobel", "William Lassell")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["hf", "llama"])
def test_the_default_model_gives_triples_each_with_its_sentence(engine):
    chosen = settings.load()
    name = "qwen2.5-coder-0.5b"
    if not models.present(name, chosen.models):
        pytest.skip(f"{name} is not on this machine")
    rows = map(json.loads, (SAMPLE / "passages.jsonl").read_text("utf-8").splitlines())
    documents = [
        Document(document_id(r["title"], r["text"]), r["title"], r["text"], sentences(r["text"]))
        for r in rows
        if r["title"] in TITLES
    ]
    llm = open_llm(f"{engine}:{name}", chosen)
    try:
        found = list(LLMExtractor(llm).extract(documents))
    finally:
        llm.close()
    assert len(found) == 3 and not any(one.problem.startswith("no triples") for one in found)
    for document, one in zip(documents, found, strict=True):
        assert len(one.triples) >= 2
        for triple in one.triples:
            name, number = triple.source
            words = set(f"{triple.head} {triple.tail}".lower().split())
            said = document.sentence(number).lower()
            assert name == document.id and any(word in said for word in words)
