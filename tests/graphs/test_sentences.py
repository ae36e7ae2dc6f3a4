"""The sentence graph: three kinds of edge and the entity index."""

import numpy as np
import pytest
from scipy import sparse

from irag.errors import CorpusError
from irag.graphs.nearest import mutual, nearest
from irag.graphs.sentences import (
    Limits,
    SentenceEdges,
    importance,
    mentions_of,
    sentence_graph,
)

NAMES = [
    ["Mira Oduya", "Tem Bridge", "1931"],
    [],
    ["Osk"],
    ["MIRA ODUYA", "Osk"],
    ["Ana Kor", "1931"],
]
STARTS = np.array([0, 3, 5])


def unit(rows):
    rows = np.asarray(rows, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def vectors(count, dimension=16, seed=1):
    return unit(np.random.default_rng(seed).normal(size=(count, dimension)))


def graph(names=NAMES, starts=STARTS, limits=Limits()):  # noqa: B008
    return sentence_graph(mentions_of(names).counts, vectors(len(names)), starts, limits)


def pairs(matrix):
    found = matrix.tocoo()
    return {(int(r), int(c)) for r, c in zip(found.row, found.col, strict=True)}


def test_shared_names_join_sentences_and_years_do_not():  # FR-116
    assert pairs(graph().entity) == {(0, 3), (3, 0), (2, 3), (3, 2)}


def test_adjacent_sentences_stay_within_their_document():
    assert pairs(graph().adjacent) == {
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 1),
        (0, 2),
        (2, 0),
        (3, 4),
        (4, 3),
    }
    assert graph().adjacent[0, 2] == pytest.approx(1 / 3)
    far = graph([[]] * 6, np.array([0, 6])).adjacent
    assert (0, 3) in pairs(far) and (0, 4) not in pairs(far)


def test_a_sentence_keeps_its_most_important_share_of_names():
    names = [["A x", "B x", "C x"], ["A x"], ["A x"], ["A x"], ["B x"], ["C x"]]
    apart = np.arange(7)
    kept = graph(names, apart).entity
    assert {c for r, c in pairs(kept) if r == 0} == {4, 5}, "A is the commonest of three"
    everything = graph(names, apart, Limits(key_share=1.0)).entity
    assert {c for r, c in pairs(everything) if r == 0} == {1, 2, 3, 4, 5}


def test_names_of_one_document_alone_take_no_place():
    names = [["A x", "B x", "Own a", "Own b"], ["Own a"], ["A x"], ["B x"], ["B x"]]
    kept = graph(names, np.array([0, 2, 3, 4, 5]), Limits(key_share=0.5)).entity
    assert {c for r, c in pairs(kept) if r == 0} == {1, 2}


def test_a_name_that_a_sentence_lists_twice_counts_once():
    assert mentions_of([["Osk", "OSK", "the Osk", "Marl"]]).counts.toarray().tolist() == [[1, 1]]


def test_a_name_that_stands_nearly_everywhere_joins_nothing_but_is_in_the_index():
    names = [["Osk"]] * 30
    bounded = graph(names, np.array([0, 30]), Limits(hub=20))
    assert bounded.entity.nnz == 0
    assert bounded.naming(0, most=5).tolist() == [0, 1, 2, 3, 4]
    assert graph(names, np.array([0, 30]), Limits(degree=4)).entity.nnz == 30 * 4


def test_rarer_shared_names_weigh_more():
    names = [["A x", "B x"], ["A x"], ["B x"], ["B x"], ["B x"]]
    reached = graph(names, np.array([0, 5]), Limits(key_share=1.0)).neighbours([0], "entity")
    assert reached.rows.tolist() == [1, 2, 3, 4]
    assert reached.weights[0] > reached.weights[1]


def test_similar_means_nearest_in_both_directions():
    angles = np.array([0.0, 0.1, 0.11, 0.5])
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = mutual(*nearest(rows, 1))
    assert pairs(found) == {(1, 2), (2, 1)}
    assert found[1, 2] == pytest.approx(np.cos(0.01), abs=1e-4)


@pytest.mark.parametrize(("count", "k"), [(5, 10), (70, 3), (700, 10), (1500, 10)])
def test_nearest_is_exact(count, k):
    units = vectors(count, 8)
    scores = np.round(units @ units.T, 4)
    np.fill_diagonal(scores, -1)
    rows, cosines = nearest(units.astype(np.float16).astype(np.float32), k)
    for row in range(0, count, max(1, count // 40)):
        best = -np.sort(-scores[row])[:k]
        best = np.pad(best, (0, k - len(best)))
        assert cosines[row] == pytest.approx(np.where(best > 0, best, 0), abs=1e-3)
        assert row not in rows[row].tolist()


def test_equal_sentences_are_near_by_row_and_zero_vectors_near_to_nothing():
    rows = unit([[1, 0], [1, 0], [1, 0], [0, 0], [np.nan, 0]])
    found, cosines = nearest(rows, 2)
    assert found.tolist() == [[1, 2], [0, 2], [0, 1], [-1, -1], [-1, -1]]
    assert cosines[3].tolist() == [0, 0]


def test_neighbours_come_once_best_first_and_never_from_the_given():
    reached = graph().neighbours([0, 2], "entity")
    assert reached.rows.tolist() == [3]
    assert reached.of.tolist() == [0]
    near = graph().neighbours([2, 0, 2], "adjacent")
    assert (near.rows.tolist(), near.of.tolist(), near.weights.tolist()) == ([1], [0], [0.5])
    assert graph().neighbours([], "similar").rows.tolist() == []


def test_neighbours_of_a_row_agree_with_the_matrix():
    names = [[f"Name {n % 7}", f"Name {n % 5}"] for n in range(60)]
    edges = graph(names, np.arange(0, 61, 6))
    for kind in ("entity", "similar", "adjacent"):
        for row in (0, 31, 59):
            reached = edges.neighbours([row], kind)
            matrix = getattr(edges, kind)
            assert set(reached.rows.tolist()) == {c for r, c in pairs(matrix) if r == row}
            assert (np.diff(reached.weights) <= 0).all()


def test_an_unknown_kind_names_the_known_ones():
    with pytest.raises(KeyError, match="entity, similar, adjacent"):
        graph().neighbours([0], "keywords")


def test_stored_arrays_give_the_same_graph_back():
    edges = graph()
    again = SentenceEdges.from_arrays(edges.arrays())
    for kind in ("entity", "similar", "adjacent", "index"):
        assert (getattr(edges, kind) != getattr(again, kind)).nnz == 0
    assert all(array.dtype.kind in "if" for array in edges.arrays().values())


@pytest.mark.parametrize("damage", ["missing", "outside", "short", "older"])
def test_damaged_arrays_are_said(damage):
    arrays = graph().arrays()
    if damage == "missing":
        del arrays["similar.columns"]
    elif damage == "outside":
        arrays["entity.columns"] = arrays["entity.columns"] + 99
    elif damage == "older":
        arrays["rules"] = arrays["rules"] - 1
    else:
        arrays["index.weights"] = arrays["index.weights"][:-1]
    with pytest.raises(CorpusError, match="Rebuild"):
        SentenceEdges.from_arrays(arrays)


def test_counts_vectors_and_documents_must_agree():
    counts = mentions_of(NAMES).counts
    with pytest.raises(ValueError, match="one number"):
        sentence_graph(counts, vectors(4), STARTS)
    with pytest.raises(ValueError, match="one number"):
        sentence_graph(counts, vectors(5), np.array([0, 4]))


@pytest.mark.parametrize(
    ("names", "starts"), [([], [0]), ([["Osk"]], [0, 1]), ([[], []], [0, 0, 2])]
)
def test_texts_without_sentences_or_names_are_no_crash(names, starts):
    edges = sentence_graph(mentions_of(names).counts, vectors(len(names)), np.array(starts))
    assert edges.entity.nnz == 0
    assert edges.entity.shape == edges.adjacent.shape == (len(names), len(names))


def test_importance_is_above_zero_and_falls_with_frequency():
    counts = sparse.csr_array(np.array([[1, 1, 0], [1, 0, 0], [1, 0, 2]]))
    scores = importance(counts).toarray()
    assert (scores[counts.toarray() > 0] > 0).all()
    assert scores[0, 1] > scores[0, 0]


def test_sentences_without_facts_keep_their_rows():  # FR-136
    names = [["Osk", "Marl"], [], ["Marl"], ["Osk"]]
    edges = graph(names, np.array([0, 1, 2, 4]))
    assert pairs(edges.entity) == {(0, 2), (2, 0), (0, 3), (3, 0)}
    assert edges.neighbours([1], "entity").rows.tolist() == []
    assert mentions_of(names).keys == ("osk", "marl")
    assert edges.naming(1).tolist() == [0, 2] or edges.naming(1).tolist() == [2, 0]
