"""What was extracted once is not extracted again, whichever corpus asks."""

import json

import pytest

from irag.llm.scripted import Scripted
from irag.text import sentences
from irag.triples import Extraction
from irag.triples.llm import LLMExtractor
from irag.triples.stored import Stored
from irag.types import Document, document_id
from tests.corpus.fakes import SentenceExtractor


def document(title, text):
    return Document(document_id(title, text), title, text, sentences(text))


TEXTS = [document(f"Osk {n}", f"Osk {n} lies in Veldland. It has {n} swans.") for n in range(80)]


def test_the_second_time_nothing_is_extracted_and_the_triples_are_equal(tmp_path):
    inner = SentenceExtractor()
    first = list(Stored(inner, tmp_path / "triples.db").extract(TEXTS))
    again = list(Stored(inner, tmp_path / "triples.db").extract(TEXTS[::-1]))
    assert again[::-1] == first and len(inner.seen) == len(TEXTS)


def test_new_documents_among_old_ones_keep_their_order(tmp_path):
    inner = SentenceExtractor()
    stored = Stored(inner, tmp_path / "triples.db")
    list(stored.extract(TEXTS[::2]))
    found = list(stored.extract(TEXTS))
    assert found == list(SentenceExtractor().extract(TEXTS)) and len(inner.seen) == len(TEXTS)


def test_another_extractor_model_or_prompt_is_another_entry(tmp_path):
    for name in ("llm:a+prompt-1", "llm:a+prompt-2", "llm:b+prompt-1"):
        inner = SentenceExtractor()
        inner.name = name
        list(Stored(inner, tmp_path / "triples.db").extract(TEXTS[:3]))
        assert len(inner.seen) == 3


def test_a_failure_is_never_kept_and_an_empty_result_is(tmp_path):  # FR-007
    replies = ["no idea", "no idea", '{"triples": []}']
    llm = Scripted(replies)
    stored = Stored(LLMExtractor(llm), tmp_path / "triples.db")
    failed, empty = [next(stored.extract([d])) for d in TEXTS[:2]]
    assert failed.problem and empty == Extraction()
    fact = json.dumps({"triples": [["Osk 0", "lies in", "Veldland"]]})
    retried = Stored(LLMExtractor(Scripted([fact])), tmp_path / "triples.db")
    found = list(retried.extract(TEXTS[:2], sample=2))
    assert [len(one.triples) for one in found] == [1, 0] and not found[0].problem


def test_dropped_counts_and_reasons_are_kept_too(tmp_path):
    reply = json.dumps(
        {"triples": [["Osk 0", "lies in", "Veldland"], ["Osk 0", "near", "Nowhere"]]}
    )
    path = tmp_path / "triples.db"
    (first,) = Stored(LLMExtractor(Scripted([reply])), path).extract(TEXTS[:1])
    (again,) = Stored(LLMExtractor(Scripted()), path).extract(TEXTS[:1])
    assert again.dropped == first.dropped == (("not in the passage", 1),)
    assert again.triples == first.triples


def test_what_is_finished_is_kept_when_the_rest_fails(tmp_path):
    class Ends(SentenceExtractor):
        def extract(self, documents, sample=0, cancel=None):
            yield from super().extract(documents[:5])
            raise RuntimeError("gone")

    stored = Stored(Ends(), tmp_path / "triples.db")
    with pytest.raises(RuntimeError):
        list(stored.extract(TEXTS))
    inner = SentenceExtractor()
    list(Stored(inner, tmp_path / "triples.db").extract(TEXTS[:10]))
    assert len(inner.seen) == 5


def test_a_file_that_cannot_be_used_costs_no_triple(tmp_path, caplog):
    path = tmp_path / "triples.db"
    path.write_bytes(b"no database " * 500)
    found = list(Stored(SentenceExtractor(), path).extract(TEXTS[:3]))
    assert all(one.triples for one in found) and "could not be read" in caplog.text
