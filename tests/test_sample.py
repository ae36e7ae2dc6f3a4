"""The sample corpus keeps what its README promises."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "assets" / "sample"
CORPORA = ROOT.parent / "shared" / "data"
KINDS = {"bridge", "comparison", "yes_no", "date", "number", "unanswerable"}
ANSWER_STANDS_IN_TEXT = {"bridge", "date", "number"}


def _rows(name):
    return [json.loads(line) for line in (SAMPLE / name).read_text("utf-8").splitlines()]


PASSAGES = _rows("passages.jsonl")
QUESTIONS = _rows("questions.jsonl")
BY_TITLE = {passage["title"]: passage for passage in PASSAGES}


def _gold_text(question):
    gold = [BY_TITLE[title] for title in question["documents"]]
    return "\n".join(f"{p['title']}\n{p['text']}" for p in gold).casefold()


every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])


def test_there_are_as_many_as_promised():
    languages = Counter(p["language"] for p in PASSAGES)
    assert languages["en"] >= 50 and languages["zh"] >= 16 and set(languages) == {"en", "zh"}
    assert len(QUESTIONS) >= 18
    assert Counter(q["language"] for q in QUESTIONS)["zh"] >= 3
    kinds = Counter(q["kind"] for q in QUESTIONS)
    assert set(kinds) == KINDS and kinds["unanswerable"] >= 2
    assert {len(q["documents"]) for q in QUESTIONS if q["kind"] == "bridge"} == {2, 3, 4}


def test_ids_and_texts_are_unique():
    for rows, text in ((PASSAGES, "text"), (QUESTIONS, "question")):
        assert len({row["id"] for row in rows}) == len(rows)
        assert len({row[text].casefold() for row in rows}) == len(rows)


def test_passages_are_of_a_readable_length():
    for passage in PASSAGES:
        size = len(passage["text"].split() if passage["language"] == "en" else passage["text"])
        shortest, longest = (40, 110) if passage["language"] == "en" else (60, 180)
        assert shortest <= size <= longest, passage["id"]


def test_titles_try_the_layouts():
    titles = Counter(passage["title"] for passage in PASSAGES)
    assert max(map(len, titles)) > 90
    assert [title for title, number in titles.items() if number > 1] == ["Kirton"]


def test_invented_passages_say_so_and_answer_nothing():
    invented = [p for p in PASSAGES if p.get("fictional")]
    assert invented and {p["id"] for p in PASSAGES if p["source"] == "invented"} == {
        p["id"] for p in invented
    }
    for passage in invented:
        text = passage["text"]
        said = ("invented", "exists only in", "never made", "虚构")
        assert any(word in text for word in said), passage["id"]
        assert all(passage["title"] not in q["documents"] for q in QUESTIONS)


def test_no_text_holds_a_link():
    for name in ("passages.jsonl", "questions.jsonl"):
        text = (SAMPLE / name).read_text("utf-8")
        assert "http" not in text and "www." not in text


@every_question
def test_gold_passages_exist_once_and_in_the_questions_language(question):
    titles = [passage["title"] for passage in PASSAGES]
    for title in question["documents"]:
        assert titles.count(title) == 1
        assert BY_TITLE[title]["language"] == question["language"]
    assert len(set(question["documents"])) == len(question["documents"])


@every_question
def test_the_chain_is_told_by_the_gold_passages(question):
    text = _gold_text(question)
    assert question["chain"]
    for head, relation, tail in question["chain"]:
        assert relation and head.casefold() in text and tail.casefold() in text


@every_question
def test_answers_stand_in_the_last_gold_passage(question):
    answers = question["answers"]
    assert bool(answers) == question["answerable"] == (question["kind"] != "unanswerable")
    if question["kind"] in ANSWER_STANDS_IN_TEXT:
        last = BY_TITLE[question["documents"][-1]]
        text = f"{last['title']}\n{last['text']}".casefold()
        assert any(answer.casefold() in text for answer in answers)
    elif question["kind"] == "yes_no":
        assert set(answers) <= {"yes", "no", "是", "不是"}
    elif question["kind"] == "comparison":
        assert answers[0].casefold() in _gold_text(question)


@every_question
def test_sub_questions_lead_to_the_answer(question):
    steps = question["sub_questions"]
    assert len(steps) >= 2 and all(step["question"] for step in steps)
    assert all(step["answer"] for step in steps[:-1])
    assert bool(steps[-1]["answer"]) == question["answerable"]
    assert question["question"] not in {step["question"] for step in steps}


@every_question
def test_the_answer_is_not_given_away_by_the_question(question):
    if question["kind"] in ANSWER_STANDS_IN_TEXT:
        text = question["question"].casefold()
        assert not any(answer.casefold() in text for answer in question["answers"])


def test_sources_are_articles_of_the_published_corpora():
    files = [CORPORA / name / "corpus.jsonl.gz" for name in ("2wiki", "hotpotqa", "musique")]
    if not all(file.is_file() for file in files):
        pytest.skip("the published corpora are not beside this checkout")
    titles = set()
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            titles |= {json.loads(line)["title"] for line in lines}
    sources = {p["source"] for p in PASSAGES} - {"general knowledge", "invented"}
    assert sources and sources <= titles


def test_the_readme_counts_right():
    readme = (SAMPLE / "README.md").read_text("utf-8")
    assert f"{len(PASSAGES)} short passages" in readme and f"{len(QUESTIONS)} questions" in readme
    for question in QUESTIONS:
        assert f"| {question['id']} | {question['kind']} |" in readme
