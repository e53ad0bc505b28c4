"""Tests of softmaxnotes.confidence.calibration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from softmaxnotes.confidence import fit_temperature
from softmaxnotes.digits import fit, load
from softmaxnotes.experiments.confidence.calibration import TEMPERATURES, judged_loss
from softmaxnotes.softmax import categorical_nll


def draw(n, classes, scale=2.0, temperature=1.0, seed=0):
    """Logits, and labels that softmax draws at a temperature."""
    rng = np.random.default_rng(seed)
    logits = scale * rng.normal(size=(n, classes))
    return logits, (logits / temperature + rng.gumbel(size=logits.shape)).argmax(axis=-1)


def slope(logits, y, beta):
    """Of the mean loss in the inverse temperature, and what its terms weigh."""
    parts = categorical_nll(beta * logits, y).gradient * logits
    return parts.sum(axis=-1).mean(), np.abs(parts).sum(axis=-1).mean()


@pytest.mark.parametrize("temperature", [0.01, 0.1, 1.0, 3.0, 30.0, 100.0])
@pytest.mark.parametrize("n, classes, scale", [(40, 4, 2.0), (500, 10, 3.0), (300, 100, 1.0), (500, 2, 8.0)])
def test_the_slope_vanishes_after_a_few_passes(temperature, n, classes, scale):
    logits, y = draw(n, classes, scale)
    found = fit_temperature(temperature * logits, y)
    assert found.verdict == "minimum" and found.converged and found.iterations <= 8
    at_best, terms = slope(logits, y, temperature / found.temperature)
    assert abs(at_best) < 1e-14 * max(1, terms)
    losses = categorical_nll(temperature / found.temperature * logits, y).value
    assert found.nll == pytest.approx(losses.mean(), rel=1e-13)


def test_a_search_finds_no_less():
    logits, y = draw(200, 5, temperature=2.5, seed=3)
    best = minimize_scalar(lambda beta: categorical_nll(beta * logits, y).value.mean(), bounds=(0.01, 3),
                           method="bounded", options={"xatol": 1e-10})
    found = fit_temperature(logits, y)
    assert found.nll <= best.fun and found.temperature == pytest.approx(1 / best.x, rel=1e-6)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from([1e-300, 1e-30, 1e-3, 1.0, 1e4, 1e300]), st.floats(-50, 50))
def test_what_does_not_matter(seed, factor, shift):
    logits, y = draw(12, 3, seed=seed)
    found = fit_temperature(logits, y)
    moved = fit_temperature(factor * logits[::-1], y[::-1])
    assert moved.verdict == found.verdict
    assert moved.nll == pytest.approx(found.nll, rel=1e-9)
    if found.verdict == "minimum":
        assert moved.temperature / factor == pytest.approx(found.temperature, rel=1e-9)
        shifted = fit_temperature(logits + shift, y)
        assert shifted.temperature == pytest.approx(found.temperature, rel=1e-7)


def test_two_classes_that_are_always_equally_sure():
    for share, lead in [(0.75, 4.0), (0.9, 1.0), (0.6, 30.0)]:
        wrong = np.arange(20) >= 20 * share
        logits = np.stack([np.full(20, lead), np.zeros(20)], axis=-1)
        found = fit_temperature(logits, wrong.astype(int))
        assert found.temperature == pytest.approx(lead / np.log(share / (1 - share)), rel=1e-13)


def test_extreme_logits():
    logits = np.array([[1e4, -1e4], [1e4, -1e4], [-1e4, 1e4], [-1e4, 1e4]])
    found = fit_temperature(logits, [0, 0, 1, 0])
    assert found.temperature == pytest.approx(2e4 / np.log(3), rel=1e-13)
    # one wrong guess, by next to nothing
    near = fit_temperature([[1.0, 1.0 - 1e-15], [0.0, 1.0]], [1, 1])
    assert near.verdict == "minimum" and near.converged and 0 < near.temperature < 0.1
    biggest = np.finfo(float).max
    assert fit_temperature([[biggest, -biggest]] * 3, [0, 0, 1]).temperature == np.inf  # no float is so large
    far = fit_temperature([[biggest / 4, -biggest / 4]] * 3, [0, 0, 1])
    assert far.temperature == pytest.approx(biggest / 2 / np.log(2)) and far.verdict == "minimum"


@pytest.mark.parametrize("logits, y", [([[2.0, 0.0], [0.0, 1.0]], [0, 1]),
                                       ([[1.0, 1.0], [2.0, 0.0]], [1, 0])])
def test_separable(logits, y):
    found = fit_temperature(logits, y)
    assert (found.temperature, found.verdict, found.converged) == (0.0, "separable", True)
    ties = np.log((np.asarray(logits) == np.max(logits, axis=-1, keepdims=True)).sum(axis=-1)).mean()
    assert found.nll == ties
    assert found.nll == pytest.approx(categorical_nll(np.multiply(logits, 1e6), np.array(y)).value.mean())


def test_worse_than_chance():
    found = fit_temperature([[2.0, 0.0, -np.inf], [1.0, 0.0, 0.0]], [1, 2])
    assert found.temperature == np.inf and found.verdict == "worse than chance"
    assert found.nll == pytest.approx((np.log(2) + np.log(3)) / 2)


@pytest.mark.parametrize("logits", [np.zeros((3, 4)), np.full((3, 1), 7.0), [[1.0, -np.inf]] * 3])
def test_flat(logits):
    found = fit_temperature(logits, [0, 0, 0])
    assert found.temperature == 1 and found.verdict == "flat" and found.converged


def test_masked_classes_change_nothing():
    logits, y = draw(30, 3)
    masked = np.insert(logits, 1, -np.inf, axis=1)
    assert fit_temperature(masked, np.where(y > 0, y + 1, y)) == fit_temperature(logits, y)


def test_shapes_and_types():
    logits, y = draw(24, 3)
    found = fit_temperature(logits, y)
    assert fit_temperature(logits.reshape(4, 6, 3), y.reshape(4, 6)) == found
    single = fit_temperature(logits.astype(np.float32), y.astype(np.uint8))
    assert single.temperature == pytest.approx(found.temperature, rel=1e-5)
    assert fit_temperature([3.0, 1.0], 0).verdict == "separable"
    kept = logits.copy()
    fit_temperature(logits, y)
    assert np.array_equal(kept, logits)


def test_blocks():
    logits, y = draw(40_000, 3, seed=5)
    found = fit_temperature(logits, y)
    assert abs(slope(logits, y, 1 / found.temperature)[0]) < 1e-14


def test_given_up():
    logits, y = draw(40, 4)
    found = fit_temperature(logits, y, max_iterations=1)
    assert not found.converged and found.iterations == 1


def test_no_temperature_is_better_than_that_of_the_judged():
    losses = {method: judged_loss(method, seed=3, budget=398, l2=1e-2) for method in TEMPERATURES}
    fitted, one, best = (losses[method]["loss"] for method in TEMPERATURES)
    assert best <= min(one, fitted) and losses["as fitted"]["temperature"] == 1
    train, test = load(seed=3)
    given = fit(train, l2=1e-2).logits(test.images[:398])
    assert losses["one temperature"]["temperature"] == fit_temperature(given, test.labels[:398]).temperature
