"""softmaxnotes.softmax.entropy against closed forms, high precision and other laws."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import entr

from softmaxnotes.experiments.softmax.entropy import entropy_level
from softmaxnotes.softmax import maximum_entropy, softmax

EPS = np.finfo(float).eps
repeated = settings(max_examples=50, derandomize=True)


@pytest.mark.parametrize("mean", [0.001, 0.25, 0.5, 0.9, 1 - 1e-9])
def test_two_items(mean):
    """The odds are given: beta is their logarithm."""
    law = maximum_entropy([0, 1], mean)
    np.testing.assert_allclose(law.probabilities, [1 - mean, mean], rtol=1e-10)
    assert abs(law.beta - (np.log(mean) - np.log1p(-mean))) < 8 * EPS / (mean * (1 - mean))


@pytest.mark.parametrize("mean", ["1.0001", "2", "3.25", "4.5", "5.999"])
def test_die_in_high_precision(mean):
    with mp.workdps(40):
        m = mp.mpf(float(mean))

        def excess(b):
            return mp.fsum((face - m) * mp.exp(b * face) for face in range(1, 7))

        start = maximum_entropy(range(1, 7), float(mean)).beta
        beta = mp.findroot(excess, mp.mpf(float(start)))
        weights = [mp.exp(beta * face) for face in range(1, 7)]
        exact = np.array([float(w / mp.fsum(weights)) for w in weights])
    law = maximum_entropy(range(1, 7), float(mean))
    assert abs(law.beta - float(beta)) < 1e-12 * max(1, abs(float(beta)))
    np.testing.assert_allclose(law.probabilities, exact, rtol=1e-10)


@repeated
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=8), st.floats(0.02, 0.98))
def test_mean_and_form(payoff, place):
    payoff = np.array(payoff)
    mean = payoff.min() + place * np.ptp(payoff)
    p, beta = maximum_entropy(payoff, mean)
    scale = np.abs(payoff).max()
    assert abs(p @ payoff - mean) <= 64 * EPS * scale * len(payoff)
    if np.ptp(payoff) > 1e-3:
        np.testing.assert_allclose(p, softmax(beta * payoff), rtol=1e-9)


def test_no_other_law_has_more_entropy():
    rng, payoff = np.random.default_rng(0), np.array([3.0, 1.0, 0.5, -2.0])
    others = rng.dirichlet(np.ones(4), 500)
    best = maximum_entropy(payoff, others @ payoff)
    assert (entr(others).sum(axis=1) < entr(best.probabilities).sum(axis=1)).all()


def test_ends_share_equally():
    top = maximum_entropy([1.0, 3.0, 3.0], 3.0)
    assert top.beta == np.inf and np.array_equal(top.probabilities, [0, 0.5, 0.5])
    low = maximum_entropy([1.0, 3.0, 3.0], 1.0)
    assert low.beta == -np.inf and np.array_equal(low.probabilities, [1, 0, 0])


@pytest.mark.parametrize("payoff", [[2.0], [2.0, 2.0, 2.0]])
def test_same_payoffs(payoff):
    p, beta = maximum_entropy(payoff, 2.0)
    assert beta == 0 and np.array_equal(p, np.full(len(payoff), 1 / len(payoff)))


def test_shapes():
    means = np.linspace(1, 6, 12).reshape(3, 4)
    p, beta = maximum_entropy(np.arange(1, 7), means)
    assert p.shape == (3, 4, 6) and beta.shape == (3, 4)
    assert (np.diff(beta.ravel()) > 0).all()
    one = maximum_entropy(np.arange(1, 7), 2.0)
    assert one.probabilities.shape == (6,) and one.beta.shape == ()


def test_reversed_payoffs_reverse_beta():
    payoff = np.array([0.3, -1.2, 2.5])
    there, back = maximum_entropy(payoff, 0.7), maximum_entropy(-payoff, -0.7)
    assert np.isclose(there.beta, -back.beta, rtol=1e-12)
    np.testing.assert_allclose(there.probabilities, back.probabilities, rtol=1e-12)


def test_large_payoffs():
    p, beta = maximum_entropy([-1e300, 1e300, 1e300], 0.0)
    np.testing.assert_allclose(p, [0.5, 0.25, 0.25], rtol=1e-12)
    assert np.isclose(beta * 2e300, -np.log(2))


def test_near_ties():
    """The larger payoffs differ by one unit in the last place, and the mean lies between them."""
    high = np.nextafter(1.0, 2.0)
    p, beta = maximum_entropy([0.0, 1.0, high], high)
    assert beta == np.inf and np.array_equal(p, [0, 0, 1])
    p, beta = maximum_entropy([0.0, 1.0, high], 1.0)
    assert 30 < beta < 60 and p[0] < 1e-12


@pytest.mark.parametrize("least", [0.2, 0.6931, 0.8, 1.0, 1.0986])
def test_level(least):
    """On the border the entropy is the given one, or larger on an edge; a little further out it is less."""
    angles = np.linspace(0, 2 * np.pi, 97)
    border = entropy_level(least, angles)
    found = entr(border.clip(0)).sum(axis=1)
    on_edge = border.min(axis=1) < 1e-12
    assert np.allclose(border.sum(axis=1), 1) and (found >= least - 1e-12).all()
    assert np.allclose(found[~on_edge], least, atol=1e-12)
    further = border + 1e-4 * (border - 1 / 3) / np.linalg.norm(border - 1 / 3, axis=1, keepdims=True)
    assert (entr(further[~on_edge]).sum(axis=1) < least).all()
