"""Tests of softmaxnotes.confidence.reliability."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from softmaxnotes.confidence import (
    conformal_threshold,
    expected_calibration_error,
    expected_error_if_calibrated,
    fit_temperature,
    prediction_set,
    reliability_diagram,
)
from softmaxnotes.experiments.confidence.reliability import CURES, _error, claim_errors, learn_hundred
from softmaxnotes.softmax import log_softmax, softmax


def draw(n=200, classes=5, seed=0):
    rng = np.random.default_rng(seed)
    logits = 2 * rng.normal(size=(n, classes))
    return logits, (logits / 2 + rng.gumbel(size=logits.shape)).argmax(axis=-1)


def by_a_loop(probs, y, n_bins):
    """As it is usually written: over the bins, each open below and closed above."""
    confidence, right = probs.max(axis=-1), probs.argmax(axis=-1) == y
    edges, total = np.linspace(0, 1, n_bins + 1), 0.0
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            total += inside.mean() * abs(right[inside].mean() - confidence[inside].mean())
    return total


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 60))
def test_the_error_is_that_of_a_loop(seed, n_bins):
    logits, y = draw(50, 3, seed)
    probs = softmax(logits)
    error = expected_calibration_error(probs, y, n_bins=n_bins)
    assert error == pytest.approx(by_a_loop(probs, y, n_bins), abs=1e-13) and 0 <= error <= 1
    told = reliability_diagram(probs, y, n_bins=n_bins)
    assert told.count.sum() == 50 and len(told.edges) == n_bins + 1
    full = told.count > 0
    assert np.isnan(told.accuracy[~full]).all()
    gaps = told.count * np.abs(told.accuracy - told.confidence)
    assert error == pytest.approx(np.nansum(gaps) / 50, abs=1e-13)
    finer = expected_calibration_error(probs, y, n_bins=2 * n_bins)
    assert finer >= error - 1e-13


def test_edges_and_ties():
    told = reliability_diagram([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]], [0, 0, 1], n_bins=4)
    assert told.count.tolist() == [0, 1, 1, 1]
    assert told.accuracy[1:].tolist() == [1, 1, 1]  # of a tie the first is the guess
    assert expected_calibration_error([[1.0]], [0]) == 0
    assert reliability_diagram(np.float32([[0.5, 0.5]]), [1]).accuracy[7] == 0


def test_roundoffs_are_probabilities():
    exact = reliability_diagram([[1.0, 0.0]], [0])
    for probs in ([[1 + 2e-16, -2e-16]], np.float32([[1.0000001, 0]]), np.float32([[1.0000001, -1e-7]])):
        assert np.array_equal(reliability_diagram(probs, [0]).confidence, exact.confidence, equal_nan=True)


def test_many_classes_in_single_precision():
    probs = np.full((2, 10**6), 1e-6, np.float32)
    assert expected_calibration_error(probs, [0, 1]) == pytest.approx(0.5, abs=1e-5)


def test_shapes():
    logits, y = draw(24, 3)
    probs = softmax(logits)
    error = expected_calibration_error(probs, y)
    assert expected_calibration_error(probs.reshape(4, 6, 3), y.reshape(4, 6)) == error
    single = softmax(logits.astype(np.float32))
    assert expected_calibration_error(single, y) == pytest.approx(error, abs=1e-6)


def test_the_error_of_true_claims_by_all_outcomes():
    claims = np.array([0.55, 0.62, 0.64, 0.9, 0.97])
    mean = 0.0
    for hits in product([0, 1], repeat=5):
        chance = np.prod(np.where(hits, claims, 1 - claims))
        probs = np.stack([claims, 1 - claims], axis=-1)
        mean += chance * expected_calibration_error(probs, 1 - np.array(hits), n_bins=5)
    assert expected_error_if_calibrated(claims, n_bins=5) == pytest.approx(mean, rel=1e-13)


def test_the_error_of_true_claims_in_one_bin():
    for m in (1, 7, 500):
        binomial = stats.binom(m, 0.8)
        exact = binomial.expect(lambda hits, m=m: np.abs(hits - 0.8 * m)) / m
        assert expected_error_if_calibrated(np.full(m, 0.8)) == pytest.approx(exact, rel=1e-10)
    assert expected_error_if_calibrated([1.0, 1.0]) == 0


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_coverage_of_all_orders(m):
    """Each of m + 1 different surprises is the new one equally often."""
    rng = np.random.default_rng(m)
    logits, y = rng.normal(size=(m + 1, 3)), rng.integers(3, size=m + 1)
    for coverage in (0.1, 0.5, 0.66, 0.75, 0.9):
        kept = 0
        for new in range(m + 1):
            others = np.delete(np.arange(m + 1), new)
            level = conformal_threshold(logits[others], y[others], coverage=coverage)
            kept += prediction_set(logits[new], level)[y[new]]
        assert kept / (m + 1) == min(1, np.ceil((m + 1) * coverage - 1e-12) / (m + 1))


def test_the_level_is_a_surprise():
    logits, y = draw(99)
    surprise = np.sort(-log_softmax(logits)[np.arange(99), y])
    assert conformal_threshold(logits, y) == surprise[89]
    assert conformal_threshold(logits, y, coverage=0.99) == surprise[98]
    assert conformal_threshold(logits, y, coverage=0.991) == np.inf
    assert conformal_threshold(logits[:9], y[:9]) == surprise_of(logits[:9], y[:9])[8]  # 10 * 0.9 is 9


def surprise_of(logits, y):
    return np.sort(-log_softmax(logits)[np.arange(len(y)), y])


def test_sets():
    assert prediction_set([[0.0, 0.0], [1e4, -1e4]], np.log(2)).tolist() == [[True, True], [True, False]]
    assert prediction_set([0.0, -np.inf], np.inf).tolist() == [True, True]
    assert prediction_set([0.0, -np.inf], 1e300).tolist() == [True, False]
    assert not prediction_set([0.0, 0.0], 0.5).any()
    assert prediction_set(np.zeros((2, 3, 4)), 2.0).shape == (2, 3, 4)


def test_claims_of_networks():
    found = {cure: claim_errors(cure, seed=4, budget=5) for cure in CURES}
    held, test, held_labels, labels = learn_hundred(4, 5)
    probs = softmax(test / fit_temperature(held, held_labels).temperature)
    assert found["as trained"]["error"] == expected_calibration_error(softmax(test), labels)
    assert found["one temperature"]["error"] == expected_calibration_error(probs, labels)
    assert found["true claims"]["error"] == expected_error_if_calibrated(probs.max(axis=1))
    assert found["true claims"]["error"] < found["true claims"]["largest"] > 0
    assert not found["true claims"]["beyond"]


def test_errors_of_draws_are_those_of_the_package():
    rng = np.random.default_rng(0)
    confidence = rng.uniform(0.5, 1, 200)
    right = rng.random((3, 200)) < confidence
    probs = np.stack([confidence, 1 - confidence], axis=-1)
    each = [expected_calibration_error(probs, 1 - row.astype(int)) for row in right]
    assert np.allclose(_error(confidence, right), each)
