"""Files as people have them: encodings, bad lines, tables, wrong names, published sets."""

import gzip
import json
from pathlib import Path

import pytest

from irag.corpus import decoding, readers
from irag.corpus.decoding import SourceFile
from irag.corpus.readers import Notice, Passage, read_passages
from irag.corpus.split import split
from irag.errors import FileRejected, UserError
from irag.text import sentences
from tests.corpus.fakes import Desk, WordEmbedder, lines

DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


def read(path: Path, words: int = 120, name: str = "") -> tuple[list[Passage], list[Notice]]:
    notices: list[Notice] = []
    file = SourceFile.of(path, name)
    return list(read_passages(file, words, notices.append, lambda at: None)), notices


def texts(path: Path, words: int = 120) -> list[str]:
    return [passage.text for passage in read(path, words)[0]]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-8-sig", "utf-8"])
def test_a_byte_order_mark_names_the_encoding(desk, encoding):  # FR-064, FR-067
    text = "Ána Kor was born in Osk."
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    (only,), notices = read(desk.file("notes.txt", mark + text.encode(encoding)))
    assert only == Passage("notes", text) and not notices


def test_latin_1_is_read_with_a_notice(desk):
    passages, notices = read(desk.file("notes.txt", "Vald\xe8s wrote \x80.".encode("latin-1")))
    assert passages[0].text == "Valdès wrote €." and "Latin-1" in notices[0].reason
    late = "a" * (1 << 20) + " " + "b" * 10
    assert "\xe9" in texts(desk.file("late.txt", late.encode() + b"\xe9"))[-1]


def test_nul_characters_stand_between_words_and_are_told(desk):  # FR-062
    path = desk.file("n.txt", "Model F\x0013 was tested. Model F13 was not. Osk\x00 Tower.")
    passages, notices = read(path)
    assert "F\ufffd13 was tested. Model F13 was not" in passages[0].text
    assert "2 NUL characters" in notices[0].reason and not notices[0].lost
    report = desk.add(path)
    assert report.added == 1 and not report.failures
    assert desk.open().browse("F13").total == 1


def test_line_ends_of_every_kind_give_the_same_passages(desk):  # FR-068
    lines_of = "Ana Kor\nwas born in Osk.\n\nShe wrote Marl Days.\n"
    kinds = [lines_of, lines_of.replace("\n", "\r\n"), lines_of.replace("\n", "\r")]
    found = [texts(desk.file(f"{n}.txt", kind)) for n, kind in enumerate(kinds)]
    assert found[0] == found[1] == found[2] and "\r" not in found[0][0]


def test_a_byte_order_mark_never_becomes_part_of_a_word(desk):  # FR-067
    csv = desk.file("a.csv", "\ufeffid,title,text\r\n1,Osk,Osk is a town.\r\n")
    jsonl = desk.file("a.jsonl", '\ufeff{"title": "Osk", "text": "Osk is a town."}\n')
    assert read(csv)[0] == [Passage("Osk", "Osk is a town.", ("1",))]
    assert read(jsonl)[0] == [Passage("Osk", "Osk is a town.")]
    assert texts(desk.file("a.txt", "\ufeffOsk is a town.")) == ["Osk is a town."]


def test_empty_files_are_named_and_the_others_go_in(desk):  # FR-050
    files = [("a.txt", ""), ("b.txt", "Osk is a town."), ("c.json", "[]"), ("d.md", "---\n---")]
    report = desk.add(*(desk.file(*file) for file in files))
    assert report.failures == [(n, "empty, skipped") for n in ("a.txt", "c.json", "d.md")]
    assert (report.added, report.documents) == (1, 1)


def test_an_empty_new_version_is_refused_and_said(desk):  # FR-140
    desk.add(desk.file("osk.txt", "Osk is a town."))
    report = desk.add(desk.file("osk.txt", ""))
    assert report.failures == [("osk.txt", "empty, skipped")] and report.documents == 1


def test_bad_lines_are_named_by_number_and_the_good_go_in(desk):  # FR-073
    good = '{"title": "Osk", "text": "Osk is a town."}'
    extra = '{"title": "Tem", "text": "Tem is a river.", "colour": "blue", "deep": {"a": [1]}}'
    rows = [good, "", "{bad json", extra, '{"title": "t"}', "[1, 2]"]
    passages, notices = read(desk.file("data.jsonl", "\n".join(rows)))
    assert [p.title for p in passages] == ["Osk", "Tem"]
    assert [n.place for n in notices if n.lost] == [f"data.jsonl, line {n}" for n in (3, 5, 6)]


@pytest.mark.parametrize(
    "content", [b"%PDF-1.7\n1 0 obj", b"PK\x03\x04rest", b"\x89PNG\r\n", bytes(range(256)) * 40]
)
def test_a_binary_is_refused_whatever_its_name_ends_in(desk, content):  # FR-073, FR-052
    report = desk.add(desk.file("b.txt", "Osk is a town."), desk.file("scan.txt", content))
    ((name, reason),) = report.failures
    assert name == "scan.txt" and "not text" in reason and report.documents == 1


def test_an_unknown_ending_lists_the_known_ones(desk):
    with pytest.raises(FileRejected, match="Known: csv, docx.*each also .gz"):
        read(desk.file("a.xyz", "text"))


def test_gzip_is_read_and_a_cut_or_exploding_one_is_refused(desk, monkeypatch):
    packed = gzip.compress(lines(("Osk", "Osk is a town.")).encode())
    assert texts(desk.file("a.jsonl.gz", packed)) == ["Osk is a town."]
    with pytest.raises(FileRejected, match="damaged gzip"):
        read(desk.file("cut.jsonl.gz", packed[:-9]))
    monkeypatch.setattr(decoding, "MOST_BYTES", 1000)
    with pytest.raises(FileRejected, match="longer than"):
        read(desk.file("bomb.txt.gz", gzip.compress(b"a " * (40 << 20))))


def test_a_rejected_file_leaves_nothing_behind(desk):
    rows = [json.dumps({"title": f"T{n}", "text": f"Text {n}."}) for n in range(600)]
    report = desk.add(desk.file("half.jsonl", "\n".join(rows + ["{"] * 101)))
    assert report.added == 0 and "more than 100 bad lines" in report.failures[-1][1]
    assert desk.indexer.pending() == 0


def test_csv_and_tsv_need_a_text_column_and_name_bad_rows(desk):
    rows = 'Title,TEXT\n"Osk, old","Osk is\na town."\nTem\nMarl,\n,Untitled text.\n'
    passages, notices = read(desk.file("a.csv", rows))
    assert [(p.title, p.text) for p in passages] == [
        ("Osk, old", "Osk is\na town."),
        ("a", "Untitled text."),
    ]
    assert [n.place for n in notices] == ["a.csv, line 4", "a.csv, line 5"]
    assert texts(desk.file("a.tsv", "title\ttext\nOsk\tOsk is.\n")) == ["Osk is."]
    with pytest.raises(FileRejected, match="column named text; its first line has: osk, tem"):
        read(desk.file("b.csv", "Osk,Tem\n1,2\n"))


def test_a_heading_in_fenced_code_is_no_heading(desk):  # FR-072
    text = "# Osk guide\n```bash\n# install Marl\nrun\n```\nOsk is a port.\n~~~\n# not a title\n~~~"
    passages, _ = read(desk.file("guide.md", text))
    assert {p.title for p in passages} == {"Osk guide"}
    assert "# install Marl\nrun\nOsk is a port." in passages[0].text


def test_headings_make_sections_and_front_matter_is_not_text(desk):
    text = (
        "---\ntitle: 'Osk'\ntags: [a]\n---\nOsk is a port.\n\n# History\nFounded in 1204.\n\n"
        "## Fire\nIt [burned](http://x.y/z).\n\nTrade\n-----\nSalt was sold.\n"
    )
    found = [(p.title, p.text) for p in read(desk.file("a.md", text))[0]]
    assert found == [
        ("Osk", "Osk is a port."),
        ("Osk: History", "Founded in 1204."),
        ("Osk: History: Fire", "It burned."),
        ("Osk: History: Trade", "Salt was sold."),
    ]


def test_each_row_of_a_table_carries_its_header(desk):  # FR-070
    rows = "".join(f"| Bridge {n} | {1900 + n} | Ana \\| Kor {n} |\n" for n in range(60))
    table = f"# Bridges\n\n| Bridge | Opened | Designer |\n|---|:-:|--:|\n{rows}\nAll stand."
    report = desk.add(desk.file("t.md", table))
    assert report.added > 3
    hit = desk.open().search(["Who designed bridge 57?"], 1, "bm25")[0][0].unit
    assert "Bridge: Bridge 57; Opened: 1957; Designer: Ana | Kor 57." in hit.text
    assert desk.open().browse("All stand.").total == 1


LONG = [
    "Osk is a town. " * 300,
    "word " * 1000,
    "x" * 5000 + " end.",
    "奥斯克是一座城。" * 200,
    "First. Second!\n\nThird?  " * 90 + "the end",
    "a\n\n\n b \t c. " * 100,
    "",
    "  \n ",
]


@pytest.mark.parametrize("words", [1, 7, 120])
@pytest.mark.parametrize("text", LONG)
def test_splitting_neither_loses_nor_repeats_text(text, words):
    pieces = split(text, words)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(len(piece.split()) <= words for piece in pieces)


def test_passages_end_where_sentences_end():
    text = " ".join(f"Sentence number {n} has exactly seven words." for n in range(60))
    ends = {end for _, end in sentences(text)}
    at = 0
    for piece in split(text, 30):
        at = text.index(piece, at) + len(piece)
        assert at in ends
        assert len(piece.split()) == 28


@pytest.mark.parametrize("words", [0, -5, 100_000])
def test_impossible_sizes_are_refused_before_any_work(desk, words):  # FR-057
    with pytest.raises(UserError, match="is not possible"):
        split("some text", words)
    from irag.corpus import Indexer

    with pytest.raises(UserError, match="is not possible"):
        Indexer(desk.home, "sizes", desk.embedder, desk.extractor, words)
    assert not desk.home.exists()


def test_passages_are_never_longer_than_the_embedder_reads(desk, tmp_path):  # FR-170
    desk.embedder = WordEmbedder(max_tokens=50)
    text = " ".join(f"word{n}" for n in range(199)) + " needle."
    desk.add(desk.file("a.txt", text))
    assert all(len(d.text.split()) <= 50 for d in desk.open().browse().documents)
    assert "needle" in desk.open().search(["needle"], 1, "bm25")[0][0].unit.text
    report = desk.add(desk.file("b.jsonl", lines(("Long", "w " * 200))))
    assert "1 passages are longer than the about 50 tokens" in report.notices[0]


def test_a_huge_document_goes_in_in_pieces(desk):  # FR-056
    report = desk.add(desk.file("big.txt", "Osk is a town. " * 80_000), desk.file("b.txt", "Tem."))
    assert report.added == 3 and report.duplicates == 2665 and not report.failures


def test_a_document_beyond_the_limit_is_refused_with_its_size(desk, monkeypatch):
    monkeypatch.setattr(readers, "MOST_TEXT_BYTES", 1_000_000)
    report = desk.add(desk.file("big.txt", "Osk is a town. " * 80_000), desk.file("b.txt", "Tem."))
    assert report.failures == [("big.txt", "longer than 1 MB of text; split it into several files")]
    assert report.documents == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../evil.txt", "evil.txt"),
        ("..\\..\\x.txt", "x.txt"),
        ("a\0.txt", "a .txt"),
        (".", "unnamed"),
    ],
)
def test_file_names_are_only_shown(desk, name, shown):  # FR-087
    path = desk.file("upload", "Osk is a town.")
    assert SourceFile.of(path, name).name == shown


def test_lone_surrogates_and_markers_are_stored_as_text(desk):  # FR-047, FR-069
    rows = r'{"title": "Osk \ud83d", "text": "Osk \ud83d tower <|endoftext|><|im_start|>."}'
    report = desk.add(desk.file("a.jsonl", rows))
    (document,) = desk.open().browse().documents
    assert report.added == 1 and document.title == "Osk \ufffd"
    assert document.text == "Osk \ufffd tower <|endoftext|><|im_start|>."


def test_two_files_of_one_name_are_both_kept_and_told(desk):  # FR-077
    report = desk.add(desk.file("a/notes.txt", "One."), desk.file("b/notes.txt", "Two."))
    assert report.documents == 2 and "other content is in already" in report.notices[0]


def test_official_records_give_their_contexts_once_with_their_own_sentences(desk):  # FR-081
    hotpot = {
        "_id": "1", "question": "?", "answer": "x", "supporting_facts": [],
        "context": [["Osk", ["Osk is a town", " e.g. a port."]], ["Osk", ["Osk is a town", " e.g. a port."]]],
    }  # fmt: skip
    musique = {
        "id": "2",
        "question": "?",
        "paragraphs": [{"idx": 0, "title": "Tem", "paragraph_text": "Tem flows."}],
    }
    report = desk.add(desk.file("dev.jsonl", f"{json.dumps(hotpot)}\n{json.dumps(musique)}"))
    assert (report.added, report.duplicates) == (2, 1)
    (osk,) = desk.open().documents(desk.open().resolve("hotpotqa:Osk"))
    assert [osk.sentence(n) for n in (0, 1)] == ["Osk is a town", "e.g. a port."]


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared question sets are not here")
@pytest.mark.parametrize(
    ("file", "count", "key"),
    [
        ("2wiki/corpus.jsonl.gz", 6119, "2wiki:Teutberga"),
        ("musique/corpus.jsonl.gz", 6823, "musique:m00000"),
        ("hotpotqa/corpus.jsonl.gz", 16275, "hotpotqa:&quot;J&quot; Is for Judgment"),
    ],
)
def test_published_corpora_keep_their_passages_whole_and_keyed(file, count, key):
    passages, notices = read(DATA / file)
    assert len(passages) == count and not notices
    assert passages[0].keys == (key,)
