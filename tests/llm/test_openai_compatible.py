"""The backend for servers, against a small scripted one on 127.0.0.1: what works."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from irag.errors import (
    UserError,
)
from irag.llm import open_llm
from irag.llm.openai_compatible import parse_server
from irag.settings import load
from tests.llm.asking import ask, generate, opened, reply_to
from tests.llm.fake_server import Answer, chunk, refuses, says, serving

SCHEMA = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'


def test_replies_come_in_order_whatever_finishes_first() -> None:
    def answer(body: dict[str, Any], before: int) -> Answer:
        word = body["messages"][0]["content"]
        return says(f"re {word}", hang=0.1 if word == "slow" else 0.0)

    with serving(answer) as seen, opened(seen) as llm:
        replies = generate(llm, ask("first"), ask("slow"), ask("quick"))
        assert [r.text for r in replies] == ["re first", "re slow", "re quick"]
        assert seen.most_at_once > 1, "requests go out together"
        assert seen.bodies[0]["model"] == "tiny"


def test_text_streams_and_the_prompt_is_kept_in_the_reply() -> None:
    parts: list[str] = []
    with (
        serving(lambda body, before: says("Ana Kor", prompt_tokens=9)) as seen,
        opened(seen) as llm,
    ):
        (reply,) = llm.generate([ask()], lambda n, text: parts.append(text), threading.Event())
    assert parts[0] == "Ana" and parts[-1] == "Ana Kor"
    assert reply.prompt == ask().messages
    assert (reply.usage.calls, reply.usage.prompt_tokens, reply.usage.completion_tokens) == (
        1,
        9,
        3,
    )


def test_a_server_that_does_not_stream_is_understood() -> None:
    whole = {
        "choices": [{"message": {"content": "Osk"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 4, "completion_tokens": 1},
    }
    answer = Answer(200, (json.dumps(whole).encode(),), content_type="application/json")
    reply = reply_to(answer)
    assert reply.text == "Osk" and reply.usage.prompt_tokens == 4


def test_usage_is_estimated_where_the_server_reports_none() -> None:
    usage = reply_to(says("Osk")).usage
    assert usage.calls == 1 and usage.prompt_tokens > 3 and usage.completion_tokens >= 1


def test_thinking_is_kept_apart_in_either_form() -> None:
    # FR-013
    inline = reply_to(says('<think>Maybe {"n": 2}?</think>{"n": 1}'))
    assert (inline.text, inline.thinking) == ('{"n": 1}', 'Maybe {"n": 2}?')
    delta = {"choices": [{"delta": {"reasoning_content": "Hm."}, "finish_reason": None}]}
    apart = Answer(pieces=(b"data: " + json.dumps(delta).encode() + b"\n\n", chunk("B", "stop")))
    assert (reply_to(apart).text, reply_to(apart).thinking) == ("B", "Hm.")


def test_finish_length_is_said() -> None:
    # FR-181
    assert reply_to(says("Osk is the", finish="length")).finish == "length"


def test_a_prompt_cut_by_the_server_is_noted() -> None:
    # FR-181
    cut = reply_to(says("Osk", prompt_tokens=2048), ask("word " * 3000)).cut
    assert "2048" in cut[0] and "cut the prompt" in cut[0]
    assert reply_to(says("Osk", prompt_tokens=3100), ask("word " * 3000)).cut == ()


def test_an_empty_reply_is_a_completion() -> None:
    # FR-005
    assert reply_to(says("")).text == ""


def test_stop_strings_end_the_text_even_if_the_server_ignores_them() -> None:
    reply = reply_to(says("Osk\nQuestion: more", finish="length"), ask(stop=("\nQuestion",)))
    assert (reply.text, reply.finish) == ("Osk", "stop")


def test_prose_where_json_was_wanted_is_a_reply_for_the_method_to_judge() -> None:
    assert reply_to(says("Sure! It is 3."), ask(schema=SCHEMA)).text == "Sure! It is 3."


def test_a_server_without_schemas_is_asked_once_more_and_remembered() -> None:
    def answer(body: dict[str, Any], before: int) -> Answer:
        return refuses(400, "unknown field") if "response_format" in body else says("{}")

    with serving(answer) as seen, opened(seen) as llm:
        assert llm.flags.schema
        replies = generate(llm, ask(schema=SCHEMA)) + generate(llm, ask("b", schema=SCHEMA))
        assert [reply.text for reply in replies] == ["{}", "{}"]
        assert len(seen.bodies) == 3 and not llm.flags.schema


def test_a_schema_is_sent_closed() -> None:
    with serving(lambda body, before: says('{"n": 1}')) as seen, opened(seen) as llm:
        generate(llm, ask(schema=SCHEMA))
    schema = seen.bodies[0]["response_format"]["json_schema"]["schema"]
    assert schema["additionalProperties"] is False and schema["required"] == ["n"]


def test_fields_that_a_server_names_are_left_out_from_then_on() -> None:
    def answer(body: dict[str, Any], before: int) -> Answer:
        if "max_tokens" in body:
            return refuses(400, "Use 'max_completion_tokens' instead of 'max_tokens'.")
        if "temperature" in body or "logprobs" in body:
            return refuses(400, "'temperature' and 'logprobs' are not supported.")
        return says("B")

    with serving(answer) as seen, opened(seen) as llm:
        assert [r.text for r in generate(llm, ask(logprobs=5, max_tokens=7))] == ["B"]
        assert not llm.flags.logprobs
    assert seen.bodies[-1]["max_completion_tokens"] == 7
    assert "top_logprobs" not in seen.bodies[-1]


def test_first_token_alternatives_are_read_best_first() -> None:
    top = [{"token": "A", "logprob": -0.1}, {"token": "B", "logprob": -2.5}]
    logprobs = {"content": [{"token": "A", "logprob": -0.1, "top_logprobs": top}]}
    choice = {"delta": {"content": "A"}, "finish_reason": "length", "logprobs": logprobs}
    piece = b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"
    reply = reply_to(Answer(pieces=(piece,)), ask(logprobs=2, max_tokens=1))
    assert reply.logprobs == (("A", -0.1), ("B", -2.5))


def test_prefix_is_claimed_and_sent_only_for_servers_known_to_continue() -> None:
    listed = ({"id": "tiny", "owned_by": "vllm", "max_model_len": 2048},)
    with serving(lambda b, n: says(" Paris"), listed) as seen, opened(seen) as llm:
        assert llm.flags.prefix and llm.window == 2048
        (reply,) = generate(llm, ask(prefix="It is"))
        assert seen.bodies[0]["continue_final_message"] is True
        assert seen.bodies[0]["messages"][-1] == {"role": "assistant", "content": "It is"}
        assert (reply.prefix, reply.text) == ("It is", " Paris")
    with serving(lambda b, n: says("x"), ({"id": "tiny"},)) as seen, opened(seen) as llm:
        assert not llm.flags.prefix


def test_a_spec_names_address_model_and_the_variable_of_the_key() -> None:
    assert parse_server("http://h:1/v1#m") == ("http://h:1/v1", "m", "")
    assert parse_server("http://h:1#org/m:7b@MY_KEY") == ("http://h:1/v1", "org/m:7b", "MY_KEY")
    assert parse_server("https://h/x#@cf/meta/m")[1] == "@cf/meta/m"
    for wrong in ("http://h:1/v1", "h:1#m", "http://user:key@h/v1#m", "http://h/v1?key=1#m"):
        with pytest.raises(UserError):
            parse_server(wrong)


def test_a_key_that_is_not_set_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(UserError, match="NO_SUCH_KEY"):
        open_llm("openai:http://127.0.0.1:9/v1#m@NO_SUCH_KEY", load())
