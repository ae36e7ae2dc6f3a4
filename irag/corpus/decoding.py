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
from pathlib import Path, PurePath, PurePosixPath
from typing import IO

from irag.corpus.charsets import detect, utf16_without_mark
from irag.errors import FileRejected
from irag.text import clean

__all__ = [
    "MOST_BYTES",
    "Opened",
    "Probe",
    "SourceFile",
    "bounded_lines",
    "is_binary",
    "looks_like_page",
    "mark_of",
    "open_text",
    "probe",
    "signed",
    "whole",
]

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
    b"{\\rtf": "a rich text document",
    b"PK\x03\x04": "a zip archive (or an Office document)",
    b"\xd0\xcf\x11\xe0": "an old or locked Office document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x7fELF": "a program",
    b"SQLite format 3": "a database",
    b"GGUF": "a model",
    b"\x1f\x8b": "gzip within gzip",
}
_PAGE = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
MOST_CONTROL = 0.02  # share of the first chunk; text has next to none
MOST_NULS = 0.1


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to be added. `name` is only ever shown, never used as a path.

    `inner`: where it stood in the archive it was unpacked from.
    """

    name: str
    path: Path
    inner: str = ""

    @classmethod
    def of(cls, path: Path, name: str = "") -> SourceFile:
        """A file under its own name, or under the name a person's browser gave it."""
        last = re.split(r"[/\\]", name or path.name)[-1]
        shown = " ".join(clean(last).replace("\ufffd", " ").split())[:120]
        return cls(shown if shown.strip(".") else "unnamed", path)

    @property
    def _own(self) -> PurePath:
        name = self.inner or self.name
        return PurePosixPath(name[:-3] if name.lower().endswith(".gz") else name)

    @property
    def ending(self) -> str:
        """The ending of the name in lower case, without the dot and without "gz"."""
        return self._own.suffix.removeprefix(".").lower()

    @property
    def stem(self) -> str:
        """The name without its ending: the title of what names no other."""
        return self._own.stem

    @property
    def folder(self) -> str:
        """The name of the folder it lies in."""
        return (PurePosixPath(self.inner) if self.inner else self.path).parent.name


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
    encoding, before = "", b""
    notices: list[str] = []
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
                raise FileRejected(file.name, _too_long(limit))
            if encoding in ("", "utf-8-sig") and not notices and not _continues(decoder, chunk):
                found = detect(chunk or before)
                encoding = encoding or found.encoding
                notices.append(found.notice)
            before = chunk
    if nuls > MOST_NULS * size:
        raise FileRejected(file.name, "binary, not text")
    if nuls:
        notices.append(f"has {nuls} NUL characters; each became U+FFFD")
    return Probe(encoding or "utf-8", size, tuple(notices))


def whole(file: SourceFile, limit: int) -> bytes:
    """The whole content of a file; FileRejected when it is longer than `limit` bytes."""
    with _bytes(file) as (stream, _):
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise FileRejected(file.name, _too_long(limit, ""))
    return content


def _too_long(limit: int, what: str = " of text") -> str:
    return f"longer than {limit / 1e6:,.0f} MB{what}; split it into several files"


def _continues(decoder: codecs.IncrementalDecoder, chunk: bytes) -> bool:
    """Whether it is still UTF-8; an empty chunk is the end."""
    try:
        decoder.decode(chunk, final=not chunk)
    except UnicodeDecodeError:
        return False
    return True


def mark_of(content: bytes) -> str:
    """The encoding that a byte order mark names, or ""."""
    return next((encoding for mark, encoding in _BOMS if content.startswith(mark)), "")


def looks_like_page(content: bytes) -> bool:
    """Whether it begins as an HTML page does."""
    return bool(_PAGE.match(content[:4096].removeprefix(codecs.BOM_UTF8)))


def signed(content: bytes) -> str:
    """What its first bytes say it is, or ""."""
    return next((what for mark, what in _SIGNATURES.items() if content.startswith(mark)), "")


def is_binary(chunk: bytes) -> bool:
    """Whether it holds more control characters than text has."""
    return len(_CONTROL.findall(chunk)) > MOST_CONTROL * len(chunk)


def _first_look(name: str, chunk: bytes) -> str:
    """The encoding that is plain to see, or ""; FileRejected for what is no plain text."""
    if marked := mark_of(chunk):
        return marked
    if looks_like_page(chunk):
        raise FileRejected(name, "an HTML page, not plain text: give its name the ending .html")
    if what := signed(chunk):
        raise FileRejected(name, f"{what}, not text, whatever its name ends in")
    if unmarked := utf16_without_mark(chunk):
        return unmarked
    if is_binary(chunk):
        raise FileRejected(name, "binary, not text")
    return ""


@contextmanager
def open_text(file: SourceFile, encoding: str) -> Iterator[Opened]:
    """The file as text; line ends as they are. Bytes that the encoding lacks become U+FFFD."""
    with _bytes(file) as (stream, raw):
        text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="")
        yield Opened(text, raw)


def bounded_lines(text: IO[str], name: str) -> Iterator[str]:
    """Lines with their ends; FileRejected for one that is longer than 16 million characters."""
    number = 0
    while line := text.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise FileRejected(name, f"line {number} is longer than {LONGEST_LINE:,} characters")
        yield line
