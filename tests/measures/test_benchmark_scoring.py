"""The benchmarks score with the same measures, and a question without gold does not stop them."""

from __future__ import annotations

import numpy as np

from benchmarks.scoring import print_differences, print_means, recall, score
from tests.measures.made import FAILED, trace


def test_a_question_without_gold_answers_is_left_out_of_the_means(capsys):
    assert np.isnan(score("EM", trace("Tem", ["p1"]))) and score("Hops", trace("Tem")) == 0.0
    scores = {"a": np.array([[1.0], [np.nan]]), "b": np.array([[0.0], [np.nan]])}
    print_means("a", ["EM"], scores["a"])
    print_differences(["EM"], scores)
    assert capsys.readouterr().out == "a: EM 100.0\nb - a: EM -100.0 [-100.0, -100.0]\n"


def test_recall_counts_gold_documents_by_any_of_their_ids():
    gold = [frozenset({"p1", "p9"}), frozenset({"p2"}), frozenset()]
    assert recall(trace(evidence=["p9", "p3", "p2"]), gold, 2) == 1 / 3
    assert recall(FAILED, gold, 2) == 0.0
