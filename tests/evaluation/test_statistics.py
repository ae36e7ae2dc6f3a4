"""Means, intervals and paired tests, against values worked by hand or known from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from irag.evaluation.statistics import flips, holm, interval, mcnemar, mean_of, randomisation
from irag.measures import Score

RIGHT, WRONG, FAILED = Score(1.0), Score(0.0), Score(0.0, "failed")
NO_GOLD = Score(None, "no gold")


def test_a_mean_counts_failures_as_0_and_leaves_out_what_has_no_gold():
    mean = mean_of([RIGHT, RIGHT, WRONG, FAILED, NO_GOLD])
    assert (mean.value, mean.n, mean.failed, mean.without) == (0.5, 4, 1, 1)
    assert mean.why == "no gold" and mean.low is not None and mean.low < 0.5 < (mean.high or 0)


# FR-229
def test_unreadable_scores_never_make_the_mean_nan():
    unread = Score(None, "no score")
    mean = mean_of([Score(0.8), unread, unread, Score(0.8)])
    assert mean.value == pytest.approx(0.8) and (mean.n, mean.without) == (2, 2)
    none = mean_of([unread])
    assert none.value is None and none.low is None and none.n == 0 and none.why == "no score"


def test_an_interval_is_the_same_with_the_same_seed_and_near_the_normal_one():
    values = np.array([0.0, 1.0] * 200)
    assert interval(values, 3) == interval(values, 3) != interval(values, 4)
    low, high = interval(values, 3)
    assert low == pytest.approx(0.5 - 1.96 * 0.5 / 20, abs=0.01)
    assert high == pytest.approx(0.5 + 1.96 * 0.5 / 20, abs=0.01)


def test_randomisation_is_exact_for_few_differences():
    assert randomisation([1, 1, 1, 0, 0]) == 2 / 8
    assert randomisation([0.0, 0.0]) == 1.0
    assert randomisation([1, -1, 1, -1]) == 1.0


def test_randomisation_by_draws_agrees_with_the_sign_test_and_has_a_seed():
    differences = [1.0] * 20 + [-1.0] * 6
    p = randomisation(differences, 1)
    assert p == randomisation(differences, 1)
    assert p == pytest.approx(binomtest(6, 26).pvalue, abs=0.005)


def test_mcnemar_is_the_exact_binomial():
    for gained, lost in ((0, 0), (5, 0), (3, 7), (4, 4)):
        expected = binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
        assert mcnemar(gained, lost) == pytest.approx(expected)


def test_holm_corrects_in_order_and_never_turns_the_order_round():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.9, 0.8]) == (1.0, 1.0) and holm([]) == ()


def test_flips_name_what_got_right_and_what_got_wrong():
    before = {"a": 0.0, "b": 1.0, "c": 1.0, "e": 1.0}
    after = {"a": 1.0, "b": 0.0, "c": 1.0, "d": 1.0}
    changed = flips(before, after)
    assert changed.right == ("a",) and changed.wrong == ("b",)
