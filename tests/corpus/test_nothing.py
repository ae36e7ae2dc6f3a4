"""Corpora with next to nothing in them: no documents, no triples, no rates to divide by."""

import pytest

from irag.cli import main
from irag.corpus.progress import Progress, Watch
from irag.corpus.reading import AddReport
from irag.data.questions import check_gold, load_questions
from irag.errors import CorpusError
from irag.triples import Extraction, NoTriples
from irag.types import Triple, triple_id
from irag.views.entity_graph import entity_graph
from tests.corpus.fakes import Desk


class OneEntity:
    """Finds one entity, and nothing else that it is tied to."""

    name = "rules: one-1"

    def extract(self, documents, sample=0, cancel=None):
        for one in documents:
            triple = Triple(
                triple_id("Osk", "is", "Osk", one.id, 0), "Osk", "is", "Osk", (one.id, 0)
            )
            yield Extraction((triple,))


@pytest.mark.parametrize("extractor", [NoTriples(), OneEntity()], ids=["no triples", "one loop"])
def test_a_document_without_edges_is_indexed_found_and_shown(tmp_path, extractor):  # FR-059
    desk = Desk(tmp_path / "home", extractor=extractor)
    report = desk.add(desk.file("osk.txt", "Osk"))
    assert not report.failures and report.documents == 1
    corpus = desk.open()
    ((hit,),) = corpus.search(["Osk"], 5)
    (triples,) = corpus.triples_of([hit.unit.id])
    assert hit.unit.text == "Osk" and len(triples) == report.triples
    (ranked,) = corpus.rank(["Osk"], [triples], 5)
    assert len(ranked) == report.triples
    shown = entity_graph("Osk", [triples], len(triples), False)
    assert [node.label for node in shown.nodes] == ["Osk"]
    assert {end for edge in shown.edges for end in (edge.source, edge.target)} <= {
        shown.nodes[0].id
    }


def test_a_corpus_of_nothing_says_so_and_stays_whole(tmp_path, monkeypatch, capsys):  # FR-061
    desk = Desk(tmp_path / "home")
    seen: list[Progress] = []
    report = desk.add(report=seen.append)
    assert str(report) == "0 passages added; the corpus has 0 and 0 triples."
    with pytest.raises(CorpusError, match="not indexed yet. Add files"):
        desk.open()
    assert all(str(progress) for progress in seen)
    monkeypatch.setenv("IRAG_HOME", str(tmp_path / "home"))
    assert main(["corpus", "add", "osk"]) == 2
    assert "Nothing to do: name files to add to osk." in capsys.readouterr().err


def test_progress_and_reports_of_nothing_divide_by_nothing(tmp_path):  # FR-061
    seen: list[Progress] = []
    meter = Watch(seen.append).stage("vectors", 0)
    meter.reached(0)
    meter.advance(0)
    assert [str(progress) for progress in seen] == ["vectors: 0 of 0"] * 3
    assert str(AddReport()) == "0 passages added; the corpus has 0 and 0 triples."
    empty = tmp_path / "q.jsonl"
    empty.write_text("\n", "utf-8")
    found = load_questions(empty)
    assert (
        found.questions == ()
        and str(check_gold((), None)) == "0 questions, none of which names its documents."
    )
