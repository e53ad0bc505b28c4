"""Noise words, the loss of negative sampling, and its optimum."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import scipy.optimize
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from scipy.special import expit, log_expit

from softmaxnotes.unnormalised import NoiseSampler, nce_loss, negative_sampling_loss, shifted_pmi

# --- the noise ----------------------------------------------------------------------------------


def test_the_law_of_h13():
    noise = NoiseSampler([1, 2, 3, 4])
    np.testing.assert_allclose(noise.probabilities, [0.1, 0.2, 0.3, 0.4], rtol=1e-15)
    np.testing.assert_allclose(noise.log_probabilities, np.log([0.1, 0.2, 0.3, 0.4]), rtol=1e-15)
    assert len(noise) == 4


@settings(max_examples=200)
@given(arrays(float, st.integers(1, 12), elements=st.one_of(
    st.integers(0, 4).map(float), st.floats(0, 1e6), st.floats(0, 1e-6))))
def test_the_table_has_the_law(weights):
    """Whether words tie with a box, are just below it, or have no weight."""
    if not weights.any():
        return
    noise = NoiseSampler(weights)
    exact = [Fraction(float(w)) for w in weights]
    exact = np.array([float(w / sum(exact)) for w in exact])
    law = noise.table_law()
    assert np.abs(law - exact).max() < 2**-51
    assert (law[weights == 0] == 0).all()
    assert math.fsum(law) == pytest.approx(1, abs=1e-15)
    np.testing.assert_allclose(noise.probabilities, exact, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("power", [0, 0.75, 1, 1.5])
@pytest.mark.parametrize("n", [1, 2, 3, 1000, 1_000_000])
def test_zipf(n, power):
    weights = 1 / np.arange(1, n + 1)
    noise = NoiseSampler(weights, power=power)
    assert np.abs(noise.table_law() - noise.probabilities).max() < 2**-51
    raised = weights**power
    np.testing.assert_allclose(noise.probabilities, raised / raised.sum(), rtol=1e-12)
    drawn = noise.sample(5, rng=0)
    assert drawn.dtype == np.int64 and ((0 <= drawn) & (drawn < n)).all()


def test_a_rare_word_among_a_million_has_its_probability():
    """The table of floats that are added up one by one has errors of 1e-9 there."""
    noise = NoiseSampler(1 / np.arange(1, 1_000_001))
    np.testing.assert_allclose(noise.table_law(), noise.probabilities, rtol=1e-11)


@pytest.mark.parametrize("sample", [partial(NoiseSampler.sample, rng=3),
                                    partial(NoiseSampler.sample_tensor, generator=3)])
def test_draws(sample):
    """A false alarm has the probability 1e-9."""
    noise, n = NoiseSampler([5, 0, 1, 0.25, 3, 3, 0.5], power=0.75), 200_000
    found = np.bincount(np.asarray(sample(noise, (2, n // 2))).ravel(), minlength=7)
    there = noise.probabilities > 0
    assert not found[~there].any()
    assert stats.chisquare(found[there], n * noise.probabilities[there]).pvalue > 1e-9


def test_a_wrong_power_would_be_seen():
    noise, n = NoiseSampler([5, 1, 0.25, 3]), 200_000
    found = np.bincount(NoiseSampler([5, 1, 0.25, 3], power=0.75).sample(n, rng=0), minlength=4)
    assert stats.chisquare(found, n * noise.probabilities).pvalue < 1e-9


def test_pairs_of_draws_are_independent():
    noise, n = NoiseSampler([3, 2, 1]), 200_000
    first, second = noise.sample((2, n), rng=1)
    found = np.bincount(3 * first + second, minlength=9)
    assert stats.chisquare(found, n * np.outer(*[noise.probabilities] * 2).ravel()).pvalue > 1e-9


def test_shapes_and_generators():
    noise, known = NoiseSampler([1, 1]), torch.Generator().manual_seed(4)
    for size, shape in ((None, ()), ((), ()), (3, (3,)), (np.int64(3), (3,)), ((0, 2),) * 2, ((2, 3),) * 2):
        drawn, tensor = noise.sample(size), noise.sample_tensor(size)
        assert drawn.shape == tensor.shape == shape
        assert drawn.dtype == np.int64 and tensor.dtype == torch.int64
        assert isinstance(tensor, torch.Tensor) and isinstance(drawn, np.ndarray if shape else np.int64)
    assert (noise.sample(9, rng=4) == noise.sample(9, rng=np.random.default_rng(4))).all()
    assert torch.equal(noise.sample_tensor(9, generator=4), noise.sample_tensor(9, generator=known))
    assert not torch.equal(noise.sample_tensor(99), noise.sample_tensor(99))
    assert noise.sample_tensor(3, generator=known, device="cpu").device == torch.device("cpu")


def test_extreme_weights():
    noise = NoiseSampler([1e308, 1e308, 1e-300])
    np.testing.assert_allclose(noise.probabilities, [0.5, 0.5, 0])
    assert noise.log_probabilities[2] == pytest.approx(math.log(1e-300) - math.log(2e307) - math.log(10))
    np.testing.assert_allclose(NoiseSampler([1e-320, 1e-320]).probabilities, 0.5)


# --- the loss -----------------------------------------------------------------------------------


def test_the_loss_is_its_formula():
    rng = np.random.default_rng(0)
    s, r = rng.normal(size=6) * 3, rng.normal(size=(6, 4)) * 3
    loss = negative_sampling_loss(torch.tensor(s), torch.tensor(r))
    assert loss.item() == pytest.approx(-(log_expit(s).sum() + log_expit(-r).sum()) / 6)


def test_it_is_noise_contrastive_estimation_of_scores_that_are_moved():
    generator = torch.Generator().manual_seed(0)
    s, r, a, b = (torch.randn(shape, generator=generator) for shape in ((5,), (5, 3), (5,), (5, 3)))
    torch.testing.assert_close(negative_sampling_loss(s, r), nce_loss(s + a, r + b, a, b))
    assert abs(negative_sampling_loss(s, r) - nce_loss(s, r, a, b)) > 0.1


def test_its_gradient():
    s, r = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in ([2.0, -1.0], [[0.5], [3.0]]))
    negative_sampling_loss(s, r).backward()
    np.testing.assert_allclose(s.grad, (expit(s.detach().numpy()) - 1) / 2)
    np.testing.assert_allclose(r.grad, expit(r.detach().numpy()) / 2)


def test_infinite_and_large_scores():
    s = torch.tensor([1e4, -1e4], requires_grad=True)
    r = torch.tensor([[-math.inf, 1e4], [-1e4, -math.inf]], requires_grad=True)
    loss = negative_sampling_loss(s, r)
    loss.backward()
    assert loss.item() == 1e4
    np.testing.assert_allclose(s.grad, [0, -0.5])
    np.testing.assert_allclose(r.grad, [[0, 0.5], [0, 0]])
    assert negative_sampling_loss(torch.tensor([-math.inf]), torch.tensor([0.0])) == math.inf


# --- its optimum --------------------------------------------------------------------------------


def test_the_optimum_of_h13():
    p, q, k = [0.5, 0.3, 0.15, 0.05], [0.1, 0.2, 0.3, 0.4], 5
    best = shifted_pmi([p], k, q)[0]
    np.testing.assert_allclose(np.exp(best), [1, 0.3, 0.1, 0.025], rtol=1e-14)
    assert np.exp(best).sum() == pytest.approx(1.425)
    np.testing.assert_allclose(np.exp(best) * k * q, p)


@settings(max_examples=30)
@given(arrays(float, (3, 4), elements=st.floats(0.1, 10)), st.floats(0.5, 20))
def test_nothing_is_better(counts, k):
    best = shifted_pmi(counts, k)
    noise = k * counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    for s, n, m in zip(best.ravel(), counts.ravel(), noise.ravel()):
        found = scipy.optimize.minimize_scalar(lambda t, n=n, m=m: -n * log_expit(t) - m * log_expit(-t))
        assert found.x == pytest.approx(s, abs=1e-5)


def test_pmi_does_not_change_with_a_factor_and_is_0_for_independent_words():
    counts = np.outer([1, 2, 3], [4, 5, 6, 7])
    np.testing.assert_allclose(shifted_pmi(counts), 0, atol=1e-14)
    np.testing.assert_allclose(shifted_pmi(counts * 1e9, 7), -math.log(7))


def test_pairs_and_words_that_were_not_seen():
    scores = shifted_pmi([[3, 0, 1], [0, 0, 1]], noise=[0.5, 0.5, 0])
    assert (scores[:, 1] == -np.inf).all() and (scores[:, 2] == np.inf).all() and scores[1, 0] == -np.inf
