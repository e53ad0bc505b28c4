"""Slopes of gamma and Dirichlet draws, against series at many digits, scipy and torch."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy import stats

from softmaxnotes.gradients import dirichlet_slope, gamma_slope


def exact_gamma(x, shape):
    """The series of F'/p, of which all terms are positive but the first logarithm, at many digits."""
    with mp.workdps(40 + int(x / 2)):
        x, a = mpf(float(x)), mpf(float(shape))
        term = total = mpf(1)
        weighted = harmonic = mpf(0)
        n = 0
        while term * (1 + harmonic) > total * mpf(10) ** -mp.dps:
            n += 1
            term *= x / (a + n)
            harmonic += 1 / (a + n)
            total, weighted = total + term, weighted + term * harmonic
        return float(x / a * (total * (mp.digamma(a + 1) - mp.log(x)) + weighted))


def exact_beta(x, a, b):
    with mp.workdps(60):
        x, a, b, h = *(mpf(float(v)) for v in (x, a, b)), mpf(10) ** -20
        up, down = (mp.betainc(a + d, b, 0, x, regularized=True) for d in (h, -h))
        return float(-(up - down) / (2 * h) * mp.beta(a, b) / (x ** (a - 1) * (1 - x) ** (b - 1)))


def test_gamma_slope_is_exact():
    rng = np.random.default_rng(0)
    shape = 10 ** rng.uniform(-3, 2.3, 80)
    x = np.maximum(rng.gamma(shape), 1e-250)
    x[:30] = shape[:30] * 10 ** rng.uniform(-3, 0.5, 30)
    wanted = [exact_gamma(*pair) for pair in zip(x, shape)]
    np.testing.assert_allclose(gamma_slope(x, shape), wanted, rtol=2e-13)


def test_gamma_slope_of_large_shapes():
    """Towards a normal law: x is a + sqrt(a) z, and its slope 1 + z/(2 sqrt(a)) up to 1/a."""
    z = np.array([-3.0, 0.0, 3.0])
    for shape in (1e5, 1e6):
        slope = gamma_slope(shape + np.sqrt(shape) * z, shape)
        np.testing.assert_allclose(slope, 1 + z / (2 * np.sqrt(shape)), atol=20 / shape)


def test_gamma_slope_at_its_edges():
    assert gamma_slope(0.0, 2.0) == 0
    assert gamma_slope([1e-300, 1e300], [0.001, 1.0])[0] > 0
    tiny = 1e-100  # where F is x^a / Gamma(a + 1)
    wanted = tiny / 0.5 * (-0.03648997397857652 - np.log(tiny))  # digamma(3/2)
    assert gamma_slope(tiny, 0.5) == pytest.approx(wanted, rel=1e-12)


@settings(max_examples=40)
@given(st.floats(1e-2, 1e3), st.floats(1e-3, 0.999))
def test_gamma_slope_moves_the_quantile(shape, level):
    law = stats.gamma
    x = law.ppf(level, shape)
    if x < 1e-200:
        return
    h = 1e-4 * min(shape, 1)
    moved = (law.ppf(level, shape + h) - law.ppf(level, shape - h)) / (2 * h)
    assert gamma_slope(x, shape) == pytest.approx(moved, rel=1e-4, abs=1e-12)


def test_beta_slope_is_exact():
    rng = np.random.default_rng(1)
    a, b = 10 ** rng.uniform(-2, 2, (2, 60))
    x = np.clip(rng.beta(a, b), 1e-15, 1 - 1e-13)
    slope = dirichlet_slope(np.stack([x, 1 - x], -1), np.stack([a, b], -1))[:, 0, 0]
    wanted = [exact_beta(*point) for point in zip(x, a, b)]
    np.testing.assert_allclose(slope, wanted, rtol=1e-11)


def test_dirichlet_slope_is_as_torch_has_it():
    rng = np.random.default_rng(2)
    alpha = rng.gamma(2.0, size=(200, 4)) + 0.05
    x = rng.gamma(alpha)
    x /= x.sum(-1, keepdims=True)
    ours = dirichlet_slope(x, alpha)
    theirs = torch._dirichlet_grad(*(torch.tensor(v) for v in np.broadcast_arrays(
        x, alpha, alpha.sum(-1, keepdims=True)))).numpy()
    theirs = theirs[..., None] * (np.eye(4) - x[..., None, :])
    np.testing.assert_allclose(ours, theirs, rtol=2e-3)
    apart = abs(ours / theirs - 1).max(axis=-1)
    assert (apart < 1e-10).any()
    assert abs(ours.sum(axis=-1)).max() < 1e-12


def test_a_row_of_a_dirichlet_slope_is_the_mean_of_that_of_gamma_variables():
    rng = np.random.default_rng(3)
    alpha, x = np.array([0.7, 2.0, 3.5]), np.array([0.2, 0.3, 0.5])
    total = rng.gamma(alpha.sum(), size=40_000)
    g = gamma_slope(total * x[0], alpha[0]) / total
    assert abs(g.mean() * (1 - x[0]) - dirichlet_slope(x, alpha)[0, 0]) < 6 * g.std() / np.sqrt(len(g))


def test_slopes_have_the_type_of_their_arguments():
    for dtype in (np.float16, np.float32, np.float64):
        x, shape = np.array([0.25, 1.5], dtype), np.array([0.5, 2.0], dtype)
        wide = gamma_slope(x.astype(float), shape.astype(float))
        np.testing.assert_array_equal(gamma_slope(x, shape), wide.astype(dtype), strict=True)
    assert gamma_slope(True, [1, 2]).tolist() == gamma_slope(1.0, [1.0, 2.0]).tolist()
    rng = np.random.default_rng(4)
    alpha = np.float32(rng.gamma(2.0, size=(50, 100)) + 0.1)
    x = rng.gamma(alpha).astype(np.float32)
    x /= x.sum(axis=-1, keepdims=True)  # they add up to 1 as far as their type goes
    assert dirichlet_slope(x, alpha).dtype == np.float32
