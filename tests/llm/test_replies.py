"""Specs, raw replies, and the scripted model."""

from __future__ import annotations

import json
import threading
import time

import pytest

from irag.errors import Cancelled, LLMError, PromptTooLong, UnknownName, UserError
from irag.llm import open_llm, parse_spec
from irag.llm.chat import closed
from irag.llm.replies import at_least, estimate, split_thinking
from irag.llm.scripted import Scripted, simplest
from irag.settings import load
from tests.llm.asking import ask, generate

PROSE = "The river rises in the hills above the town and flows north to the sea at Marl. " * 20


def test_a_spec_is_taken_apart_and_an_unknown_one_lists_the_known() -> None:
    assert str(parse_spec("openai:http://h/v1#m@KEY")) == "openai:http://h/v1#m@KEY"
    with pytest.raises(UnknownName, match=r"hf:.*llama:.*none.*openai:"):
        parse_spec("gpt-4")
    with pytest.raises(UserError, match="says no model"):
        parse_spec("llama:")
    with pytest.raises(UserError, match="no LLM is used"):
        open_llm("none", load())


@pytest.mark.parametrize(
    ("raw", "reply", "thinking"),
    [
        ("Osk", "Osk", ""),
        ("  Osk\n", "  Osk\n", ""),
        ("<think>a {b}</think>\n\nOsk", "Osk", "a {b}"),
        ("<think>\n\n</think>\n\nOsk", "Osk", ""),
        ("no opening tag</think>Osk", "Osk", "no opening tag"),
        ("<think>cut by the limit", "", "cut by the limit"),
        ("<thinking>a</thinking>Osk<THINK>b</THINK>", "Osk", "a\nb"),
    ],
)
def test_thinking_is_taken_out_of_a_reply(raw: str, reply: str, thinking: str) -> None:
    # FR-013
    assert split_thinking(raw) == (reply, thinking)


def test_estimates_bound_the_tokens_of_prose_from_both_sides() -> None:
    tokens = 17 * 20 + 20  # about what common tokenizers make of it
    assert at_least(PROSE) < tokens < estimate(PROSE)
    assert at_least("王安石出生于临川") <= 8 <= estimate("王安石出生于临川")
    assert estimate("") == at_least("") == 0


def test_a_schema_is_closed_at_every_depth_and_nonsense_is_refused() -> None:
    inner = {"type": "object", "properties": {}}
    schema = closed(json.dumps({"type": "object", "properties": {"a": {"items": inner}}}))
    assert schema["additionalProperties"] is False
    assert schema["properties"]["a"]["items"]["additionalProperties"] is False
    for wrong in ("{", "[]", '{"type": "nonsense"}'):
        with pytest.raises(LLMError):
            closed(wrong)


def test_the_simplest_reply_follows_the_schema() -> None:
    schema = {
        "type": "object",
        "properties": {
            "picks": {"type": "array", "items": {"type": "integer", "minimum": 2}},
            "kind": {"enum": ["x", "y"]},
            "sure": {"type": "boolean"},
        },
    }
    assert json.loads(simplest(json.dumps(schema))) == {"picks": [2], "kind": "x", "sure": False}


def test_a_queue_that_ran_out_says_so() -> None:
    first, second = generate(Scripted(["Osk"]), ask(), ask())
    assert first.text == "Osk" and isinstance(second, LLMError)


def test_scripted_refuses_what_does_not_fit_with_the_numbers() -> None:
    # FR-094
    llm = Scripted(lambda request: "Osk", window=100)
    long, short = generate(llm, ask("word " * 90, max_tokens=20), ask("word", max_tokens=20))
    assert isinstance(long, PromptTooLong) and "90" in str(long) and "100" in str(long)
    assert short.text == "Osk"


def test_endless_white_space_is_cut_at_the_limit_and_said() -> None:
    # FR-011
    (reply,) = generate(Scripted(["{ " + "\n . " * 8000]), ask(max_tokens=50))
    assert reply.finish == "length" and len(reply.text) < 200


def test_scripted_takes_the_time_it_is_told_and_stops_in_it() -> None:
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        Scripted(["Osk"], delay=5).generate([ask()], lambda n, text: None, cancel)
    assert time.monotonic() - began < 1
