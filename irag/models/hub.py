"""The official source: a Hugging Face repository, read by plain HTTPS."""

from __future__ import annotations

import functools
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from irag.errors import ModelError
from irag.models.catalogue import Entry, File, Hub
from irag.models.transfer import Transfer

if TYPE_CHECKING:
    from httpx import Client

__all__ = ["endpoint", "fetch", "reachable"]


def endpoint() -> str:
    """Where the hub is: `HF_ENDPOINT`, the variable its own library knows, or the public one."""
    return os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").strip().lower() in {"1", "true", "yes", "on"}


def reachable(timeout: float) -> bool:
    """Whether the hub answers within `timeout` seconds; asked once per process and address."""
    return not _offline() and _probe(endpoint(), timeout)


@functools.cache
def _probe(address: str, timeout: float) -> bool:
    import httpx

    answered = threading.Event()

    def ask() -> None:
        try:
            reply = httpx.head(address, timeout=timeout, follow_redirects=True)
        except httpx.HTTPError:
            return  # not reachable is an answer
        if reply.status_code < 400:
            answered.set()

    # A thread, because looking up a name can hang for longer than any time-out of the client.
    thread = threading.Thread(target=ask, daemon=True, name="hub-probe")
    thread.start()
    thread.join(timeout)
    return answered.is_set()


def fetch(entry: Entry, hub: Hub, folder: Path, transfer: Transfer) -> None:
    """Bring every file of the entry into `folder`; ModelError says what went wrong."""
    import httpx

    base = f"{endpoint()}/{hub.repository}/resolve/{hub.revision}"
    with httpx.Client(follow_redirects=True, timeout=httpx.Timeout(30.0, connect=10.0)) as client:
        for file in entry.files:
            try:
                _stream(client, f"{base}/{file.name}", folder, file, transfer)
            except httpx.HTTPError as error:
                reason = str(error) or type(error).__name__
                raise ModelError(f"{base}/{file.name}: {reason}") from error


def _stream(client: Client, url: str, folder: Path, file: File, transfer: Transfer) -> None:
    # The bytes as they are: a compressed reply would only have to be unpacked again.
    with client.stream("GET", url, headers={"Accept-Encoding": "identity"}) as reply:
        reply.raise_for_status()
        chunks = reply.iter_bytes(1 << 18)
        transfer.append(chunks, folder / file.name, file.bytes, f"{file.name} from the hub")
