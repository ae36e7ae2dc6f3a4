"""Looking through a corpus: pages, searches, neighbourhoods, uploads and folders."""

from __future__ import annotations

import io
import json

import pytest

from irag.corpus import uploads
from irag.corpus.browsing import Browsing
from irag.corpus.gathering import gather
from irag.errors import CorpusError, UserError
from irag.types import document_id
from tests.corpus.fakes import TOWNS, Desk, SentenceExtractor, lines
from tests.corpus.test_cli import run


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path / "home")
    made.add(made.file("towns.jsonl", lines(*TOWNS)))
    return made


def look(desk):
    return Browsing.of(desk.home, desk.name)


def test_documents_come_by_title_in_pages_that_do_not_overlap(desk):
    titles = [row.title for row in look(desk).documents(limit=10).rows]
    assert titles == sorted(title for title, _ in TOWNS)
    first, second = (look(desk).documents(limit=3, offset=n) for n in (0, 3))
    assert [row.title for row in first.rows + second.rows] == titles and first.total == 5
    assert first.rows[0].triples == len(look(desk).triples_of(first.rows[0].id))


def test_every_word_must_be_there_in_any_case_and_percent_is_only_a_letter(desk):
    assert [row.title for row in look(desk).documents("TEM 1931").rows] == ["Tem Bridge"]
    assert look(desk).documents("%").total == 0 and look(desk).triples("_").total == 0
    assert look(desk).documents("tem nowhere").total == 0
    assert look(desk).documents(source="towns.jsonl").total == 5


def test_triples_are_searched_in_one_part_and_carry_their_sentence(desk):
    found = look(desk).triples("mira", "head")
    assert {said.triple.head for said in found.rows} == {"Mira"}
    assert look(desk).triples("mira", "tail").total == 0
    (said,) = look(desk).triples("marl", "tail").rows
    assert said.text == "Mira Oduya was born in Marl." and said.title == "Mira Oduya"
    assert said.triple.source == (document_id(*TOWNS[2]), 0)


def test_a_fact_of_two_documents_goes_with_the_second(desk):  # FR-138
    desk.add(desk.file("twin.jsonl", lines(("Twin", "Marl is a mining town."))))
    both = look(desk).triples("marl", "head")
    assert both.total == 2
    desk.indexer.remove([document_id(*TOWNS[3])])
    assert [said.title for said in look(desk).triples("marl", "head").rows] == ["Twin"]
    desk.indexer.remove([document_id("Twin", "Marl is a mining town.")])
    assert look(desk).triples("marl", "head").total == 0
    assert "Marl" not in {line.name for line in look(desk).entities("mining")}


def test_what_waits_is_listed_too_and_a_rebuild_shows_nothing_twice(desk):  # FR-152
    class Stops(SentenceExtractor):
        def extract(self, *asked, **named):
            raise CorpusError("stopped")

    desk.extractor = Stops()
    with pytest.raises(CorpusError):
        desk.add(desk.file("new.jsonl", lines(("Veld", "Veld is a land."))))
    found = look(desk).documents()
    assert [(row.title, row.pending) for row in found.rows][-1] == ("Veld", True)
    assert found.total == 6 and sum(row.pending for row in found.rows) == 1
    assert look(desk).document(document_id("Veld", "Veld is a land.")).title == "Veld"
    with pytest.raises(CorpusError, match="No document d0"):
        look(desk).document("d0")


def test_the_neighbourhood_keeps_its_limit_and_says_how_many_there_are(tmp_path):
    desk = Desk(tmp_path / "home")
    rows = [(f"T{n}", f"Osk knows T{n}. T{n} loves U{n}.") for n in range(30)]
    desk.add(desk.file("many.jsonl", lines(*rows)))
    near = look(desk).around("osk", 1, 10)
    assert len(near.rings[0]) == 10 and near.total == 30 and not near.more
    far = look(desk).around("OSK", 2, 40)
    names = {
        name for ring in far.rings for said in ring for name in (said.triple.head, said.triple.tail)
    }
    assert len(names) == 41 and "U0" in names
    ids = [said.triple.id for ring in far.rings for said in ring]
    assert len(ids) == len(set(ids))
    assert look(desk).entities()[0].triples == 30 and look(desk).around("nobody").total == 0


def test_uploads_keep_bytes_and_names_apart(tmp_path):
    files = [("../../etc/x.txt", b"one"), ("静港.txt", b"two"), ("../../etc/x.txt", b"three")]
    batch = uploads.keep(tmp_path, [(name, io.BytesIO(content)) for name, content in files])
    kept = uploads.kept(tmp_path, batch)
    assert [file.name for file in kept] == ["x.txt", "静港.txt", "x.txt"]
    assert [file.path.read_bytes() for file in kept] == [b"one", b"two", b"three"]
    assert all(file.path.parent.parent == tmp_path / "uploads" for file in kept)
    again = uploads.keep(tmp_path, [(name, io.BytesIO(content)) for name, content in files])
    assert again == batch and len(list((tmp_path / "uploads").iterdir())) == 1
    uploads.discard(tmp_path, batch)
    assert uploads.kept(tmp_path, batch) is None
    with pytest.raises(UserError, match="not the name of an upload"):
        uploads.kept(tmp_path, "../corpora")


def test_uploads_are_bounded_and_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_BYTES", 1_000_000)
    with pytest.raises(UserError, match="bigger than 1 MB"):
        uploads.keep(tmp_path, [("a.txt", io.BytesIO(b"x" * 1_000_001))])
    with pytest.raises(UserError, match="More than 200 files"):
        uploads.keep(tmp_path, [("a.txt", io.BytesIO(b"")) for _ in range(201)])
    with pytest.raises(UserError, match="No file was chosen"):
        uploads.keep(tmp_path, [])
    assert list((tmp_path / "uploads").iterdir()) == []


def test_a_folder_gives_its_known_files_in_order_and_says_what_it_left_out(tmp_path):
    for name in ("b.txt", "a/c.md", "a/.hidden.txt", "d.exe", "e"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    files, notices = gather([tmp_path])
    assert [file.path.name for file in files] == ["b.txt", "c.md"]
    assert "1 exe" in notices[0] and "1 no ending" in notices[0]
    assert gather([tmp_path / "d.exe"])[0][0].name == "d.exe"


def test_the_command_line_shows_the_same(desk, capsys):
    code, out, _ = run(desk, capsys, "documents", "osk", "--search", "1931")
    assert code == 0 and "Tem Bridge" in out and "1 of 1" in out
    code, out, _ = run(desk, capsys, "triples", "osk", "--search", "mira", "--json")
    assert code == 0 and json.loads(out)["rows"][0]["triple"]["head"] == "Mira"
    code, out, _ = run(desk, capsys, "failures", "osk")
    assert code == 0 and "0 of 0" in out
    code, _, err = run(desk, capsys, "documents", "none")
    assert code == 2 and "There is no corpus 'none'" in err
