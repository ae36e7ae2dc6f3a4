"""Labels at work: on runs, and as a yardstick for rankings."""

from __future__ import annotations

import math

import pytest

from irag.labels.scores import Ranked, _score, method_scores, scorer_score
from tests.fakes import QUESTION
from tests.labels.making import ANA, Clock, label_all, labels_at, project, trace


@pytest.fixture
def labels(tmp_path):
    return labels_at(tmp_path, Clock())


def test_a_run_shows_the_labels_of_its_candidates_under_their_chain(labels):
    made = project(labels, overlap=1)
    label_all(labels, ANA, made.id, lambda item: 1 if item.hop == 1 else 2)
    found = labels.judged(made.id, trace())
    assert {hop: {f.grade for (h, _), f in found.items() if h == hop} for hop in (1, 2)} == {
        1: {1},
        2: {2},
    }
    items = labels.projects.items(made.id)
    assert set(found) == {(item.hop, item.candidate.id) for item in items}
    assert labels.judged(made.id, trace("Where is Osk?")) == {}
    assert labels.projects_about(QUESTION) == (made.id,)


def test_what_nobody_judged_has_no_label(labels):
    made = project(labels)
    assert labels.judged(made.id, trace()) == {}
    (score,) = method_scores(labels.book(made.id))
    assert (score.precision, score.ndcg, score.judged) == (None, None, 0.0)
    assert score.rankings == 0 and score.without_relevant == 2 and score.unjudged == 10


def test_scores_by_hand():
    ranked = Ranked("m", (3, None, 0, 2), (3, 2, 2, 0))
    score = _score("m", [ranked], 3, 2)
    assert score.precision == pytest.approx(1 / 3) and score.recall == pytest.approx(1 / 3)
    assert score.ndcg == pytest.approx(3 / (3 + 2 / math.log2(3) + 2 / 2))
    assert score.judged == pytest.approx(2 / 3) and score.unjudged == 1


def test_a_better_ranking_scores_higher(labels):
    runs = [("r1", trace()), ("r2", trace(method="kirag:max_hops=1,reader=none"))]
    made = project(labels, runs, overlap=1)
    label_all(labels, ANA, made.id, lambda item: 3 if item.place % 2 else 0)
    scores = {score.method: score for score in method_scores(labels.book(made.id))}
    assert len(scores) == 2 and all(score.judged == 1.0 for score in scores.values())
    assert scores["kirag:max_hops=1,reader=none"].rankings == 1


def test_a_scorer_is_measured_over_the_same_pools(labels):
    made = project(labels, overlap=1)
    right = {item.candidate.text: 3 * (item.place % 2) for item in labels.projects.items(made.id)}
    label_all(labels, ANA, made.id, lambda item: right[item.candidate.text])
    asked = []

    def oracle(query, texts):
        asked.append(query)
        return [float(right[text]) for text in texts]

    book = labels.book(made.id)
    best = scorer_score(book, "oracle", oracle, 3)
    worst = scorer_score(book, "worst", lambda query, texts: [-s for s in oracle(query, texts)], 3)
    assert best.ndcg == 1.0 and worst.ndcg < best.ndcg and best.judged == 1.0
    assert any(query.startswith(QUESTION) and query != QUESTION for query in asked)
