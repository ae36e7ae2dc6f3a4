"""Kills, stops, damage, a full disk, two writers: the last generation is always served."""

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from irag.corpus import list_corpora, open_corpus
from irag.corpus import segment as segment_module
from irag.corpus.manifest import Manifest
from irag.errors import Cancelled, CorpusError
from irag.types import document_id
from tests.corpus.fakes import TOWNS, Desk, SentenceExtractor, lines

ROOT = Path(__file__).parents[2]
NEW = [(f"New {n}", f"New town {n} has {n} swans. It is big.") for n in range(20)]

CHILD = """
import os, signal, sys
from pathlib import Path
from tests.corpus import fakes
from irag.corpus import building, generations, indexer, segment

where, count, home, file = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4])

def die_at(owner, name, left):
    whole = getattr(owner, name)
    def dying(*some, **named):
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(*some, **named)
    setattr(owner, name, dying)

class Dying(fakes.SentenceExtractor):
    def extract(self, documents, sample=0, cancel=None):
        for number, found in enumerate(super().extract(documents)):
            if where == "extract" and number == count:
                os.kill(os.getpid(), signal.SIGKILL)
            yield found

PLACES = {
    "append": (segment.VectorFile, "append"),
    "index": (building, "write_indexes"),
    "seal": (building, "seal"),
    "publish": (indexer, "publish"),
    "manifest": (generations.Manifest, "publish"),
    "extract": None,
}
if PLACES[where]:
    die_at(*PLACES[where], count)
fakes.Desk(home, extractor=Dying()).add(file)
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path / "home")
    made.add(made.file("towns.jsonl", lines(*TOWNS)))
    return made


def killed(desk: Desk, where: str, count: int = 0) -> None:
    file = desk.file("new.jsonl", lines(*NEW))
    command = [sys.executable, "-c", CHILD, where, str(count), str(desk.home), str(file)]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert child.returncode == -9, child.stderr


PLACES = [
    ("append", 0),
    ("append", 1),
    ("append", 2),
    ("index", 0),
    ("seal", 0),
    ("publish", 0),
    ("manifest", 0),
]


@pytest.mark.parametrize(("where", "count"), PLACES)
def test_a_kill_anywhere_leaves_the_last_generation_and_resuming_ends_as_if_it_never_was(
    desk, tmp_path, where, count
):
    before = desk.open()
    killed(desk, where, count)
    after = desk.open()
    assert after.key == before.key and "New 3" not in desk.titles("New town 3", 25)
    report = desk.add()
    assert (report.documents, desk.indexer.pending()) == (25, 0)
    whole = Desk(tmp_path / "at once" / "home", desk.embedder, desk.extractor)
    whole.add(whole.file("towns.jsonl", lines(*TOWNS)))
    whole.add(whole.file("new.jsonl", lines(*NEW)))
    assert desk.open().key.partition("-")[2] == whole.open().key.partition("-")[2]
    for by in ("dense", "bm25"):
        assert desk.open().search(["New town 3"], 9, by) == whole.open().search(
            ["New town 3"], 9, by
        )


def test_only_the_rest_is_extracted_after_a_kill_and_all_are_listed(desk):  # FR-148, FR-152
    killed(desk, "extract", 12)
    (card,) = list_corpora(desk.home)
    assert (card.documents, card.pending) == (5, 20)
    assert "20 passages wait" in card.note and card.ready
    desk.extractor.seen.clear()
    desk.embedder.passages.clear()
    desk.add()
    assert len(desk.extractor.seen) == 8
    assert not any(text.startswith("New 3. ") for text in desk.embedder.passages)
    assert desk.open().document_count == 25


def test_stop_keeps_what_is_finished_and_the_next_call_goes_on(desk):
    cancel = threading.Event()

    def stop_in_triples(progress) -> None:
        if progress.stage == "triples" and progress.done == 4:
            cancel.set()

    with pytest.raises(Cancelled, match="goes on from there"):
        desk.add(desk.file("new.jsonl", lines(*NEW)), report=stop_in_triples, cancel=cancel)
    assert desk.open().document_count == 5
    desk.extractor.seen.clear()
    desk.add(desk.file("more.jsonl", lines(("More", "More is there too."))))
    assert len(desk.extractor.seen) == 17
    assert desk.open().document_count == 26


def test_removing_what_waits_leaves_the_rest_waiting(desk):
    killed(desk, "extract", 12)
    gone = document_id(*NEW[3])
    desk.indexer.remove([gone])
    desk.add()
    assert desk.open().document_count == 24
    assert "New 3" not in desk.titles("New town 3", 24)
    assert desk.titles("New town 4", 1, by="bm25") == ["New 4"]


def test_every_stage_tells_its_progress_in_order(desk):
    told = []
    desk.add(desk.file("new.jsonl", lines(*NEW)), report=told.append)
    stages = list(dict.fromkeys(progress.stage for progress in told))
    assert stages == [
        "read", "split", "sentences", "vectors", "FAISS and BM25", "triples", "triple vectors",
    ]  # fmt: skip
    last = {progress.stage: progress for progress in told}
    assert all(progress.done == progress.total > 0 for progress in last.values())
    assert last["vectors"].rate > 0 and last["vectors"].seconds_left == 0


def _index_files(desk: Desk) -> list[Path]:
    (name,) = Manifest.read(desk.folder).segments
    folder = desk.folder / "segments" / name
    return sorted(path for path in folder.iterdir() if path.name != "building.json")


@pytest.mark.parametrize("keep", [0, 0.5])
def test_each_damaged_file_is_named_left_alone_and_mended_by_rebuild(desk, keep):  # FR-150, FR-153
    for name in [path.name for path in _index_files(desk)]:
        path = next(p for p in _index_files(desk) if p.name == name)
        content = path.read_bytes()
        path.write_bytes(content[: int(len(content) * keep)])
        damaged = path.read_bytes()
        segment_module._open.clear()
        with pytest.raises(CorpusError, match=f"{name}.*corpus rebuild osk"):
            desk.open()
        assert path.read_bytes() == damaged
        desk.indexer.rebuild()
        assert desk.titles("who founded Osk", 1) == ["Osk"]


def test_wrong_bytes_of_the_right_length_are_noticed(desk):  # FR-153
    path = next(p for p in _index_files(desk) if p.name == "documents.npy")
    path.write_bytes(b"\x00" * path.stat().st_size)
    with pytest.raises(CorpusError, match=r"documents.npy is damaged: its checksum is wrong"):
        desk.open()


def test_a_damaged_manifest_is_named_and_rebuild_brings_the_texts_back(desk):  # FR-150
    (desk.folder / "CURRENT").write_text('{"format": "irag-cor')
    with pytest.raises(CorpusError, match="CURRENT is damaged.*rebuild"):
        desk.open()
    (card,) = list_corpora(desk.home)
    assert not card.ready and "damaged" in card.note
    desk.indexer.rebuild()
    assert desk.open().document_count == 5


def test_a_damaged_database_is_named(desk):  # FR-150
    from irag.corpus.database import forget

    forget(desk.folder)
    for path in desk.folder.glob("corpus.db*"):
        path.write_bytes(b"not a database at all, whatever it says" * 100)
    with pytest.raises(CorpusError, match=r"corpus\.db cannot be used.*add its files again"):
        desk.open().browse()


def test_a_full_disk_is_said_and_the_last_generation_serves(desk, monkeypatch):
    def full(self, vectors):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(segment_module.VectorFile, "append", full)
        with pytest.raises(CorpusError, match="disk is full.*last generation"):
            desk.add(desk.file("new.jsonl", lines(*NEW)))
    assert desk.open().document_count == 5
    assert desk.add().documents == 25


def test_a_second_writer_is_refused_by_pid_and_time(desk):
    code = (
        "import sys, time; from pathlib import Path; from irag.corpus.lock import writing\n"
        "with writing(Path(sys.argv[1])):\n print('held', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(desk.folder)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout and child.stdout.readline() == "held\n"
    with pytest.raises(CorpusError, match=rf"process {child.pid} since \d{{4}}-"):
        desk.add(desk.file("new.jsonl", lines(*NEW)))
    assert desk.titles("who founded Osk", 1) == ["Osk"]  # readers are not kept out
    child.kill()
    child.wait()
    assert desk.add(desk.file("new.jsonl", lines(*NEW))).documents == 25


def test_a_lock_left_by_a_dead_process_is_taken_over(desk):
    (desk.folder / "LOCK").write_text(json.dumps({"pid": 999999, "since": "long ago"}))
    assert desk.add(desk.file("new.jsonl", lines(*NEW))).documents == 25


def test_a_reader_keeps_its_generation_while_another_is_written(desk):
    reader = desk.open()
    first = reader.search(["who founded Osk"], 5)
    desk.indexer.remove([document_id(*TOWNS[0])])
    assert reader.search(["who founded Osk"], 5) == first
    assert "Osk" not in desk.titles("who founded Osk")


def test_ids_and_vectors_are_the_same_in_another_process(desk):  # FR-078, FR-146
    code = (
        "import sys; from pathlib import Path; from tests.corpus.fakes import Desk\n"
        "desk = Desk(Path(sys.argv[1])); print(desk.titles('who founded Osk', 1), desk.open().key)\n"
        "print(desk.add(Path(sys.argv[2])).added, len(desk.embedder.passages))"
    )
    file = desk.file("towns.jsonl", lines(*TOWNS))
    for seed in ("1", "2"):
        told = subprocess.run(
            [sys.executable, "-c", code, str(desk.home), str(file)],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
        )  # fmt: skip
        assert told.stdout == f"['Osk'] {desk.open().key}\n0 0\n", told.stderr


def test_one_failing_extractor_call_stops_and_is_resumed(desk):  # FR-176
    class Refused(SentenceExtractor):
        def extract(self, documents, sample=0, cancel=None):
            self.seen += [d.id for d in documents[:1]]
            raise CorpusError("authentication failed")
            yield ()

    refused = Desk(desk.home, desk.embedder, Refused())
    with pytest.raises(CorpusError, match="authentication failed"):
        refused.add(desk.file("new.jsonl", lines(*NEW)))
    assert len(refused.extractor.seen) == 1 and desk.open().document_count == 5
    desk.extractor.seen.clear()
    desk.add()
    assert len(desk.extractor.seen) == 20
    assert open_corpus(desk.home, desk.name, desk.embedder).document_count == 25
