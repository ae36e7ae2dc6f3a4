"""Zip archives: what is in one, bounded before anything is unpacked."""

from __future__ import annotations

import io
import re
import shutil
import stat
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile, ZipInfo

from irag.corpus.decoding import SourceFile
from irag.errors import FileRejected

__all__ = ["MOST_MEMBERS", "MOST_UNPACKED", "checked", "unpacked"]

MOST_UNPACKED = 512 << 20  # bytes of all files together
MOST_MEMBERS = 2000
MOST_XML = 64 << 20  # bytes of one part of a Word document
MOST_IN_DOCUMENT = 20_000  # parts of a Word document, which is an archive too

_SYSTEM = re.compile(r"(^|/)(__MACOSX/|\.[^./\\]|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
_DAMAGE = (BadZipFile, EOFError, zlib.error, NotImplementedError, OSError, RuntimeError, ValueError)

Lose = Callable[[str, str], None]


def checked(content: bytes, name: str) -> tuple[ZipInfo, ...]:
    """What a Word document's archive holds; FileRejected when it unpacks to too much."""
    with ZipFile(io.BytesIO(content)) as archive:
        parts = _bounded(archive, name, MOST_IN_DOCUMENT)
    longest = max((part.file_size for part in parts if part.filename.endswith(".xml")), default=0)
    if longest > MOST_XML:
        raise FileRejected(
            name, f"holds {longest / 1e6:,.0f} MB of text: split it into several files"
        )
    return parts


def _bounded(archive: ZipFile, name: str, most: int) -> tuple[ZipInfo, ...]:
    # zipfile never gives out more of a file than its entry says, so the sum is a bound.
    members = tuple(m for m in archive.infolist() if not m.is_dir())
    total = sum(member.file_size for member in members)
    if total > MOST_UNPACKED:
        raise FileRejected(
            name,
            f"unpacks to {total / 1e6:,.0f} MB, more than {MOST_UNPACKED / 1e6:,.0f} MB: "
            "unpack it yourself and add the files",
        )
    if len(members) > most:
        raise FileRejected(
            name,
            f"holds {len(members):,} files, more than {most:,}: "
            "unpack it yourself and add them in several steps",
        )
    return members


@contextmanager
def unpacked(
    files: Sequence[SourceFile], lose: Lose, tell: Callable[[str], None]
) -> Iterator[list[SourceFile]]:
    """The files with those in zip archives in the archives' place, as long as the block lasts.

    What cannot be unpacked is named to `lose` with its reason; the others go on.
    """
    with TemporaryDirectory(prefix="irag-") as folder:
        found: list[SourceFile] = []
        for file in files:
            if not file.name.lower().endswith(".zip") or not file.path.is_file():
                found.append(file)
                continue
            try:
                room = Path(folder) / str(len(found))
                found += _members(file, room, lose, tell)
            except FileRejected as error:
                lose(error.name, error.reason)
        yield found


def _members(
    file: SourceFile, room: Path, lose: Lose, tell: Callable[[str], None]
) -> list[SourceFile]:
    try:
        with ZipFile(file.path) as archive:
            members = _bounded(archive, file.name, MOST_MEMBERS)
            if any(m.filename == "[Content_Types].xml" for m in members):
                reason = "an Office document, not an archive of files: name it .docx"
                raise FileRejected(file.name, f"{reason}, or save it as PDF")
            own = [m for m in members if not _SYSTEM.search(m.filename)]
            if len(own) < len(members):
                left = len(members) - len(own)
                tell(f"{file.name}: {left} hidden files of the system were left out.")
            if not own:
                raise FileRejected(file.name, "empty, skipped")
            return list(_extracted(archive, file.name, own, room, lose))
    except (BadZipFile, EOFError, OSError, ValueError) as error:
        damage = "empty, skipped" if not file.path.stat().st_size else (
            "not a zip archive, or a damaged one: pack or fetch it again"
        )  # fmt: skip
        raise FileRejected(file.name, damage) from error


def _extracted(
    archive: ZipFile, name: str, members: Sequence[ZipInfo], room: Path, lose: Lose
) -> Iterator[SourceFile]:
    for number, member in enumerate(members):
        inner = _shown(member)
        shown = f"{name}: {inner}"
        refused = _refused(member, inner)
        if refused:
            lose(shown, refused)
            continue
        # The path is ours, never the archive's.
        path = room / str(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with archive.open(member) as packed, path.open("wb") as out:
                shutil.copyfileobj(packed, out, 1 << 20)
        except _DAMAGE:
            lose(shown, "damaged in the archive: pack or fetch it again")
            continue
        yield SourceFile(shown, path, inner)


def _refused(member: ZipInfo, inner: str) -> str:
    if member.flag_bits & 1:
        return "locked with a password: unpack the archive yourself and add the files"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "a link, not a file"
    if inner.lower().endswith((".zip", ".7z", ".rar", ".tar", ".tgz", ".tar.gz")):
        return "an archive in an archive: unpack it yourself and add the files"
    return ""


def _shown(member: ZipInfo) -> str:
    """Where a file stands in its archive, fit to be shown."""
    parts = re.split(r"[/\\]", _name(member))
    return "/".join(SourceFile.of(Path(p)).name for p in parts if p.strip(". ")) or "unnamed"


def _name(member: ZipInfo) -> str:
    """The name as it was meant: without the Unicode mark it is UTF-8, GB18030 or CP437."""
    if member.flag_bits & 0x800:
        return member.filename
    try:
        raw = member.filename.encode("cp437")
    except UnicodeEncodeError:
        return member.filename
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return member.filename
