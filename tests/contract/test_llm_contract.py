"""What every LLM backend promises, run over each that can run here."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irag import models
from irag.errors import Cancelled, LLMError
from irag.llm import BACKENDS, open_llm
from irag.llm.cached import Cached
from irag.llm.recorded import Recorded, Recorder
from irag.llm.scripted import Scripted, simplest
from irag.settings import load
from irag.tools import LLM, Request
from irag.types import Completion, Message
from tests.llm.asking import generate, opened
from tests.llm.fake_server import Answer, refuses, says, serving

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"city": {"type": "string", "maxLength": 20}},
        "required": ["city"],
    }
)
LONG = 60_000
"""Words that no window here holds."""


def ask(text: str, **more: Any) -> Request:
    return Request((Message("user", text),), **{"max_tokens": 24, **more})


QUESTIONS = [ask(f"Name {n} rivers of France, then stop.") for n in ("two", "three", "four")]
PLAIN = QUESTIONS[0]
SHORT = replace(PLAIN, max_tokens=1)
PREFIXED = ask("What is the capital of France?", prefix="The capital of France is")
WITH_SCHEMA = ask("What is the capital of France?", schema=SCHEMA, max_tokens=40)
CHOICE = ask("A: Paris. B: Osk. Capital of France? Reply A or B.", logprobs=5, max_tokens=1)
TOO_LONG = ask("river " * LONG)


def stopping(text: str) -> Request:
    """The plain request, to be stopped at the second word of the reply it has without."""
    return replace(PLAIN, stop=(text.split()[1],))


def script(request: Request) -> str:
    if request.schema:
        return simplest(request.schema)
    return f"Some rivers: {request.messages[0].text[:20]} and more rivers of that kind."


def answer(body: dict[str, Any], before: int) -> Answer:
    """The same script spoken by a server."""
    text = body["messages"][0]["content"]
    if len(text) > LONG:
        return refuses(400, "maximum context length exceeded")
    if "response_format" in body:
        return says(simplest(json.dumps(body["response_format"]["json_schema"]["schema"])))
    said = script(ask(text))
    short = body["max_tokens"] == 1
    return says(said.split()[0] if short else said, finish="length" if short else "stop")


def recorded(folder: Path) -> LLM:
    recorder = Recorder(Scripted(script), folder / "replies.jsonl.gz")
    first = generate(recorder, *QUESTIONS, SHORT, PREFIXED, WITH_SCHEMA, CHOICE)[0]
    generate(recorder, stopping(first.text))
    recorder.count(["", "one", "one two three four"])
    return Recorded(folder / "replies.jsonl.gz")


def real(spec: str) -> LLM:
    settings = replace(load(), window=1024)
    if not models.present("smollm2-135m", settings.models):
        pytest.skip("smollm2-135m is not on this machine: python -m irag models pull smollm2-135m")
    return open_llm(spec, settings)


SLOW = ("llama:smollm2-135m", "hf:smollm2-135m")
NAMES = ["scripted", "cached", "recorded", "openai"]


@pytest.fixture(
    scope="module", params=[*NAMES, *(pytest.param(s, marks=pytest.mark.slow) for s in SLOW)]
)
def llm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LLM]:
    folder = tmp_path_factory.mktemp("llm")
    with ExitStack() as stack:
        if request.param == "openai":
            yield stack.enter_context(opened(stack.enter_context(serving(answer))))
        elif request.param == "scripted":
            yield Scripted(script)
        elif request.param == "cached":
            yield Cached(Scripted(script), folder / "llm.db")
        elif request.param == "recorded":
            yield recorded(folder)
        else:
            opened_here = real(request.param)
            stack.callback(opened_here.close)
            yield opened_here


def complete(llm: LLM, request: Request) -> Completion:
    (reply,) = generate(llm, request)
    assert isinstance(reply, Completion), reply
    return reply


def test_every_backend_is_held_to_the_contract() -> None:
    assert {name.partition(":")[0] for name in (*NAMES, *SLOW)} - {"cached"} == set(BACKENDS)


def test_n_requests_give_n_results_in_order(llm: LLM) -> None:
    replies = generate(llm, *QUESTIONS)
    assert [reply.prompt for reply in replies] == [request.messages for request in QUESTIONS]
    assert generate(llm) == []


def test_usage_is_filled(llm: LLM) -> None:
    usage = complete(llm, PLAIN).usage
    assert usage.calls == 1 and usage.prompt_tokens >= 5 and 1 <= usage.completion_tokens <= 24


def test_temperature_zero_says_the_same_again(llm: LLM) -> None:
    assert complete(llm, PLAIN).text == complete(llm, PLAIN).text != ""


def test_a_stop_string_ends_the_reply_before_it(llm: LLM) -> None:
    whole = complete(llm, PLAIN)
    stopped = complete(llm, stopping(whole.text))
    mark = whole.text.split()[1]
    assert mark not in stopped.text and whole.text.startswith(stopped.text.rstrip())
    assert stopped.finish == "stop"


def test_the_token_limit_is_kept_and_said(llm: LLM) -> None:
    reply = complete(llm, SHORT)
    assert reply.finish == "length" and reply.usage.completion_tokens <= 3
    assert len(reply.text.split()) <= 1


def test_a_schema_is_followed_where_the_flag_says_so(llm: LLM) -> None:
    if not llm.flags.schema:
        pytest.skip("no schemas")
    reply = complete(llm, WITH_SCHEMA)
    assert list(json.loads(reply.text)) == ["city"] and "\n" not in reply.text


def test_a_prefix_is_continued_and_not_repeated_where_the_flag_says_so(llm: LLM) -> None:
    if not llm.flags.prefix:
        pytest.skip("no prefixes")
    reply = complete(llm, PREFIXED)
    assert reply.prefix == PREFIXED.prefix and reply.text
    assert not reply.text.startswith("The capital")


def test_alternatives_of_the_first_token_come_best_first(llm: LLM) -> None:
    if not llm.flags.logprobs or not complete(llm, CHOICE).logprobs:
        pytest.skip("no log-probabilities")
    logprobs = complete(llm, CHOICE).logprobs
    values = [value for _, value in logprobs]
    assert 1 <= len(logprobs) <= 5 and values == sorted(values, reverse=True) and values[0] <= 0
    assert complete(llm, CHOICE).text.strip().startswith(logprobs[0][0].strip())


def test_one_bad_prompt_fails_alone(llm: LLM) -> None:
    good, bad, last = generate(llm, QUESTIONS[1], TOO_LONG, QUESTIONS[2])
    assert isinstance(bad, LLMError) and str(bad)
    assert good.text and last.text


def test_text_is_told_as_it_is_written_where_the_flag_says_so(llm: LLM) -> None:
    told: dict[int, list[str]] = {0: [], 1: []}
    replies = llm.generate(QUESTIONS[:2], lambda n, text: told[n].append(text), threading.Event())
    if llm.flags.streams:
        assert [told[n][-1] for n in (0, 1)] == [reply.text for reply in replies]


def test_a_stop_before_the_call_sends_nothing(llm: LLM) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        llm.generate(QUESTIONS, lambda n, text: None, cancel)


def test_a_stop_during_the_call_ends_it_within_two_seconds(llm: LLM) -> None:
    cancel, stopped_at = threading.Event(), []

    def stop(n: int, text: str) -> None:
        stopped_at.append(time.monotonic())
        cancel.set()

    with pytest.raises(Cancelled):
        llm.generate(QUESTIONS, stop, cancel)
    assert time.monotonic() - stopped_at[0] < 2
    assert complete(llm, PLAIN).text, "it can be used again"


def test_counts_grow_with_the_text(llm: LLM) -> None:
    empty, one, four = llm.count(["", "one", "one two three four"])
    assert empty == 0 < one < four


def test_threads_get_their_own_replies(llm: LLM) -> None:
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda r: complete(llm, r), QUESTIONS * 4))
    assert [reply.prompt for reply in replies] == [r.messages for r in QUESTIONS * 4]
