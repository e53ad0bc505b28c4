"""softmaxnotes.gumbel.without_replacement against enumeration, quadrature, and mpmath."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

from softmaxnotes.gumbel import (
    gumbel_cdf,
    inclusion_weights,
    log_prob_ordered,
    log_prob_set,
    unordered_set_weights,
)
from softmaxnotes.softmax import logsumexp, softmax

INF = np.inf
P = np.array([0.5, 0.3, 0.15, 0.05])
SPREAD = np.array([2.0, -INF, 0.0, 1.0, -1.0, 3.0])


def sets(n, k):
    return np.array(list(itertools.combinations(range(n), k)), int).reshape(math.comb(n, k), k)


def exactly(x, order):
    """Log-probability of an order, one factor after the other."""
    with mp.workdps(60):
        x = [mp.mpf(float(v)) for v in x]
        left, total = set(range(len(x))), mp.mpf(0)
        for i in order:
            total += x[i] - mp.log(mp.fsum(mp.exp(x[j]) for j in left))
            left.remove(i)
        return total


@pytest.mark.parametrize("scale", [0, 1, 30, 1e4])
def test_a_set_is_the_sum_of_its_orders(scale):
    x = scale * np.random.default_rng(3).normal(size=9)
    for k in range(1, 6):
        for chosen in ([0, 1, 2, 3, 4], [8, 3, 5, 7, 1]):
            chosen = chosen[:k]
            with mp.workdps(60):
                exact = [exactly(x, order) for order in itertools.permutations(chosen)]
                want = mp.log(mp.fsum(mp.exp(v) for v in exact))
                tolerance = 1e-14 * max(1, abs(want)) * k
                assert abs(mp.mpf(float(log_prob_set(x, chosen))) - want) < tolerance
                got = log_prob_ordered(x, list(itertools.permutations(chosen)))
                assert all(abs(mp.mpf(float(g)) - e) <= 2e-15 * k * abs(e) + mp.mpf(10)**-300
                           for g, e in zip(got, exact))


def test_a_large_set_is_the_integral_over_the_race():
    """q(S) = ∫ Π (1 - u^(w/R)) du over [0, 1]."""
    x = np.random.default_rng(5).normal(size=40)
    chosen = np.arange(3, 20)
    got = log_prob_set(x, chosen)
    with mp.workdps(30):
        w = [mp.exp(mp.mpf(float(v))) for v in x]
        rest = mp.fsum(w) - mp.fsum(w[3:20])
        want = mp.quad(lambda t: mp.fprod(1 - mp.exp(-v * t) for v in w[3:20]) * rest * mp.exp(-rest * t),
                       [0, 0.1, 1, 5, 30])
        assert abs(mp.mpf(float(got)) - mp.log(want)) < 1e-12


@pytest.mark.parametrize("n, k", [(3, 1), (4, 2), (5, 3), (5, 5)])
def test_unordered_weights_are_unbiased_by_enumeration(n, k):
    rng = np.random.default_rng(n)
    x, f = rng.normal(size=n), rng.normal(size=n)
    chosen = sets(n, k)
    weights = unordered_set_weights(x, chosen)
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-14)
    estimates = (weights * f[chosen]).sum(-1)
    assert np.exp(log_prob_set(x, chosen)) @ estimates == pytest.approx(softmax(x) @ f, abs=1e-14)
    # given the set, the mean of the value at the first item
    for row, found in zip(chosen, weights):
        first = [logsumexp([log_prob_ordered(x, o) for o in itertools.permutations(row) if o[0] == i])
                 for i in row]
        np.testing.assert_allclose(found, softmax(np.array(first)), rtol=1e-12)


@pytest.mark.parametrize("scale", [30, 1e4])
def test_unordered_weights_of_extreme_logits(scale):
    x = scale * np.array([0.0, -1.0, -1.5, -2.0, -2.25])
    for chosen in sets(5, 3):
        weights = unordered_set_weights(x, chosen)
        assert np.isfinite(weights).all() and weights.sum() == pytest.approx(1, rel=1e-10)


def test_inclusion_weights_are_unbiased():
    """The mean over the race: of the sets by enumeration, of the threshold by quadrature."""
    x, f = np.log(P) + 1, np.array([1.0, -2.0, 4.0, 3.0])
    grid = np.linspace(-12, 40, 20001)
    below = gumbel_cdf(grid[:, None], loc=x)
    density = np.exp(x - grid[:, None]) * below
    for k in (1, 2, 3):
        total = 0
        for chosen in sets(4, k):
            above = np.prod(1 - below[:, chosen], axis=1)
            others = np.setdiff1d(range(4), chosen)
            weights = inclusion_weights(x, np.broadcast_to(chosen, (len(grid), k)), grid)
            for i in others:
                rest = np.prod(below[:, others[others != i]], axis=1)
                total += np.trapezoid((weights @ f[chosen]) * above * density[:, i] * rest, grid)
        assert total == pytest.approx(P @ f, rel=1e-6)


def test_inclusion_weights_at_the_edges():
    x = np.log(P)
    np.testing.assert_allclose(inclusion_weights(x, [0, 1, 2, 3], -INF), P)
    np.testing.assert_allclose(inclusion_weights(x, [3], 50.0), [np.exp(50)], rtol=1e-12)
    np.testing.assert_allclose(inclusion_weights(x + 1e4, [3], 1e4 + 2000.0), [INF])
    assert inclusion_weights(SPREAD, [1], 0.0) == 0
    np.testing.assert_allclose(inclusion_weights(x + 7, [0, 2], 7.5), inclusion_weights(x, [0, 2], 0.5))
