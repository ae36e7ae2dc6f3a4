"""The backend for servers, against a small scripted one on 127.0.0.1."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from irag.errors import (
    AuthenticationFailed,
    Cancelled,
    IragError,
    LLMError,
    PromptTooLong,
    ServerDown,
    TimedOut,
    UserError,
)
from irag.llm import open_llm
from irag.llm.openai_compatible import OpenAICompatible, parse_server
from irag.llm.wire import TRIES, Server
from irag.settings import load
from irag.tools import Request
from irag.types import Completion, Message
from tests.llm.fake_server import Answer, Seen, chunk, refuses, says, serving

SCHEMA = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'


def ask(text: str = "Who designed Tem Bridge?", **more: Any) -> Request:
    return Request((Message("user", text),), **more)


@contextmanager
def opened(
    seen: Seen, *, key: str | None = None, timeout: float = 5.0
) -> Iterator[OpenAICompatible]:
    server = Server(seen.url, key, "TEST_KEY" if key else "", timeout, pause=0.02)
    llm = OpenAICompatible(server, "tiny", name="openai:test")
    try:
        yield llm
    finally:
        llm.close()


def generate(llm: OpenAICompatible, *requests: Request) -> list[Completion | IragError]:
    return llm.generate(requests, lambda n, text: None, threading.Event())


def reply_to(answer: Answer, request: Request | None = None, **how: Any) -> Completion | IragError:
    with serving(lambda body, before: answer) as seen, opened(seen, **how) as llm:
        return generate(llm, request or ask())[0]


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


def test_401_sends_no_further_request() -> None:
    # FR-176
    with (
        serving(lambda body, before: refuses(401, "bad key")) as seen,
        opened(seen, key="k") as llm,
    ):
        replies = generate(llm, *[ask(str(n)) for n in range(20)])
        again = generate(llm, ask("again"))
    assert all(isinstance(reply, AuthenticationFailed) for reply in (*replies, *again))
    assert len(seen.bodies) == 1
    assert "Authentication failed" in str(replies[0]) and "TEST_KEY" in str(replies[0])


def test_calls_from_many_threads_ask_a_refusing_server_once() -> None:
    # FR-176
    with serving(lambda body, before: refuses(401)) as seen, opened(seen) as llm:
        threads = [threading.Thread(target=generate, args=(llm, ask(str(n)))) for n in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(seen.bodies) == 1


def test_the_key_is_sent_and_never_shown() -> None:
    with serving(lambda body, before: refuses(403)) as seen, opened(seen, key="s3cret") as llm:
        (reply,) = generate(llm, ask())
    assert seen.keys == ["Bearer s3cret"]
    assert "s3cret" not in str(reply) + llm.name


def test_429_waits_as_told_and_goes_on() -> None:
    # FR-178
    def answer(body: dict[str, Any], before: int) -> Answer:
        return refuses(429, "slow down", retry_after="0.2") if before < 3 else says("Osk")

    with serving(answer) as seen, opened(seen) as llm:
        (reply,) = generate(llm, ask())
    assert reply.text == "Osk"
    assert len(seen.bodies) == 4 and seen.times[3] - seen.times[0] >= 0.6


def test_permanent_429_is_bounded_for_the_whole_batch() -> None:
    # FR-178
    with serving(lambda body, before: refuses(429, "quota")) as seen, opened(seen) as llm:
        replies = generate(llm, *[ask(str(n)) for n in range(30)])
    assert len(replies) == 30 and all(isinstance(reply, LLMError) for reply in replies)
    assert len(seen.bodies) == TRIES
    assert "429" in str(replies[29]) and "quota" in str(replies[29])


def test_a_very_long_retry_after_is_not_waited_for() -> None:
    began = time.monotonic()
    reply = reply_to(refuses(429, "tomorrow", retry_after="86400"))
    assert time.monotonic() - began < 2 and "86400 seconds" in str(reply)


def test_5xx_is_tried_again_and_fails_alone() -> None:
    def answer(body: dict[str, Any], before: int) -> Answer:
        bad = body["messages"][0]["content"] == "bad"
        return refuses(500, "boom") if bad or before == 0 else says("fine")

    with serving(answer) as seen, opened(seen) as llm:
        good, bad, last = generate(llm, ask("good"), ask("bad"), ask("last"))
    assert good.text == last.text == "fine"
    assert isinstance(bad, LLMError) and "500 boom" in str(bad)
    assert len(seen.bodies) == 2 + TRIES + 1


def test_a_server_that_hangs_is_named_with_the_seconds_allowed() -> None:
    # FR-180
    reply = reply_to(says("late", hang=1.0), timeout=0.3)
    assert isinstance(reply, TimedOut)
    assert "0.3 seconds" in str(reply) and "Timeout" in str(reply)


def test_nothing_listening_says_where_and_how_to_start_one() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    seen = Seen(url=f"http://127.0.0.1:{port}/v1")
    with opened(seen) as llm:
        replies = generate(llm, *[ask(str(n)) for n in range(50)])
    assert all(isinstance(reply, ServerDown) for reply in replies)
    assert f"127.0.0.1:{port}" in str(replies[0]) and "ollama serve" in str(replies[0])


@pytest.mark.parametrize(
    ("body", "shown"),
    [(b"", "empty reply"), (b'{"choices": [{"mess', "choices"), (b"<html>Hello</html>", "html")],
)
def test_a_body_that_is_no_reply_is_shown(body: bytes, shown: str) -> None:
    reply = reply_to(Answer(200, (body,), content_type="application/json"))
    assert isinstance(reply, LLMError) and shown in str(reply) and "/v1" in str(reply)


def test_prose_where_json_was_wanted_is_a_reply_for_the_method_to_judge() -> None:
    assert reply_to(says("Sure! It is 3."), ask(schema=SCHEMA)).text == "Sure! It is 3."


def test_a_stream_cut_in_the_middle_fails_alone() -> None:
    def answer(body: dict[str, Any], before: int) -> Answer:
        cut = body["messages"][0]["content"] == "cut"
        return Answer(pieces=(chunk("Half an ans"),)) if cut else says("whole")

    with serving(answer) as seen, opened(seen) as llm:
        first, cut, last = generate(llm, ask("a"), ask("cut"), ask("b"))
    assert first.text == last.text == "whole"
    assert isinstance(cut, ServerDown) and "11 characters" in str(cut)


def test_an_error_inside_the_stream_is_an_error() -> None:
    error = b'data: {"error": {"message": "out of memory"}}\n\n'
    assert "out of memory" in str(reply_to(Answer(pieces=(chunk("Half"), error))))


def test_an_unknown_model_lists_those_the_server_has() -> None:
    listed = ({"id": "llama3"}, {"id": "qwen"})
    with serving(lambda b, n: refuses(404, "model not found"), listed) as seen, opened(seen) as llm:
        (reply,) = generate(llm, ask())
    assert "no model 'tiny'" in str(reply) and "llama3, qwen" in str(reply)


def test_a_prompt_beyond_the_servers_window_is_said_and_fails_alone() -> None:
    def answer(body: dict[str, Any], before: int) -> Answer:
        long = len(body["messages"][0]["content"]) > 100
        return refuses(400, "maximum context length is 2000 tokens") if long else says("ok")

    with serving(answer) as seen, opened(seen) as llm:
        long, short = generate(llm, ask("w " * 200), ask("short"))
    assert isinstance(long, PromptTooLong) and "2000" in str(long)
    assert short.text == "ok"


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


def test_stop_closes_the_connection_of_a_server_that_writes_on() -> None:
    endless = Answer(pieces=tuple(chunk("word ") for _ in range(200)), hang=0.05)
    cancel = threading.Event()
    with serving(lambda body, before: endless) as seen, opened(seen) as llm:
        threading.Timer(0.3, cancel.set).start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            llm.generate([ask(), ask("b")], lambda n, text: None, cancel)
        assert time.monotonic() - began < 1.5
        assert seen.broken.wait(2), "the server notices"


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
