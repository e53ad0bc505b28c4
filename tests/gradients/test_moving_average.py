"""softmaxnotes.gradients.moving_average: its weights, its variance, and a gradient with it."""

import numpy as np
import pytest

from softmaxnotes.gradients import (
    MovingAverage,
    exact_gradient,
    score_function_gradient,
    score_function_variance,
)

LOGITS, VALUES = np.log([0.5, 0.3, 0.2]), np.array([1.0, 2.0, 4.0])


def payoff(z):
    return VALUES[z]


def test_the_weights_add_up_to_one_from_the_first_value_on():
    average, decay = MovingAverage(0.8, n_problems=2), 0.8
    seen = np.random.default_rng(0).normal(size=(30, 2))
    for t, one in enumerate(seen):
        average.update(one)
        weights = decay ** np.arange(t, -1, -1.0)
        np.testing.assert_allclose(average.value, weights @ seen[: t + 1] / weights.sum(), atol=1e-14)
    same = MovingAverage()
    for _ in range(9):
        same.update([1e6])
    assert same.value == 1e6


def test_without_memory_it_is_the_last_mean():
    average = MovingAverage(0.0)
    average.update([1.0, 2.0])
    average.update([4.0, 8.0])
    assert average.value == 6.0


def test_its_price_is_its_variance_times_that_of_the_score():
    """The mean over what it has seen, by the closed form of the noise for a number."""
    rng, law = np.random.default_rng(0), np.exp(LOGITS)
    squares = (law[:, None] * (np.eye(3) - law) ** 2).sum()
    spread = (1 - 0.9) / (1 + 0.9) * (law @ VALUES**2 - (law @ VALUES) ** 2)
    wanted = score_function_variance(LOGITS, VALUES, baseline=law @ VALUES).sum() + spread * squares
    found = []
    for _ in range(4000):
        average = MovingAverage()
        for z in rng.choice(3, size=60, p=law):  # so long that the start is forgotten
            average.update(payoff(z))
        found.append(score_function_variance(LOGITS, VALUES, baseline=average.value).sum())
    assert abs(np.mean(found) - wanted) < 6 * np.std(found) / len(found) ** 0.5


def test_the_score_function_takes_it_off_and_then_tells_it():
    average = MovingAverage(0.5)
    one = score_function_gradient(payoff, LOGITS, n_samples=3, baseline=average, size=50_000, rng=0)
    np.testing.assert_array_equal(
        one.gradient, score_function_gradient(payoff, LOGITS, n_samples=3, size=50_000, rng=0).gradient)
    assert average.value == pytest.approx(np.exp(LOGITS) @ VALUES, abs=0.02)
    two = score_function_gradient(payoff, LOGITS, n_samples=3, baseline=average, size=50_000, rng=1).gradient
    error = two.std(axis=0) / 50_000**0.5
    assert np.abs((two.mean(axis=0) - exact_gradient(payoff, LOGITS).gradient) / error).max() < 6
    assert two.var(axis=0).sum() < 0.3 * one.gradient.var(axis=0).sum()
