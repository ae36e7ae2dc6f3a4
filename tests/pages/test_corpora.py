"""The Corpora page over real corpora and real jobs with fake models: what a press does."""

from __future__ import annotations

import io
import json

import pytest
from streamlit.testing.v1 import AppTest

from irag.corpus import list_corpora
from tests.corpus.fakes import TOWNS, Desk, SentenceExtractor, lines
from tests.jobs.desk import bench, towns, until
from tests.pages.opening import APP, seen, words

HOSTILE = "It cost $5. ~~Old~~ <b>Osk</b> :smile: [x](javascript:alert(1)) *a*"


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "home", name="osk")


@pytest.fixture
def filled(desk):
    desk.add(desk.file("towns.jsonl", lines(*TOWNS)))
    return desk


def opened(used, **link):
    page = AppTest.from_file(APP, default_timeout=30)
    page.session_state["workbench"] = used
    page.switch_page("pages/corpora.py")
    for name, value in link.items():
        page.query_params[name] = value
    return seen(page.run())


def tab(page, name, chosen):
    return seen(page.button_group(key=f"tab-{name}").set_value(chosen).run())


def said(page):
    """Without the style sheet."""
    return words(page).split("</style>")[-1] + words(page).split("<style>")[0]


def test_without_a_corpus_it_invites_and_gets_the_sample_in_one_press(tmp_path):
    used = bench(tmp_path / "home")
    page = opened(used)
    assert "No corpus yet. Add files, or open the sample." in said(page)
    seen(page.button(key="corpora.sample").click().run())
    (job,) = used.jobs()
    assert (job.kind, job.about) == ("corpus add", "sample")
    until(used.shelf.jobs, job.id, "done")
    seen(page.run())
    assert "Indexing sample" in said(page) and "ready" in said(page)
    assert not [one for one in page.button if one.key == "corpora.sample"]


def test_a_corpus_is_made_and_files_are_dropped_into_it_once(tmp_path):  # FR-186, FR-190
    used = bench(tmp_path / "home")
    page = opened(used)
    page.text_input(key="new.name").set_value("港口")
    page.file_uploader(key="new.files").set_value(
        [("../a.txt", b"Osk is a town.", "text/plain"), ("b.bin", b"\0\1", "application/x")]
    )
    seen(page.button(key="new.create").click().run())
    assert page.query_params["name"] in ("港口", ["港口"])
    (job,) = used.jobs("港口")
    for chosen in ("files", "documents", "more", "files", "triples"):
        tab(page, "港口", chosen)
    until(used.shelf.jobs, job.id, "done")
    seen(page.run())
    assert len(used.jobs()) == 1
    assert "1 problem" in said(page) and "b.bin" in said(page)
    (card,) = list_corpora(used.settings.home)
    assert (card.name, card.documents) == ("港口", 1)
    assert not list((used.settings.home / "uploads").iterdir())


def test_a_name_that_cannot_be_one_and_a_twin_are_refused(filled):
    used = bench(filled.home)
    page = opened(used)
    for name, why in (("../x", "cannot be the name"), ("osk", "There is a corpus osk already")):
        page.text_input(key="new.name").set_value(name)
        seen(page.button(key="new.create").click().run())
        assert why in said(page)
    assert [card.name for card in used.corpora()] == ["osk"] and not used.jobs()


def test_documents_are_paged_searched_opened_and_removed(tmp_path):
    desk = Desk(tmp_path / "home", name="osk")
    desk.add(towns(tmp_path / "files", 45))
    used = bench(desk.home)
    page = opened(used, name="osk")
    assert "1–20 of 45" in said(page)
    page.text_input(key="search-documents-osk").set_value("TOWN 44")
    seen(page.run())
    (line,) = [one for one in page.button if (one.key or "").startswith("open-")]
    seen(line.click().run())
    assert "Its triples, by sentence" in said(page) and 'id="sentence-1"' in words(page)
    assert "44 swans" in said(page)
    remove = next(one for one in page.button if (one.key or "").startswith("remove-d"))
    seen(remove.click().run())
    assert used.corpora()[0].documents == 44
    assert "Nothing fits this search." in said(page)


def test_triples_are_shown_with_their_sentence_marked_and_nothing_runs(desk):  # FR-188
    desk.add(desk.file("a.jsonl", lines((HOSTILE, f"Osk {HOSTILE} Tem."))))
    page = tab(opened(bench(desk.home), name="osk"), "osk", "triples")
    assert "<mark>Osk</mark>" in words(page) and "&lt;b&gt;" in words(page)
    assert "<b>Osk" not in words(page)
    page.text_input(key="search-triples-osk").set_value("nowhere")
    assert "Nothing fits this search." in said(seen(page.run()))


def test_sixty_thousand_triples_are_shown_a_page_at_a_time(desk):  # FR-189
    from sqlalchemy import insert

    from irag.corpus.database import begin, open_engine, triples

    desk.add(desk.file("a.txt", "Osk lies on the Tem."))
    rows = [
        {"document": 1, "sentence": 0, "id": f"t{n}", "head": f"Osk {n}", "relation": "is", "tail": "x"}
        for n in range(60_000)
    ]  # fmt: skip
    with begin(open_engine(desk.folder)) as connection:
        connection.execute(insert(triples), rows)
    page = tab(opened(bench(desk.home), name="osk"), "osk", "triples")
    assert "1–50 of 60,001" in said(page)
    assert sum(len(one.proto.body) for one in page.get("html")) < 200_000
    tab(page, "osk", "graph")
    assert "showing 20 of" in said(page) or "Find an entity" in str(page.text_input)


def test_failures_are_named_with_the_reason_and_tried_again(desk):
    desk.extractor = SentenceExtractor(fails="Marl")
    desk.add(desk.file("towns.jsonl", lines(*TOWNS)))
    used = bench(desk.home)
    page = tab(opened(used, name="osk"), "osk", "failures")
    assert "Marl" in said(page) and "prose" in said(page)
    seen(page.button(key="retry-osk").click().run())
    assert used.jobs("osk")[0].kind == "corpus retry"


def test_ask_about_it_goes_to_ask_with_the_corpus_chosen(tmp_path):
    for name in ("marl", "osk"):
        one = Desk(tmp_path / "home", name=name)
        one.add(one.file(f"{name}.txt", f"{name} is a town."))
    page = opened(bench(tmp_path / "home"), name="osk")
    (link,) = page.get("page_link")
    assert "corpus=osk" in str(link.proto)
    page.switch_page("pages/ask.py")
    page.query_params["corpus"] = "osk"
    seen(page.run())
    assert page.selectbox(key="ask.corpus").value == "osk"


def test_a_corpus_is_removed_only_when_its_name_is_typed(filled):
    used = bench(filled.home)
    page = tab(opened(used, name="osk"), "osk", "more")
    page.text_input(key="typed-osk").set_value("os")
    seen(page.button(key="delete-osk").click().run())
    assert "nothing was removed" in said(page) and used.corpora()
    page.text_input(key="typed-osk").set_value("osk")
    seen(page.button(key="delete-osk").click().run())
    assert [one.value for one in page.success] == ["The corpus osk is removed\\."]
    assert not used.corpora()


def test_a_damaged_corpus_is_said_and_can_be_rebuilt(filled):  # FR-150
    (filled.folder / "CURRENT").write_text("{")
    used = bench(filled.home)
    page = opened(used)
    assert "damaged" in said(page)
    seen(page.button(key="open-osk").click().run())
    assert "CURRENT is damaged" in said(page)
    seen(page.button(key="rebuild-osk").click().run())
    job = until(used.shelf.jobs, used.jobs("osk")[0].id, "done")
    assert json.loads(job.result)["documents"] == 5


def test_what_waits_is_counted_and_finished_by_one_press(filled):  # FR-152
    from irag.errors import LLMError

    class Stops(SentenceExtractor):
        def extract(self, *asked, **named):
            raise LLMError("the server went away")

    filled.extractor = Stops()
    with pytest.raises(LLMError):
        filled.add(filled.file("more.jsonl", lines(("Veld", "Veld is a land."))))
    used = bench(filled.home)
    page = opened(used, name="osk")
    assert "1 passage waits to be indexed" in said(page) and "waits to be indexed" in said(page)
    seen(page.button(key="finish-osk").click().run())
    until(used.shelf.jobs, used.jobs("osk")[0].id, "done")
    assert used.corpora()[0].documents == 6


def test_an_unknown_corpus_or_document_is_said_with_a_way_back(filled):
    used = bench(filled.home)
    page = opened(used, name="gone")
    assert "There is no corpus gone" in said(page)
    assert [one for one in page.button if one.label == "All corpora"]
    page = opened(used, name="osk", document="d0")
    assert "No document d0 in this corpus" in said(page)


def test_triples_are_extracted_anew_from_another_source(filled):
    used = bench(filled.home)
    page = tab(opened(used, name="osk"), "osk", "more")
    assert "Where its triples come from" in said(page)
    page.selectbox(key="source-of-osk").set_value("none")
    seen(page.button(key="use-source-osk").click().run())
    (job,) = used.jobs("osk")
    assert job.arguments[:4] == ("corpus", "rebuild", "osk", "--triples")
    until(used.shelf.jobs, job.id, "done")
    assert used.corpora()[0].triples == 0


def test_triples_of_others_are_imported_under_a_name(filled):
    used = bench(filled.home)
    fact = json.dumps({"title": "Osk", "sentence": 0, "head": "Osk", "relation": "lies on", "tail": "the Tem"})  # fmt: skip
    page = tab(opened(used, name="osk"), "osk", "more")
    seen(page.button(key="import-osk-do").click().run())
    assert "Choose a file, and a name for its triples." in said(page)
    job = used.shelf.import_triples("osk", "theirs.jsonl", io.BytesIO(fact.encode()), "theirs")
    until(used.shelf.jobs, job, "done")
    assert used.shelf.imported("osk") == ("theirs",)
