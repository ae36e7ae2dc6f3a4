"""HTML, PDF, Word and Markdown as people have them: what a reader sees is read, and nothing else."""

import io
import time
from contextlib import suppress
from pathlib import Path

import pytest

from irag.corpus.decoding import SourceFile
from irag.corpus.formats import pdf as pdf_reader
from irag.corpus.formats.tables import Cell, table_lines
from irag.corpus.readers import Notice, read_passages
from irag.errors import FileRejected
from irag.text import sentences
from tests.corpus.fakes import Desk
from tests.corpus.made import docx, pdf, scan


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


def read(path: Path) -> list[tuple[str, str]]:
    return read_noting(path)[0]


def read_noting(path: Path) -> tuple[list[tuple[str, str]], list[Notice]]:
    notices: list[Notice] = []
    found = read_passages(SourceFile.of(path), 120, notices.append, lambda at: None)
    return [(passage.title, passage.text) for passage in found], notices


def said(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


# HTML


def test_a_page_gives_what_a_reader_sees_and_nothing_else(desk):
    page = """<!doctype html><html><head><title>Osk - Town atlas</title><style>p{color:red}</style>
    <script>var a = "code";</script></head><body><nav>Home About</nav><h1>Osk</h1>
    <p>Osk is a <b>po</b>rt<sup>[2]</sup>.<!-- note --> <a href="x">Ana&nbsp;Kor</a> founded it.</p>
    <p hidden>secret one</p><p style="Display: NONE">secret two</p><div aria-hidden="true">three</div>
    <noscript>switch it on</noscript><template>later</template><select><option>pick</select>
    <h2>Trade</h2>It sold salt.<p>And fish.</p><ruby>港<rt>minato</rt></ruby>
    <footer>Copyright</footer></body></html>"""
    assert read(desk.file("osk.html", page)) == [
        ("Osk", "Osk is a port. Ana Kor founded it."),
        ("Osk: Trade", "It sold salt.\n\nAnd fish.\n\n港"),
    ]


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>Osk</title><h2>Trade</h2><p>Salt.</p>", "Osk: Trade"),
        ("<title>Untitled</title><p>Before.</p><h1>Osk</h1>", "Osk"),
        ("<p>Salt.</p>", "old towns"),
        ("<title>Osk</title><svg><title>Icon</title></svg><p>Salt.</p>", "Osk"),
        ("<title>A &amp;amp; B</title><p>Salt.</p>", "A &amp; B"),
    ],
)
def test_a_title_is_the_pages_own_else_its_first_heading_else_the_files_name(desk, page, title):
    assert read(desk.file("old towns.htm", page))[0][0] == title


def test_entities_are_decoded_once(desk):
    page = "<p>A &amp;lt; B &lt; C &#x5965; &eacute;</p>"
    assert read(desk.file("a.html", page)) == [("a", "A &lt; B < C 奥 é")]
    assert read(desk.file("b.md", "A &amp;lt; B <!-- un\nseen --> C")) == [("b", "A &lt; B  C")]


def test_rows_of_a_page_are_sentences_that_carry_their_columns(desk):  # FR-070
    rows = "".join(f"<tr><td>Bridge {n}<td>{1900 + n}<td>Ana Kor {n}" for n in range(60))
    page = f"<table><tr><th>Bridge<th>Opened<th>Designer{rows}</table>"
    path = desk.file("bridges.html", page)
    (row,) = [s for _, text in read(path) for s in said(text) if "Bridge 57" in s]
    assert row == "Bridge: Bridge 57; Opened: 1957; Designer: Ana Kor 57."
    chinese = "<table><tr><th>桥名<th>建成</tr><tr><td>特姆桥<td>1931年</tr></table>"
    ((_, text),) = read(desk.file("桥.html", chinese))
    assert said(text) == ["桥名：特姆桥，建成：1931年。"]


def test_cells_over_several_rows_and_columns_stand_in_each(desk):
    page = """<table><caption>Bridges</caption><thead><tr><th rowspan=2>Bridge<th colspan=2>Size</tr>
    <tr><th>Length<th>Width</tr></thead><tr><td rowspan=2>Tem<td>12<td>3<tr><td colspan=2>13</table>
    <table><tr><th>Founded<td>1204<tr><th>Founders<td><ul><li>Ana Kor<li>Jon Pell</ul></table>
    <table><tr><td><h2>Trade</h2><p>Salt.</table>"""
    first, second = (text for _, text in read(desk.file("a.html", page)))
    assert said(first) == [
        "Bridges",
        "Bridge: Tem; Size Length: 12; Size Width: 3.",
        "Bridge: Tem; Size Length: 13; Size Width: 13.",
        "Founded: 1204.",
        "Founders: Ana Kor, Jon Pell.",
    ]
    assert second == "Salt."  # a table of one column is layout


def test_entries_of_a_list_are_sentences_of_their_own(desk):
    page = "<p>It sells</p><ul><li>salt<ol><li>white<li>grey</ol><li>fish</ul><dl><dt>River<dd>Tem</dl>"
    ((_, text),) = read(desk.file("a.html", page))
    assert said(text) == ["It sells", "- salt", "1. white", "2. grey", "- fish", "River: Tem"]


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("gb18030", "gb2312"),
        ("big5", "big5"),
        ("shift_jis", "Shift_JIS"),
        ("utf-8", "utf-8"),
        ("utf-16", ""),
        ("utf-8-sig", ""),
        ("gb18030", ""),
        ("utf-8", "iso-8859-1"),  # says what it is not
    ],
)
def test_a_page_in_any_encoding_reads_the_same(desk, encoding, declared):  # FR-064, FR-067
    text = (
        "港口位于河口北岸，人口三万。"
        if encoding != "shift_jis"
        else "港は川の北にある。人口三万。"
    )
    meta = f'<meta charset="{declared}">' if declared else ""
    page = f"<html><head>{meta}<title>城</title></head><body><p>{text}</p></body></html>"
    if encoding == "big5":
        page, text = page.replace("于", "於").replace("万", "萬"), "港口位於河口北岸，人口三萬。"
    assert read(desk.file("a.html", page.encode(encoding))) == [("城", text)]


def test_a_page_that_attacks_is_only_text(desk):
    bomb = "<div>" * 5000 + "deep" + "</div>" * 5000 + "<p>after</p>"
    with pytest.raises(FileRejected, match="nested too deeply"):
        read(desk.file("deep.html", bomb))
    entities = """<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY y "boom">]>
    <html><body><p>Osk &x; &y;</p></body></html>"""
    ((_, text),) = read(desk.file("x.xhtml", entities))
    assert "Osk" in text and "boom" not in text
    spans = '<table><tr><td colspan="999999999">a<td rowspan="-4">b</table>'
    assert len(read(desk.file("spans.html", spans))[0][1]) < 100


# PDF


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
    from tests.corpus.made import zipped

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
