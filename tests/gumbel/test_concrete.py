"""Relaxed draws: their law, their density, their mean; extreme and malformed input."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.special import expit

from softmaxnotes.gumbel import (
    concrete_log_prob,
    gumbel,
    gumbel_max,
    gumbel_softmax,
    mixture_step,
    relaxed_mean,
)
from softmaxnotes.softmax import softmax
from softmaxnotes.tools import perturbed_argmax_probabilities

INF, NAN = math.inf, math.nan
P = np.array([0.5, 0.3, 0.2])
TYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16]


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def test_a_draw_is_the_softmax_of_perturbed_logits():
    x = np.random.default_rng(0).normal(size=(4, 5))
    for tau in (0.1, 1.0, 7.0):
        want = softmax((x + gumbel(x.shape, rng=3)) / tau)
        log_x = gumbel_softmax(x, temperature=tau, log=True, rng=3)
        np.testing.assert_allclose(gumbel_softmax(x, temperature=tau, rng=3), want, rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(np.exp(log_x), want, rtol=1e-12)
        hard = gumbel_softmax(x, temperature=tau, hard=True, rng=3)
        np.testing.assert_array_equal(hard.argmax(-1), gumbel_max(x, rng=3))
        np.testing.assert_array_equal(hard.sum(-1), 1)
    np.testing.assert_array_equal(gumbel_softmax(x.T, temperature=0.5, axis=0, rng=3).shape, (5, 4))


def test_the_law_of_tensors_is_that_of_arrays():
    logits = torch.tensor(np.log(P)).expand(100_000, 3)
    for tau in (0.3, 2.0):
        x = gumbel_softmax(logits, temperature=tau, generator=seeded())
        assert stats.chisquare(np.bincount(x.argmax(-1), minlength=3), 1e5 * P).pvalue > 1e-9
        off = (x.mean(0).numpy() - relaxed_mean(np.log(P), temperature=tau))
        assert np.abs(off).max() < math.sqrt(math.log(6 / 1e-9) / 2e5)
        log_x = gumbel_softmax(logits, temperature=tau, log=True, generator=seeded())
        torch.testing.assert_close(log_x.exp(), x)


@pytest.mark.parametrize("dtype", TYPES)
def test_hard_tensors_are_one_hot_and_have_the_soft_gradient(dtype):
    torch.manual_seed(0)
    logits = torch.randn(200, 7).to(dtype)
    logits[:, 2] = -INF
    weights = torch.randn(7).to(dtype)
    gradients = []
    for hard in (False, True):
        leaf = logits.clone().requires_grad_()
        x = gumbel_softmax(leaf, temperature=0.7, hard=hard, generator=seeded(4))
        assert x.dtype == dtype and not x[:, 2].any()
        (x * weights).sum().backward()
        assert torch.isfinite(leaf.grad).all() and not leaf.grad[:, 2].any()
        gradients.append(leaf.grad)
        if hard:
            assert set(x.unique().tolist()) == {0.0, 1.0} and (x.sum(-1) == 1).all()
    torch.testing.assert_close(*gradients)


def test_slopes_by_differences():
    x = torch.randn(3, 4, dtype=torch.float64, generator=seeded()).requires_grad_()
    for log in (False, True):
        assert torch.autograd.gradcheck(
            lambda v, log=log: gumbel_softmax(v, temperature=0.8, log=log, generator=seeded(1)), x)
    log_x = gumbel_softmax(x.detach(), temperature=0.8, log=True, generator=seeded(2)).requires_grad_()

    def density(a, v):
        return concrete_log_prob(torch.log_softmax(a, -1), v, temperature=0.8)

    assert torch.autograd.gradcheck(density, (log_x, x))


@pytest.mark.parametrize("tau", [1e-310, 1e-3, 0.05, 1.0, 1e3, 1e300])
def test_extreme_logits_and_temperatures(tau):
    x = np.array([[1e4, -1e4, 0.0, 1e4], [-INF, 3.0, -INF, -INF], [0, 0, 0, 0], [1e308, -1e308, 1.0, -INF]])
    with np.errstate(all="raise", under="ignore"):
        soft = gumbel_softmax(x, temperature=tau, rng=0)
        log_x = gumbel_softmax(x, temperature=tau, log=True, rng=0)
        hard = gumbel_softmax(x, temperature=tau, hard=True, rng=0)
    np.testing.assert_allclose(soft.sum(-1), 1, rtol=1e-14)
    np.testing.assert_array_equal(soft[1], [0, 1, 0, 0])
    assert not np.isnan(log_x).any() and (hard[:, :][x == -INF] == 0).all()
    tensor = torch.tensor(x, requires_grad=True)
    drawn = gumbel_softmax(tensor, temperature=tau, generator=seeded())
    assert torch.isfinite(drawn).all()
    drawn[:, 0].sum().backward()
    assert torch.isfinite(tensor.grad).all()


def test_a_category_of_probability_zero_is_never_drawn():
    x = np.full(2000, -INF)
    x[[3, 1990]] = [-5.0, 2.0]
    for seed in range(50):
        for logits, options in ((x, {"rng": seed}), (torch.tensor(x), {"generator": seeded(seed)})):
            drawn = np.asarray(gumbel_softmax(logits, temperature=0.5, hard=True, **options))
            assert drawn.sum() == 1 and drawn[[3, 1990]].sum() == 1
            assert not np.asarray(gumbel_softmax(logits, temperature=5.0, **options))[x == -INF].any()


def test_means_and_densities_in_the_type_that_came():
    for dtype in (np.float16, np.float32, np.longdouble):
        x = np.array([0.5, -1.0, 0.25], dtype)
        want = relaxed_mean(x.astype(float), temperature=0.5).astype(dtype)
        np.testing.assert_array_equal(relaxed_mean(x, temperature=0.5), want, strict=True)
        log_x = gumbel_softmax(x.astype(float), log=True, rng=0).astype(np.promote_types(dtype, np.float32))
        assert concrete_log_prob(log_x, x).dtype == log_x.dtype
    assert relaxed_mean([True, False]).dtype == gumbel_softmax([1, 0]).dtype == np.float64


def test_a_million_categories_and_many_batches():
    x = gumbel_softmax(np.zeros(10**6, np.float32), temperature=0.5, rng=0)
    assert x.dtype == np.float32 and abs(float(x.sum(dtype=float)) - 1) < 1e-4
    log_x = gumbel_softmax(np.zeros(10**6, np.float32), temperature=0.5, log=True, rng=0)
    assert np.isfinite(concrete_log_prob(log_x, np.zeros(10**6), temperature=0.5))
    assert gumbel_softmax(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert gumbel_softmax(np.zeros((2, 3, 4)), axis=1, hard=True, rng=0).sum(1).tolist() == [[1.0] * 4] * 2
    assert concrete_log_prob(np.zeros((0, 3)), np.zeros(3)).shape == (0,)
    assert gumbel_softmax(torch.zeros(0, 3)).shape == (0, 3)
    assert concrete_log_prob(torch.zeros(0, 3), torch.zeros(3)).shape == (0,)


def test_input_is_left_alone():
    x = np.log(P)
    x.flags.writeable = False
    gumbel_softmax(x, rng=0), gumbel_softmax(x, hard=True, rng=0), concrete_log_prob(x, x), relaxed_mean(x)


# --- The density -------------------------------------------------------------------


def test_density_against_torch():
    torch.manual_seed(0)
    logits = torch.randn(6, 5, dtype=torch.float64)
    for tau in (0.25, 1.0, 4.0):
        law = torch.distributions.RelaxedOneHotCategorical(torch.tensor(tau).double(), logits=logits)
        x = law.sample()
        want = law.log_prob(x)
        got = concrete_log_prob(x.log(), logits, temperature=tau)
        torch.testing.assert_close(got, want, rtol=1e-10, atol=1e-10)
        of_arrays = concrete_log_prob(x.log().numpy(), logits.numpy(), temperature=tau)
        np.testing.assert_allclose(of_arrays, want, rtol=1e-10)


@pytest.mark.parametrize("tau", [0.05, 0.7, 3.0])
def test_density_of_two_is_a_derivative(tau):
    y, d = np.linspace(-30, 30, 13), 0.4
    log_x = np.stack([-np.logaddexp(0, -y), -np.logaddexp(0, y)], axis=-1)
    z = tau * y - d
    want = math.log(tau) - np.logaddexp(0, z) - np.logaddexp(0, -z) - log_x.sum(-1)
    got = concrete_log_prob(log_x, [d, 0.0], temperature=tau)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


def test_float32_at_a_low_temperature():
    """A draw underflows, and its logarithm does not."""
    logits = torch.log_softmax(torch.arange(10.0) / 2, 0).expand(5000, 10)
    x = gumbel_softmax(logits, temperature=0.05, generator=seeded())
    log_x = gumbel_softmax(logits, temperature=0.05, log=True, generator=seeded())
    assert (x == 0).any() and not torch.isnan(x).any() and torch.isfinite(log_x).all()
    got = concrete_log_prob(log_x, logits, temperature=0.05)
    want = concrete_log_prob(log_x.double(), logits.double(), temperature=0.05)
    assert got.dtype == torch.float32
    torch.testing.assert_close(got.double(), want, rtol=1e-6, atol=1e-3)


def test_masked_categories_are_left_out():
    log_x = np.log([0.2, 0.5, 0.3])
    want = concrete_log_prob(log_x, [1.0, 0.0, -2.0], temperature=0.6)
    wide, mu = np.insert(log_x, 1, -INF), np.array([1.0, -INF, 0.0, -2.0])
    assert concrete_log_prob(wide, mu, temperature=0.6) == pytest.approx(want, rel=1e-14)
    leaf = torch.tensor(mu, requires_grad=True)
    found = concrete_log_prob(torch.tensor(wide), leaf, temperature=0.6)
    found.backward()
    assert float(found.detach()) == pytest.approx(want, rel=1e-14)
    assert torch.isfinite(leaf.grad).all() and leaf.grad[1] == 0
    assert concrete_log_prob(np.log([0.5, 0.5]), [0.0, -INF]) == -INF
    assert concrete_log_prob(torch.tensor([0.5, 0.5]).log(), torch.tensor([0.0, -INF])) == -INF
    assert concrete_log_prob([0.0, -INF], [3.0, -INF], temperature=0.1) == 0


# --- The mean ------------------------------------------------------------------------


@pytest.mark.parametrize("tau", [0.05, 0.5, 1.0, 2.0, 20.0])
def test_mean_of_two_by_quadrature(tau):
    for d in (-3.0, 0.0, 0.7):
        want = integrate.quad(lambda y: expit(d + tau * y) * expit(y) * expit(-y), -45, 45, epsabs=1e-13,
                              points=[-d / tau], limit=200)[0]
        np.testing.assert_allclose(relaxed_mean([d, 0.0], temperature=tau), [want, 1 - want], atol=1e-12)


def test_mean_at_the_ends():
    np.testing.assert_allclose(relaxed_mean(np.log(P), temperature=1e-6), P, atol=1e-11)
    np.testing.assert_allclose(relaxed_mean(np.log(P), temperature=1e6), 1 / 3, atol=1e-6)
    np.testing.assert_allclose(relaxed_mean([2.0] * 50, temperature=3.0), 1 / 50, atol=1e-13)
    np.testing.assert_allclose(relaxed_mean([0.0, 1e4, -INF], temperature=1.0), [0, 1, 0], atol=1e-13)


def test_mean_is_a_probability_of_winning():
    """By another quadrature, for noise that is a sum only in the limit: τ = 0 is the softmax."""
    got = relaxed_mean(np.log(P), temperature=1e-9)
    np.testing.assert_allclose(got, perturbed_argmax_probabilities(np.log(P), stats.gumbel_r()), atol=1e-9)


@settings(max_examples=30)
@given(st.lists(st.floats(-20, 20), min_size=1, max_size=8), st.floats(0.01, 100))
def test_mean_is_a_law_in_the_order_of_the_logits(logits, tau):
    mean = relaxed_mean(logits, temperature=tau)
    assert abs(mean.sum() - 1) < 1e-11
    assert (np.diff(mean[np.argsort(logits)]) > -1e-12).all()


# --- Clusters ---------------------------------------------------------------------------


def test_a_step_of_the_mixture_by_hand():
    rng = np.random.default_rng(0)
    points, centres, w, eps = rng.normal(size=(40, 3)), rng.normal(size=(4, 3)), np.array([1, 2, 3, 0.5]), 0.3
    weight = np.array([[w[k] * np.exp(-np.sum((x - c) ** 2) / (2 * eps)) for k, c in enumerate(centres)]
                       for x in points])
    shares = weight / weight.sum(axis=1, keepdims=True)
    step = mixture_step(points, centres, eps, weights=w)
    np.testing.assert_allclose(step.shares, shares, rtol=1e-10)
    np.testing.assert_allclose(step.centres, shares.T @ points / shares.sum(0)[:, None], rtol=1e-10)
    np.testing.assert_allclose(step.weights, shares.mean(0), rtol=1e-10)
    low = mixture_step(points.astype(np.float32), centres.astype(np.float32), eps, weights=w)
    assert {part.dtype for part in low} == {np.dtype(np.float32)}


def test_the_likelihood_never_falls():
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 3])
    centres, weights, last = points[:3], np.full(3, 1 / 3), -INF
    for _ in range(20):
        far = ((points[:, None] - centres) ** 2).sum(-1)
        likelihood = np.log((weights * np.exp(-far / 1.4)).sum(1)).sum()
        assert likelihood > last - 1e-9
        last = likelihood
        centres, weights, _ = mixture_step(points, centres, 0.7, weights=weights)


def test_cold_mixtures():
    points, centres = np.array([[0.0], [2.0], [4.0]]), [[0.0], [4.0]]
    for eps in (0, 1e-300, 1e-6):
        step = mixture_step(points, centres, eps)
        np.testing.assert_array_equal(step.shares, [[1, 0], [0.5, 0.5], [0, 1]])
    tied = mixture_step(points, centres, 0, weights=[1.0, 3.0]).shares
    np.testing.assert_array_equal(tied[1], [0.25, 0.75])
    far = mixture_step(points, [[0.0], [4.0], [1e9]], 0)
    assert far.centres[2, 0] == 1e9 and far.weights[2] == 0
    dead = mixture_step(points, centres, 1.0, weights=[0.0, 2.0])
    np.testing.assert_array_equal(dead.shares, [[0, 1]] * 3)
    np.testing.assert_allclose(mixture_step(points, centres, 1e300).shares, 0.5)


def test_mixtures_of_any_size_and_far_from_their_points():
    for scale in (2.0**-600, 2.0**600, 2.0**1020):  # whose squares are no doubles
        step = mixture_step([[0.0], [2 * scale], [4 * scale]], [[0.0], [4 * scale]], 1.0)
        near = [1, 0] if scale > 1 else [0.5, 0.5]
        np.testing.assert_array_equal(step.shares, [near, [0.5, 0.5], near[::-1]])
        np.testing.assert_array_equal(step.centres, [[2 / 3 * scale], [10 / 3 * scale]] if scale > 1
                                      else [[2 * scale]] * 2)
    np.testing.assert_array_equal(mixture_step([[1e200]], [[0.0], [1.0]], 1.0).shares, [[0, 1]])
    shift, points = 2.0**20, np.array([[0.0], [1.0]])  # of distances only differences matter
    near, far = (mixture_step([[v]], points, 1.0).shares for v in (0.5 + 2**-30, shift))
    np.testing.assert_allclose(near, [[expit(-(2.0**-30)), expit(2.0**-30)]], rtol=1e-15)
    np.testing.assert_array_equal(far, [[0, 1]])
