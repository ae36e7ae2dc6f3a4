"""Opens pages over a fake Workbench, presses what a person presses, reads what a person reads."""

from __future__ import annotations

import time
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.pages.fake_bench import FakeBench

APP = str(Path(__file__).parents[2] / "app.py")


def opened(bench: FakeBench, run: str = "") -> AppTest:
    page = AppTest.from_file(APP, default_timeout=30)
    page.session_state["workbench"] = bench
    if run:
        page.query_params["run"] = run
    return seen(page.run())


def seen(page: AppTest) -> AppTest:
    assert not page.exception, (page.exception[0].message, page.exception[0].stack_trace)
    return page


def ask(page: AppTest, question: str) -> AppTest:
    page.text_area(key="ask.question").set_value(question)
    return seen(page.button(key="ask.ask").click().run())


def until_over(page: AppTest, bench: FakeBench, run: str) -> AppTest:
    end = time.monotonic() + 10
    while bench.view(run).running:
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)
    return seen(page.run())


def words(page: AppTest) -> str:
    """All that the page says, without Markdown's backslashes and invisible characters."""
    kinds = ("markdown", "subheader", "caption", "error", "warning", "code", "expander")
    said = [
        str(one.value if hasattr(one, "value") else "") for kind in kinds for one in page.get(kind)
    ]
    said += [one.label for one in page.expander] + [one.proto.body for one in page.get("html")]
    text = "\n".join(said).replace("\\", "")
    return text.translate(dict.fromkeys(map(ord, "\u2060\u2068\u2069")))
