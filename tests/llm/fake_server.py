"""A small chat-completions server on 127.0.0.1 that answers as a test scripts it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What the server sends. `pieces` are sent one by one, `hang` seconds before each."""

    status: int = 200
    pieces: tuple[bytes, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)
    hang: float = 0.0
    content_type: str = "text/event-stream"


def chunk(text: str = "", finish: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice], **more}).encode() + b"\n\n"


def says(text: str, *, finish: str = "stop", prompt_tokens: int = 0, hang: float = 0.0) -> Answer:
    half = len(text) // 2
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 3} if prompt_tokens else {}
    end = chunk("", finish, usage=usage) + b"data: [DONE]\n\n"
    return Answer(pieces=(chunk(text[:half]), chunk(text[half:]), end), hang=hang)


def refuses(status: int, message: str = "no", **headers: str) -> Answer:
    body = json.dumps({"error": {"message": message}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, (body,), named, content_type="application/json")


@dataclass
class Seen:
    """What reached the server."""

    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    broken: threading.Event = field(default_factory=threading.Event)
    most_at_once: int = 0
    now: int = 0


Scripted = Callable[[dict[str, Any], int], Answer]
"""Gets a request's body and how many requests came before it."""


class _Fake(ThreadingHTTPServer):
    def __init__(self, answer: Scripted, models: tuple[dict[str, Any], ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.models, self.lock = answer, models, threading.Lock()
        self.seen = Seen(f"http://127.0.0.1:{self.server_address[1]}/v1")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Fake

    def log_message(self, *_: object) -> None:
        """Say nothing on the terminal."""

    def do_GET(self) -> None:
        listed = json.dumps({"data": list(self.server.models)}).encode()
        self._send(Answer(200, (listed,), content_type="application/json"))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        seen = self.server.seen
        with self.server.lock:
            before = len(seen.bodies)
            seen.bodies.append(body)
            seen.keys.append(self.headers.get("authorization"))
            seen.times.append(time.monotonic())
            seen.now += 1
            seen.most_at_once = max(seen.most_at_once, seen.now)
        try:
            self._send(self.server.answer(body, before))
        except OSError:
            seen.broken.set()
        finally:
            with self.server.lock:
                seen.now -= 1

    def _send(self, said: Answer) -> None:
        self.send_response(said.status)
        self.send_header("content-type", said.content_type)
        self.send_header("connection", "close")
        for name, value in said.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for piece in said.pieces:
            time.sleep(said.hang)
            self.wfile.write(piece)
            self.wfile.flush()
        self.close_connection = True


@contextmanager
def serving(answer: Scripted, models: tuple[dict[str, Any], ...] = ()) -> Iterator[Seen]:
    """Serve while the block runs; `models` is what GET /models lists."""
    server = _Fake(answer, models)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
