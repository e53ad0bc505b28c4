"""softmaxnotes.language.watermarks against enumeration, mpmath, quadrature, and other libraries' formulas."""

import hashlib
import re
from itertools import product
from pathlib import Path

import mpmath
import numpy as np
import pytest
from scipy import special, stats
from scipy.integrate import quad

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.gumbel import gumbel_max
from softmaxnotes.language import (
    expected_gumbel_score,
    green_cost,
    gumbel_mark,
    gumbel_p_value,
    gumbel_score,
    keyed_uniforms,
    tournament,
)
from softmaxnotes.softmax import log_softmax, softmax

INF = np.inf
P = np.log([0.5, 0.3, 0.2])


def logits(seed, n=None, scale=3.0):
    rng = np.random.default_rng(seed)
    z = rng.normal(scale=scale, size=n or int(rng.integers(1, 8)))
    if seed % 3 == 0 and z.size > 2:
        z[rng.integers(z.size)] = -INF
    return z


# --- Keyed numbers -----------------------------------------------------------------------


def test_keyed_numbers_are_a_function_of_key_and_context():
    first = keyed_uniforms(3, [1, 2], 100)
    assert first.shape == (100,) and first.dtype == np.float64 and (0 < first).all() and (first < 1).all()
    np.testing.assert_array_equal(first, keyed_uniforms(np.int64(3), np.array([1, 2]), 100))
    np.testing.assert_array_equal(first[:7], keyed_uniforms(3, (1, 2), 7))
    others = [keyed_uniforms(*of, 100) for of in ((3, [2, 1]), (3, [1]), (3, []), (31, [2]), (1, [3, 2]),
                                                  (3, [12]), (2**127, [1, 2]))]
    for other in others:
        assert (other != first).all()


def test_keyed_numbers_are_what_the_recipe_says():
    digest = hashlib.sha256(b"(7, 3, 1)").digest()
    raw = np.random.Philox(key=int.from_bytes(digest[:16], "big")).random_raw(5)
    np.testing.assert_array_equal(keyed_uniforms(7, [3, 1], 5), [((int(r) >> 12) + 0.5) / 2**52 for r in raw])


def test_keyed_numbers_are_uniform_and_uncorrelated_over_keys_and_contexts():
    over_keys = np.array([keyed_uniforms(key, [5], 2) for key in range(4000)])
    over_contexts = np.array([keyed_uniforms(9, [5, t], 2) for t in range(4000)])
    for drawn in (over_keys, over_contexts):
        assert stats.kstest(drawn.ravel(), "uniform").pvalue > 1e-6
        assert abs(np.corrcoef(drawn.T)[0, 1]) < 6 / np.sqrt(4000)
    assert abs(np.corrcoef(over_keys[:-1, 0], over_keys[1:, 0])[0, 1]) < 6 / np.sqrt(4000)


# --- The draw ----------------------------------------------------------------------------


def test_the_mark_is_the_largest_power():
    for seed in range(40):
        z, rng = logits(seed), np.random.default_rng(seed)
        u = rng.random((5, z.size))
        powers = u ** (1 / np.maximum(softmax(z), 1e-300))
        np.testing.assert_array_equal(gumbel_mark(z, u), powers.argmax(-1))


def test_the_mark_is_gumbel_max_with_this_noise():
    class Given(np.random.Generator):
        def __init__(self, times):
            super().__init__(np.random.PCG64(0))
            self.times = times

        def standard_exponential(self, size=None):
            return np.reshape(self.times, size)

    u = np.random.default_rng(0).random((200, 3))
    one_by_one = [gumbel_max(P, rng=Given(-np.log(row))) for row in u]
    np.testing.assert_array_equal(gumbel_mark(P, u), one_by_one)


def test_the_mark_has_the_distribution_of_the_model():
    has_frequencies(lambda size, rng: gumbel_mark(P, rng.random((size, 3))), np.exp(P), effect=0.02,
                    title="keyed draws")


def test_a_masked_token_is_never_drawn():
    assert gumbel_mark([-INF, 0.0], [1.0, 0.0]) == 1  # not even against its number
    assert gumbel_mark([0.0, -INF], [0.0, 1.0]) == 0
    assert gumbel_mark([-INF, -1e5, 0.0], [1.0, 1.0, 0.5]) == 1
    assert gumbel_mark([0.0], [0.0]) == 0


def test_the_mark_broadcasts():
    u = np.random.default_rng(1).random((4, 1, 3))
    found = gumbel_mark(np.stack([P, P[::-1]]), u)
    assert found.shape == (4, 2)
    for a, b in product(range(4), range(2)):
        assert found[a, b] == gumbel_mark([P, P[::-1]][b], u[a, 0])
    assert isinstance(gumbel_mark(P.astype(np.float32), u[0, 0]), np.integer)


# --- Scores ------------------------------------------------------------------------------


def test_scores_keep_their_digits():
    np.testing.assert_allclose(gumbel_score([1e-20, 0.5, 1 - 2**-53]), [1e-20, np.log(2), 53 * np.log(2)],
                               rtol=1e-15)
    assert gumbel_score(1.0) == INF and gumbel_score(0) == 0
    assert gumbel_score(np.float32(0.25)).dtype == np.float32


def test_p_values_are_gamma_tails():
    rng = np.random.default_rng(0)
    for count in (1, 2, 7, 50):
        scores = rng.exponential(size=(30, count))
        np.testing.assert_allclose(gumbel_p_value(scores), stats.gamma(count).sf(scores.sum(-1)), rtol=1e-12)
        by_sum = [np.exp(-s) * sum(s**i / special.factorial(i) for i in range(count))
                  for s in scores.sum(-1)]
        np.testing.assert_allclose(gumbel_p_value(scores), by_sum, rtol=1e-10)


def test_small_p_values_keep_their_digits():
    for count, total in ((1, 690.0), (100, 800.0), (200, 1100.0), (1000, 2300.0)):
        found = gumbel_p_value(np.full(count, total / count))
        exact = float(mpmath.gammainc(count, total, mpmath.inf, regularized=True))
        assert 0 < exact < 1e-100 and found == pytest.approx(exact, rel=1e-9)


def test_p_values_at_the_edges():
    assert gumbel_p_value([]) == 1 and gumbel_p_value([0.0, 0.0]) == 1 and gumbel_p_value([INF, 1]) == 0
    assert np.isnan(gumbel_p_value([np.nan, 1]))
    np.testing.assert_array_equal(gumbel_p_value(np.ones((2, 0, 3)), axis=1), np.ones((2, 3)))
    scores = np.random.default_rng(0).exponential(size=(2, 5, 3))
    np.testing.assert_allclose(gumbel_p_value(scores, axis=1), gumbel_p_value(scores.swapaxes(1, 2)))
    assert gumbel_p_value(np.ones(3, np.float32)).dtype == np.float32


def test_p_values_are_uniform_over_keys():
    """A text of distinct contexts, written before any key."""
    text = [(t, t % 5) for t in range(20)]
    values = [gumbel_p_value(gumbel_score([keyed_uniforms(key, [c], k + 1)[k] for c, k in text]))
              for key in range(2000)]
    assert stats.kstest(values, "uniform").pvalue > 1e-6


def test_the_mean_score_is_a_mean_of_harmonic_numbers():
    for m in range(1, 30):
        assert expected_gumbel_score(np.zeros(m)) == pytest.approx((1 / np.arange(1, m + 1)).sum(), rel=1e-13)
    for seed in range(20):
        z = logits(seed)
        by_integral = sum(p * quad(lambda u, p=p: (1 - u ** (1 / p)) / (1 - u), 0, 1)[0]
                          for p in softmax(z) if p > 1e-6)
        assert expected_gumbel_score(z) == pytest.approx(by_integral, abs=1e-4)


def test_the_mean_score_is_drawn():
    u = np.random.default_rng(0).random((200_000, 3))
    won = np.take_along_axis(u, gumbel_mark(P, u)[:, None], 1)[:, 0]
    scores = gumbel_score(won)
    assert abs(scores.mean() - expected_gumbel_score(P)) < 6 * scores.std() / np.sqrt(200_000)


def test_the_mean_score_lies_between_two_multiples_of_the_entropy():
    for seed in range(200):
        z = logits(seed, scale=np.random.default_rng(seed).uniform(0, 20))
        p = softmax(z)
        entropy = -(p[p > 0] * np.log(p[p > 0])).sum()
        above = expected_gumbel_score(z) - 1
        assert (np.pi**2 / 6 - 1) * entropy - 1e-12 <= above <= entropy + 1e-12


def test_the_mean_score_of_extreme_tokens():
    assert expected_gumbel_score([0.0, -INF]) == 1 and expected_gumbel_score([5.0]) == 1
    assert expected_gumbel_score([0.0, -690.0]) == pytest.approx(1) and expected_gumbel_score(
        [0.0, -1e4]) == 1
    assert expected_gumbel_score(np.zeros((2, 3, 4), np.float32)).shape == (2, 3)
    assert expected_gumbel_score(np.zeros(4, np.float32)).dtype == np.float32
    assert np.isnan(expected_gumbel_score([np.nan, 0]))


# --- Green lists and tournaments ----------------------------------------------------------


def test_the_cost_of_a_green_list_is_a_divergence():
    for seed in range(60):
        z, rng = logits(seed), np.random.default_rng(seed)
        green, delta = rng.random(z.size) < 0.5, rng.uniform(-4, 4)
        p, q = softmax(z), softmax(z + delta * green)
        by_sum = special.rel_entr(q, p).sum()
        assert green_cost(z, green, delta) == pytest.approx(by_sum, abs=1e-12)


def test_the_cost_of_a_green_list_at_the_edges():
    z = np.array([0.0, 1.0, -INF])
    for green in ([True, True, False], [False, False, True], [True, True, True]):
        assert green_cost(z, green, 2.0) == 0
    assert green_cost(z, [True, False, False], 0.0) == 0
    assert green_cost([0.0, 0.0], [True, False], 800.0) == pytest.approx(np.log(2))
    assert green_cost([0.0, 0.0], [True, False], 1e-9) >= 0
    assert green_cost(np.zeros((4, 2)), [True, False], np.ones(4)).shape == (4,)
    assert green_cost(np.zeros((4, 2), np.float32), [True, False], np.float32(1)).dtype == np.float32


def update_scores(scores, g_values):
    """As in github.com/google-deepmind/synthid-text, logits_processing.py, with bits (V, depth)."""
    probs = softmax(scores)
    for i in range(g_values.shape[1]):
        probs = probs * (1 + g_values[:, i] - (g_values[:, i] * probs).sum())
    return probs


def test_a_tournament_is_that_of_the_reference_implementation():
    for seed in range(40):
        z, rng = logits(seed), np.random.default_rng(seed)
        bits = rng.integers(2, size=(int(rng.integers(0, 8)), z.size))
        np.testing.assert_allclose(np.exp(tournament(z, bits)), update_scores(z, bits.T), atol=1e-14)


def test_a_layer_is_a_match_of_two():
    for bits in product((0, 1), repeat=3):
        p, wins = np.exp(P), np.zeros(3)
        for a, b in product(range(3), repeat=2):
            for winner in (a, b):
                wins[winner] += p[a] * p[b] * (0.5 if bits[a] == bits[b] else bits[winner] == max(
                    bits[a], bits[b]))
        np.testing.assert_allclose(np.exp(tournament(P, [bits])), wins, atol=1e-15)


def test_over_bits_a_tournament_changes_nothing():
    all_bits = np.array(list(product((0, 1), repeat=6))).reshape(-1, 2, 3)
    np.testing.assert_allclose(np.exp(tournament(P, all_bits)).mean(axis=0), np.exp(P), atol=1e-15)


def test_tournaments_at_the_edges():
    np.testing.assert_array_equal(tournament(P, np.zeros((0, 3))), log_softmax(P))
    assert tournament(np.array([0.0, -INF, 1.0]), [[0, 1, 1]] * 30)[1] == -INF
    found = tournament(np.zeros((4, 1, 3), np.float32), np.zeros((2, 5, 3)))
    assert found.shape == (4, 2, 3) and found.dtype == np.float32
    np.testing.assert_allclose(np.exp(tournament([0.0, -50.0], [[0, 1]] * 100)).sum(), 1)


def test_the_open_code_runs_as_it_stands():
    page = Path("book/language/watermarks.md").read_text("utf8")
    found = re.findall(r"^```\{code-cell\} ipython3\n:tags: \[open\]\n\n(.*?)^```", page, re.M | re.S)
    cells = [cell for cell in found if "def " in cell and "    ...\n" not in cell]
    names = {}
    for cell in cells:
        exec(cell, names)
    text = np.random.default_rng(0).integers(50, size=30)
    assert len(cells) == 2 and 0 < names["p_value"](7, text) < 1 and callable(names["Watermark"](7))
