"""softmaxnotes.experiments.gradients.vae_codes: information and mismatch, each in another way, too."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from softmaxnotes.experiments.gradients.vae import NormalAutoencoder
from softmaxnotes.experiments.gradients.vae_codes import (
    LinkedVAE,
    code_ledger,
    each_cost,
    free_bits,
    own_codes,
    regulariser_parts,
)
from softmaxnotes.gradients import VAE, elbo_quadrature, importance_weighted_bound, log_evidence
from softmaxnotes.gradients.vae import code_cost


def bits(seed=0, count=30, pixels=6):
    source = torch.Generator().manual_seed(seed)
    return (torch.rand(count, pixels, generator=source) < 0.4).double()


def model(seed=0, pixels=6, codes=2):
    return VAE(pixels, n_codes=codes, hidden=5, generator=seed)


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
    parts = regulariser_parts(means, np.full((3, 1), 2 * math.log(std)), n_nodes=60)
    assert parts.information == pytest.approx(entropy - stats.norm(0, std).entropy(), abs=1e-4)
    mismatch = step * np.sum(density * (np.log(density) - stats.norm.logpdf(x)))
    assert parts.mismatch == pytest.approx(mismatch, abs=1e-4)


def test_chunks_of_the_parts_make_no_difference(monkeypatch):
    rng = np.random.default_rng(0)
    codes = rng.normal(size=(20, 2)), rng.normal(size=(20, 2))
    whole = regulariser_parts(*codes)
    monkeypatch.setattr("softmaxnotes.experiments.gradients.vae_codes.CHUNK", 10)
    np.testing.assert_allclose(regulariser_parts(*codes), whole, rtol=1e-12)


# -- several draws ----------------------------------------------------------------------------------------


def test_at_the_posterior_every_draw_is_the_evidence():
    y = torch.full((4, 1), 1.2, dtype=torch.float64)
    ideal = NormalAutoencoder(1.2 / 1.5, math.sqrt(0.5 / 1.5), 0.5)
    for draws in (1, 7):
        found = importance_weighted_bound(ideal, y, n_samples=draws)
        np.testing.assert_allclose(found, stats.norm.logpdf(1.2, 0, math.sqrt(1.5)), rtol=1e-12)


def test_the_mean_weight_is_the_evidence():
    """Away from the posterior: 400 groups of 500 draws, whose means have a known spread."""
    y = torch.full((400, 1), 1.2, dtype=torch.float64)
    model = NormalAutoencoder(0.5, 0.8, 0.5)
    weights = np.exp(importance_weighted_bound(model, y, n_samples=500, generator=0).numpy())
    error = weights.std() / math.sqrt(len(weights))
    assert abs(weights.mean() - stats.norm.pdf(1.2, 0, math.sqrt(1.5))) < 6 * error


def test_more_draws_come_nearer(monkeypatch):
    images, source = bits(count=200), torch.Generator().manual_seed(1)
    exact = log_evidence(model(), images).mean()

    def bound(n_samples, generator):
        with torch.no_grad():
            found = importance_weighted_bound(model(), images, n_samples=n_samples, generator=generator)
        return found.mean().item()

    one, many = bound(1, source), bound(300, source)
    assert one < many < exact + 0.01 and exact - many < 0.02
    monkeypatch.setattr("softmaxnotes.gradients.vae.CHUNK", 1000)
    assert abs(bound(300, 1) - many) < 0.02


def test_gradients_pass_through_the_draws_of_the_importance_weighted_bound():
    """Of one draw it is the evidence lower bound, whose other estimate has the same exact mean."""
    mean, std, v = (torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in (0.3, 0.6, 0.5))
    images = torch.full((100_000, 1), 1.2, dtype=torch.float64)
    found = importance_weighted_bound(NormalAutoencoder(mean, std, v), images, generator=0)
    found.mean().backward()
    exact = (1.2 - 0.3) / 0.5 - 0.3, 1 / 0.6 - 0.6 - 0.6 / 0.5
    # of a draw z = m + s e: (y - z)/v - z, and e ((y - z)/v - z) + 1/s
    slope = 1 / 0.5 + 1
    spread = slope * 0.6, math.sqrt((0.9 / 0.5 - 0.3) ** 2 + 2 * (slope * 0.6) ** 2)
    for leaf, wanted, sd in zip((mean, std), exact, spread):
        assert abs(leaf.grad.item() - wanted) < 6 * sd / math.sqrt(100_000)


# -- what the experiments rest on ---------------------------------------------------------------------


def test_coordinates_add_up_to_the_code_and_free_bits_are_a_floor():
    source = torch.Generator().manual_seed(0)
    mean, log_var = (torch.randn(7, 3, generator=source) for _ in range(2))
    torch.testing.assert_close(each_cost(mean, log_var).sum(dim=-1), code_cost(mean, log_var))
    torch.testing.assert_close(free_bits(mean, log_var, 0.0), code_cost(mean, log_var).mean())
    assert free_bits(mean, log_var, 50.0).item() == 150.0


def test_linked_pixels_make_a_distribution_of_images():
    linked = LinkedVAE(4, hidden=5, generator=0)
    with torch.no_grad():
        linked.links += torch.randn(4, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    images = torch.cartesian_prod(*[torch.arange(2.0, dtype=torch.float64)] * 4)
    with torch.no_grad():
        given = linked.log_likelihood(images, torch.tensor([[0.3, -1.0]], dtype=torch.float64))
    assert given.exp().sum().item() == pytest.approx(1)
    assert np.exp(linked.log_evidence(images, reach=6, step=0.2)).sum() == pytest.approx(1, abs=1e-6)


def test_without_links_the_evidence_is_that_of_the_plain_model():
    plain, linked = VAE(6, hidden=5, generator=0), LinkedVAE(6, hidden=5, generator=0)
    np.testing.assert_allclose(linked.log_evidence(bits(), reach=6, step=0.2),
                               log_evidence(plain, bits(), reach=6, step=0.2), rtol=1e-9)


def test_own_codes_lie_between_the_bound_and_the_evidence():
    images = bits(count=10)
    found = own_codes(model(), images)
    assert (found > elbo_quadrature(model(), images).total).all()
    assert (found < log_evidence(model(), images) + 1e-6).all()
