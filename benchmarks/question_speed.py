"""A whole KiRAG question on the sample against its prompts, one by one, through plain llama.cpp.

    python -m irag setup
    python -m benchmarks.question_speed

Both sides have their model loaded and warm, and no reply cache; plain llama.cpp keeps no prefix.
The goal is at most half the time.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from irag import models
from irag.defaults import DEFAULT_MODEL, default_llm
from irag.engine import answer
from irag.errors import IragError
from irag.llm import open_llm
from irag.llm.chat import body
from irag.methods import parse_method
from irag.settings import load
from irag.tools import LLM, Cancel, EmitText, Request
from irag.types import Completion, Message
from irag.workbench import Workbench

WARM = Request((Message("user", "Say yes."),), 2)


class Watched:
    """Hands requests on and keeps them."""

    def __init__(self, llm: LLM) -> None:
        self.llm, self.requests = llm, list[Request]()
        self.name, self.window, self.flags = llm.name, llm.window, llm.flags
        self.count, self.close = llm.count, llm.close

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        self.requests += requests
        return self.llm.generate(requests, emit, cancel)


def plain_seconds(requests: list[Request], path: str, repeats: int) -> list[float]:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.verbosity = path, 4096, 1, 0
    params.cache_ram_mib = 0
    server = xllamacpp.Server(params)
    asked = [body(request) | {"cache_prompt": False} for request in requests]
    seconds = []
    for _ in range(repeats):
        began = time.perf_counter()
        for one in asked:
            server.handle_chat_completions(one, lambda chunk: False)
        seconds.append(time.perf_counter() - began)
    return seconds


def main() -> None:
    settings = load()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llm", default=default_llm(settings))
    parser.add_argument("--method", default="kirag")
    parser.add_argument("--repeats", type=int, default=2)
    parsed = parser.parse_args()
    bench = Workbench(settings)
    question = bench.sample_questions()[0]
    tools = bench.tools("sample", "none")
    bench.corpus("sample").search(["warm"], 1)
    ours = []
    for _ in range(parsed.repeats):
        llm = Watched(open_llm(parsed.llm, settings))
        llm.llm.generate([WARM], lambda n, text: None, threading.Event())
        began = time.perf_counter()
        trace = answer(question, parse_method(parsed.method), replace(tools, llm=llm))
        ours.append(time.perf_counter() - began)
        llm.close()
    print(f"{parsed.llm}: {trace.hops} hops, {trace.usage.calls} calls, {min(ours):.1f} s")
    path = str(models.path(DEFAULT_MODEL, settings.models))
    theirs = plain_seconds(llm.requests, path, parsed.repeats)
    print(f"plain llama.cpp, the same {len(llm.requests)} prompts: {min(theirs):.1f} s")
    print(f"ratio {min(ours) / min(theirs):.2f} (goal: at most 0.50)")


if __name__ == "__main__":
    main()
