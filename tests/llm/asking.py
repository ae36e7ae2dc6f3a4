"""Asking a backend in a test, in one line."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from irag.errors import IragError
from irag.llm.openai_compatible import OpenAICompatible
from irag.llm.wire import Server
from irag.tools import LLM, Request
from irag.types import Completion, Message
from tests.llm.fake_server import Answer, Seen, serving


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


def generate(llm: LLM, *requests: Request) -> list[Completion | IragError]:
    return llm.generate(requests, lambda n, text: None, threading.Event())


def reply_to(answer: Answer, request: Request | None = None, **how: Any) -> Completion | IragError:
    with serving(lambda body, before: answer) as seen, opened(seen, **how) as llm:
        return generate(llm, request or ask())[0]
