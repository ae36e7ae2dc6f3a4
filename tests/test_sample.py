"""The sample corpus keeps what its README promises."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from irag import models
from irag.data.questions import load_questions
from irag.retrieval.bm25 import TermIndex, bm25_scores, write_terms
from irag.retrieval.embedder import SentenceEmbedder
from irag.settings import load
from irag.text import language_of, retrieval_terms

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "assets" / "sample"
CORPORA = ROOT.parent / "shared" / "data"
KINDS = {"bridge", "comparison", "yes_no", "date", "number", "unanswerable"}
ANSWER_STANDS_IN_TEXT = {"bridge", "date", "number"}
EMBEDDER = "all-minilm-l6-v2"
READ = 3  # the passages a reader is given
TELLING = {  # words, one of which a passage would need that answers the unanswerable
    "en-father": ("father", "merchant", "farmer"),
    "en-children": ("children", "sons", "daughter"),
    "en-wife": ("wife", "married", "patricia"),
    "en-mother": ("mother", "maria"),
    "en-height": ("tall", "height", "short man", "centimetres"),
    "en-school": ("school", "gymnasium", "pupil"),
    "zh-population": ("人口", "万人"),
    "zh-wife": ("妻", "结婚", "胡絜青"),
}


def _rows(name):
    return [json.loads(line) for line in (SAMPLE / name).read_text("utf-8").splitlines()]


PASSAGES = _rows("passages.jsonl")
QUESTIONS = _rows("questions.jsonl")
BY_TITLE = {passage["title"]: passage for passage in PASSAGES}


def _text(passage):
    return f"{passage['title']}\n{passage['text']}"


def _gold_texts(question):
    return [_text(BY_TITLE[title]).casefold() for title in question["documents"]]


def _past_the_reader(scores, passages, question):
    """Does some gold passage stand after the first three, or match nothing?"""
    gold = [scores[passages.index(BY_TITLE[title])] for title in question["documents"]]
    return any(score <= 0 or (scores > score).sum() >= READ for score in gold)


every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])


def test_there_are_as_many_as_promised():
    languages = Counter(p["language"] for p in PASSAGES)
    assert len(PASSAGES) >= 150 and languages["zh"] >= 20 and set(languages) == {"en", "zh"}
    assert len(QUESTIONS) >= 40
    assert Counter(q["language"] for q in QUESTIONS)["zh"] >= 8
    kinds = Counter(q["kind"] for q in QUESTIONS)
    assert set(kinds) == KINDS and kinds["unanswerable"] >= 8
    assert all(number >= 2 for number in kinds.values())
    assert {len(q["documents"]) for q in QUESTIONS if q["kind"] == "bridge"} == {2, 3, 4}


def test_the_package_reads_every_question():
    read = load_questions(SAMPLE / "questions.jsonl")
    assert read.notices == () and [q.id for q in read.questions] == [q["id"] for q in QUESTIONS]


def test_the_first_five_are_of_five_sorts_and_have_an_answer():
    first = QUESTIONS[:5]
    assert all(q["answerable"] and len(q["sub_questions"]) >= 2 for q in first)
    sorts = {"zh" if q["language"] == "zh" else q["kind"] for q in first}
    assert sorts == {"bridge", "date", "number", "comparison", "zh"}


def test_ids_and_texts_are_unique():
    for rows, text in ((PASSAGES, "text"), (QUESTIONS, "question")):
        assert len({row["id"] for row in rows}) == len(rows)
        assert len({row[text].casefold() for row in rows}) == len(rows)


def test_passages_are_of_a_readable_length():
    for passage in PASSAGES:
        size = len(passage["text"].split() if passage["language"] == "en" else passage["text"])
        shortest, longest = (40, 120) if passage["language"] == "en" else (60, 180)
        assert shortest <= size <= longest, passage["id"]


def test_passages_and_questions_are_in_their_language():
    for row in PASSAGES + QUESTIONS:
        text = row.get("text") or row["question"]
        assert language_of(text) == row["language"], row["id"]
        chinese = len(re.findall(r"[\u4e00-\u9fff]", text)) / len(text)
        assert chinese > 0.7 if row["language"] == "zh" else chinese == 0, row["id"]


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
def test_each_link_of_the_chain_is_told_by_one_gold_passage(question):
    assert question["chain"]
    for head, relation, tail in question["chain"]:
        ends = head.casefold(), tail.casefold()
        assert relation and any(all(e in text for e in ends) for text in _gold_texts(question))


@every_question
def test_answers_stand_in_the_last_gold_passage(question):
    answers = question["answers"]
    assert bool(answers) == question["answerable"] == (question["kind"] != "unanswerable")
    if question["kind"] in ANSWER_STANDS_IN_TEXT:
        last = _gold_texts(question)[-1]
        assert any(answer.casefold() in last for answer in answers)
    elif question["kind"] == "yes_no":
        assert set(answers) <= {"yes", "no", "是", "不是"}
    elif question["kind"] == "comparison":
        assert answers[0].casefold() in "\n".join(_gold_texts(question))


@every_question
def test_sub_questions_lead_to_the_answer(question):
    steps = question["sub_questions"]
    assert len(steps) >= 2 and all(step["question"] for step in steps)
    assert all(step["answer"] for step in steps[:-1])
    assert bool(steps[-1]["answer"]) == question["answerable"]
    assert question["question"] not in {step["question"] for step in steps}


@every_question
def test_the_bridges_stand_in_the_gold_passages(question):
    text = "\n".join(_gold_texts(question))
    for step in question["sub_questions"][:-1]:
        assert step["answer"].removeprefix("the ").casefold() in text


@pytest.mark.parametrize(
    "question", [q for q in QUESTIONS if not q["answerable"]], ids=lambda q: q["id"]
)
def test_no_passage_about_it_answers_the_unanswerable(question):
    subject = question["chain"][-1][2]
    about = [p for p in PASSAGES if subject in _text(p) or p["title"] in question["documents"]]
    for passage in about:
        told = [word for word in TELLING[question["id"]] if word in _text(passage).casefold()]
        assert not told, passage["id"]


def test_words_of_the_question_alone_find_the_start_and_mostly_not_the_end(tmp_path):
    past = []
    for language in ("en", "zh"):
        passages = [p for p in PASSAGES if p["language"] == language]
        write_terms(tmp_path, [retrieval_terms(_text(p), language) for p in passages])
        index, live = TermIndex(tmp_path), np.ones(len(passages), bool)
        for question in (q for q in QUESTIONS if q["answerable"] and q["language"] == language):
            terms = retrieval_terms(question["question"], language)
            (scores,) = bm25_scores([index], [live], terms)
            first = scores[passages.index(BY_TITLE[question["documents"][0]])]
            assert first > 0 and (scores > first).sum() < READ, question["id"]
            past.append(_past_the_reader(scores, passages, question))
    assert len(past) >= 32 and sum(past) >= 0.7 * len(past)


@pytest.mark.slow
def test_the_embedder_too_mostly_needs_the_second_hop():
    where = load().models
    if not models.present(EMBEDDER, where):
        pytest.skip(f"{EMBEDDER} is not on this machine: python -m irag models pull {EMBEDDER}")
    embedder = SentenceEmbedder(models.path(EMBEDDER, where), EMBEDDER)
    vectors = embedder.embed_passages([_text(p) for p in PASSAGES])
    asked = [q for q in QUESTIONS if q["answerable"] and q["language"] == "en"]
    queries = embedder.embed_queries([q["question"] for q in asked])
    past = [
        _past_the_reader(vectors @ query, PASSAGES, question)
        for query, question in zip(queries, asked, strict=True)
    ]
    assert sum(past) >= 0.7 * len(past)


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
    kinds = Counter(q["kind"] for q in QUESTIONS)
    assert ", ".join(f"{kind} {kinds[kind]}" for kind in sorted(kinds)) in readme
    assert all(p["title"] in readme for p in PASSAGES if p.get("fictional"))
    for question in QUESTIONS:
        assert f"| {question['id']} | {question['kind']} |" in readme
