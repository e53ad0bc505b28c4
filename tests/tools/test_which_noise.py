"""softmaxnotes.tools.which_noise against the softmax, laws of differences, and draws."""

import math

import numpy as np
import pytest
from scipy import stats

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.softmax import softmax
from softmaxnotes.tools import perturbed_argmax_probabilities

INF, NAN = np.inf, np.nan


@pytest.mark.parametrize("logits", [
    [0.0], [1.0, 2.0, 7.0], [0.0, 20.0, -20.0], [1e9, 1e9 + 1], [-INF, 0.0, 1.0], [0.0, 1e4],
])
def test_gumbel_noise_gives_the_softmax(logits):
    got = perturbed_argmax_probabilities(logits, stats.gumbel_r())
    np.testing.assert_allclose(got, softmax(logits), rtol=0, atol=1e-10)
    got = perturbed_argmax_probabilities(2 * np.array(logits), stats.gumbel_r(loc=3, scale=2))
    np.testing.assert_allclose(got, softmax(logits), rtol=0, atol=1e-10)


@pytest.mark.parametrize("gap", [0.0, 0.3, 1.0, 4.0])
def test_two_items_have_the_law_of_the_difference(gap):
    laws = {
        stats.norm(): stats.norm.cdf(gap / 2**0.5),
        stats.uniform(): 1 - max(1 - gap, 0) ** 2 / 2,
        stats.expon(): 1 - math.exp(-gap) / 2,
        stats.cauchy(): stats.cauchy.cdf(gap / 2),
        stats.laplace(): 1 - (2 + gap) * math.exp(-gap) / 4,
        stats.logistic(scale=1e-5): 1.0 if gap else 0.5,
    }
    for law, want in laws.items():
        got = perturbed_argmax_probabilities([gap, 0.0], law)
        np.testing.assert_allclose(got, [want, 1 - want], rtol=0, atol=1e-10)


def test_unequal_noise():
    laws = [stats.norm(scale=0.3), stats.norm(loc=1, scale=2.0)]
    want = stats.norm.cdf((0.5 - 1) / math.hypot(0.3, 2.0))
    np.testing.assert_allclose(perturbed_argmax_probabilities([0.5, 0.0], laws), [want, 1 - want],
                               rtol=0, atol=1e-10)
    # the weights of Gumbel noise of any location are those of shifted logits
    laws = tuple(stats.gumbel_r(loc=v) for v in (0.0, 1.0, -1.0))
    np.testing.assert_allclose(perturbed_argmax_probabilities([0, 0, 0], laws), softmax([0, 1, -1]),
                               rtol=0, atol=1e-10)
    # of noises with disjoint supports the largest is certain
    laws = [stats.uniform(), stats.uniform(loc=2), stats.uniform(loc=-5)]
    np.testing.assert_allclose(perturbed_argmax_probabilities([0, 0, 0], laws), [0, 1, 0], rtol=0, atol=1e-10)


@pytest.mark.parametrize("laws", [
    [stats.norm(), stats.norm(scale=1000), stats.gumbel_r()],
    [stats.norm(scale=1e-4), stats.cauchy(), stats.uniform()],
    [stats.t(1.5), stats.lognorm(2.0), stats.expon()],
])
def test_quadrature_against_draws(laws):
    x = np.array([0.0, 0.5, 0.5])

    def draw(n, rng):
        return (x + np.stack([law.rvs(n, random_state=rng) for law in laws], -1)).argmax(-1)

    p = perturbed_argmax_probabilities(x, laws)
    assert p.sum() == pytest.approx(1, abs=3e-10, rel=0)
    has_frequencies(draw, p / p.sum(), effect=0.01, title="wins")


def test_uniform_noise_by_hand():
    # three items, one ahead by 1/2: it loses to an item only if its own noise is below 1/2
    # P(an item behind wins) = int_{1/2}^1 (z - 1/2) z dz = 5/48
    got = perturbed_argmax_probabilities([0.5, 0.0, 0.0], stats.uniform())
    np.testing.assert_allclose(got, [38 / 48, 5 / 48, 5 / 48], rtol=0, atol=1e-10)
    assert got.dtype == np.float64
    single = perturbed_argmax_probabilities(np.float32([0.5, 0.0, 0.0]), stats.uniform())
    np.testing.assert_array_equal(single, got.astype(np.float32), strict=True)


def test_a_quadrature_that_does_not_add_up_is_an_error():
    class Broken(stats.rv_continuous):
        """Its quantile is not the inverse of its distribution function."""

        def _cdf(self, x):
            return stats.norm.cdf(x)

        def _ppf(self, q):
            return stats.norm.ppf(q) + 0.1

    with pytest.raises(ArithmeticError, match="quadrature: estimated error"):
        perturbed_argmax_probabilities([0.0, 1.0], Broken()())
