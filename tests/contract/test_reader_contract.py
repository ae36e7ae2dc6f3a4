"""What holds for every reader of a question set: on a record of its shape, and on the set itself."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from irag.corpus.decoding import SourceFile
from irag.corpus.readers import Passage, read_passages
from irag.corpus.rows import folded_title
from irag.data.gold import DATASETS, dataset_of
from irag.data.questions import check_gold, load_questions
from irag.types import document_id
from tests.corpus.fakes import Desk

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared question sets are not here")

CONTEXT = [
    ["Osk", ["Osk is a town.", " Ana Kor founded it."]],
    ["Ana Kor", ["Ana Kor is from Marl."]],
]
FACTS = [["Osk", 1], ["Ana Kor", 0]]
PARAGRAPHS = [
    {"idx": n, "title": "Osk", "paragraph_text": text}
    for n, text in enumerate(["Osk is a town.", "Ana Kor founded Osk.", "Osk has a port."])
]
STEPS = [
    {"id": 1, "question": "Osk >> founder", "answer": "Ana Kor", "paragraph_support_idx": 1},
    {"id": 2, "question": "#1 >> port", "answer": "Marl", "paragraph_support_idx": 2},
]
PLAIN = {"id": "q", "question": "Who founded Osk?"}

RECORDS = {  # a record of each set, how many gold documents it names, and its first answer
    "2wiki": ({"_id": "q", "question": "From where is the founder of Osk?", "answer": "Marl", "type": "compositional",
               "supporting_facts": FACTS, "context": CONTEXT, "evidences": [["Osk", "founder", "Ana Kor"]]}, 2, "Marl"),
    "hotpotqa": ({"_id": "q", "question": "From where is the founder of Osk?", "answer": "Marl",
                  "supporting_facts": FACTS, "context": CONTEXT}, 2, "Marl"),
    "musique": ({"id": "q", "question": "What port has the founder's town?", "answer": "Marl", "answer_aliases": ["Old Marl"],
                 "paragraphs": PARAGRAPHS, "question_decomposition": STEPS}, 2, "Marl"),
    "strategyqa": ({"qid": "q", "question": "Could Ana Kor see Osk?", "answer": True, "decomposition": ["Where?", "Is #1 Osk?"],
                    "evidence": [[["no_evidence"], ["operation"]], [[["Osk-1", "Osk-3"]], ["operation"]]]}, 2, "yes"),
    "titles": ({"_id": "q", "question": "Who founded Osk?", "answer": "Ana Kor", "supporting_titles": ["Osk", "Ana Kor"]}, 2, "Ana Kor"),
    "bamboogle": ({"id": "q", "Question": "Who founded Osk?", "Answer": "Ana Kor", "Q1": "a", "A1": ["b"], "Q2": "c", "A2": ["d"]}, 0, "Ana Kor"),
    "nq_open": ({"question": "who founded osk", "answer": ["Ana Kor", "Kor"]}, 0, "Ana Kor"),
    "irag": (PLAIN | {"answers": ["Ana Kor"], "documents": ["Osk"], "kind": "bridge"}, 1, "Ana Kor"),
}  # fmt: skip
STRATEGYQA_PARAGRAPHS = {
    f"Osk-{n}": {"title": "Osk", "section": "", "headers": [""], "para_index": n, "content": text}
    for n, text in ((1, "Osk is a town."), (2, "Osk has a port."), (3, "Ana Kor lives in Osk."))
}


def test_every_set_has_a_record_here_and_is_told_by_its_fields():
    assert set(RECORDS) == set(DATASETS)
    assert {name: dataset_of(record) for name, (record, _, _) in RECORDS.items()} == {
        n: n for n in RECORDS
    }


@pytest.mark.parametrize("as_list", [False, True], ids=["lines", "one list"])
@pytest.mark.parametrize("name", RECORDS)
def test_official_records_are_read_and_their_gold_resolves(tmp_path, name, as_list):
    record, documents, answer = RECORDS[name]
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([record] if as_list else record), "utf-8")
    (question,) = load_questions(path).questions
    assert question.gold.answers[0] == answer and len(question.gold.documents) == documents
    assert bool(documents) == bool(DATASETS[name].documents)

    desk = Desk(tmp_path / "home")
    context = path
    if name == "strategyqa":
        context = desk.file("paragraphs.json", json.dumps(STRATEGYQA_PARAGRAPHS))
    elif not {"context", "paragraphs"} & set(record):
        context = desk.file("c.jsonl", "\n".join(
            json.dumps({"title": title, "text": "".join(parts)}) for title, parts in CONTEXT))  # fmt: skip
    desk.add(context)
    assert not check_gold([question], desk.open()).unresolved


def test_gold_that_a_corpus_lacks_is_counted_and_said(tmp_path):
    desk = Desk(tmp_path / "home")
    desk.add(desk.file("half.jsonl", json.dumps({"title": "Osk", "text": "Osk is a town."})))
    path = tmp_path / "q.jsonl"
    path.write_text(
        json.dumps(RECORDS["hotpotqa"][0]) + "\n" + json.dumps(RECORDS["irag"][0]), "utf-8"
    )
    check = check_gold(load_questions(path).questions, desk.open())
    assert (check.missing, check.documents, check.unresolved) == (1, 3, (("q", ("Ana Kor",)),))
    assert str(check) == (
        "1 of 3 gold documents are not in the corpus (1 of 2 questions), such as: Ana Kor."
    )


def test_a_set_uploaded_under_another_name_still_resolves_by_its_passage_ids(tmp_path):
    desk = Desk(tmp_path / "home")
    desk.add(
        desk.file("upload.jsonl", json.dumps({"pid": "m00007", "title": "Osk", "text": "Osk."}))
    )
    steps = [
        {"question": "a", "answer": "b", "gold_pid": "m00007"},
        {"question": "c", "answer": "d", "gold_pid": "m00008"},
    ]
    path = tmp_path / "q.jsonl"
    path.write_text(
        json.dumps({"id": "q", "question": "?", "answer": "b", "question_decomposition": steps}),
        "utf-8",
    )
    check = check_gold(load_questions(path).questions, desk.open())
    assert check.unresolved == (("q", ("musique:m00008",)),)


class Here(NamedTuple):
    """A set as it lies in ../shared/data: its files, and what they hold."""

    dataset: str
    questions: str
    passages: str
    counts: tuple[int, int, int]  # questions, gold documents, passages
    first: tuple[str, str]  # id, main answer
    last: tuple[str, str]


SETS = [
    Here("2wiki", "2wiki/dev_distractor", "2wiki/dev_distractor", (390, 972, 3900),
         ("ad4195740bdc11eba7f7acde48001122", "Sonnac"), ("f3b47f7908a611ebbd7fac1f6bf848b6", "Balzekas Museum Of Lithuanian Culture")),
    Here("titles", "2wiki/hipporag1000_questions", "2wiki/corpus", (616, 1520, 6119),
         ("a1d9a65c0bd911eba7f7acde48001122", "Detroit"), ("d18fc6640bda11eba7f7acde48001122", "France")),
    Here("hotpotqa", "hotpotqa/dev_distractor", "hotpotqa/dev_distractor", (739, 1478, 7354),
         ("5ae3f1bb5542995ad6573cbe", "Achimenes"), ("5abe250f5542991f661060ef", "Sam Waterston")),
    Here("titles", "hotpotqa/corpus_questions", "hotpotqa/corpus", (981, 1962, 16275),
         ("5a8b57f25542995d1e6f1371", "yes"), ("5abe250f5542991f661060ef", "Sam Waterston")),
    Here("musique", "musique/dev_ans", "musique/dev_ans", (174, 432, 3480),
         ("2hop__574419_270105", "Stanley"), ("4hop1__567737_141375_458768_33637", "two")),
    Here("musique", "musique/corpus_questions", "musique/corpus", (713, 1880, 6823),
         ("2hop__252311_366220", "Mike Medavoy"), ("3hop2__30152_105395_20999", "The dynasty regrouped and defeated the Portuguese")),
    Here("strategyqa", "other/strategyqa_dev", "other/strategyqa_dev_paragraphs", (152, 344, 998),
         ("e0044a7b4d146d611e73", "no"), ("bac108d947b7b26035cc", "no")),
    Here("bamboogle", "other/bamboogle", "", (68, 0, 0), ("bamboogle_000", "james madison"), ("bamboogle_124", "One World, One Dream")),
    Here("nq_open", "other/nq_open_test1000", "", (592, 0, 0), ("nq_0000", "14 December 1972 UTC"), ("nq_0997", "Oklahoma")),
]  # fmt: skip


class Shelf:
    """Passages found by id, key and title as a corpus finds them, without indexing them."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._known: dict[str, dict[str, None]] = defaultdict(dict)
        for passage in passages:
            name = document_id(passage.title, passage.text)
            for called in (name, *passage.keys, folded_title(passage.title)):
                self._known[called][name] = None

    def resolve(self, name: str) -> tuple[str, ...]:
        return tuple(self._known.get(name) or self._known.get(folded_title(name), ()))


def passages_in(file: str) -> list[Passage]:
    if not file:
        return []
    source = SourceFile.of(DATA / f"{file}.jsonl.gz")
    return list(read_passages(source, 120, pytest.fail, lambda at: None))


@needs_data
@pytest.mark.parametrize("here", SETS, ids=lambda here: here.questions)
def test_a_published_set_is_read_whole_and_all_its_gold_resolves(here):
    questions = load_questions(DATA / f"{here.questions}.jsonl.gz").questions
    passages = passages_in(here.passages)
    check = check_gold(questions, Shelf(passages))
    assert (len(questions), check.documents, len(passages)) == here.counts
    assert len({q.id for q in questions}) == len(questions)
    ends = [(q.id, q.gold.answers[0]) for q in (questions[0], questions[-1])]
    assert ends == [here.first, here.last] and all(q.gold.answers for q in questions)
    assert not check.unresolved
    if check.documents:
        assert check_gold(questions, Shelf(passages[: len(passages) // 2])).missing


@needs_data
def test_yes_and_no_of_strategyqa_are_words_and_its_steps_are_kept():
    questions = load_questions(DATA / "other/strategyqa_dev.jsonl.gz").questions
    assert {q.gold.answers for q in questions} == {("yes",), ("no",)}
    assert questions[0].gold.documents == (
        "strategyqa:Albany, Georgia-1",
        "strategyqa:Albany, New York-2",
    )
    assert len(questions[0].gold.sub_questions) == 5
