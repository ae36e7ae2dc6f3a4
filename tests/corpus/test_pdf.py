"""PDFs: paragraphs over lines and pages, headings, scans, and those that cannot be read."""

from pathlib import Path

import pytest

from irag.corpus.formats import pdf as pdf_reader
from irag.errors import FileRejected
from tests.corpus.fakes import Desk
from tests.corpus.made import pdf, read, read_noting, scan


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


def test_a_paragraph_goes_on_over_lines_and_pages_with_its_words_whole(desk):
    first = ["# Osk guide", "Ana Kor founded the manu-", "facture of salt in a well-", "known town and the",
             "well-known port on the river that flows to the sea, and a last line"]  # fmt: skip
    path = desk.file("osk.pdf", pdf(first, ["goes on here. Then it ends."], running=True))
    assert read(path) == [
        (
            "Osk guide",
            "Ana Kor founded the manufacture of salt in a well-known town and the well-known port "
            "on the river that flows to the sea, and a last line goes on here. Then it ends.",
        )
    ]


def test_what_stands_at_the_edge_of_every_page_is_left_out_and_said(desk):
    pages = [[f"Town {n} is a port.", "The same body line stands on each page."] for n in range(4)]
    passages, notices = read_noting(desk.file("gazette.pdf", pdf(*pages, running=True)))
    text = "\n".join(text for _, text in passages)
    assert "Gazette" not in text and "Page 2" not in text
    assert text.count("The same body line stands on each page.") == 4
    assert any("The Osk Gazette" in notice.reason and not notice.lost for notice in notices)
    one = read(desk.file("one.pdf", pdf(["Osk is a port."], running=True)))
    assert "The Osk Gazette" in one[0][1]  # one page says nothing of what repeats


def test_headings_of_a_pdf_make_its_sections_and_its_title(desk):
    pages = [
        ["# Osk", "Osk is a port.", "It has a long history of salt and fish and of many ships."]
    ]
    assert read(desk.file("a.pdf", pdf(*pages)))[0][0] == "Osk"
    assert read(desk.file("b.pdf", pdf(*pages, title="Towns")))[0][0] == "Towns: Osk"
    assert read(desk.file("c.pdf", pdf(*pages, title="Microsoft Word - x.doc")))[0][0] == "Osk"
    assert read(desk.file("old towns.pdf", pdf(["Osk is a port."])))[0][0] == "old towns"


def test_chinese_lines_are_joined_without_spaces(desk):
    path = desk.file(
        "城.pdf", pdf(["奥斯克是一座城。安娜·科尔出生于奥", "斯克，在1204年建立盐厂。"])
    )
    assert read(path) == [("城", "奥斯克是一座城。安娜·科尔出生于奥斯克，在1204年建立盐厂。")]


def test_a_scan_a_locked_and_a_cut_pdf_are_each_said_so(desk):  # FR-052
    good = pdf(["Osk is a port."])
    report = desk.add(
        desk.file("scan.pdf", scan()),
        desk.file("locked.pdf", pdf(["Osk is a port."], password="salt")),
        desk.file("cut.pdf", good[: len(good) * 2 // 3]),
        desk.file("junk.pdf", b"%PDF-1.7 nothing startxref 0 %%EOF"),
        desk.file("good.pdf", good),
        desk.file("empty.pdf", b""),
    )
    reasons = dict(report.failures)
    assert "no text found in scan.pdf (OCR not available)" in reasons["scan.pdf"]
    assert "password: save a copy without one" in reasons["locked.pdf"]
    assert "damaged or cut-off" in reasons["cut.pdf"] and "damaged" in reasons["junk.pdf"]
    assert reasons["empty.pdf"] == "empty, skipped"
    assert len(reasons) == 5 and report.documents == 1


def test_pages_without_text_are_named_and_the_others_go_in(desk):
    passages, notices = read_noting(desk.file("part.pdf", scan(3, "Osk is a port.")))
    assert passages == [("part", "Osk is a port.")]
    assert [n.reason for n in notices] == ["no text on 2 of 3 pages (scanned?): 2, 3"]


def test_a_pdf_of_too_many_pages_or_too_slow_is_refused(desk, monkeypatch):
    path = desk.file("a.pdf", pdf(["a"], ["b"], ["c"]))
    monkeypatch.setattr(pdf_reader, "MOST_PAGES", 2)
    with pytest.raises(FileRejected, match="3 pages, more than 2: split it"):
        read(path)
    monkeypatch.setattr(pdf_reader, "MOST_PAGES", 5)
    monkeypatch.setattr(pdf_reader, "MOST_SECONDS", -1)
    with pytest.raises(FileRejected, match="took longer"):
        read(path)
