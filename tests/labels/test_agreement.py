"""Agreement against published worked examples and the library others use, and where it ends."""

from __future__ import annotations

import numpy
import pytest

from irag.labels.agreeing import agreement
from irag.labels.agreement import Undefined, alpha, cohen, counts_of, fleiss, measured, percent
from irag.labels.court import disagreements
from irag.labels.report import agreement_json, agreement_markdown
from tests.labels.making import ANA, BO, CY, label_all, labels_at, project


def table(*columns):
    """Columns of one digit a rating, "." for none, as a matrix of places from 0 on."""
    rows = zip(*columns, strict=True)
    return numpy.array([[-1 if c == "." else int(c) - 1 for c in row] for row in rows])


# Krippendorff, Computing Krippendorff's alpha-reliability (2011), section D
KRIPPENDORFF = table("123321412...", "1233224125.3", ".3332342251.", "12332441251.")

# Fleiss 1971 as worked on Wikipedia: 10 subjects, 14 raters, 5 categories
FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_alpha_is_krippendorffs_own_example():
    assert alpha(KRIPPENDORFF, 5, "nominal") == pytest.approx(0.743, abs=0.001)
    assert alpha(KRIPPENDORFF, 5) == pytest.approx(0.815, abs=0.001)


def test_fleiss_is_the_worked_example():
    rows = [[key for key, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    grades = numpy.array(rows)
    assert counts_of(grades, 5).tolist() == FLEISS
    assert fleiss(grades, 5) == pytest.approx(0.210, abs=0.001)


@pytest.mark.parametrize(
    ("weights", "theirs"), [("unweighted", None), ("linear", "linear"), ("quadratic", "quadratic")]
)
def test_cohen_is_that_of_scikit_learn(weights, theirs):
    from sklearn.metrics import cohen_kappa_score

    chance = numpy.random.default_rng(3)
    grades = chance.integers(0, 4, size=(60, 2))
    grades[:30, 1] = grades[:30, 0]
    expected = cohen_kappa_score(grades[:, 0], grades[:, 1], labels=range(4), weights=theirs)
    assert cohen(grades, 4, weights) == pytest.approx(expected)


def test_percent_counts_pairs():
    assert percent(table("112", "113", "1.3"), 3) == pytest.approx((1 + 1 + 1 / 3) / 3)


@pytest.mark.parametrize("name", ["alpha_ordinal", "alpha_nominal", "fleiss", "cohen_quadratic"])
def test_equal_labels_have_no_alpha_and_say_why(name):
    found = measured(name, table("1111", "1111"), 4)
    assert found.value is None and found.low is None and "all labels are equal" in found.reason
    assert (found.items, found.annotators) == (4, 2)


@pytest.mark.parametrize("name", ["alpha_ordinal", "percent", "fleiss", "cohen"])
def test_without_common_items_nothing_is_defined(name):
    found = measured(name, table("12..", "..12"), 4)
    assert found.value is None and found.reason and found.excluded == 4


def test_no_label_at_all_is_said():
    assert isinstance(alpha(numpy.zeros((0, 0), numpy.int64), 4), Undefined)


def test_the_interval_holds_the_value_and_comes_out_equal():
    first, second = (measured("alpha_ordinal", KRIPPENDORFF, 5, seed=4) for _ in range(2))
    assert first == second and first.low < first.value < first.high
    assert first != measured("alpha_ordinal", KRIPPENDORFF, 5, seed=5)
    assert (first.items, first.annotators, first.excluded) == (11, 4, 1)


def test_one_item_has_a_value_and_no_interval():
    found = measured("percent", table("1", "2"), 4)
    assert (found.value, found.low, found.reason) == (0.0, None, "too few items for an interval")


def test_a_project_is_reported_with_pairs_removals_and_what_was_left_out(tmp_path):
    labels = labels_at(tmp_path)
    made = project(labels, overlap=3)
    labels.projects.set_gold(ANA, made.id, labels.projects.items(made.id)[0].id, 3)
    label_all(labels, ANA, made.id, lambda item: item.place % 4)
    label_all(labels, BO, made.id, lambda item: item.place % 4)
    label_all(labels, CY, made.id, lambda item: (item.place + 2) % 4)
    book = labels.book(made.id)
    found = agreement(book)
    assert found.headline.items == len(book.items) - 1 and found.headline.value < 0.5
    without_cy = next(one for one in found.removed if one.who == ("cy",))
    assert without_cy.value == 1.0 and len(found.pairs) == 9
    ana_bo = next(c for c in found.confusions if c.who == ("ana", "bo"))
    assert sum(map(sum, ana_bo.counts)) == len(book.items) - 1
    assert all(ana_bo.counts[i][j] == 0 for i in range(4) for j in range(4) if i != j)
    assert ("gold items", 1) in found.left_out
    assert "cy" in agreement_markdown(book, found) and "NaN" not in agreement_json(book, found)
    worst = disagreements(book)
    assert len(worst) == len(book.items) - 1 and {one.spread for one in worst} == {2}
