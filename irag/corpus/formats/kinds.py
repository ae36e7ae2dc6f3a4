"""What a document is by its first bytes, whatever its name ends in."""

from __future__ import annotations

from irag.corpus.decoding import is_binary, looks_like_page, mark_of, signed
from irag.errors import FileRejected

__all__ = ["expect"]

_HEAD = 4096
_LOCKED_OFFICE = "EncryptedPackage".encode("utf-16-le")


def expect(ending: str, content: bytes, name: str) -> None:
    """FileRejected, saying what it is and what to do, unless the content fits the ending."""
    wanted = "html" if ending in ("html", "htm", "xhtml") else ending
    found = _kind(content)
    if found == wanted or (wanted == "html" and not found):
        return
    raise FileRejected(name, _REASONS.get(found) or f"not a {wanted.upper()} file: {_ADVICE}")


_ADVICE = "give its name the ending of what it is"
_REASONS = {
    "pdf": "a PDF, whatever its name ends in: give it the ending .pdf",
    "docx": "a Word document, whatever its name ends in: give it the ending .docx",
    "html": "an HTML page, whatever its name ends in: give it the ending .html",
    "office": "an Office document of a kind that is not read: save it as PDF or CSV",
    "zip": "a zip archive, whatever its name ends in: give it the ending .zip",
    "locked": "locked with a password: save a copy without one and add that",
    "ole": "an old Office document (.doc, .xls, .ppt): save it as .docx or PDF",
    "binary": "binary, not a text, whatever its name ends in",
}


def _kind(content: bytes) -> str:
    """A key of the reasons, or "" for what may be text."""
    head = content[:_HEAD]
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return "locked" if _LOCKED_OFFICE in content else "ole"
    if head.startswith(b"PK\x03\x04"):
        if b"word/document" in content:
            return "docx"
        if b"xl/workbook" in content or b"ppt/presentation" in content:
            return "office"
        # One that was cut off may have lost its text; its reader says that it is damaged.
        return "docx" if b"[Content_Types].xml" in content else "zip"
    if looks_like_page(content):
        return "html"
    return "binary" if signed(head) or (is_binary(head) and not mark_of(head)) else ""
