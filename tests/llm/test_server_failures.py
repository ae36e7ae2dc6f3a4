"""The backend for servers, against a small scripted one on 127.0.0.1: what goes wrong."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from irag.errors import (
    AuthenticationFailed,
    Cancelled,
    LLMError,
    PromptTooLong,
    ServerDown,
    TimedOut,
)
from irag.llm.wire import TRIES
from tests.llm.asking import ask, generate, opened, reply_to
from tests.llm.fake_server import Answer, Seen, chunk, refuses, says, serving


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
