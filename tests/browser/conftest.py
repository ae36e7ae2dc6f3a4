"""The real app on a free port, and a real Chromium; without one the tests are skipped, or fail."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fakes import documents

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found:
        return found
    reason = "There is no Chromium on this machine; on Debian: apt-get install chromium."
    if os.environ.get("IRAG_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def serving(home: Path, seconds: float) -> Iterator[str]:
    """The address of an app over this home; its LLM takes so many seconds a call."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "IRAG_HOME": str(home), "IRAG_LLM": "scripted", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(Path(__file__).with_name("serve.py")), str(port), str(seconds)]
    with (home.parent / f"{home.name}.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
    try:
        _wait_until_up(process, f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _wait_until_up(process: subprocess.Popen[bytes], address: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail("The app did not start.")


@pytest.fixture(scope="session")
def browser():
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def home(tmp_path_factory, browser) -> Path:
    """A home with the 12-passage corpus, indexed as a person would."""
    folder = tmp_path_factory.mktemp("browser")
    passages = folder / "passages.jsonl"
    lines = [json.dumps({"title": d.title, "text": d.text}) for d in documents()]
    passages.write_text("\n".join(lines), "utf-8")
    home = folder / "home"
    env = {**os.environ, "IRAG_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    add = [sys.executable, "-m", "irag", "corpus", "add", "sample", str(passages)]
    done = subprocess.run(add, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="session")
def app(home) -> Iterator[str]:
    with serving(home, 1.5) as address:
        yield address


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(30_000)
    yield opened
    context.close()
