"""Zip archives: what is in them goes in, and nothing they try does harm."""

import struct
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from irag.corpus.formats import archive
from tests.corpus.fakes import Desk
from tests.corpus.made import docx, pdf, scan, zipped


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


def test_files_of_every_kind_come_out_of_an_archive_and_bad_ones_are_named(desk):
    members = {
        "towns/osk.pdf": pdf(["Osk is a port."]),
        "towns/marl.docx": docx("Marl lies in hills."),
        "tem.html": "<title>Tem</title><p>Tem flows north.</p>",
        "城.txt": "奥斯克是一座港口，人口三万，在河的北岸。".encode("gb18030"),
        "rows.csv": "title,text\nKor,Kor is a river.\n",
        "scan.pdf": scan(),
        "old.xyz": "?",
        "empty.txt": "",
        "__MACOSX/._x": "x",
        ".DS_Store": "x",
    }
    report = desk.add(
        desk.file("pack.zip", zipped(members)), desk.file("after.txt", "Veld is flat.")
    )
    assert report.documents == 6
    assert {name for name, _ in report.failures} == {
        "pack.zip: scan.pdf", "pack.zip: old.xyz", "pack.zip: empty.txt"
    }  # fmt: skip
    assert "pack.zip: 2 hidden files of the system were left out." in report.notices
    assert {d.title for d in desk.open().browse().documents} == {
        "osk",
        "marl",
        "Tem",
        "城",
        "Kor",
        "after",
    }
    files = {card.name for card in desk.open().sources()}
    assert "pack.zip: towns/osk.pdf" in files and "pack.zip" not in files


def test_the_folder_of_a_published_set_gives_its_keys_in_an_archive_too(desk):
    desk.add(
        desk.file(
            "sets.zip",
            zipped({"musique/corpus.jsonl": '{"pid": "m1", "title": "Osk", "text": "Osk."}'}),
        )
    )
    assert desk.open().resolve("musique:m1")


def test_an_archive_added_again_changes_nothing_and_says_so(desk):  # FR-074
    packed = zipped({"a.txt": "Osk is a port."})
    desk.add(desk.file("pack.zip", packed))
    report = desk.add(desk.file("again.zip", packed))
    assert report.documents == 1 and "the same content as pack.zip: a.txt" in report.notices[0]


def test_files_of_one_name_in_two_folders_are_both_kept(desk):  # FR-077
    report = desk.add(desk.file("p.zip", zipped({"a/notes.txt": "One.", "b/notes.txt": "Two."})))
    assert report.documents == 2 and not report.failures


@pytest.mark.parametrize(
    "name", ["../../evil.txt", "/etc/evil.txt", "..\\..\\evil.txt", "C:\\evil.txt"]
)
def test_a_path_that_leaves_the_archive_is_only_shown(desk, tmp_path, name):  # FR-087
    before = {p for p in tmp_path.rglob("*") if "evil" in p.name}
    report = desk.add(desk.file("p.zip", zipped({name: "Osk is a port."})))
    assert report.documents == 1 and desk.open().browse().documents[0].title == "evil"
    assert {p for p in tmp_path.rglob("*") if "evil" in p.name} == before
    assert not Path("/etc/evil.txt").exists() and ".." not in desk.open().sources()[0].name


def test_an_archive_in_an_archive_a_link_and_a_locked_file_are_refused(desk):
    path = desk.file("p.zip", b"")
    with ZipFile(path, "w") as pack:
        pack.writestr("inner.zip", zipped({"a.txt": "deep"}))
        link = ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        pack.writestr(link, "/etc/hostname")
        pack.writestr("ok.txt", "Osk is a port.")
    raw = path.read_bytes()
    locked = zipped({"locked.txt": "secret"}).replace(
        b"PK\x03\x04\x14\0\0\0", b"PK\x03\x04\x14\0\1\0"
    )
    locked = locked.replace(b"PK\x01\x02\x14\x03\x14\0\0\0", b"PK\x01\x02\x14\x03\x14\0\1\0")
    path.write_bytes(raw)
    report = desk.add(path, desk.file("l.zip", locked))
    reasons = dict(report.failures)
    assert "an archive in an archive" in reasons["p.zip: inner.zip"]
    assert "a link" in reasons["p.zip: link.txt"]
    assert "locked with a password" in reasons["l.zip: locked.txt"]
    assert report.documents == 1


def test_archives_that_unpack_to_too_much_are_refused_before_they_do(desk, monkeypatch):
    bomb = zipped({f"{n}.txt": b"a" * (1 << 20) for n in range(3)})
    monkeypatch.setattr(archive, "MOST_UNPACKED", 2 << 20)
    report = desk.add(
        desk.file("bomb.zip", bomb),
        desk.file("b.docx", zipped({"word/document.xml": b"a" * (3 << 20)})),
    )
    assert "unpacks to 3 MB, more than 2 MB" in dict(report.failures)["bomb.zip"]
    assert "unpacks to" in dict(report.failures)["b.docx"]
    monkeypatch.setattr(archive, "MOST_MEMBERS", 2)
    monkeypatch.setattr(archive, "MOST_UNPACKED", 1 << 30)
    report = desk.add(desk.file("many.zip", bomb))
    assert "holds 3 files, more than 2" in report.failures[0][1] and report.documents == 0


def test_a_file_that_says_it_is_smaller_than_it_is_stays_within_what_it_says(desk):
    packed = zipped({"a.txt": b"Osk is a port. " * 10_000})
    size = struct.pack("<I", 150_000)
    report = desk.add(desk.file("lie.zip", packed.replace(size, struct.pack("<I", 10))))
    assert report.documents == 0 and "damaged in the archive" in report.failures[0][1]


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 not really", zipped({"a.txt": "Osk."})[:-30], zipped({})]
)
def test_an_empty_or_damaged_archive_is_named(desk, content):  # FR-050
    report = desk.add(desk.file("p.zip", content), desk.file("b.txt", "Osk is a port."))
    ((name, reason),) = report.failures
    assert name == "p.zip" and ("empty" in reason or "damaged" in reason) and report.documents == 1


def test_a_word_document_named_zip_is_told(desk):  # FR-073
    report = desk.add(desk.file("a.zip", docx("Osk is a port.")))
    assert "name it .docx" in report.failures[0][1]


def test_a_chinese_name_without_the_unicode_mark_is_read(desk):
    packed = zipped({"0123.txt": "Osk is a port."})
    named = packed.replace(b"0123.txt", "城市".encode("gb18030") + b".txt")
    desk.add(desk.file("p.zip", named))
    assert desk.open().browse().documents[0].title == "城市"
