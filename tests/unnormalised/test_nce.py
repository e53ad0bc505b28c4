"""softmaxnotes.unnormalised.nce: against formulas typed anew, high precision, and malformed input."""

import math

import mpmath as mp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, log_softmax

from softmaxnotes.unnormalised import info_nce_loss, nce_fit, nce_loss

INF, NAN = math.inf, math.nan
repeated = settings(max_examples=40, derandomize=True)
finite = st.floats(-50, 50)


def double(values, **options):
    return torch.tensor(values, dtype=torch.float64, **options)


# --- the loss ---------------------------------------------------------------------------------------


@repeated
@given(st.lists(finite, min_size=1, max_size=4), st.lists(finite, min_size=1, max_size=6), finite, finite)
def test_loss_in_high_precision(data, noise, data_log_kq, noise_log_kq):
    with mp.workdps(60):
        exact = mp.fsum(mp.log1p(mp.exp(-(mp.mpf(s - data_log_kq)))) for s in data)
        exact += mp.fsum(mp.log1p(mp.exp(mp.mpf(s - noise_log_kq))) for s in noise)
        exact = float(exact / len(data))
    found = nce_loss(double(data), double(noise), data_log_kq, noise_log_kq).item()
    assert found == pytest.approx(exact, rel=1e-14)


def test_gradient_is_probability_less_label():
    rng = np.random.default_rng(0)
    data, noise = (double(rng.normal(size=shape), requires_grad=True) for shape in (4, (4, 3)))
    data_kq, noise_kq = double(rng.normal(size=4)), double(rng.normal(size=(4, 3)))
    nce_loss(data, noise, data_kq, noise_kq).backward()
    np.testing.assert_allclose(data.grad, (expit((data - data_kq).detach().numpy()) - 1) / 4, rtol=1e-14)
    np.testing.assert_allclose(noise.grad, expit((noise - noise_kq).detach().numpy()) / 4, rtol=1e-14)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("score", [1e4, -1e4, 120.0, -120.0])
def test_huge_scores_are_exact(dtype, score):
    """What is sure and right costs nothing, what is sure and wrong its score; both have a gradient."""
    data, noise = (torch.full((1,), score, dtype=dtype, requires_grad=True) for _ in range(2))
    loss = nce_loss(data, noise, 0.0, 0.0)
    assert loss.item() == abs(score) and loss.dtype == dtype
    loss.backward()
    assert data.grad.item() == (-1 if score < 0 else 0) or abs(data.grad.item()) < 1e-30
    assert noise.grad.item() == (1 if score > 0 else 0) or abs(noise.grad.item()) < 1e-30


def test_infinite_scores_say_what_they_say():
    zero = double([0.0])
    assert nce_loss(double([INF]), double([-INF]), 0.0, 0.0).item() == 0
    assert nce_loss(double([-INF]), zero, 0.0, 0.0).item() == INF
    assert nce_loss(zero, double([INF]), 0.0, 0.0).item() == INF


def test_it_is_the_mean_over_data():
    """n data and m noise items; twice as many of both change nothing."""
    data, noise = double([0.3, -1.0]), double([0.1, 0.2, 0.7])
    once = nce_loss(data, noise, 0.5, -0.5)
    assert nce_loss(data.repeat(2), noise.repeat(2), 0.5, -0.5).item() == pytest.approx(once.item())
    assert nce_loss(data[:, None], noise.reshape(3, 1), double([0.5]), double([-0.5])).item() == once.item()


def test_a_constant_of_scores_is_not_free():
    """Unlike softmax: the scores carry the normaliser."""
    data, noise = double([0.3, -1.0]), double([0.1, 0.2])
    assert nce_loss(data, noise, 0.0, 0.0) != nce_loss(data + 1, noise + 1, 0.0, 0.0)
    shifted = nce_loss(data + 1, noise + 1, 1.0, 1.0).item()
    assert shifted == pytest.approx(nce_loss(data, noise, 0.0, 0.0).item())


# --- InfoNCE ----------------------------------------------------------------------------------------


@repeated
@given(st.integers(1, 5), st.integers(0, 100))
def test_info_nce_is_cross_entropy(size, seed):
    scores = np.random.default_rng(seed).normal(scale=5, size=(3, size, size))
    exact = -np.mean([np.diag(log_softmax(square, axis=-1)) for square in scores])
    assert info_nce_loss(double(scores)).item() == pytest.approx(exact, abs=1e-14)


def test_info_nce_of_named_candidates():
    scores = double([[0.0, 1e4, -INF], [2.0, 2.0, 2.0]])
    assert info_nce_loss(scores, positive=[1, 2]).item() == pytest.approx(math.log(3) / 2)
    assert info_nce_loss(scores, positive=[0, 2]).item() == pytest.approx((1e4 + math.log(3)) / 2)
    assert info_nce_loss(scores, positive=[2, 0]).item() == INF


# --- the fit ----------------------------------------------------------------------------------------


@repeated
@given(st.lists(st.floats(0.05, 5), min_size=2, max_size=6), st.floats(0.1, 50), st.integers(0, 99))
def test_free_scores_find_the_law(weights, nu, seed):
    p = np.array(weights) / np.sum(weights)
    q = np.random.default_rng(seed).dirichlet(np.full(len(p), 3.0)) + 1e-3
    found = nce_fit(np.eye(len(p)), np.log(nu * q), p, nu * q)
    np.testing.assert_allclose(np.exp(found), p, rtol=1e-8)


def test_headline():
    """p and q of the inventory: the weights are the data's law, and add up to one."""
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.1, 0.2, 0.3, 0.4])
    found = np.exp(nce_fit(np.eye(4), np.log(5 * q), p, 5 * q))
    np.testing.assert_allclose(found, p, rtol=1e-10)
    assert found.sum() == pytest.approx(1, abs=1e-10)


def test_the_fit_makes_the_gradient_of_the_loss_vanish():
    """Counts of a sample: the same maximum that automatic differentiation sees."""
    rng = np.random.default_rng(3)
    x, log_kq = rng.normal(size=(8, 3)), rng.normal(size=8)
    a, b = rng.integers(1, 9, 8), rng.integers(1, 9, 8)
    theta = double(nce_fit(x, log_kq, a, b), requires_grad=True)
    rows = double(x), double(log_kq)
    data, noise = ([one.repeat_interleave(torch.tensor(w), dim=0) for one in rows] for w in (a, b))
    nce_loss(data[0] @ theta, noise[0] @ theta, data[1], noise[1]).backward()
    assert theta.grad.abs().max() < 1e-12


def test_many_fits_at_once_are_each_its_own():
    rng = np.random.default_rng(5)
    x, log_kq = np.column_stack([np.ones(6), rng.normal(size=6)]), rng.normal(size=6)
    a, b = rng.integers(0, 9, (2, 3, 6)) + 1, rng.integers(0, 9, 6) + 1
    together = nce_fit(x, log_kq, a, b)
    assert together.shape == (2, 3, 2)
    for index in np.ndindex(2, 3):
        np.testing.assert_allclose(together[index], nce_fit(x, log_kq, a[index], b), rtol=1e-9, atol=1e-12)


def test_it_starts_far_away():
    p, q = np.array([0.6, 0.4]), np.array([0.5, 0.5])
    for start in ([30.0, -30.0], [-8.0, 9.0]):
        found = nce_fit(np.eye(2), np.log(q), p, q, initial=start)
        np.testing.assert_allclose(np.exp(found), p, rtol=1e-9)


def test_an_offset_far_off_is_made_good_by_the_constant():
    """Many features, a bad start: only the constant differs between the two fits."""
    rng = np.random.default_rng(2)
    x = np.column_stack([np.ones(200), rng.integers(0, 2, (200, 20))])
    q = rng.dirichlet(np.full(200, 0.3)) + 1e-4
    a, b = rng.multinomial(3000, q**0.5 / (q**0.5).sum()), rng.multinomial(75_000, q / q.sum())
    near, far = nce_fit(x, np.log(25 * q), a, b), nce_fit(x, np.log(q) - 30, a, b)
    np.testing.assert_allclose(near[1:], far[1:], rtol=1e-7, atol=1e-9)
    assert near[0] - far[0] == pytest.approx(np.log(25) + 30)


def test_items_without_weight_do_not_count():
    p, q = np.array([0.6, 0.4, 0.0]), np.array([0.5, 0.5, 0.0])
    x = np.array([[1.0, 0.0], [0.0, 1.0], [7.0, 7.0]])
    found = nce_fit(x, [0.0, 0.0, -INF], p, q * 2)
    np.testing.assert_allclose(np.exp(found), p[:2] / q[:2] / 2, rtol=1e-9)


def test_no_maximum():
    with pytest.raises(RuntimeError, match="no single maximum"):
        nce_fit(np.eye(2), [0.0, 0.0], [1.0, 1.0], [1.0, 0.0])  # the second item is never noise
    with pytest.raises(RuntimeError, match="no single maximum"):
        nce_fit(np.ones((2, 2)), [0.0, 0.0], [1.0, 1.0], [1.0, 1.0])  # two equal features
