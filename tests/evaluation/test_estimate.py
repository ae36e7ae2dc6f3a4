"""What an experiment will cost, told from a dry run."""

from __future__ import annotations

from irag.evaluation.estimate import estimate, rough_tokens
from irag.llm.scripted import Scripted, simplest
from irag.methods import parse_method
from tests.evaluation.bench import METHODS, cases
from tests.fakes import fake_tools


def dry_tools():
    return fake_tools(Scripted(lambda r: simplest(r.schema) if r.schema else "A"))


def told(methods=METHODS, left=lambda method: 10, tools=None, speed=None):
    methods = [parse_method(text) for text in methods]
    return estimate(methods, cases(5), left, tools or dry_tools(), speed)


def test_calls_and_tokens_are_scaled_from_two_questions():
    naive, kirag = told().methods
    assert naive.calls == 10 and kirag.calls == 30
    assert naive.written == 320 and 200 < naive.prompt_tokens < kirag.prompt_tokens
    assert naive.seconds is None and "in all: 40 LLM calls" in str(told())
    assert told().weights["naive_rag"] < told().weights[str(parse_method(METHODS[1]))]


def test_with_a_known_speed_there_is_a_time_and_what_is_done_costs_nothing():
    timed = told(speed=lambda prompt, written: prompt / 10 + written).methods[0]
    assert timed.seconds is not None and timed.seconds >= timed.prompt_tokens / 10 + 160
    done = told(left=lambda method: 0).methods[0]
    assert (done.calls, done.prompt_tokens, done.seconds) == (0, 0, 0.0)


def test_without_an_llm_the_time_is_known_and_a_failing_dry_run_is_said():
    only = told(["naive_rag:reader=none", "naive_rag"], tools=fake_tools(None))
    assert only.methods[0].calls == 0 and only.methods[0].seconds is not None
    assert "the dry run failed: " in str(only) and "needs an LLM" in only.methods[1].failed


def test_a_chinese_character_is_a_token():
    assert rough_tokens("北京大学") == 4 and rough_tokens("abcd efgh") == 3 and not rough_tokens("")
