"""Triples by an LLM: what is asked, in what batches, and what ends it."""

import json
import threading
from dataclasses import replace

import pytest

from irag.errors import AuthenticationFailed, Cancelled, LLMError, ServerDown, TimedOut
from irag.llm.scripted import Scripted
from irag.tools import Flags
from irag.triples.llm import BATCH_LOCAL, BATCH_SERVER, LOST_IN_A_ROW, LLMExtractor
from tests.triples.asked import CAPITAL, OSK, document, extracted, facts, listed


def test_the_title_is_shown_and_a_schema_is_sent_where_the_llm_keeps_one():
    _, llm = extracted(listed(CAPITAL))
    (request,) = llm.history
    assert (
        "Title: Osk\n" in request.messages[-1].text
        and "triples" in json.loads(request.schema)["properties"]
    )
    _, plain = extracted(listed(CAPITAL), flags=Flags())
    assert plain.history[0].schema is None


def test_a_small_window_costs_examples_first_and_never_the_passage():
    _, llm = extracted(listed(CAPITAL), window=330)
    asked = llm.history[0].messages
    assert OSK in asked[-1].text and "See also" not in asked[0].text
    found, llm = extracted(documents=[document("Osk", OSK * 40)], window=330)
    assert "window" in found[0].problem and llm.history == []


@pytest.mark.parametrize("concurrent", [True, False])
def test_batches_fit_the_backend(concurrent):
    sizes = []

    class Counting(Scripted):
        def generate(self, requests, emit, cancel):
            sizes.append(len(requests))
            return super().generate(requests, emit, cancel)

    llm = Counting(lambda request: listed(CAPITAL), flags=Flags(concurrent=concurrent))
    list(LLMExtractor(llm).extract([document(f"Osk {n}") for n in range(20)]))
    size = BATCH_SERVER if concurrent else BATCH_LOCAL
    assert sizes == [size] * (20 // size) + ([20 % size] if 20 % size else [])


def test_a_refused_key_ends_it_after_the_first_batch():  # FR-176
    llm = Scripted(lambda request: AuthenticationFailed("authentication failed"))
    with pytest.raises(AuthenticationFailed):
        list(LLMExtractor(llm).extract([document(f"Osk {n}") for n in range(100)]))
    assert len(llm.history) <= BATCH_LOCAL
    with pytest.raises(ServerDown):
        list(LLMExtractor(Scripted([ServerDown("gone")])).extract([document()]))


def test_passages_without_a_reply_fail_alone_and_many_in_a_row_end_it():  # FR-178
    busy = LLMError("429: too many requests")
    texts = [document(f"Osk {n}") for n in range(40)]
    found, _ = extracted(busy, listed(CAPITAL), busy, documents=texts[:3])
    assert [one.problem for one in found] == [
        "no triples: 429: too many requests",
        "",
        found[0].problem,
    ]
    llm = Scripted(lambda request: busy)
    given = []
    with pytest.raises(LLMError, match=r"8 passages in a row got no reply; the last: 429"):
        given.extend(LLMExtractor(llm).extract(texts))
    assert len(llm.history) == LOST_IN_A_ROW


def test_a_time_out_says_its_kind_and_seconds():  # FR-180
    (found,), _ = extracted(TimedOut("no reply within 120 s (step: triples)"))
    assert "no reply within 120 s" in found.problem
    (found,), _ = extracted(TimedOut())
    assert found.problem == "no triples: TimedOut"


def test_a_prompt_that_the_server_cut_is_no_clean_success():  # FR-181
    class Cutting(Scripted):
        def generate(self, requests, emit, cancel):
            replies = super().generate(requests, emit, cancel)
            return [replace(reply, cut=("the server read 2048 tokens",)) for reply in replies]

    (found,) = LLMExtractor(Cutting([listed(CAPITAL)])).extract([document()])
    assert facts(found) == [CAPITAL] and "the server read 2048 tokens" in found.problem


def test_a_short_text_that_ends_at_the_limit_is_no_clean_success():  # FR-181
    class Limited(Scripted):
        def generate(self, requests, emit, cancel):
            replies = super().generate(requests, emit, cancel)
            return [replace(reply, finish="length") for reply in replies]

    (found,) = LLMExtractor(Limited([listed(CAPITAL)])).extract([document()])
    assert facts(found) == [CAPITAL] and "cut at the token limit" in found.problem


def test_stop_takes_effect_between_batches():
    cancel, given = threading.Event(), []
    llm = Scripted(lambda request: listed(CAPITAL))
    with pytest.raises(Cancelled):
        for one in LLMExtractor(llm).extract([document(f"O {n}") for n in range(40)], 0, cancel):
            given.append(one)
            cancel.set()
    assert len(given) == len(llm.history) == BATCH_LOCAL


def test_the_name_changes_with_the_model_and_the_prompt(monkeypatch):
    from irag.triples import asking, source_of

    first = LLMExtractor(Scripted(name="hf:small")).name
    assert source_of(first) == "llm:hf:small"
    asking.prompt_version.cache_clear()
    monkeypatch.setattr(asking, "SCHEMA", "{}")
    assert LLMExtractor(Scripted(name="hf:small")).name != first
    asking.prompt_version.cache_clear()


def test_a_document_without_text_is_not_asked_about():
    found, llm = extracted(documents=[document("Osk", "  ")])
    assert found[0].triples == () and not found[0].problem and llm.history == []
