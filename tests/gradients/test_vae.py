"""softmaxnotes.gradients.vae: the bound, its gradient, and the evidence, against closed forms."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from softmaxnotes.experiments.gradients.vae import (
    NormalAutoencoder,
    assess,
    bits_alone,
    bits_in_groups,
    fit_vae,
    longer,
    normal_of_codes,
    rival,
    through,
    two_forces,
)
from softmaxnotes.gradients import (
    VAE,
    binarise,
    code_cost,
    elbo,
    elbo_quadrature,
    importance_weighted_bound,
    kl_diag_standard,
    log_evidence,
)


def number(y):
    return torch.full((1, 1), float(y), dtype=torch.float64)


def bits(seed=0, count=30, pixels=6):
    source = torch.Generator().manual_seed(seed)
    return (torch.rand(count, pixels, generator=source) < 0.4).double()


def model(seed=0, pixels=6, codes=2, **options):
    return VAE(pixels, n_codes=codes, hidden=5, generator=seed, **options)


# -- the model -----------------------------------------------------------------------------------


def test_a_seed_gives_a_model_and_no_global_one_is_touched():
    before = torch.random.get_rng_state()
    first, again, other = model(1), model(1), model(2)
    fit_vae(bits(), hidden=4, steps=2, batch=5, generator=0)
    assert torch.equal(before, torch.random.get_rng_state())
    for a, b, c in zip(first.parameters(), again.parameters(), other.parameters()):
        assert torch.equal(a, b) and not torch.equal(a, c)
        assert a.abs().max() <= 1 / math.sqrt(2)


def test_without_a_generator_it_is_that_of_torch():
    def made(seed):
        torch.manual_seed(seed)
        first, other = (VAE(6).encoder[0].weight for _ in range(2))
        loss = fit_vae(bits(), steps=1).record["loss"][0]
        bounds = elbo(model(), bits()).total, importance_weighted_bound(model(), bits())
        return first, other, loss, *(bound.sum().item() for bound in bounds)

    first, other, *numbers = made(3)
    again, _, *same = made(3)
    assert torch.equal(first, again) and not torch.equal(first, other)
    assert numbers == same and set(numbers).isdisjoint(made(4)[2:])


def test_likelihoods_of_all_images_add_up_to_one():
    every = torch.cartesian_prod(*[torch.tensor([0.0, 1.0], dtype=torch.float64)] * 6)
    code = torch.randn(2, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    assert torch.logsumexp(model().log_likelihood(every, code), 0).item() == pytest.approx(0, abs=1e-14)
    # and so do the evidences
    assert np.exp(log_evidence(model(), every)).sum() == pytest.approx(1, abs=1e-8)


def test_a_likelihood_keeps_its_digits_where_the_decoder_is_sure():
    sure = model()
    with torch.no_grad():
        sure.decoder[2].bias += 800.0
    one, two = torch.ones(1, 6, dtype=torch.float64), torch.zeros(1, 6, dtype=torch.float64)
    code = torch.zeros(1, 2, dtype=torch.float64)
    assert sure.log_likelihood(one, code).item() == pytest.approx(0, abs=1e-300)
    assert sure.log_likelihood(two, code).item() == pytest.approx(-4800, rel=1e-2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_everything_stays_in_its_dtype(dtype):
    images = bits().to(dtype)
    trained, _ = fit_vae(images, hidden=4, steps=2, batch=5, generator=0)
    assert {p.dtype for p in trained.parameters()} == {dtype}
    assert elbo(trained, images).total.dtype == dtype
    assert elbo_quadrature(trained, images).total.dtype == (np.float32 if dtype is torch.float32 else float)


def test_binarise():
    images = np.array([[0.0, 0.5, 0.500001, 1.0]])
    assert binarise(images).tolist() == [[0, 0, 1, 1]]
    assert binarise(images, threshold=0.2, dtype=torch.float32).dtype == torch.float32


# -- the cost of a code ----------------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), min_size=1, max_size=5))
@settings(max_examples=60)
def test_code_cost_is_the_divergence_and_torch_agrees(rows):
    mean, log_var = (torch.tensor(a, dtype=torch.float64) for a in zip(*rows))
    cost = code_cost(mean, log_var).item()
    law = torch.distributions.Normal(mean, torch.exp(log_var / 2))
    prior = torch.distributions.Normal(torch.zeros_like(mean), torch.ones_like(mean))
    known = torch.distributions.kl_divergence(law, prior).sum().item()
    assert cost == pytest.approx(known, rel=1e-9, abs=1e-12)
    assert cost == pytest.approx(float(kl_diag_standard(mean.numpy(), log_var.numpy())), rel=1e-9, abs=1e-14)


def test_the_slope_of_the_cost():
    mean, log_var = (torch.tensor([a], dtype=torch.float64, requires_grad=True) for a in (0.7, -1.3))
    code_cost(mean, log_var).backward()
    assert mean.grad.item() == 0.7
    assert log_var.grad.item() == pytest.approx((math.exp(-1.3) - 1) / 2, rel=1e-15)


# -- the bound --------------------------------------------------------------------------------------


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.05, 3), st.floats(0.05, 5))
@settings(max_examples=60)
def test_the_normal_model_is_the_closed_form(y, mean, std, noise_var):
    terms = elbo_quadrature(NormalAutoencoder(mean, std, noise_var), number(y))
    recon = -0.5 * (math.log(2 * math.pi * noise_var) + ((y - mean) ** 2 + std**2) / noise_var)
    assert terms.reconstruction[0] == pytest.approx(recon, rel=1e-10, abs=1e-10)
    evidence = stats.norm.logpdf(y, 0, math.sqrt(1 + noise_var))
    assert terms.total[0] <= evidence + 1e-9
    best = NormalAutoencoder(y / (1 + noise_var), math.sqrt(noise_var / (1 + noise_var)), noise_var)
    assert elbo_quadrature(best, number(y)).total[0] == pytest.approx(evidence, rel=1e-10)


def test_gradients_through_draws_have_the_exact_mean():
    """Six standard errors of each, from the variance of a single draw."""
    mean, std, v = (torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in (0.3, 0.6, 0.5))
    count, source = 100_000, torch.Generator().manual_seed(0)
    terms = elbo(NormalAutoencoder(mean, std, v), number(1.2), n_samples=count, generator=source)
    terms.total.sum().backward()
    exact = (1.2 - 0.3) / 0.5 - 0.3, 1 / 0.6 - 0.6 - 0.6 / 0.5
    spread = 0.6 / 0.5, math.sqrt((0.9 / 0.5) ** 2 + 2 * (0.6 / 0.5) ** 2)
    for found, wanted, sd in zip((mean.grad, std.grad), exact, spread):
        assert abs(found.item() - wanted) < 6 * sd / math.sqrt(count)


def test_more_draws_and_the_quadrature_have_the_same_mean():
    images, source = bits(), torch.Generator().manual_seed(1)
    exact = elbo_quadrature(model(), images)
    with torch.no_grad():
        many = elbo(model(), images, n_samples=20_000, generator=source)
    np.testing.assert_allclose(many.reconstruction, exact.reconstruction, atol=0.05)
    np.testing.assert_allclose(many.kl, exact.kl, rtol=1e-13)
    np.testing.assert_allclose(elbo_quadrature(model(), images, n_nodes=24).total, exact.total, atol=1e-6)


def test_chunks_make_no_difference(monkeypatch):
    images = bits()
    whole = elbo_quadrature(model(), images).total, log_evidence(model(), images, step=0.2)
    monkeypatch.setattr("softmaxnotes.gradients.vae.CHUNK", 1000)
    parts = elbo_quadrature(model(), images).total, log_evidence(model(), images, step=0.2)
    np.testing.assert_allclose(parts, whole, rtol=1e-12)


def test_the_evidence_is_an_integral():
    net, image = model(), bits(count=1)

    def integrand(b, a):
        with torch.no_grad():
            code = torch.tensor([a, b], dtype=torch.float64)
            return math.exp(net.log_likelihood(image, code).item()) * stats.norm.pdf(a) * stats.norm.pdf(b)

    exact = integrate.dblquad(integrand, -6, 6, -6, 6, epsabs=1e-7, epsrel=1e-6)[0]
    assert log_evidence(net, image)[0] == pytest.approx(math.log(exact), abs=1e-5)
    assert (elbo_quadrature(net, image).total < log_evidence(net, image)).all()


def test_assess_is_the_mean_of_its_parts():
    images = bits()
    found = assess(model(), images)
    assert found.bound == pytest.approx(found.reconstruction - found.kl, rel=1e-14)
    assert found.evidence == pytest.approx(log_evidence(model(), images, reach=8, step=0.1).mean(), rel=1e-14)


# -- training ---------------------------------------------------------------------------------------


def test_training_is_reproducible_and_resumes(tmp_path):
    def run(steps, generator=0, **options):
        return fit_vae(bits(), hidden=4, steps=steps, batch=8, generator=generator, **options)

    whole, record = run(12)
    again, other = run(12, torch.Generator().manual_seed(0)), run(12, 5)
    assert np.array_equal(record["loss"], again.record["loss"])
    assert not np.array_equal(record["loss"], other.record["loss"])
    run(5, checkpoint=tmp_path / "kept")
    resumed, longer = run(12, checkpoint=tmp_path / "kept")
    assert np.array_equal(longer["loss"], record["loss"])
    for a, b in zip(whole.parameters(), resumed.parameters()):
        assert torch.equal(a, b)


def test_training_improves_the_bound_and_each_force_alone_does_its_work():
    images = bits(count=40)

    def trained(**options):
        return fit_vae(images, hidden=8, steps=150, batch=40, generator=0, **options)

    both, record = trained()
    assert elbo_quadrature(both, images).total.mean() > 0.1 - record["loss"][0]
    alone, record = trained(reconstruction=0.0)
    assert elbo_quadrature(alone, images).kl.mean() < 0.02 and abs(record["log_var"][-1]) < 0.1
    free, _ = trained(cost=lambda mean, log_var: 0 * code_cost(mean, log_var))
    assert elbo_quadrature(free, images).kl.mean() > 3 * elbo_quadrature(both, images).kl.mean()


def test_a_wrong_cost_is_seen_in_the_variances():
    def halved_twice(mean, log_var):
        return ((log_var.exp() + mean**2 - 1) / 2 - log_var).sum(-1) / 2

    wrong, _ = fit_vae(bits(), hidden=4, steps=250, batch=30, reconstruction=0.0, cost=halved_twice,
                       generator=0)
    with torch.no_grad():
        assert wrong.encode(bits())[1].exp().mean().item() == pytest.approx(2, abs=0.1)


# -- two gradients through the draw of a code ----------------------------------------------------------


@pytest.mark.parametrize("method", ["score function", "score function, leave-one-out", "reparameterisation"])
def test_each_gradient_trains(method):
    untrained, trained = (through(method, seed=0, budget=budget)["bound"] for budget in (1, 40))
    assert trained > untrained + 5


# -- the two forces -----------------------------------------------------------------------------------


@given(st.floats(-3, 3), st.floats(-2, 1), st.floats(-3, 3), st.floats(0.1, 5))
@settings(max_examples=60)
def test_the_forces_are_the_slopes_of_the_terms(mean, log_std, y, noise_var):
    m, t = (torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in (mean, log_std))
    terms = ((y - m) ** 2 + torch.exp(2 * t)) / (2 * noise_var), code_cost(m[None], 2 * t[None])
    for force, term in zip(two_forces(mean, log_std, observation=y, noise_var=noise_var), terms):
        np.testing.assert_allclose(force, [-g.item() for g in torch.autograd.grad(term, (m, t))],
                                   rtol=1e-12, atol=1e-12)


def test_forces_broadcast():
    assert two_forces(np.zeros((3, 1)), np.zeros(4), observation=1.0)[0].shape == (3, 4, 2)


# -- rivals ---------------------------------------------------------------------------------------------


def test_a_mixture_of_one_group_is_independent_bits():
    some, others = bits(count=200), bits(1)
    np.testing.assert_allclose(bits_in_groups(some, others, 1, rng=0), bits_alone(some, others), rtol=1e-12)


def test_two_groups_find_two_patterns():
    patterns = torch.tensor([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], dtype=torch.float64)
    found = bits_in_groups(patterns.repeat(500, 1), patterns, 2, rng=1)
    np.testing.assert_allclose(found, math.log(0.5), atol=0.02)


def test_the_layer_gives_the_mean_and_the_covariance_of_the_codes():
    some, plain = bits(count=400), model(3)
    moved = normal_of_codes(plain, some)
    layer = moved.decoder[0]
    mean, log_var = plain.encode(some)
    source = torch.Generator().manual_seed(0)
    noise = torch.randn(2000, *mean.shape, generator=source, dtype=mean.dtype)
    drawn = (mean + torch.exp(log_var / 2) * noise).flatten(0, 1)
    assert torch.allclose(layer.bias, drawn.mean(dim=0), atol=0.02)
    assert torch.allclose(layer.weight @ layer.weight.T, drawn.T.cov(), atol=0.02)
    assert torch.equal(moved.decode(torch.zeros(2, dtype=mean.dtype)), plain.decode(layer.bias))


@pytest.mark.parametrize("method", ["autoencoder", "autoencoder, fitted", "weight 1", "mixture"])
def test_each_rival_is_better_than_nothing_learnt(method):
    assert rival(method, seed=0, budget=60)["evidence"] > 64 * math.log(0.5)


def test_longer_is_the_same_training():
    assert longer("both forces", seed=1, budget=20)["evidence"] == pytest.approx(
        rival("weight 1", seed=1, budget=20)["evidence"], rel=1e-12)


def test_a_rival_is_trained_at_its_rate():
    slow, usual = (rival("weight 1", seed=1, budget=20, lr=lr)["evidence"] for lr in (0.003, 0.01))
    assert slow < usual


def test_more_groups_are_another_mixture():
    assert rival("mixture", seed=0, budget=1, groups=40)["evidence"] > rival(
        "mixture", seed=0, budget=1)["evidence"]
