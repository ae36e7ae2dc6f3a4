"""From bytes to text: gzip, encodings, binaries told apart, everything bounded."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from irag.errors import FileRejected
from irag.text import clean

__all__ = ["MOST_BYTES", "Opened", "Probe", "SourceFile", "bounded_lines", "open_text", "probe"]

MOST_BYTES = 2 << 30
"""Of a file of rows, decompressed; a document as a whole may have 64 MB (readers)."""

LONGEST_LINE = 16 << 20
_CHUNK = 1 << 20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a zip archive (or an Office document)",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x7fELF": "a program",
    b"SQLite format 3": "a database",
    b"GGUF": "a model",
    b"\x1f\x8b": "gzip within gzip",
}
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
MOST_CONTROL = 0.02  # share of the first chunk; text has next to none
MOST_NULS = 0.1


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to be added. `name` is only ever shown, never used as a path."""

    name: str
    path: Path

    @classmethod
    def of(cls, path: Path, name: str = "") -> SourceFile:
        """A file under its own name, or under the name a person's browser gave it."""
        last = re.split(r"[/\\]", name or path.name)[-1]
        shown = " ".join(clean(last).replace("\ufffd", " ").split())[:120]
        return cls(shown if shown.strip(".") else "unnamed", path)


@dataclass(frozen=True, slots=True)
class Probe:
    """What a file is: its encoding and what should be said about it."""

    encoding: str
    size: int
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A text stream and the raw file under it, whose position tells the progress."""

    text: io.TextIOWrapper
    raw: IO[bytes]


@contextmanager
def _bytes(file: SourceFile) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    with file.path.open("rb") as raw:
        zipped = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        try:
            if zipped:
                with gzip.open(raw) as inner:
                    yield inner, raw  # type: ignore[misc]
            else:
                yield raw, raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise FileRejected(file.name, f"damaged gzip file ({error})") from error


def probe(file: SourceFile, limit: int = MOST_BYTES) -> Probe:
    """Read the file once, without keeping it; FileRejected when it is no text or too long."""
    size = nuls = 0
    encoding = ""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with _bytes(file) as (stream, _):
        ended = False
        while not ended:
            chunk = stream.read(_CHUNK)
            ended = not chunk
            encoding = encoding or (_first_look(file.name, chunk) if not size else "")
            size += len(chunk)
            nuls += 0 if encoding.startswith("utf-") else chunk.count(0)
            if size > limit:
                reason = f"longer than {limit / 1e6:,.0f} MB of text; split it into several files"
                raise FileRejected(file.name, reason)
            encoding = encoding or _unless_utf8(decoder, chunk)
    if nuls > MOST_NULS * size:
        raise FileRejected(file.name, "binary, not text")
    notices = []
    if encoding == "cp1252":
        notices.append("not UTF-8, so it was read as Latin-1 (Windows-1252)")
    if nuls:
        notices.append(f"has {nuls} NUL characters; each became U+FFFD")
    return Probe(encoding or "utf-8", size, tuple(notices))


def _unless_utf8(decoder: codecs.IncrementalDecoder, chunk: bytes) -> str:
    """ "" while it is UTF-8; an empty chunk is the end."""
    try:
        decoder.decode(chunk, final=not chunk)
    except UnicodeDecodeError:
        return "cp1252"
    return ""


def _first_look(name: str, chunk: bytes) -> str:
    """The encoding that a byte order mark names, or ""; FileRejected for a binary."""
    for mark, encoding in _BOMS:
        if chunk.startswith(mark):
            return encoding
    for signature, what in _SIGNATURES.items():
        if chunk.startswith(signature):
            raise FileRejected(name, f"{what}, not text, whatever its name ends in")
    if len(_CONTROL.findall(chunk)) > MOST_CONTROL * len(chunk):
        raise FileRejected(name, "binary, not text")
    return ""


@contextmanager
def open_text(file: SourceFile, encoding: str) -> Iterator[Opened]:
    """The file as text; line ends as they are. Bytes that cp1252 lacks become U+FFFD."""
    with _bytes(file) as (stream, raw):
        errors = "replace" if encoding in ("cp1252", "utf-16", "utf-32") else "strict"
        text = io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="")
        yield Opened(text, raw)


def bounded_lines(text: IO[str], name: str) -> Iterator[str]:
    """Lines with their ends; FileRejected for one that is longer than 16 million characters."""
    number = 0
    while line := text.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise FileRejected(name, f"line {number} is longer than {LONGEST_LINE:,} characters")
        yield line
