"""Tensors on another device than the CPU: what comes is there, or an array, with the numbers of the CPU."""

import numpy as np
import pytest
import torch
from second_device import Generator, second_device

from softmaxnotes.arguments import as_array
from softmaxnotes.gradients import (
    VAE,
    Gaussian,
    elbo,
    gradient_noise,
    importance_weighted_bound,
    pathwise_gradient,
    reparameterise,
    score_function_gradient,
)
from softmaxnotes.gumbel import concrete_log_prob, gumbel_rao, reinmax
from softmaxnotes.language import (
    answer_log_prob,
    chunked_cross_entropy,
    dpo_loss,
    exact_step,
    green_cost,
    regularised_value,
)
from softmaxnotes.softmax import log_softmax, logsumexp, softmax
from softmaxnotes.unnormalised import NoiseSampler, info_nce_loss, nce_loss

LOGITS = [[0.3, -1.0, 2.0, 0.5], [1.0, 0.0, -0.5, 0.2], [0.0, 0.7, 0.1, -2.0]]
LABELS = [2, 0, 1]


@pytest.fixture
def there(monkeypatch):
    with second_device(monkeypatch) as name:
        yield name


def logits(device):
    return torch.tensor(LOGITS, device=device)


def labels(device):
    return torch.tensor(LABELS, device=device)


def normal(device, x):
    loc, scale = (torch.tensor(x, device=device) for x in (1.0, 2.0))
    return reparameterise("normal", loc=loc, scale=scale).log_prob(x)


def square(device):
    """A function whose values are where its parameter is."""
    shift = torch.tensor(0.5, dtype=torch.float64, device=device)
    return lambda z: (z.to(device) - shift) ** 2


def images(device):
    return torch.tensor([[0.0, 1.0, 0.0, 1.0]], dtype=torch.float64, device=device)


def model(device):
    return VAE(4, hidden=3, generator=1).to(device)


#: Of each function a call on a device, of which the numbers are compared.
CALLS = {
    "softmax": lambda at: softmax(logits(at)),
    "log_softmax": lambda at: log_softmax(logits(at)),
    "logsumexp": lambda at: logsumexp(logits(at)),
    "nce_loss": lambda at: nce_loss(logits(at)[:, 0], logits(at), 0.0, 0.0),
    "info_nce_loss": lambda at: info_nce_loss(logits(at)[:, :3]),
    "concrete_log_prob": lambda at: concrete_log_prob(torch.log_softmax(logits(at), -1), LOGITS),
    "chunked_cross_entropy": lambda at: chunked_cross_entropy(
        logits(at), logits(at) / 3, labels(at), chunk=2),
    "answer_log_prob": lambda at: answer_log_prob(
        logits(at)[None], labels(at)[None], torch.tensor([[True, True, False]], device=at)),
    "dpo_loss": lambda at: dpo_loss(*logits(at).T, beta=0.1).mean(),
    "regularised_value": lambda at: regularised_value([0.1, 0.2, 0.3, 0.4], logits(at), [0.5]),
    "green_cost": lambda at: green_cost(logits(at), logits(at) > 0, 2.0),
    "exact_step": lambda at: exact_step(
        lambda prefixes: np.log(np.full((len(prefixes), 2), 0.5)),
        lambda prefixes: torch.tensor([[True, False]] * len(prefixes), device=at), 2)(np.zeros((1, 0), int)),
    "normal": lambda at: normal(at, torch.tensor([0.5], device=at)),
    "pathwise_gradient": lambda at: pathwise_gradient(
        square(at), Gaussian(1.0, 0.0), n_samples=9, rng=0).gradient.mean,
    "score_function_gradient": lambda at: score_function_gradient(
        lambda z: square(at)(torch.from_numpy(z)), Gaussian(1.0, 0.0), n_samples=9, rng=0).gradient.mean,
    "gradient_noise": lambda at: gradient_noise(square(at), Gaussian(1.0, 0.0)).score.mean,
}

#: Of each function that draws a call with a generator.
DRAWS = {
    "reinmax": lambda at, generator: reinmax(logits(at), generator=generator),
    "gumbel_rao": lambda at, generator: gumbel_rao(logits(at), generator=generator),
    "elbo": lambda at, generator: elbo(model(at), images(at), generator=generator).total,
    "importance_weighted_bound": lambda at, generator: importance_weighted_bound(
        model(at), images(at), generator=generator),
    "sample_tensor": lambda at, generator: NoiseSampler([5.0, 3.0, 2.0]).sample_tensor(
        (3,), device=at, generator=generator),
}


def numbers(x):
    return as_array(x.detach() if isinstance(x, torch.Tensor) else x)


@pytest.mark.parametrize("name", CALLS)
def test_a_function_gives_the_same_there(name, there):
    here, found = CALLS[name]("cpu"), CALLS[name](there)
    assert np.allclose(numbers(found), numbers(here), rtol=1e-6, atol=0)
    if isinstance(here, torch.Tensor):
        assert found.device.type == there


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("seeded", [lambda: None, lambda: 3, lambda: Generator().manual_seed(3)])
def test_draws_are_made_there(name, seeded, there):
    found = DRAWS[name](there, seeded())
    assert found.device.type == there
    assert np.isfinite(numbers(found)).all()


@pytest.mark.parametrize("name", DRAWS)
def test_a_generator_of_the_cpu_draws_nothing_there(name, there):
    with pytest.raises(RuntimeError, match="generator"):
        DRAWS[name](there, torch.Generator().manual_seed(3))


def test_a_model_is_made_where_its_generator_is(there):
    for generator, device in ((Generator().manual_seed(3), there), (3, "cpu")):
        made = VAE(4, hidden=3, generator=generator)
        assert {p.device.type for p in made.parameters()} == {device}


def test_the_second_device_refuses_what_a_gpu_refuses(there):
    x = torch.ones(2, device=there)
    assert x.device.type == there and (x + 1).tolist() == [2, 2]
    one = torch.ones(2)
    for wrong in (lambda: x + one, lambda: one[x.long()], lambda: torch.stack([x, one])):
        with pytest.raises(RuntimeError, match="the same device"):
            wrong()
    for wrong in (x.numpy, lambda: np.asarray(x)):
        with pytest.raises(TypeError, match="numpy"):
            wrong()
    with pytest.raises(RuntimeError, match="generator"):
        torch.rand(2, generator=Generator().manual_seed(1))
