"""Which encoding bytes without a byte order mark are in, and how that is said."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

__all__ = ["Charset", "declared", "detect", "utf16_without_mark"]

SAMPLE = 64 << 10  # bytes that are looked at; more changes no verdict
BEFORE = 200  # bytes of a long line before what is not ASCII
MOSTLY = 10  # well-formed characters beyond ASCII for each bad byte: still UTF-8
NEAR = 0.05  # two guesses this close in disorder are told apart by how common the encoding is

_NAMES = {
    "gb18030": "GB18030",
    "big5": "Big5",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
    "cp1252": "Latin-1 (Windows-1252)",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
}
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "hz": "gb18030", "shift_jis": "cp932",
              "euc_kr": "cp949", "iso8859-1": "cp1252", "ascii": "cp1252"}  # fmt: skip
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")


@dataclass(frozen=True, slots=True)
class Charset:
    """An encoding by Python's name, and what a person should be told of it ("": nothing)."""

    encoding: str
    notice: str = ""


def detect(content: bytes) -> Charset:
    """The likeliest encoding of bytes that are not well-formed UTF-8."""
    text = content.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(character > "\x7f" for character in text) - bad
    if good > MOSTLY * bad:
        return Charset("utf-8", f"{bad} places are not UTF-8; each became U+FFFD")
    lines = [line for line in content.splitlines(keepends=True) if not line.isascii()]
    encoding = _likeliest(b"".join(_from_first(line) for line in lines)[:SAMPLE])
    return Charset(encoding, f"not UTF-8, so it was read as {_NAMES[encoding]}")


def _from_first(line: bytes) -> bytes:
    """A line from a little before its first byte beyond ASCII."""
    found = _BEYOND_ASCII.search(line)
    return line[max(0, found.start() - BEFORE) :] if found else b""


def _likeliest(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    found = {match.encoding: match for match in from_bytes(sample, cp_isolation=list(_NAMES))}
    if not found:
        return "cp1252"
    if len(found) > 1 and len(_HALF_WIDTH.findall(str(found.get("cp932", "")))) > 2:
        del found["cp932"]  # Korean read as Shift-JIS
    order = list(_NAMES)
    least = min(match.chaos for match in found.values())
    near = [name for name, match in found.items() if match.chaos <= least + NEAR]
    return min(near, key=lambda name: (-found[name].coherence, order.index(name)))


def declared(content: bytes) -> str:
    """The encoding that a page names in its first lines, by Python's name; "" for none we know."""
    named = _DECLARED.search(content[:4096])
    try:
        found = codecs.lookup(named[1].decode("ascii")) if named else None
    except (LookupError, UnicodeDecodeError):
        return ""
    if found is None or not found._is_text_encoding or found.name.startswith(("utf-16", "utf-32")):
        return ""  # who can read the name in ASCII does not read UTF-16
    return _SUPERSETS.get(found.name, found.name)


def utf16_without_mark(head: bytes) -> str:
    """ "utf-16-le" or "utf-16-be" where every second byte is mostly zero, else ""."""
    half = len(head[:4096]) // 2
    even, odd = head[: 2 * half : 2].count(0), head[1 : 2 * half : 2].count(0)
    if half and odd > 0.3 * half and even < 0.02 * half:
        return "utf-16-le"
    return "utf-16-be" if half and even > 0.3 * half and odd < 0.02 * half else ""
