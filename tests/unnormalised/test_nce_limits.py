"""softmaxnotes.unnormalised.nce_limits: against formulas typed anew, fits and enumerations."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softmaxnotes.unnormalised import info_nce_value, mutual_information, nce_covariance, nce_fit

INF, NAN = math.inf, math.nan
repeated = settings(max_examples=30, derandomize=True)
x = np.arange(-160, 161) * 0.1
NORMAL = np.column_stack([np.ones_like(x), -x**2 / 2])


def log_normal(width):
    return -x**2 / (2 * width**2) - math.log(width * math.sqrt(2 * math.pi)) + math.log(0.1)


@pytest.mark.parametrize("nu", [0.5, 1, 5, 25, INF])
def test_same_noise_as_data(nu):
    """2 (1 + 1/nu) for the precision: maximum likelihood's 2, times how much more than data there is."""
    found = nce_covariance(NORMAL, log_normal(1), log_normal(1), nu)
    assert found[1, 1] == pytest.approx(2 * (1 + 1 / nu), rel=1e-9)


@pytest.mark.parametrize(("nu", "variance"), [(1, 2.995), (5, 2.236), (25, 2.050), (INF, 2.0)])
def test_wider_noise(nu, variance):
    assert nce_covariance(NORMAL, log_normal(1), log_normal(2), nu)[1, 1] == pytest.approx(variance, abs=5e-4)


def test_the_limit_is_maximum_likelihood():
    """With a free normaliser: c follows the precision, as log Z does, with half its error."""
    found = nce_covariance(NORMAL, log_normal(1), log_normal(2), INF)
    np.testing.assert_allclose(found, [[0.5, 1], [1, 2]], rtol=1e-9)


@repeated
@given(st.integers(2, 5), st.floats(0.2, 20), st.integers(0, 99))
def test_sandwich(size, nu, seed):
    """The covariance of the score between two inverse Hessians, each summed by itself."""
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.full(size, 4.0), 2) * 0.98 + 0.02 / size
    g = rng.normal(size=(size, 2))
    if size < 3:
        g = np.eye(2)
    h = p / (p + nu * q)
    curvature = (g * ((p + nu * q) * h * (1 - h))[:, None]).T @ g

    def covariance(law, values):
        mean = law @ values
        return (values * law[:, None]).T @ values - np.outer(mean, mean)

    noise = covariance(p, (1 - h)[:, None] * g) + nu * covariance(q, h[:, None] * g)
    inverse = np.linalg.inv(curvature)
    np.testing.assert_allclose(nce_covariance(g, np.log(p), np.log(q), nu), inverse @ noise @ inverse,
                               rtol=1e-6, atol=1e-9 * np.abs(inverse).max())


def test_covariance_of_fits():
    """Many samples: the variance of 4000 fits is within 12 %, six standard errors, of the formula."""
    p, q, nu, n, runs = np.exp(log_normal(1)), np.exp(log_normal(2)), 5, 20_000, 4000
    rng = np.random.default_rng(0)
    a, b = rng.multinomial(n, p / p.sum(), runs), rng.multinomial(nu * n, q / q.sum(), runs)
    found = np.cov(nce_fit(NORMAL, math.log(nu) + log_normal(2) - math.log(0.1), a, b).T) * n
    exact = nce_covariance(NORMAL, log_normal(1), log_normal(2), nu)
    np.testing.assert_allclose(found, exact, rtol=0.14)


# --- mutual information -----------------------------------------------------------------------------


def joints(seed, shape=(3, 3)):
    return np.log(np.random.default_rng(seed).dirichlet(np.ones(math.prod(shape)))).reshape(shape)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_value_by_all_orders(size, seed):
    """The sum over ordered rivals, where the library takes groups."""
    log_joint, scores = joints(seed), np.random.default_rng(seed + 9).normal(size=(3, 3))
    joint, marginal, total = np.exp(log_joint), np.exp(log_joint).sum(axis=0), 0.0
    for a, b in np.ndindex(3, 3):
        for rivals in itertools.product(range(3), repeat=size - 1):
            others = [b, *rivals]
            chance = joint[a, b] * math.prod(marginal[c] for c in rivals)
            total += chance * math.log(np.exp(scores[a, b]) / np.exp(scores[a, others]).sum())
    value = info_nce_value(log_joint, size, scores=scores)
    assert value == pytest.approx(math.log(size) + total, abs=1e-12)


@repeated
@given(st.integers(0, 999), st.integers(1, 12))
def test_it_is_a_lower_bound(seed, size):
    log_joint = joints(seed)
    scores = np.random.default_rng(seed).normal(scale=2, size=(3, 3))
    best = info_nce_value(log_joint, size)
    assert info_nce_value(log_joint, size, scores=scores) <= best + 1e-12
    assert best <= min(mutual_information(log_joint), math.log(size)) + 1e-12
    assert best <= info_nce_value(log_joint, size + 1) + 1e-12


def test_a_copy():
    """All is known of a copy, but K candidates tell no more than log K, and share ties."""
    with np.errstate(divide="ignore"):
        copy = np.log(np.eye(4) / 4)
    assert mutual_information(copy) == pytest.approx(math.log(4))
    assert info_nce_value(copy, 2) == pytest.approx(math.log(2) - math.log(2) / 4)


def test_independent():
    log_joint = np.log(np.outer([0.2, 0.8], [0.3, 0.3, 0.4]))
    assert abs(mutual_information(log_joint)) < 1e-15 and abs(info_nce_value(log_joint, 5)) < 1e-12
