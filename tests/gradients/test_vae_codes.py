"""softmaxnotes.experiments.gradients.vae_codes: information and mismatch, each in another way, too."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from softmaxnotes.experiments.gradients.vae import NormalAutoencoder
from softmaxnotes.experiments.gradients.vae_codes import code_ledger, regulariser_parts
from softmaxnotes.gradients import VAE, importance_weighted_bound, log_evidence


def bits(seed=0, count=30, pixels=6):
    source = torch.Generator().manual_seed(seed)
    return (torch.rand(count, pixels, generator=source) < 0.4).double()


def model(seed=0, pixels=6, codes=2):
    return VAE(pixels, codes=codes, hidden=5, generator=torch.Generator().manual_seed(seed))


# -- finite autoencoders ------------------------------------------------------------------------------


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6))
@settings(max_examples=60)
def test_the_identities_of_the_ledger(m, n, seed):
    rng = np.random.default_rng(seed)
    encoder, decoder = 3 * rng.normal(size=(m, n)), 3 * rng.normal(size=(n, m))
    terms = code_ledger(encoder, decoder, prior_logits=rng.normal(size=n), data_logits=rng.normal(size=m))
    assert terms.rate == pytest.approx(terms.information + terms.mismatch, abs=1e-12)
    assert terms.information == pytest.approx(terms.entropy - terms.distortion + terms.gap, abs=1e-12)
    loss = terms.entropy + terms.gap + terms.mismatch
    assert terms.distortion + terms.rate == pytest.approx(loss, abs=1e-12)
    assert min(terms) > -1e-12
    assert terms.information <= min(terms.entropy, math.log(n)) + 1e-12


def test_a_shift_of_logits_changes_nothing_and_uniform_is_the_default():
    rng = np.random.default_rng(0)
    encoder, decoder = rng.normal(size=(3, 2)), rng.normal(size=(2, 3))
    plain = code_ledger(encoder, decoder)
    shifted = code_ledger(encoder + 700.0, decoder - 700.0, prior_logits=[5.0, 5.0], data_logits=[1, 1, 1])
    np.testing.assert_allclose(shifted, plain, atol=1e-11)
    assert plain.entropy == pytest.approx(math.log(3))


def test_extreme_logits_are_no_nan():
    terms = code_ledger(2000.0 * np.eye(2), 2000.0 * np.eye(2))
    np.testing.assert_allclose(terms, [math.log(2), math.log(2), 0, 0, 0, math.log(2)], atol=1e-12)


def test_what_the_ledger_refuses():
    good = np.zeros((2, 3))
    for wrong in (np.zeros(3), np.zeros((2, 3, 1)), np.zeros((2, 0))):
        with pytest.raises(ValueError, match="expected logits of shapes"):
            code_ledger(wrong, good.T)
    with pytest.raises(ValueError, match="expected logits of shapes"):
        code_ledger(good, good)
    for option in ({"prior_logits": np.zeros(2)}, {"data_logits": np.zeros(3)}):
        with pytest.raises(ValueError, match="prior_logits of shape"):
            code_ledger(good, good.T, **option)
    with pytest.raises(ValueError, match="finite"):
        code_ledger(good + np.nan, good.T)


# -- normal codes ---------------------------------------------------------------------------------------


def test_one_image_has_no_information():
    parts = regulariser_parts([[0.7, -2.0]], [[-1.0, 0.3]])
    assert parts.information == pytest.approx(0, abs=1e-13)
    assert parts.mismatch == pytest.approx(parts.kl) and parts.kl > 0


def test_codes_that_nobody_confuses_name_the_image():
    means, log_vars = np.arange(6.0)[:, None] * 50, np.full((6, 1), -2.0)
    assert regulariser_parts(means, log_vars).information == pytest.approx(math.log(6), abs=1e-10)


@pytest.mark.parametrize("std", [0.3, 1.0])
def test_the_information_of_a_mixture_is_a_difference_of_entropies(std):
    means = np.array([[-1.0], [0.5], [2.0]])
    x, step = np.linspace(-12, 12, 20_001, retstep=True)
    density = stats.norm.pdf(x[:, None], means[:, 0], std).mean(axis=1)
    entropy = -step * np.sum(density * np.log(density))
    parts = regulariser_parts(means, np.full((3, 1), 2 * math.log(std)), nodes=60)
    assert parts.information == pytest.approx(entropy - stats.norm(0, std).entropy(), abs=1e-4)
    mismatch = step * np.sum(density * (np.log(density) - stats.norm.logpdf(x)))
    assert parts.mismatch == pytest.approx(mismatch, abs=1e-4)


def test_chunks_and_refusals_of_the_parts(monkeypatch):
    rng = np.random.default_rng(0)
    codes = rng.normal(size=(20, 2)), rng.normal(size=(20, 2))
    whole = regulariser_parts(*codes)
    monkeypatch.setattr("softmaxnotes.experiments.gradients.vae_codes.CHUNK", 10)
    np.testing.assert_allclose(regulariser_parts(*codes), whole, rtol=1e-12)
    for means, log_vars in ((codes[0], codes[1][:5]), (codes[0][0], codes[1][0]), (np.zeros((0, 2)),) * 2):
        with pytest.raises(ValueError, match="one shape"):
            regulariser_parts(means, log_vars)
    with pytest.raises(ValueError, match="finite"):
        regulariser_parts([[np.inf]], [[0.0]])
    with pytest.raises(ValueError, match="nodes"):
        regulariser_parts(*codes, nodes=0)


# -- several draws ----------------------------------------------------------------------------------------


def test_at_the_posterior_every_draw_is_the_evidence():
    y = torch.full((4, 1), 1.2, dtype=torch.float64)
    ideal = NormalAutoencoder(1.2 / 1.5, math.sqrt(0.5 / 1.5), 0.5)
    for draws in (1, 7):
        found = importance_weighted_bound(ideal, y, draws)
        np.testing.assert_allclose(found, stats.norm.logpdf(1.2, 0, math.sqrt(1.5)), rtol=1e-12)


def test_the_mean_weight_is_the_evidence():
    """Away from the posterior: 400 groups of 500 draws, whose means have a known spread."""
    y = torch.full((400, 1), 1.2, dtype=torch.float64)
    source = torch.Generator().manual_seed(0)
    weights = np.exp(importance_weighted_bound(NormalAutoencoder(0.5, 0.8, 0.5), y, 500, generator=source))
    error = weights.std() / math.sqrt(len(weights))
    assert abs(weights.mean() - stats.norm.pdf(1.2, 0, math.sqrt(1.5))) < 6 * error


def test_more_draws_come_nearer(monkeypatch):
    images, source = bits(count=200), torch.Generator().manual_seed(1)
    exact = log_evidence(model(), images).mean()
    one, many = (importance_weighted_bound(model(), images, draws, generator=source).mean()
                 for draws in (1, 300))
    assert one < many < exact + 0.01 and exact - many < 0.02
    monkeypatch.setattr("softmaxnotes.gradients.vae.CHUNK", 1000)
    again = importance_weighted_bound(model(), images, 300, generator=torch.Generator().manual_seed(1)).mean()
    assert abs(again - many) < 0.02
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="one draw"):
            importance_weighted_bound(model(), images, wrong)
    with pytest.raises(ValueError, match="images of shape"):
        importance_weighted_bound(model(), images[:, :3], 2)
