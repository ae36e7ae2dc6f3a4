"""A judge's scores: asked once, what cannot be read is no score, and no model is said."""

from __future__ import annotations

import json

import numpy as np
import pytest

from irag.errors import LLMError
from irag.evaluation import Experiment, Folder, evaluate
from irag.evaluation.judging import judge, read_scores
from irag.evaluation.similarity import compare_answers
from irag.evaluation.statistics import mean_of
from irag.llm.scripted import Scripted
from irag.measures import Score, parse_measures
from irag.measures.judged import share_of
from irag.methods import parse_method
from tests.evaluation.bench import cases, plan, scripted
from tests.fakes import fake_tools


# FR-229
def test_the_mean_is_over_the_replies_that_can_be_read():
    shares = [share_of(said) for said in ("4/5", "n/a", "", "0.8")]
    scores = [Score(None, "no score") if share is None else Score(share) for share in shares]
    mean = mean_of(scores)
    assert mean.value == pytest.approx(0.8) and (mean.n, mean.without) == (2, 2)
    assert mean.why == "no score"


def test_only_numbers_between_0_and_1_are_scores():
    assert [share_of(said) for said in (1, 0.25, "80%", " 3 / 4 ")] == [1.0, 0.25, 0.8, 0.75]
    for wrong in (True, None, -0.5, "7/5", "1/0", 4, "0.8 of 1", "nan", float("nan"), [1]):
        assert share_of(wrong) is None, wrong


def test_a_reply_is_read_aspect_by_aspect():
    found = read_scores('{"faithfulness": "4/5", "relevance": 2}')
    assert found["Faithfulness"] == Score(0.8)
    assert found["Relevance"] == found["Completeness"] == Score(None, "no score")
    assert all(score.value is None for score in read_scores("n/a").values())


def test_answers_are_judged_once_and_a_failing_judge_stops_nothing(tmp_path):
    measures, some = parse_measures("EM Faithfulness Completeness Relevance"), cases(3)
    texts = ["naive_rag", "naive_rag:reader=none"]
    folder = Folder.begin(tmp_path / "x", plan(some, texts))
    methods = [parse_method(text) for text in texts]
    evaluate(Experiment(methods, some, fake_tools(scripted()), measures), folder)
    kept = {row.method: row.scores["Relevance"] for row in folder.rows.values()}
    assert kept == {texts[0]: Score(None, "no model"), texts[1]: Score(None, "not asked")}

    def reply(request):
        if ", 1?" in request.messages[-1].text:
            return LLMError("The server went away.")
        return json.dumps({"faithfulness": 0.5, "completeness": 1, "relevance": 0})

    llm, told = Scripted(reply), []
    judge(folder, fake_tools(llm), 2, lambda done, total: told.append((done, total)))
    again = Folder(tmp_path / "x")
    faithful = [again.rows["naive_rag", f"q{n}"].scores["Faithfulness"] for n in range(3)]
    assert faithful == [Score(0.5), Score(None, "no score"), Score(0.5)]
    assert told[-1] == (3, 3) and again.rows["naive_rag", "q0"].scores["EM"] == Score(1.0)
    assert len(again.rows) == 6 and len(llm.history) == 3
    asked = len(llm.history)
    judge(again, fake_tools(llm), 2)
    assert len(llm.history) == asked and again.trace("naive_rag", "q2").question.id == "q2"


def test_the_cosine_between_an_answer_and_its_evidence_is_the_embedders(tmp_path):
    measures, some = parse_measures("Cosine Relevance"), cases(2)
    folder = Folder.begin(tmp_path / "x", plan(some, ["naive_rag"]))
    method = parse_method("naive_rag")
    evaluate(Experiment([method], some, fake_tools(scripted()), measures), folder)

    def embed(texts):
        counts = np.array([[text.count("Tem"), text.count("e"), 1] for text in texts], float)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)

    compare_answers(folder, embed)
    row = Folder(tmp_path / "x").rows["naive_rag", "q0"]
    cosine = row.scores["Cosine"].value
    assert cosine is not None and 0 < cosine < 1
    assert row.scores["Relevance"] == Score(None, "no model")
