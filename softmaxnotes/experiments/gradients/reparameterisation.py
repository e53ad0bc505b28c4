r"""Lower halves of digits, forecast from the upper halves by networks that are trained through their draws.

    >>> trained = complete("two heads", seed=0, budget=200, lr=0.003)
    >>> trained["test"] < complete("other lower halves", seed=0, budget=1)["test"]
    True

The module needs torch.
"""

import torch
from torch import nn

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load

__all__ = ["COMPLETION", "METHODS", "energy_score", "halves"]

METHODS = ("other lower halves", "one guess", "score function", "two heads", "noise inside")
N_DRAWS, BATCH, WIDTH, NOISE = 4, 64, 128, 16
LEARNED = 800  #: training digits that networks learn from; the others choose learning rates


def halves(examples):
    """Upper and lower halves of images, as tensors.

    Parameters
    ----------
    examples : softmaxnotes.digits.Examples

    Returns
    -------
    tuple of torch.Tensor, shape (N, 32) each

    Examples
    --------
    >>> [half.shape for half in halves(load()[1])]
    [torch.Size([797, 32]), torch.Size([797, 32])]
    """
    return torch.tensor(examples.images, dtype=torch.float32).split(32, dim=1)


def energy_score(x, truth):
    r"""How far K draws are from the truth, minus half of how far they are from each other.

    .. math:: \frac1K \sum_m \lVert x_m - t \rVert - \frac{1}{2K(K-1)} \sum_{l, m} \lVert x_l - x_m \rVert

    Parameters
    ----------
    x : torch.Tensor, shape (K, N, d)
        Draws, at least two for each of N truths.
    truth : torch.Tensor, shape (N, d)

    Returns
    -------
    torch.Tensor, shape (N,)

    Examples
    --------
    >>> energy_score(torch.tensor([[[-1.0]], [[1.0]]]), torch.tensor([[1.0]]))
    tensor([0.])
    """
    apart = torch.cdist(x.transpose(0, 1), x.transpose(0, 1))
    return (x - truth).norm(dim=-1).mean(0) - apart.sum((1, 2)) / (2 * len(x) * (len(x) - 1))


def _network(method):
    inputs = 32 + NOISE * (method == "noise inside")
    outputs = 64 if method in ("two heads", "score function") else 32
    return nn.Sequential(nn.Linear(inputs, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(),
                         nn.Linear(WIDTH, outputs))


def _draw(method, net, upper, count):
    """Draws, and the normal distribution that they come from, if they come from one."""
    if method == "one guess":
        return net(upper).expand(count, -1, -1), None
    if method == "noise inside":
        noise = torch.randn(count, len(upper), NOISE)
        return net(torch.cat([upper.expand(count, -1, -1), noise], dim=-1)), None
    mean, log_std = net(upper).chunk(2, dim=-1)
    normal = torch.distributions.Normal(mean, log_std.exp())
    return normal.rsample((count,)), normal


def _surrogate(x, truth, normal):
    """Has the score-function gradient of the mean energy score, with leave-one-out."""
    x, others = x.detach(), len(x) - 1
    far = (x - truth).norm(dim=-1)
    apart = torch.cdist(x.transpose(0, 1), x.transpose(0, 1)).sum(2).T
    baseline = (far.sum(0) - far) / others - (apart.sum(0) - 2 * apart) / (others * (others - 1))
    return ((far - apart / others - baseline) * normal.log_prob(x).sum(-1)).mean()


def complete(method, *, seed, budget, lr=0.0):
    r"""The energy score of forecasts of lower halves, after some steps of training.

    The first 800 training digits are learnt from: each step has 64 of them, four draws for each, and Adam.

    Parameters
    ----------
    method : str
        Two heads, a mean and a log standard deviation for each pixel, trained through ``rsample``
        (``"two heads"``), or by the ``"score function"`` with leave-one-out; ``"noise inside"`` has sixteen
        normal numbers among the inputs of the network instead, and ``"one guess"`` no noise; ``"other lower
        halves"`` are those of training digits, without a look at the upper half.
    seed : int
    budget : int
        Number of steps.
    lr : float
        Learning rate of Adam.

    Returns
    -------
    dict of str to float
        Means over the digits, with sixteen draws for each: ``"validation"`` over the other 200 training
        digits, ``"test"`` over the test digits.

    Examples
    --------
    >>> complete("one guess", seed=0, budget=20, lr=0.003)["test"] > 1
    True
    """
    read_choice("method", method, METHODS)
    steps = read_count("budget", budget)
    (upper, lower), test = map(halves, load())
    parts = {"validation": (upper[LEARNED:], lower[LEARNED:]), "test": test}
    upper, lower = upper[:LEARNED], lower[:LEARNED]
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        if method == "other lower halves":
            return {part: energy_score(lower[torch.randint(LEARNED, (16, len(truth)))], truth).mean().item()
                    for part, (_, truth) in parts.items()}
        net = _network(method)
        adam = torch.optim.Adam(net.parameters(), lr=lr)
        for _ in range(steps):
            at = torch.randint(LEARNED, (BATCH,))
            x, normal = _draw(method, net, upper[at], N_DRAWS)
            loss = (_surrogate(x, lower[at], normal) if method == "score function"
                    else energy_score(x, lower[at]).mean())
            adam.zero_grad()
            loss.backward()
            adam.step()
        with torch.no_grad():
            return {part: energy_score(_draw(method, net, seen, 16)[0], truth).mean().item()
                    for part, (seen, truth) in parts.items()}


_RATES = {"lr": (0.0003, 0.001, 0.003, 0.01, 0.03)}

COMPLETION = Experiment("completion", complete, {
    method: {} if method == "other lower halves" else _RATES for method in METHODS},
    seeds=range(10), tuning_seeds=range(90, 93), budgets=(1000, 2000), spent="steps",
    measure="validation", digits=0)
