"""RELAX on the toy: as PyTorch differentiates it, unbiased, and quieter when it has learned."""

import copy

import numpy as np
import torch

from softmaxnotes.experiments.rewards.estimators import ascend, climb
from softmaxnotes.experiments.rewards.relax import Relax

PAID = np.array([1.0, 2.0, 4.0, 0.5])
LOGITS = np.random.default_rng(1).normal(size=(2, 4))


def network(relax, run):
    """The network of a run, and its weights, for PyTorch."""
    weights, biases = ([torch.tensor(one[run], requires_grad=True) for one in kind]
                       for kind in (relax.weights, relax.biases))

    def c(x):
        for at, (w, b) in enumerate(zip(weights, biases)):
            x = w @ x + b if at == len(weights) - 1 else torch.relu(w @ x + b)
        return x[0]

    return c, [*weights, *biases]


def test_estimate_and_slopes_as_pytorch():
    relax = Relax(PAID, n_runs=2, rng=0)
    same = copy.deepcopy(relax.rng)
    gradient, parts = relax._estimate(LOGITS)
    slopes = relax._slopes(gradient, parts)
    waits = [torch.tensor(same.standard_exponential((2, 4))) for _ in range(2)]
    for run in range(2):
        c, parameters = network(relax, run)
        phi = torch.tensor(LOGITS[run], requires_grad=True)
        log_p = torch.log_softmax(phi, 0)
        first, second = (one[run] for one in waits)
        z = log_p - first.log()
        b = int(z.argmax())
        given = -torch.where(torch.arange(4) == b, second[b], second / log_p.exp() + second[b]).log()
        pull = torch.autograd.grad(c(z) - c(given), phi, create_graph=True)[0]
        score = torch.eye(4, dtype=torch.float64)[b] - log_p.exp().detach()
        wanted = (PAID[b] - c(given.detach())) * score + pull
        np.testing.assert_allclose(gradient[run], wanted.detach(), atol=1e-13)
        found = torch.autograd.grad((wanted**2).sum(), parameters, allow_unused=True)
        for one, other in zip(found, slopes):
            np.testing.assert_allclose(other[run], 0 if one is None else one, atol=1e-12)


def test_unbiased_whatever_the_network_says_and_quieter_with_learning():
    relax = Relax(PAID, n_runs=2, rng=0)
    law = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=-1, keepdims=True)
    exact = law * (PAID - (law @ PAID)[:, None])

    def noise():
        found = relax.estimates(LOGITS, 20_000)
        error = found.std(axis=0) / np.sqrt(len(found))
        assert np.abs((found.mean(axis=0) - exact) / error).max() < 6.5
        return ((found - exact) ** 2).sum(axis=-1).mean()

    before = noise()
    for _ in range(3000):
        relax.estimate(LOGITS)
    assert noise() < before / 2


def test_large_logits_are_no_trouble():
    found = Relax(PAID, n_runs=1, rng=0).estimates(np.array([[1e3, 0.0, -1e3, 5.0]]), 10)
    assert np.isfinite(found).all()


def test_ascent_with_what_remembers():
    """The first draw starts the average and moves nothing; RELAX asks for one value a step."""
    for method in ("moving average", "relax"):
        run = ascend(lambda k: PAID[k], np.zeros(4), method=method, steps=400, n_runs=5, rng=0)
        assert run.evaluations[-1] == 400 and np.median(run.reward[-1]) > run.reward[0, 0]
    first = ascend(lambda k: PAID[k], np.zeros(4), method="moving average", steps=1, n_runs=5, rng=0)
    assert (first.logits[1] == 0).all()


def test_a_climb_spends_its_budget():
    """Thirty values are one step of the exact gradient, or thirty where they are for free."""
    found = [climb(name, seed=0, budget=30, lr=1.0, counted="values")["behind"]
             for name in ("exact", "exact, for free")]
    one, thirty = (climb("exact", seed=0, budget=steps, lr=1.0, counted="steps")["behind"]
                   for steps in (1, 30))
    assert found == [one, thirty] and thirty < one < 14.5
