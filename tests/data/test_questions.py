"""Question files of every published shape, and what is wrong with real ones."""

import gzip
import json
from pathlib import Path

import pytest

from irag.data.questions import load_questions, read_questions, resolve_gold
from irag.errors import FileRejected
from irag.types import Gold, Question, document_id
from tests.corpus.fakes import TOWNS, Desk, lines

DATA = Path(__file__).parents[3] / "shared" / "data"


def written(folder: Path, *records: object) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), "utf-8")
    return path


def test_our_own_format_keeps_everything(tmp_path):
    record = {
        "id": "q", "question": "Who founded Osk?", "answers": ["Ana Kor", "Kor"], "kind": "bridge",
        "language": "en", "answerable": False, "documents": ["Osk"],
        "chain": [["Osk", "founded by", "Ana Kor"]],
        "sub_questions": [{"question": "Which town?", "answer": "Osk"}],
    }  # fmt: skip
    assert read_questions(written(tmp_path, record)) == (
        Question(
            "q", "Who founded Osk?",
            Gold(("Ana Kor", "Kor"), ("Osk",), (), (("Osk", "founded by", "Ana Kor"),), (("Which town?", "Osk"),)),
            "bridge", "en", False,
        ),
    )  # fmt: skip


def test_clashing_and_missing_ids_are_made_distinct_and_named_by_line(tmp_path):  # FR-081
    rows = [
        {"id": "q1", "question": "One?"}, {"id": "q1", "question": "Two?"}, {"question": "Three?"},
        {"id": 1, "question": "Four?"}, {"id": "1", "question": "One?"}, "", "{bad", [1], {"id": "x"},
    ]  # fmt: skip
    found = load_questions(written(tmp_path, *rows))
    assert [q.id for q in found.questions] == ["q1", "q1-2", "line-3", "1", "1-2"]
    notices = "\n".join(found.notices)
    for said in ("line 2: the id q1 is taken; kept as q1-2", "line 5: the id 1 is taken",
                 "line 5: the same question as line 1", "line 7: not JSON", "line 8: not an object",
                 "line 9: not a question"):  # fmt: skip
        assert said in notices


def test_yes_and_no_come_from_true_and_false_and_gzip_is_read(tmp_path):
    path = tmp_path / "q.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"qid": "a", "question": "Is it?", "answer": false}'))
    assert read_questions(path)[0].gold.answers == ("no",)
    with pytest.raises(FileRejected, match="none.jsonl: cannot be read"):
        read_questions(tmp_path / "none.jsonl")


def test_gold_resolves_through_titles_keys_and_ids_and_the_rest_is_counted(tmp_path):
    desk = Desk(tmp_path / "home")
    desk.add(desk.file("2wiki/corpus.jsonl", lines(*TOWNS)))
    question = Question("q", "?", Gold(documents=("Osk", "2wiki:Marl", "jon pell", "Nowhere")))
    found = resolve_gold(question, desk.open())
    ids = [document_id(*TOWNS[n]) for n in (0, 3, 4)]
    assert found.documents == tuple((name,) for name in ids)
    assert found.unresolved == ("Nowhere",)


def test_a_musique_record_means_its_own_passage_among_those_of_one_title(tmp_path):
    record = {
        "id": "m", "question": "Who?", "answer": "Kor", "answer_aliases": ["Ana"],
        "paragraphs": [{"idx": n, "title": "Osk", "paragraph_text": f"Text {n}."} for n in (0, 1)],
        "question_decomposition": [{"question": "a", "answer": "b", "paragraph_support_idx": 1}],
    }  # fmt: skip
    path = written(tmp_path, record)
    desk = Desk(tmp_path / "home")
    desk.add(path)
    (question,) = read_questions(path)
    assert question.gold.answers == ("Kor", "Ana")
    assert resolve_gold(question, desk.open()).documents == ((document_id("Osk", "Text 1."),),)


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared question sets are not here")
@pytest.mark.parametrize(
    ("file", "count", "first", "documents"),
    [
        ("2wiki/hipporag1000_questions", 616, "Detroit", 2),
        ("2wiki/dev_distractor", 390, "Sonnac", 2),
        ("hotpotqa/corpus_questions", 981, "yes", 2),
        ("hotpotqa/dev_distractor", 739, "Achimenes", 2),
        ("musique/corpus_questions", 713, "Mike Medavoy", 2),
        ("musique/dev_ans", 174, "Stanley", 2),
        ("other/bamboogle", 68, "james madison", 0),
    ],
)
def test_published_sets_are_read_whole(file, count, first, documents):
    found = load_questions(DATA / f"{file}.jsonl.gz")
    assert len({q.id for q in found.questions}) == len(found.questions) == count
    gold = found.questions[0].gold
    assert gold.answers[0] == first and len(gold.documents) == documents
    assert not [said for said in found.notices if "the same question" not in said]
