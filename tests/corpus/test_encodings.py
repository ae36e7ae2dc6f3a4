"""Texts in the encodings that people's files have."""

from pathlib import Path

import pytest

from irag.corpus.decoding import SourceFile
from irag.corpus.readers import read_passages
from tests.corpus.fakes import Desk

CHINESE = "奥斯克是一座城。安娜出生于奥斯克，在1204年建立了盐厂。河流流经此城，居民约三万人。"
TRADITIONAL = "奧斯克是一座城。安娜出生於奧斯克，在1204年建立了鹽廠。河流流經此城，居民約三萬人。"
JAPANESE = "オスクは町です。アナ・コルはオスクで生まれ、1204年に塩の工場を設立した。"
KOREAN = "오스크는 도시이다. 안나는 오스크에서 태어났다."
RUSSIAN = "Оск - это город. Анна Кор родилась в Оске в 1204 году."
FRENCH = "Ána Kor née à Osk, où elle écrivit. Größe und Straße."


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


def read(path: Path) -> tuple[str, list[str]]:
    said: list[str] = []
    found = read_passages(
        SourceFile.of(path), 400, lambda n: said.append(n.reason), lambda at: None
    )
    return "\n".join(passage.text for passage in found), said


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (CHINESE, "gb18030", "GB18030"),
        (CHINESE[:8], "gb18030", "GB18030"),
        (TRADITIONAL, "gb18030", "GB18030"),
        (TRADITIONAL, "big5", "Big5"),
        (JAPANESE, "cp932", "Shift-JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (KOREAN, "cp949", "EUC-KR"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (RUSSIAN, "koi8_r", "KOI8-R"),
        (FRENCH, "cp1252", "Latin-1 (Windows-1252)"),
    ],
)
@pytest.mark.parametrize("ending", ["txt", "md", "html"])
def test_the_encoding_of_a_text_is_found_and_said(desk, text, encoding, name, ending):  # FR-064
    assert read(desk.file(f"a.{ending}", text.encode(encoding))) == (
        text,
        [f"not UTF-8, so it was read as {name}"],
    )


def test_rows_of_tables_and_lines_in_gb18030_are_read(desk):
    csv = f"title,text\n奥斯克,{CHINESE}\n".encode("gb18030")
    assert read(desk.file("a.csv", csv))[0] == CHINESE
    line = f'{{"title": "奥斯克", "text": "{CHINESE}"}}\n'.encode("gb18030")
    assert read(desk.file("a.jsonl", line))[0] == CHINESE


def test_what_is_not_ascii_may_come_late(desk):
    text = "Osk is a port. " * 100_000 + "\n" + CHINESE
    assert read(desk.file("a.txt", text.encode("gb18030")))[0].endswith(CHINESE)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_told_by_its_zeros(desk, encoding):
    text = "Ana Kor was born in Osk."
    assert read(desk.file("a.txt", text.encode(encoding))) == (text, [])


def test_a_few_bad_bytes_do_not_turn_utf_8_into_another_encoding(desk):
    content = CHINESE.encode() + b"\xff Osk. " + CHINESE.encode()
    text, said = read(desk.file("a.txt", content))
    assert text == f"{CHINESE}\ufffd Osk. {CHINESE}"
    assert said == ["1 places are not UTF-8; each became U+FFFD"]
    text, said = read(desk.file("b.txt", CHINESE.encode()[:-1]))
    assert text == CHINESE[:-1] + "\ufffd" and len(said) == 1
    text, said = read(desk.file("c.txt", b"\xef\xbb\xbf" + content))
    assert text == f"{CHINESE}\ufffd Osk. {CHINESE}" and len(said) == 1
