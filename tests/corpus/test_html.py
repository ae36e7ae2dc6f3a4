"""Pages as people have them: what a reader sees is read, and nothing else."""

from pathlib import Path

import pytest

from irag.errors import FileRejected
from tests.corpus.fakes import Desk
from tests.corpus.made import read, said


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


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
