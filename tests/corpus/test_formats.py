"""Word and Markdown documents, and what holds in every format."""

import io
import time
from contextlib import suppress
from pathlib import Path

import pytest

from irag.corpus.formats.tables import Cell, table_lines
from irag.errors import FileRejected
from tests.corpus.fakes import Desk
from tests.corpus.made import docx, pdf, read, said, zipped


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


# Word


def test_a_word_document_is_read_in_order_with_its_structure(desk):  # FR-070
    table = [("Bridge", "Opened"), ("Tem bridge", "1931"), ("Marl bridge", "1950")]
    content = docx(
        ("Title", "Osk guide"), "Osk is a port.", ("Heading 1", "桥梁"), "Before.", table, "After.",
        ("List Bullet", "salt"), ("List Bullet", "fish"), ("List Number", "one"), ("List Number", "two"),
        ("Heading 2", "Tem"), "奥斯克的桥。",
    )  # fmt: skip
    passages = read(desk.file("guide.docx", content))
    assert [title for title, _ in passages] == [
        "Osk guide",
        "Osk guide: 桥梁",
        "Osk guide: 桥梁: Tem",
    ]
    assert said(passages[1][1]) == [
        "Before.", "Bridge: Tem bridge; Opened: 1931.", "Bridge: Marl bridge; Opened: 1950.", "After.",
        "- salt", "- fish", "1. one", "2. two",
    ]  # fmt: skip


def test_hidden_and_deleted_text_is_dropped_and_inserted_text_is_kept(desk):
    from docx import Document
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    document = Document()
    paragraph = document.add_paragraph("Osk ")
    paragraph.add_run("secret").font.hidden = True
    for tag, text in (("ins", "<w:t>is new</w:t>"), ("del", "<w:delText>was old</w:delText>")):
        paragraph._p.append(parse_xml(f"<w:{tag} {nsdecls('w')}><w:r>{text}</w:r></w:{tag}>"))
    control = f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    document.element.body.insert(1, parse_xml(control))
    content = io.BytesIO()
    document.save(content)
    assert read(desk.file("a.docx", content.getvalue())) == [("a", "Osk is new\n\nIn a box.")]


def test_a_word_document_has_a_title_like_any_other(desk):
    assert read(desk.file("a.docx", docx("Salt.", title="Osk")))[0][0] == "Osk"
    assert read(desk.file("b.docx", docx("Salt.", title="Word Document")))[0][0] == "b"
    assert read(desk.file("c.docx", docx("Before.", ("Heading 1", "Osk"), "Salt.")))[0][0] == "Osk"


def test_damaged_locked_and_old_word_documents_are_each_said_so(desk):
    good = docx("Osk is a port.")
    broken = good.replace(b"word/document.xml", b"word/document.xmx")
    locked = b"\xd0\xcf\x11\xe0" + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le")
    report = desk.add(
        desk.file("cut.docx", good[: len(good) // 2]),
        desk.file("broken.docx", broken),
        desk.file("short.docx", good[:900]),
        desk.file("locked.docx", locked),
        desk.file("old.docx", b"\xd0\xcf\x11\xe0" + b"\0" * 600),
        desk.file("blank.docx", docx()),
        desk.file("good.docx", good),
    )
    reasons = dict(report.failures)
    assert all(
        "a damaged Word document" in reasons[f"{n}.docx"] for n in ("cut", "broken", "short")
    )
    assert "password" in reasons["locked.docx"] and "old Office" in reasons["old.docx"]
    assert reasons["blank.docx"] == "empty, skipped"
    assert len(reasons) == 6 and report.documents == 1


# Markdown


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: Osk\n---\n", "Osk"),
        ('---\ntags:\n  - a\ntitle: "Osk: a \\"port\\""\n---\n', 'Osk: a "port"'),
        ("---\ntitle: >\n  Osk\n  guide\n---\n", "Osk guide"),
        ("---\ntitle: Osk: a port\n---\n", "Osk: a port"),
        ("---\ntitle: 2024-05-01\n---\n", "2024-05-01"),
        ("---\ntitle: [1, 2]\n---\n", "notes"),
        ('+++\ntitle = "Osk"\n+++\n', "Osk"),
        ("---\ntitle: 奥斯克\n...\n", "奥斯克"),
        ("---\na: &a [x]\nb: !!python/object:os.system [*a]\ntitle: Osk\n---\n", "Osk"),
    ],
)
def test_front_matter_names_the_document_and_is_not_text(desk, front, title):
    assert read(desk.file("notes.md", f"{front}Osk is a port.")) == [(title, "Osk is a port.")]


def test_text_between_two_rules_is_no_front_matter(desk):
    ((_, text),) = read(desk.file("a.md", "---\nOsk is a port.\n---\nIt sells salt."))
    assert "Osk is a port." in text and "It sells salt." in text


def test_what_stands_before_the_first_heading_belongs_to_its_title(desk):
    assert read(desk.file("a.md", "Salt.\n\n# Osk\n")) == [("Osk", "Salt.")]
    assert read(desk.file("b.md", "Salt.\n\n## Trade\nFish.")) == [
        ("b", "Salt."),
        ("Trade", "Fish."),
    ]


@pytest.mark.parametrize("ending", ["html", "md"])
def test_a_heading_in_code_is_no_heading_in_any_format(desk, ending):  # FR-072
    body = {
        "html": "<h1>Osk guide</h1><pre># install Marl\nrun</pre>",
        "md": "# Osk guide\n```\n# install Marl\nrun\n```",
    }
    assert read(desk.file(f"a.{ending}", body[ending])) == [("Osk guide", "# install Marl\nrun")]


# all of them


def test_a_table_without_names_keeps_its_cells_together():
    cells = [[Cell(text) for text in row] for row in (("12", "Osk"), ("13", "Marl"))]
    assert [line for line in table_lines(cells) if line] == ["12; Osk.", "13; Marl."]
    assert [line for line in table_lines([[Cell("a", True), Cell("b", True)]]) if line] == ["a; b"]


def content_of(kind: str) -> bytes:
    page = "<!DOCTYPE html><html><body><p>Osk is a port.</p></body></html>"
    made = {"pdf": pdf(["Osk is a port."]), "docx": docx("Osk is a port."), "html": page.encode()}
    return made.get(kind, b"Osk is a port.")


@pytest.mark.parametrize("kind", ["pdf", "docx", "html", "txt"])
@pytest.mark.parametrize("named", ["pdf", "docx", "html", "txt", "md", "csv", "jsonl"])
def test_a_wrong_ending_is_told_by_the_content(desk, kind, named):  # FR-073
    report = desk.add(desk.file(f"a.{named}", content_of(kind)))
    fits = named == kind or (kind == "txt" and named in ("md", "html"))
    if fits:
        assert not report.failures and desk.open().browse("Osk is a port.").total == 1
    else:
        assert report.documents == 0 and report.failures[-1][0] == f"a.{named}"
        if kind != "txt":
            what = {"pdf": "PDF", "docx": "Word document|Office document", "html": "HTML page"}[
                kind
            ]
            assert any(one in report.failures[-1][1] for one in what.split("|"))


def test_a_spreadsheet_is_not_read_as_text(desk):
    book = zipped({"[Content_Types].xml": "<x/>", "xl/workbook.xml": "<x/>"})
    report = desk.add(desk.file("a.docx", book), desk.file("b.xlsx", book))
    assert "of a kind that is not read" in report.failures[0][1] and report.documents == 0


@pytest.mark.parametrize("kind", ["pdf", "docx", "html", "txt"])
def test_the_same_document_under_two_names_goes_in_once(desk, kind):  # FR-074
    content = content_of(kind)
    report = desk.add(desk.file(f"a.{kind}", content), desk.file(f"b.{kind}", content))
    assert report.documents == 1 and "the same content as a." in report.notices[-1]


@pytest.mark.parametrize("kind", ["docx", "html", "md"])
def test_accents_markers_and_line_ends_are_kept_in_one_form(desk, kind):  # FR-043, FR-068, FR-069
    text = "Rene\u0301 wrote <|endoftext|>\ufeff here."
    made = {
        "docx": docx(text),
        "html": b"<p>Rene&#x301; wrote\r\n&lt;|endoftext|&gt;&#xfeff; here.</p>",
        "md": text.encode(),
    }
    assert read(desk.file(f"a.{kind}", made[kind]))[0][1] == "Ren\u00e9 wrote <|endoftext|> here."


def test_nul_characters_and_lone_surrogates_in_a_page_become_one_sign(desk):  # FR-047, FR-062
    ((_, text),) = read(desk.file("a.html", b"<p>Model F\x0013 and &#xd83d; here.</p>"))
    assert text.startswith("Model F\ufffd13 and") and "\x00" not in text
    text.encode("utf-8")


def test_chinese_words_are_found_in_every_format(desk):  # FR-045
    files = [
        ("a.pdf", pdf(["奥斯克是一座港口。"])),
        ("b.docx", docx("马尔在山中。")),
        ("c.html", "<p>特姆河向北流。</p>".encode()),
        ("d.txt", "维尔德是平原，那里的农民种植小麦，也养羊。".encode("gb18030")),
    ]
    report = desk.add(*(desk.file(*file) for file in files))
    assert report.documents == 4 and not report.failures
    for word, title in (("港口", "a"), ("山中", "b"), ("北流", "c"), ("平原", "d")):
        best = desk.open().search([word], 4, "bm25")[0][0]
        assert best.unit.title == title and best.score > 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("spaces.html", "<p>a" + " " * 300_000 + "b</p>"),
        ("cell.html", "<table><tr><td>a<td>b" + " " * 300_000 + "c</table>"),
        ("spans.html", "<table>" + "<tr><td colspan=100 rowspan=100>a" * 3000 + "</table>"),
        ("heading.md", "# a" + " " * 300_000 + "b"),
        ("comments.md", "<!--\n" * 100_000),
        ("title.md", "---\ntitle: a" + " " * 300_000 + "b\n---\n"),
        ("bold.md", "**a " * 100_000),
        ("links.md", "[a](" * 100_000),
        ("late.txt", b"a " * 400_000 + b"\xe9"),
        ("page.html", "<!--" * 100_000),
    ],
)
def test_no_text_takes_longer_than_its_length_warrants(desk, name, content):
    began = time.monotonic()
    with suppress(FileRejected):
        read(desk.file(name, content))
    assert time.monotonic() - began < 5
