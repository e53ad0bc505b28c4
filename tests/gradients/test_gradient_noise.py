"""softmaxnotes.gradients.gradient_noise: exact values."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from softmaxnotes.gradients import (
    Gaussian,
    gradient_noise,
    pathwise_gradient,
    score_function_gradient,
)


def square(z):
    return z**2


@settings(max_examples=40)
@given(mu=st.floats(-4, 4), log_std=st.floats(-2, 2), c=st.floats(-5, 20))
def test_a_square(mu, log_std, c):
    found, s = gradient_noise(square, Gaussian(mu, log_std), baseline=c), np.exp(log_std)
    near = dict(rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.mean.mean, 2 * mu, **near)
    np.testing.assert_allclose(found.mean.log_std, 2 * s**2, **near)
    np.testing.assert_allclose(found.pathwise.mean, 4 * s**2, **near)
    np.testing.assert_allclose(found.pathwise.log_std, 4 * mu**2 * s**2 + 8 * s**4, **near)
    np.testing.assert_allclose(found.score.mean, 2 * (4 * mu**2 + 3 * s**2)
                               + (c - mu**2 - 3 * s**2) ** 2 / s**2, **near)


def test_a_wave():
    for w in (0.1, 1.0, 3.0):
        found, once = gradient_noise(lambda z: torch.sin(w * z), Gaussian(0.0, 0.0)), np.exp(-(w**2))
        np.testing.assert_allclose(found.pathwise.mean, w**2 / 2 * (1 - once) ** 2, rtol=1e-11)
        np.testing.assert_allclose(found.score.mean,
                                   (1 - (1 - 4 * w**2) * once**2) / 2 - w**2 * once, rtol=1e-11)


def test_the_estimators_have_these_variances():
    def f(z):
        return torch.exp(torch.as_tensor(z) / 3)

    at = Gaussian(0.7, -0.2)
    noise = gradient_noise(f, at, baseline=1.0)
    for way, expected, options in ((score_function_gradient, noise.score, {"baseline": 1.0}),
                                   (pathwise_gradient, noise.pathwise, {})):
        found = way(f, at, n_samples=1, size=200_000, rng=0, **options).gradient
        for part, mean, variance in zip(found, noise.mean, expected):
            assert abs(part.mean() - mean) < 6 * np.sqrt(variance / 200_000)
            assert abs(np.log(part.var() / variance)) < 0.05


def test_numbers_of_nodes():
    for n in (4, 20, 180):
        np.testing.assert_allclose(gradient_noise(square, Gaussian(1.0, 0.0), n_nodes=n).score.mean, 30,
                                   rtol=1e-10)
