"""FAISS, BM25 and fusion, each against a few lines of plain arithmetic."""

import math
from pathlib import Path

import numpy as np
import pytest

from irag.retrieval.bm25 import K1, B, TermIndex, bm25_scores, write_terms
from irag.retrieval.dense import DenseIndex, read_dense, write_dense
from irag.retrieval.ranking import fuse, ordered

TEXTS = ["a b b c", "a a a", "c d", "", "b d d d e"]


def segment(folder: Path, texts: list[str]) -> TermIndex:
    folder.mkdir()
    write_terms(folder, (text.split() for text in texts))
    return TermIndex(folder)


def by_hand(texts: list[str], query: str) -> list[float]:
    split = [text.split() for text in texts]
    mean = sum(map(len, split)) / len(split)
    scores = []
    for words in split:
        score = 0.0
        for term in query.split():
            holders = sum(term in other for other in split)
            idf = math.log(1 + (len(split) - holders + 0.5) / (holders + 0.5))
            count = words.count(term)
            score += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * len(words) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize("query", ["a", "b d", "a a c", "nothing", ""])
def test_bm25_follows_its_formula(tmp_path, query):
    index = segment(tmp_path / "s", TEXTS)
    (scores,) = bm25_scores([index], [np.ones(5, bool)], query.split())
    np.testing.assert_allclose(scores, by_hand(TEXTS, query), rtol=1e-5)


def test_segments_and_removals_score_as_one_index_of_what_is_left(tmp_path):
    parts = segment(tmp_path / "one", TEXTS[:2]), segment(tmp_path / "two", TEXTS[2:])
    live = np.array([True, False]), np.ones(3, bool)
    scores = np.concatenate(bm25_scores(parts, live, ["a", "d"]))
    left = by_hand([TEXTS[n] for n in (0, 2, 3, 4)], "a d")
    np.testing.assert_allclose(scores, [left[0], 0, *left[1:]], rtol=1e-5)


def test_dense_search_is_exact_and_skips_rows(tmp_path):
    rows = np.random.default_rng(0).normal(size=(500, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    write_dense(tmp_path / "x.faiss", rows.astype(np.float16))
    index = DenseIndex(read_dense(tmp_path / "x.faiss"))
    scores, found = index.search(rows[:3], 4)
    expected = np.argsort(-(rows[:3] @ rows.T), axis=1)[:, :4]
    assert (found == expected).all() and (found[:, 0] == [0, 1, 2]).all()
    np.testing.assert_allclose(scores[:, 0], 1, atol=1e-3)
    _, without = index.search(rows[:3], 3, without=[0, 1, 2])
    assert not np.isin(without, [0, 1, 2]).any()
    assert index.search(rows[:3], 600, without=range(500))[1].tolist() == [[-1] * 500] * 3


def test_an_empty_dense_index_finds_nothing(tmp_path):  # FR-162
    write_dense(tmp_path / "x.faiss", np.zeros((0, 8), np.float16))
    scores, rows = DenseIndex(read_dense(tmp_path / "x.faiss")).search(
        np.ones((20, 8), np.float32), 5
    )
    assert scores.shape == rows.shape == (20, 0)


def test_scores_that_differ_by_less_than_a_ten_thousandth_are_equal():
    hits = [("b", 0.50001), ("a", 0.50002), ("d", 0.5002), ("c", 0.49996)]
    assert ordered(hits, 3) == [("d", 0.5002), ("a", 0.5), ("b", 0.5)]


def test_fusion_prefers_what_both_lists_name():
    first = [("x", 9.0), ("both", 8.0)]
    second = [("both", 0.3), ("y", 0.2)]
    fused = fuse([first, second], 3)
    assert [name for name, _ in fused] == ["both", "x", "y"]
    assert fuse([first, first], 1) == [("x", 1.0)]
