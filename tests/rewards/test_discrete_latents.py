"""softmaxnotes.experiments.rewards.discrete_latents: bound and gradient by enumeration, and training."""

import itertools
import math

import numpy as np
import pytest
import torch

from softmaxnotes.experiments.rewards.discrete_latents import (
    CategoricalVAE,
    _log_law,
    _loss,
    _negative_entropy,
    code_payoff,
    fit_categorical_vae,
    learn,
    negative_elbo,
    one_variable,
    uniform_cost,
)
from softmaxnotes.rewards import METHODS, categorical_gradient

BITS = torch.tensor([[1, 0, 1], [0, 0, 1]], dtype=torch.float64)


def model_of(layers, variables=2, classes=2, seed=3):
    model = CategoricalVAE(3, n_variables=variables, n_classes=classes, n_layers=layers, hidden=(4,),
                           generator=seed)
    with torch.no_grad():  # wide awake, so that a gradient that is left out is missed
        for weight in model.parameters():
            weight *= 2
    return model


def all_codes(model):
    z = list(itertools.product(range(model.n_classes), repeat=model.n_variables))
    return torch.nn.functional.one_hot(torch.tensor(z), model.n_classes).double()


def exact_negative_elbo(model, image):
    """Sums over all codes of one or two layers."""
    codes, logits = all_codes(model), model.encode(image)
    law = _log_law(logits, codes).exp()
    gain = model.log_likelihood(image, codes)
    if model.n_layers == 1:
        prior = -model.n_variables * math.log(model.n_classes)
        return -(law * (gain + prior - _log_law(logits, codes))).sum()
    deep = model.encode_again(codes)
    for second in codes:
        chance = _log_law(deep, second)
        inner = (_log_law(model.decode_again(second), codes) - chance
                 - model.n_variables * math.log(model.n_classes))
        gain = gain + chance.exp() * inner
    return -(law * (gain - _log_law(logits, codes))).sum()


# --- The bound ---------------------------------------------------------------------


@pytest.mark.parametrize("layers", [1, 2])
def test_bound_by_enumeration(layers):
    model = model_of(layers)
    exact = torch.stack([exact_negative_elbo(model, image) for image in BITS]).detach()
    draws = negative_elbo(model, BITS.repeat(4000, 1), generator=0)
    draws = draws.detach().reshape(-1, 2)
    error = draws.std(0) / math.sqrt(len(draws))
    assert ((draws.mean(0) - exact).abs() < 5 * error).all()
    assert (error < 0.05).all()
    many = negative_elbo(model, BITS, n_samples=4000, generator=5)
    assert ((many - exact).abs() < 5 * error).all()


@pytest.mark.parametrize("layers", [1, 2])
def test_bound_is_a_bound(layers):
    model = model_of(layers)
    codes = all_codes(model)
    for image in BITS:
        likely = model.log_likelihood(image, codes)
        if layers == 2:
            back = torch.stack([_log_law(model.decode_again(second), codes) for second in codes])
            law = torch.logsumexp(back, 0) - model.n_variables * math.log(model.n_classes)
        else:
            law = -model.n_variables * math.log(model.n_classes)
        assert -exact_negative_elbo(model, image) < torch.logsumexp(likely + law, 0)


def test_likelihood_is_normalised():
    model = model_of(1)
    images = torch.tensor(list(itertools.product([0.0, 1.0], repeat=3)), dtype=torch.float64)
    for code in all_codes(model):
        assert model.log_likelihood(images, code).exp().sum().item() == pytest.approx(1, abs=1e-12)


def test_likelihood_far_out():
    model = model_of(1)
    with torch.no_grad():
        model.decoder[-1].bias += 2000
    found = model.log_likelihood(BITS, all_codes(model)[0])
    assert torch.isfinite(found).all()
    assert (found < -1000).all()


@pytest.mark.parametrize("classes", [1, 2, 7])
def test_uniform_cost(classes):
    logits = torch.randn(4, 3, classes, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    law = torch.softmax(logits, -1)
    expected = (law * (law * classes).log()).sum(dim=(-2, -1))
    torch.testing.assert_close(uniform_cost(logits), expected, atol=1e-12, rtol=1e-12)
    assert (uniform_cost(logits) >= -1e-12).all()
    torch.testing.assert_close(uniform_cost(logits), _negative_entropy(logits) + 3 * math.log(classes))


def test_uniform_cost_of_a_sure_law_and_its_slope():
    logits = torch.tensor([[1e4, 0.0, -1e4]], dtype=torch.float64, requires_grad=True)
    cost = uniform_cost(logits)
    cost.backward()
    assert cost.item() == pytest.approx(math.log(3), abs=1e-12)
    assert torch.isfinite(logits.grad).all()


# --- Its gradient --------------------------------------------------------------------


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("method", ["reinforce", "leave-one-out", "unordered set", "ars", "arsm",
                                    "one variable"])
def test_gradient_in_the_weights_has_no_bias(layers, method):
    model, image = model_of(layers), BITS[:1]
    exact = torch.autograd.grad(exact_negative_elbo(model, image[0]), model.parameters())
    exact = torch.cat([one.flatten() for one in exact])
    rng, generator, found = np.random.default_rng(0), torch.Generator().manual_seed(0), []
    for _ in range(40):  # each a mean over 100 independent estimates
        loss, _ = _loss(model, image.repeat(100, 1), method, rng, generator, {})
        found.append(torch.cat([one.flatten() for one in torch.autograd.grad(loss, model.parameters())]))
    found = torch.stack(found)
    noise = found.var(0).sum() / len(found)
    quotient = ((found.mean(0) - exact)**2).sum() / noise
    assert quotient < 12  # 1 in the mean, if there is no bias; noise may be all in one direction
    assert (exact**2).sum() > 20 * noise  # and a gradient that is left out would be seen


@pytest.mark.parametrize("layers", [1, 2])
def test_value_of_the_loss_does_not_matter_but_its_gradient(layers):
    model = model_of(layers)
    loss, spent = _loss(model, BITS, "gumbel-softmax", np.random.default_rng(0),
                        torch.Generator().manual_seed(0), {"temperature": 0.7})
    loss.backward()
    assert spent == 2 * layers
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in model.parameters())


def test_one_variable_is_estimated_and_the_others_are_left():
    """Each image asks for its own classes, at most C, in which the others have one and the same."""
    logits, asked = np.random.default_rng(0).normal(size=(50, 4, 3)), []

    def payoff(z, image):
        asked.extend(zip(image.tolist(), map(tuple, z.tolist()), strict=True))
        return (z * [1.0, 3.0, 9.0, 27.0]).sum(axis=1) + image

    found = one_variable(payoff, logits, rng=0)
    assert found.n_evaluations == len(asked) == len(set(asked)) <= 3 * 50
    moved = (found.gradient != 0).any(axis=-1)
    assert (moved.sum(axis=1) <= 1).all() and (moved.sum(axis=0) > 3).all()
    for image in range(50):
        codes = np.array([z for of, z in asked if of == image])
        assert ((codes != codes[0]).any(axis=0) <= moved[image]).all()


def test_each_layer_has_its_own_baseline():
    """A baseline that is what every payoff is worth leaves nothing of its layer."""
    model = model_of(2)
    with torch.no_grad():
        for part in (model.decoder, model.prior, model.deeper):
            for weight in part.parameters():
                weight *= 0
    worth = [-3 * math.log(2) - 2 * math.log(2), -2 * math.log(2)]  # of three pixels, and of two variables

    def pulled(baseline):
        loss, _ = _loss(model, BITS, "reinforce", np.random.default_rng(0), torch.Generator().manual_seed(0),
                        {"baseline": baseline})
        return torch.cat([one.flatten() for one in torch.autograd.grad(loss, model.deeper.parameters())])

    assert pulled((worth[0], worth[1])).abs().max() < 1e-12 < 1e-3 < pulled((worth[1], worth[0])).abs().max()


def test_payoff_is_the_likelihood_and_its_slope():
    model = model_of(1, variables=2, classes=3)
    payoff, codes = code_payoff(model, BITS), all_codes(model)
    z, image = codes.argmax(-1).numpy(), np.arange(9) % 2
    expected = model.log_likelihood(BITS[image], codes).detach().numpy()
    np.testing.assert_allclose(payoff.value(z, image), expected, atol=1e-13)
    spots = np.random.default_rng(0).dirichlet(np.ones(3), size=(9, 2))
    slope, step = payoff.slope(spots, image), 1e-6
    for k, c in itertools.product(range(2), range(3)):
        moved = np.zeros((2, 3))
        moved[k, c] = step
        up, down = (model.log_likelihood(BITS[image], torch.tensor(spots + s * moved)).detach().numpy()
                    for s in (1, -1))
        np.testing.assert_allclose(slope[:, k, c], (up - down) / (2 * step), atol=1e-7)


def test_exact_gradient_by_autograd():
    model = model_of(1, classes=3)
    logits = model.encode(BITS).detach().requires_grad_()
    total = sum((_log_law(logits, code).exp() * model.log_likelihood(BITS, code).detach()).sum()
                for code in all_codes(model))
    total.backward()
    payoff = code_payoff(model, BITS)
    found = categorical_gradient(payoff.value, logits.detach().numpy(), method="exact")
    np.testing.assert_allclose(found.gradient, logits.grad.numpy(), atol=1e-13)
    assert found.n_evaluations == 18


# --- Training --------------------------------------------------------------------------


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("method", [*METHODS, "one variable"])
def test_every_method_trains(method, layers):
    model, record = fit_categorical_vae(BITS.repeat(4, 1), test=BITS, method=method, n_variables=2,
                                        n_classes=3, n_layers=layers, hidden=(4,), steps=3, batch=4)
    assert set(record) == {"loss", "train", "test", "evaluations"}
    assert np.isfinite(record["loss"]).all()
    assert np.diff(record["evaluations"]).min() > 0
    assert np.isfinite(record["train"][0]) and np.isnan(record["train"][1])
    assert all(torch.isfinite(weight).all() for weight in model.parameters())


def test_training_gets_near_the_entropy():
    images = torch.tensor([[1, 1, 0, 0], [0, 0, 1, 1]], dtype=torch.float64)
    model = fit_categorical_vae(images, n_variables=1, n_classes=2, hidden=(8,), steps=300, lr=0.03,
                                n_samples=4, generator=0).model
    with torch.no_grad():
        bound = negative_elbo(model, images, n_samples=50, generator=1).mean()
    assert math.log(2) < bound.item() < math.log(2) + 0.15  # two images: no model can do better than log 2


def test_generators_and_checkpoints(tmp_path):
    def run(steps, **options):
        return fit_categorical_vae(BITS, n_variables=2, n_classes=2, hidden=(4,), steps=steps, batch=3,
                                   method="arsm", **options).record["loss"]

    whole = run(6, generator=0)
    np.testing.assert_array_equal(whole, run(6, generator=torch.Generator().manual_seed(0)))
    np.testing.assert_array_equal(whole, run(6, generator=0, assess_every=2))
    assert (whole != run(6, generator=1)).any() and (run(6) != run(6)).any()
    place = tmp_path / "run"
    run(3, generator=0, checkpoint=place)
    np.testing.assert_array_equal(run(6, checkpoint=place), whole)  # the generator is in it


def test_models_without_a_generator_differ():
    one, two = (CategoricalVAE(3, hidden=(4,)).encoder[0].weight for _ in range(2))
    assert (one != two).any()


def test_float32():
    model, record = fit_categorical_vae(BITS.float(), n_variables=2, n_classes=2, hidden=(4,), steps=2,
                                        batch=2)
    assert next(model.parameters()).dtype == torch.float32
    assert np.isfinite(record["loss"]).all()


def test_a_race_spends_its_budget():
    """Two steps of ARSM for 92 values, one with two layers; with another seed another model."""
    found = learn("ARSM", seed=0, budget=92, lr=0.01, n_layers=1)
    assert 24 < found["train"] < found["test"] < 60
    assert found == learn("ARSM", seed=0, budget=100, lr=0.01, n_layers=1)
    assert found != learn("ARSM", seed=1, budget=92, lr=0.01, n_layers=1)
    assert learn("moving average", seed=0, budget=2, lr=0.01, n_layers=1) != learn(
        "no baseline", seed=0, budget=2, lr=0.01, n_layers=1)
    assert learn("ARSM, one variable", seed=0, budget=29, lr=0.01, n_layers=1) == learn(
        "ARSM, one variable", seed=0, budget=20, lr=0.01, n_layers=1)
