"""softmaxnotes.experiments.unnormalised.word_vectors: worlds whose law is known, and neighbours."""

import numpy as np
import pytest
from scipy.special import expit

from softmaxnotes.experiments.unnormalised.word_vectors import World, by_counts, neighbours, shared
from softmaxnotes.experiments.unnormalised.word_vectors.neighbours import agree_with
from softmaxnotes.experiments.unnormalised.word_vectors.worlds import bare, price, read_once, scored

WORLD = World(rng=3)


def test_the_frequencies_of_the_text_are_those_of_its_pairs():
    assert WORLD.pairs.sum() == pytest.approx(1)
    assert np.allclose(WORLD.laws["unigram"], WORLD.of_context @ np.exp(WORLD.truth))
    powered = WORLD.laws["unigram"] ** 0.75
    assert np.allclose(WORLD.laws["power ¾"], powered / powered.sum())
    assert WORLD.error(WORLD.truth) == 0 and WORLD.error(WORLD.truth + 2) == pytest.approx(2)


def test_the_slopes_span_what_moves_the_scores():
    slopes = WORLD.slopes().reshape(3000, -1)
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=WORLD.u.shape), rng.normal(size=WORLD.v.shape)
    moved = (v @ WORLD.u.T + WORLD.v @ u.T + rng.normal(size=100) + rng.normal(size=(30, 1))).ravel()
    left = np.linalg.lstsq(slopes, moved, rcond=None)[0]
    assert np.allclose(slopes @ left, moved)
    assert WORLD.free(WORLD.slopes()) == 3 * 130 + 100 - 9 - 3 - 3 - 1


def test_the_limit_is_what_texts_come_to():
    """A first-order step of negative sampling from the truth, on drawn counts, many times."""
    slopes, law, N, nu = WORLD.slopes(), WORLD.laws["unigram"], 10**8, 5
    rng, rows, met = np.random.default_rng(0), slopes.reshape(3000, -1), nu * WORLD.of_context[:, None] * law
    share = expit(np.log(WORLD.pairs / met))
    curvature = rows.T * (WORLD.pairs * (1 - share)).ravel() @ rows
    found = []
    for _ in range(200):
        text = rng.multinomial(N, WORLD.pairs.ravel()).reshape(30, 100)
        noise = rng.multinomial(nu * text.sum(axis=1), law)
        pull = (text * (1 - share) - noise * share).ravel() @ rows / N
        moved = rows @ np.linalg.solve(curvature, pull)
        found.append(N * WORLD.pairs.ravel() @ moved**2)
    trace = np.trace(WORLD.limit(nu, law, slopes))
    assert abs(np.mean(found) / trace - 1) < 5 * np.std(found) / trace / np.sqrt(200)


def test_more_noise_is_cheaper_and_softmax_the_unit():
    assert price("softmax", seed=1, budget=5) == 1
    prices = [price("power ¾", seed=1, budget=budget) for budget in (1, 5, 25)]
    assert prices == sorted(prices, reverse=True) and prices[-1] > 1


def test_four_dimensions_hold_what_has_rank_four():
    assert bare("negative sampling, base", seed=1, budget=4) < 1e-3
    assert bare("negative sampling, unigram", seed=1, budget=4) > 0.03
    assert bare("nothing learnt", seed=1, budget=4) > 0.5


def test_as_many_scores_are_less_text_for_softmax():
    assert scored("negative sampling", seed=0, budget=12_000) == read_once(
        "negative sampling", seed=0, budget=2000)
    assert scored("softmax", seed=0, budget=100_000) == read_once("softmax", seed=0, budget=1000)
    counted, once = (read_once(way, seed=0, budget=20_000) for way in ("all pairs counted", "softmax"))
    assert counted < once < read_once("frequencies alone", seed=0, budget=20_000)


def test_neighbours_do_not_see_lengths_and_never_are_the_word_itself():
    vectors = np.random.default_rng(0).normal(size=(20, 3))
    near = neighbours(vectors)
    assert (near == neighbours(vectors * np.arange(1, 21)[:, None])).all()
    assert (near != np.arange(20)[:, None]).all()
    assert shared(near, near) == 4 and shared(near, (near + 1) % 20) < 4


def test_vectors_of_all_singular_values_have_the_products_of_a_symmetric_table():
    counts = np.array([[8, 1, 1], [1, 6, 2], [1, 2, 9]])
    vectors = by_counts(counts, dim=3)
    assert np.allclose(np.diag(vectors @ vectors.T).sum(), np.linalg.svd(
        np.maximum(np.log(counts * counts.sum() / np.outer(*2 * [counts.sum(axis=0)])), 0))[1].sum())


def test_words_at_random_agree_by_chance():
    assert agree_with("words at random", seed=0, budget=20) < 0.3
