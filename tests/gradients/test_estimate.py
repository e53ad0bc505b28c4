"""softmaxnotes.gradients.estimate: exact gradients against other routes, and the draws."""

import math

import mpmath as mp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.gradients import Gaussian, GradientEstimate, exact_gradient
from softmaxnotes.gradients.estimate import (
    ask,
    centred_sums,
    draw_finite,
    read_params,
)
from softmaxnotes.softmax import softmax

INF, NAN = np.inf, np.nan
U = 2.0**-53


def test_one_variable_against_the_closed_form():
    logits, values = np.array([0.3, -1.0, 2.0, 0.0]), np.array([1.0, -4.0, 0.5, 7.0])
    found = exact_gradient(lambda z: values[z], logits)
    probabilities = softmax(logits)
    assert isinstance(found, GradientEstimate) and found.n_evaluations == 4
    np.testing.assert_allclose(found.gradient, probabilities * (values - probabilities @ values), rtol=1e-14)


def test_several_variables_against_automatic_differentiation():
    rng = np.random.default_rng(0)
    logits, table = rng.normal(size=(3, 4)), rng.normal(size=(4, 4, 4))
    found = exact_gradient(lambda z: table[z[:, 0], z[:, 1], z[:, 2]], logits)
    x = torch.tensor(logits, requires_grad=True)
    p = torch.softmax(x, -1)
    torch.einsum("abc,a,b,c", torch.tensor(table), *p).backward()
    np.testing.assert_allclose(found.gradient, x.grad.numpy(), atol=1e-15)
    assert found.n_evaluations == 64


@settings(max_examples=40)
@given(st.integers(1, 3), st.integers(1, 4), st.integers(0, 2**32), st.sampled_from([0.0, 1.0, 30.0]))
def test_rows_add_up_to_zero_and_a_shift_changes_nothing(k, c, seed, scale):
    rng = np.random.default_rng(seed)
    logits, weights = scale * rng.normal(size=(k, c)), rng.normal(size=(k, c))

    def f(z):
        return np.prod(weights[np.arange(k), z], axis=1)

    gradient = exact_gradient(f, logits).gradient
    size = np.abs(weights).max() ** k
    assert np.abs(gradient.sum(-1)).max() <= 8 * c * U * size
    shifted = exact_gradient(lambda z: f(z) + 1e6, logits).gradient
    assert np.abs(shifted - gradient).max() <= 64 * U * 1e6
    if k == 1:
        alone = exact_gradient(lambda z: f(z[:, None]), logits[0]).gradient
        np.testing.assert_array_equal(alone, gradient[0])


def test_where_the_law_is_sure_digits_are_kept():
    values = np.array([1.0, 2.0, 5.0])
    for logits in ([0.0, -50.0, -60.0], [-1e3, -1e3 - 40, -1e3 - 700]):
        found = exact_gradient(lambda z: values[z], logits).gradient
        with mp.workdps(60):
            weights = [mp.exp(mp.mpf(x)) for x in logits]
            p = [w / mp.fsum(weights) for w in weights]
            mean = mp.fsum(a * mp.mpf(b) for a, b in zip(p, values))
            exact = [float(a * (mp.mpf(b) - mean)) for a, b in zip(p, values)]
        np.testing.assert_allclose(found, exact, rtol=1e-13, atol=0)


def test_what_is_masked_is_not_asked_for():
    asked = []

    def f(z):
        asked.extend(map(tuple, z))
        return np.where(z[:, 0] == 1, NAN, z.sum(axis=1))

    found = exact_gradient(f, [[0.0, -INF, 0.0], [-INF, 1.0, -INF]])
    assert sorted(asked) == [(0, 1), (2, 1)] and found.n_evaluations == 2
    assert found.gradient.tolist() == [[-0.5, 0.0, 0.5], [0.0, 0.0, 0.0]]


def test_many_outcomes_come_in_blocks():
    sizes = []

    def f(z):
        sizes.append(len(z))
        return z.sum(axis=1)

    found = exact_gradient(f, np.zeros((17, 2)))
    assert sizes == [2**16, 2**16] and found.n_evaluations == 2**17
    np.testing.assert_allclose(found.gradient, np.tile([-0.25, 0.25], (17, 1)), rtol=1e-12)


def test_parameters_are_float64_and_new():
    logits = np.zeros(3, np.float32)
    read = read_params(logits)
    assert read.dtype == np.float64 and read_params([1, 2]).dtype == np.float64
    exact = np.zeros(3)
    read_params(exact)[0] = 1
    assert not exact.any()
    assert read_params(Gaussian([1, 2], [0, 0])).mean.dtype == np.float64


def test_values_may_be_bits():
    assert ask(lambda z: z[:, 0] > 0, np.array([[0, 1], [2, 3]])).tolist() == [0.0, 1.0]


class Uniform(np.random.Generator):
    """A generator whose uniform numbers are all the same."""

    def __init__(self, value):
        super().__init__(np.random.PCG64(0))
        self.value = value

    def random(self, size=None):
        return np.full(size, self.value)


@pytest.mark.parametrize("c", [3, 40])
def test_no_extreme_number_draws_a_masked_category(c):
    rng = np.random.default_rng(1)
    for _ in range(50):
        logits = 3 * rng.normal(size=(2, c))
        logits[:, [0, 1, -1]] = -INF, 0.0, -INF
        for u in (0.0, 1 - U):
            z = draw_finite(logits, 4, Uniform(u))
            assert z.shape == (4, 2) and ((0 < z) & (z < c - 1)).all()


@pytest.mark.parametrize("shape", [(4,), (30,), (3, 4), (2, 30)])
def test_laws_of_the_draws(shape):
    logits = np.random.default_rng(2).normal(size=shape)
    probabilities = softmax(logits)
    for k, law in enumerate(np.atleast_2d(probabilities)):
        has_frequencies(lambda n, rng: draw_finite(logits, n, rng).reshape(n, -1)[:, k], law, effect=0.02,
                        title=f"variable {k}")
    assert draw_finite(logits, 0, np.random.default_rng(0)).shape == (0, *shape[:-1])


@settings(max_examples=40)
@given(st.integers(0, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 5), st.integers(0, 2**32))
def test_centred_sums_against_one_hot_vectors(m, n, k, c, seed):
    rng = np.random.default_rng(seed)
    logits, weights = rng.normal(size=(k, c)), rng.normal(size=(m, n))
    z = rng.integers(0, c, size=(m * n, k))
    scores = (np.eye(c)[z] - softmax(logits)).reshape(m, n, k, c)
    sums = np.einsum("mn,mnkc->mkc", weights, scores)
    np.testing.assert_allclose(centred_sums(z, weights, logits), sums, atol=1e-13)
    if k == 1:
        np.testing.assert_allclose(centred_sums(z[:, 0], weights, logits[0]), sums[:, 0], atol=1e-13)


def test_the_likeliest_category_keeps_its_digits():
    found = centred_sums(np.array([0]), np.array([[3.0]]), np.array([0.0, -50.0]))[0]
    assert found[0] == pytest.approx(3 * math.exp(-50), rel=1e-14) and found[1] == -found[0]
