"""Gradients through a draw: against formulas typed anew, against draws, and malformed input."""

import math

import numpy as np
import pytest
import torch
from mpmath import mp
from scipy import integrate
from scipy.special import expit

from softmaxnotes.gumbel import (
    draw_jacobians,
    gumbel_rao,
    gumbel_softmax,
    reinmax,
    relaxed_gradient_noise,
)
from softmaxnotes.softmax import softmax

INF, NAN = math.inf, math.nan
LOGITS = np.array([0.5, -1.0, 0.3, -INF])


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def passed(draw, leaf, weights):
    (draw * weights).sum().backward()
    return leaf.grad.numpy()


def jacobian(p):
    return np.diag(p) - np.outer(p, p)


@pytest.mark.parametrize("tau", [0.02, 0.5, 1.0, 7.0])
@pytest.mark.parametrize("d", [-2.0, 0.0, 0.8])
def test_noise_by_quadrature(tau, d):
    def slope(x):
        return 3 * x**2 - x + 0.25

    def moment(pull, low=-45.0, high=45.0):
        places = sorted({min(max(v, low), high) for v in (0.0, d / tau)})
        return integrate.quad(lambda y: pull(y) * expit(tau * y - d) * expit(d - tau * y), low, high,
                              points=places, epsabs=1e-13, epsrel=1e-12, limit=500)[0]

    def pull(y):
        return expit(y) * expit(-y)

    first = moment(lambda y: slope(expit(y)) * pull(y))
    second = moment(lambda y: (slope(expit(y)) * pull(y)) ** 2) / tau
    got = relaxed_gradient_noise(slope, d, temperature=tau)
    np.testing.assert_allclose(got, [first, second - first**2], rtol=1e-9, atol=1e-11)
    ends = slope(np.array([0.0, 1.0]))
    halves = np.array([moment(pull, -45.0, 0.0), moment(pull, 0.0, 45.0)])
    squares = np.array([moment(lambda y: pull(y) ** 2, *ends) for ends in ((-45.0, 0.0), (0.0, 45.0))])
    got = relaxed_gradient_noise(slope, d, temperature=tau, method="straight-through")
    np.testing.assert_allclose(got, [ends @ halves, ends**2 @ squares / tau - (ends @ halves) ** 2],
                               rtol=1e-9, atol=1e-11)
    rao = relaxed_gradient_noise(slope, d, temperature=tau, method="gumbel-rao")
    p = expit([-d, d])
    np.testing.assert_allclose(rao, [ends @ halves, ends**2 @ (halves**2 / p) - (ends @ halves) ** 2],
                               rtol=1e-9, atol=1e-11)
    assert rao.variance <= got.variance


@pytest.mark.parametrize(("d", "tau"), [(-60.0, 0.5), (60.0, 1.0), (-60.0, 3.0), (400.0, 1.0), (400.0, 3.0)])
def test_noise_of_large_logits_by_quadrature(d, tau):
    def moment(pull, *ends):  # times e^|d|, or the quadrature would take it for 0
        around = np.arange(-80, 81, 8)
        panels = np.unique(np.clip([around, around + d / tau, np.linspace(0, d / tau, len(around))], *ends))
        return mp.quad(lambda y: pull(y) * bell(tau * y - d) * mp.exp(abs(d)), panels.tolist())

    def bell(y):
        return mp.exp(-abs(y)) / (1 + mp.exp(-abs(y))) ** 2

    def soft(y):
        return (1 + 1 / (1 + mp.exp(-y))) * bell(y)

    small, p = mp.exp(-abs(d)), [1 / (1 + mp.exp(v)) for v in (d, -d)]
    below, above = (-1e4, 0.0), (0.0, 1e4)
    first = [moment(bell, *side) for side in (below, above)]
    square = [moment(lambda y: bell(y) ** 2, *side) / tau for side in (below, above)]
    mean, hard = moment(soft, -1e4, 1e4), first[0] + 2 * first[1]
    second = moment(lambda y: soft(y) ** 2, -1e4, 1e4) / tau
    apart = small * (first[0] / p[0] - 2 * first[1] / p[1])  # the two values that Gumbel-Rao has
    for kind, mean, variance in (
            ("relaxed", mean, second - mean**2 * small),
            ("straight-through", hard, square[0] + 4 * square[1] - hard**2 * small),
            ("gumbel-rao", hard, p[0] * p[1] / small * apart**2)):
        found = relaxed_gradient_noise(lambda x: 1 + x, d, temperature=tau, method=kind)
        want = float(mean * small), float(variance * small)
        # of each term, which is an exponential of numbers up to |d| + 45 τ that were rounded a few times
        np.testing.assert_allclose(found, want, rtol=8 * (abs(d) + 45 * max(1, tau)) * 2.0**-53)


@pytest.mark.parametrize("kind", ["relaxed", "straight-through", "gumbel-rao"])
def test_no_noise_is_left_at_logits_beyond_the_range_of_exponentials(kind):
    for d in (800.0, -1e300):
        assert relaxed_gradient_noise(np.ones_like, d, method=kind) == (0, 0)


def test_noise_of_tensors():
    """The straight-through Gumbel-softmax of two classes, drawn."""
    leaf = torch.tensor([[0.7, 0.0]]).double().expand(100_000, 2).clone().requires_grad_()
    gumbel_softmax(leaf, temperature=0.8, hard=True, generator=seeded())[:, 0].sum().backward()
    drawn = leaf.grad[:, 0].numpy()
    noise = relaxed_gradient_noise(np.ones_like, 0.7, temperature=0.8)  # of a linear payoff, hard or soft
    assert abs(drawn.mean() - noise.mean) < math.sqrt(math.log(2 / 1e-9) / 2e5) / (4 * 0.8)  # Hoeffding
    assert abs(drawn.var() / noise.variance - 1) < 0.05


def test_matrices_as_printed():
    p = softmax(LOGITS)
    for k, matrix in enumerate(draw_jacobians(LOGITS, method="reinmax")):
        want = 2 * jacobian((p + np.eye(4)[k]) / 2) - jacobian(p) / 2
        np.testing.assert_allclose(matrix, want, atol=1e-15)
    for matrix in draw_jacobians(LOGITS, method="straight-through"):
        np.testing.assert_allclose(matrix, jacobian(p), atol=1e-15)
    for method in ("reinmax", "straight-through"):
        assert draw_jacobians(LOGITS.astype(np.float32), method=method).dtype == np.float32
        assert draw_jacobians([True, False], method=method).dtype == np.float64


def test_reinmax_passes_its_matrix_back():
    matrices = draw_jacobians(LOGITS, method="reinmax")
    weights = np.array([0.3, -1.2, 2.0, 0.7])
    classes = set()
    for seed in range(12):
        leaf = torch.tensor(LOGITS, requires_grad=True)
        draw = reinmax(leaf, generator=seeded(seed))
        k = int(draw.argmax())
        classes.add(k)
        assert sorted(draw.tolist()) == [0, 0, 0, 1]
        found = passed(draw, leaf, torch.tensor(weights))
        np.testing.assert_allclose(found, matrices[k] @ weights, atol=1e-14)
    assert classes == {0, 1, 2}


def test_gumbel_rao_is_the_mean_of_straight_through():
    """Given the class the mean gradient is the same, and cold it is that of ReinMax."""
    weights = torch.tensor([0.3, -1.2, 2.0, 0.7]).double()
    many = torch.tensor(LOGITS).expand(200_000, 4).clone().requires_grad_()
    draw = gumbel_softmax(many, temperature=0.7, hard=True, generator=seeded())
    (draw * weights).sum().backward()
    for seed in range(4):
        leaf = torch.tensor(LOGITS, requires_grad=True)
        one = gumbel_rao(leaf, temperature=0.7, n_conditional=100_000, generator=seeded(seed))
        chosen = draw.argmax(-1) == one.argmax()
        want = many.grad[chosen].mean(0).numpy()
        np.testing.assert_allclose(passed(one, leaf, weights), want, atol=0.02)
        leaf = torch.tensor(LOGITS, requires_grad=True)
        one = gumbel_rao(leaf, temperature=0.01, n_conditional=200_000, generator=seeded(seed))
        want = draw_jacobians(LOGITS, method="reinmax")[int(one.argmax())] @ weights.numpy()
        np.testing.assert_allclose(passed(one, leaf, weights), want, atol=0.12)


def test_hard_draws_have_the_law():
    many = torch.tensor(LOGITS).expand(100_000, 4)
    for draw in (reinmax(many, generator=0), gumbel_rao(many, temperature=0.5, n_conditional=1, generator=0)):
        off = draw.mean(0).numpy() - softmax(LOGITS)
        assert np.abs(off).max() < math.sqrt(math.log(8 / 1e-9) / 2e5) and not draw[:, 3].any()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_extreme_logits(dtype):
    for x in ([1e4, -1e4, 0.0], [0.0, -INF, -INF], [1e4, 1e4, -INF]):
        for draw in (reinmax, lambda v, generator: gumbel_rao(v, temperature=1e-310, generator=generator)):
            leaf = torch.tensor(x, dtype=dtype, requires_grad=True)
            found = draw(leaf, generator=seeded())
            assert found.dtype == dtype and found.sum() == 1
            (found * torch.arange(3).to(dtype)).sum().backward()
            assert torch.isfinite(leaf.grad).all()
    assert reinmax(torch.zeros(0, 3)).shape == gumbel_rao(torch.zeros(0, 3)).shape == (0, 3)
