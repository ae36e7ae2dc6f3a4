"""The real MiniLM: shapes, speed tricks that must not change vectors, threads, prefixes."""

import threading

import numpy as np
import pytest

from irag import models
from irag.errors import ModelError
from irag.retrieval.embedder import Prefixes, SentenceEmbedder, _batches
from irag.retrieval.vectors import checked
from irag.settings import load

NAME = "all-minilm-l6-v2"
TEXTS = [f"Town {n} lies on river {n * 7}. " * (1 + n % 9) for n in range(40)]


@pytest.fixture(scope="module")
def folder():
    where = load().models
    if not models.present(NAME, where):
        pytest.skip(f"{NAME} is not on this machine: python -m irag models pull {NAME}")
    return models.path(NAME, where)


@pytest.fixture(scope="module")
def embedder(folder):
    return SentenceEmbedder(folder, NAME)


def test_vectors_are_those_of_a_plain_encode_in_the_order_of_the_texts(embedder, folder):
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(folder), device="cpu").encode(TEXTS, normalize_embeddings=True)
    for vectors, least in (
        (embedder.embed_passages(TEXTS), 0.999),
        (embedder.embed_queries(TEXTS), 0.999999),
    ):
        assert vectors.dtype == np.float32 and vectors.shape == (40, embedder.dimension)
        assert (vectors * plain).sum(axis=1).min() >= least
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_shapes_of_no_text_and_of_an_empty_text(embedder):  # FR-174
    for embed in (embedder.embed_passages, embedder.embed_queries):
        assert embed([]).shape == (0, 384)
        assert embed([""]).shape == (1, 384) and np.isfinite(embed([""])).all()
        with pytest.raises(TypeError, match="a list"):
            embed("text")


def test_a_text_alone_and_in_a_batch_have_the_same_vector(embedder):
    alone = np.concatenate([embedder.embed_passages([text]) for text in TEXTS])
    assert (alone * embedder.embed_passages(TEXTS)).sum(axis=1).min() > 0.9995


def test_two_threads_get_what_one_gets(embedder, folder):  # FR-173
    fresh = SentenceEmbedder(folder, NAME)
    serial = embedder.embed_queries(TEXTS[:8])
    found, errors = [], []

    def ask() -> None:
        try:
            for n in range(25):
                found.append(
                    np.array_equal(fresh.embed_queries([TEXTS[n % 8], f"{n}"])[0], serial[n % 8])
                    or float(fresh.embed_queries([TEXTS[n % 8]])[0] @ serial[n % 8])
                )
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(found) == 50
    assert all(same is True or same > 0.99999 for same in found)


def test_a_repeated_query_is_not_embedded_again(embedder, monkeypatch):
    first = embedder.embed_queries(["who founded Osk", "who founded Osk", "who left"])
    monkeypatch.setattr(embedder, "_tokenizer", None)
    again = embedder.embed_queries(["who left", "who founded Osk"])
    np.testing.assert_array_equal(again, first[[2, 0]])


def test_prefixes_are_embedded_and_named(folder):  # FR-172
    prefixed = SentenceEmbedder(folder, NAME, Prefixes("query: ", "passage: "))
    plain = SentenceEmbedder(folder, NAME)
    assert prefixed.name != plain.name and '"query: "' in prefixed.name
    near = prefixed.embed_passages(["Osk"]) @ plain.embed_passages(["passage: Osk"]).T
    asked = prefixed.embed_queries(["Osk"]) @ plain.embed_queries(["query: Osk"]).T
    assert near > 0.999 and asked > 0.999


def test_batches_hold_every_text_once_within_the_budget():
    lengths = [3, 256, 9, 9, 100, 1, 40]
    batches = list(_batches(lengths, 200))
    assert sorted(i for batch in batches for i in batch) == list(range(7))
    assert all(len(b) == 1 or len(b) * max(lengths[i] for i in b) <= 200 for b in batches)


def test_a_missing_model_says_what_to_do(tmp_path):
    with pytest.raises(ModelError, match="could not be opened.*models pull"):
        SentenceEmbedder(tmp_path)


def test_what_an_embedder_gives_is_checked():  # FR-166, FR-168
    rows = np.array([[3, 4], [0, 0], [np.nan, 1], [np.inf, 1]])
    vectors, usable = checked(rows, 4, 2)
    np.testing.assert_allclose(vectors, [[0.6, 0.8], [0, 0], [0, 0], [0, 0]], atol=1e-7)
    assert usable.tolist() == [True, False, False, False]
    for count, dimension in ((3, 2), (5, 2), (4, 3)):
        with pytest.raises(ModelError, match=r"shape \(4, 2\)"):
            checked(rows, count, dimension)
