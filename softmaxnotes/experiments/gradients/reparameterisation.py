r"""Lower halves of digits, forecast from the upper halves by networks that are trained through their draws.

    >>> trained = complete("two heads", seed=0, budget=200, lr=0.003)
    >>> trained["test"] < complete("other lower halves", seed=0, budget=100)["test"]
    True

The module needs torch.
"""

import torch
from torch import nn

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load

__all__ = ["COMPLETION", "METHODS", "PIXELS", "PIXEL_METHODS", "energy_score", "halves", "pair_score",
           "shuffled"]

METHODS = ("other lower halves", "one guess", "score function", "two heads", "noise inside")
PIXEL_METHODS = ("two heads, likelihood", "two heads", "two heads, clamped", "noise inside",
                 "noise inside, clamped")
N_DRAWS, BATCH, WIDTH, NOISE = 4, 64, 128, 16
FLOOR = 0.1  #: least standard deviation for the likelihood, which some pixels, always 0, would make infinite
MANY = 128  #: draws among which pixels are shuffled
LEARNED = 800  #: training digits that networks learn from; the others validate
EVERY = 100  #: steps between two validations


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
    x_by_example = x.transpose(0, 1)
    apart = torch.cdist(x_by_example, x_by_example, compute_mode="donot_use_mm_for_euclid_dist")
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
    r"""The energy score of forecasts of lower halves, with the step to stop at chosen by validation.

    The first 800 training digits are learnt from: each step has 64 of them, four draws for each, and Adam.
    Every 100 steps the other 200 validate, and the network that was best is kept.

    Parameters
    ----------
    method : str
        Two heads, a mean and a log standard deviation for each pixel, trained through ``rsample``
        (``"two heads"``), or by the ``"score function"`` with leave-one-out; ``"noise inside"`` has sixteen
        normal numbers among the inputs of the network instead, and ``"one guess"`` no noise; ``"other lower
        halves"`` are those of training digits, without a look at the upper half.
    seed : int
    budget : int
        Number of steps, a multiple of 100.
    lr : float
        Learning rate of Adam.

    Returns
    -------
    dict of str to float
        Means over the digits, with sixteen draws for each: ``"validation"`` over the other 200 training
        digits, ``"test"`` over the test digits, both of the network that is kept; ``"after 100"``, and so on,
        over the validation digits after so many steps.

    Examples
    --------
    >>> found = complete("one guess", seed=0, budget=200, lr=0.003)
    >>> found["validation"] == min(found["after 100"], found["after 200"])
    True
    """
    read_choice("method", method, METHODS)
    steps = read_count("budget", budget)
    if steps % EVERY:
        raise ValueError(f"expected budget to be a multiple of {EVERY}, got {budget}")
    (upper, lower), test = map(halves, load())
    validation = upper[LEARNED:], lower[LEARNED:]
    upper, lower = upper[:LEARNED], lower[:LEARNED]
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        if method == "other lower halves":
            found = {part: energy_score(lower[torch.randint(LEARNED, (16, len(truth)))], truth).mean().item()
                     for part, (_, truth) in (("validation", validation), ("test", test))}
            return found | {f"after {step}": found["validation"] for step in range(EVERY, steps + 1, EVERY)}
        net = _network(method)
        adam = torch.optim.Adam(net.parameters(), lr=lr)
        curve, kept = {}, {}
        for step in range(1, steps + 1):
            at = torch.randint(LEARNED, (BATCH,))
            x, normal = _draw(method, net, upper[at], N_DRAWS)
            loss = (_surrogate(x, lower[at], normal) if method == "score function"
                    else energy_score(x, lower[at]).mean())
            adam.zero_grad()
            loss.backward()
            adam.step()
            if step % EVERY == 0:
                curve[f"after {step}"] = found = _scored(method, net, validation)
                if found == min(curve.values()):
                    kept = {name: value.clone() for name, value in net.state_dict().items()}
        net.load_state_dict(kept)
        return {"validation": min(curve.values()), "test": _scored(method, net, test), **curve}


@torch.no_grad()
def _scored(method, net, part):
    seen, truth = part
    return energy_score(_draw(method, net, seen, 16)[0], truth).mean().item()


_RATES = {"lr": (0.0003, 0.001, 0.003, 0.01)}

COMPLETION = Experiment("completion", complete, {
    method: {} if method == "other lower halves" else _RATES for method in METHODS},
    seeds=range(10), tuning_seeds=range(90, 92), budgets=(2000,), spent="steps",
    measure="validation", digits=0)


def shuffled(x):
    """Each number of the draws is dealt out anew among them, by itself: what hangs together does so no more.

    Parameters
    ----------
    x : torch.Tensor, shape (K, N, d)
        Draws.

    Returns
    -------
    torch.Tensor, shape (K, N, d)

    Examples
    --------
    >>> x = torch.randn(5, 3, 2)
    >>> torch.equal(shuffled(x).sort(0).values, x.sort(0).values)
    True
    """
    return x.gather(0, torch.rand_like(x).argsort(0))


def pair_score(x, truth):
    r"""How wrong a forecast is about the difference of two numbers: the variogram score of order one half.

    .. math:: \frac{1}{d^2} \sum_{i, j}
        \Bigl(\sqrt{|t_i - t_j|} - \frac1K \sum_k \sqrt{|x_{ki} - x_{kj}|}\Bigr)^2

    Parameters
    ----------
    x : torch.Tensor, shape (K, N, d)
        Draws.
    truth : torch.Tensor, shape (N, d)

    Returns
    -------
    torch.Tensor, shape (N,)

    Examples
    --------
    >>> pair_score(torch.tensor([[[0.0, 1.0]], [[0.0, 0.0]]]), torch.tensor([[1.0, 1.0]]))
    tensor([0.1250])
    """
    def apart(x):
        return (x[:, :, None] - x[:, None]).abs().sqrt()
    return (apart(truth) - sum(map(apart, x)) / len(x)).square().mean((1, 2))


def pixel_by_pixel(method, *, seed, budget, lr=0.001):
    r"""Forecasts that ask what one with noise inside gains: trained and stopped as by `complete`.

    Parameters
    ----------
    method : str
        Two heads that are trained by their likelihood (``"two heads, likelihood"``); ``"two heads"`` and
        ``"noise inside"`` as of `complete`; and either of these with draws that are clamped to [0, 1], in
        training, too (``"two heads, clamped"``, ``"noise inside, clamped"``).
    seed : int
    budget : int
        Number of steps, a multiple of 100.
    lr : float
        Learning rate of Adam.

    Returns
    -------
    dict of str to float
        ``"validation"`` and ``"test"`` as of `complete`; ``"pairs"``, the variogram score of the test digits,
        ``"shuffled"`` and ``"pairs, shuffled"``, both scores when each pixel is shuffled among the draws.

    Examples
    --------
    >>> again = pixel_by_pixel("noise inside", seed=0, budget=100)
    >>> again["test"] == complete("noise inside", seed=0, budget=100, lr=0.001)["test"]
    True
    """
    read_choice("method", method, PIXEL_METHODS)
    way, _, how = method.partition(", ")
    (upper, lower), (seen, truth) = map(halves, load())
    validation = upper[LEARNED:], lower[LEARNED:]

    def draw(upper, count):
        x, normal = _draw(way, net, upper, count)
        if how == "likelihood":
            return normal.loc + normal.scale.clamp(min=FLOOR) * torch.randn_like(x)
        return x.clamp(0, 1) if how == "clamped" else x

    def loss(upper, lower):
        if how == "likelihood":
            mean, log_std = net(upper).chunk(2, dim=-1)
            return nn.functional.gaussian_nll_loss(mean, lower, (2 * log_std).exp(), eps=FLOOR**2)
        return energy_score(draw(upper, N_DRAWS), lower).mean()

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        net = _network(way)
        adam = torch.optim.Adam(net.parameters(), lr=lr)
        best, kept = float("inf"), {}
        for step in range(1, read_count("budget", budget) + 1):
            at = torch.randint(LEARNED, (BATCH,))
            now = loss(upper[at], lower[at])
            adam.zero_grad()
            now.backward()
            adam.step()
            if step % EVERY == 0:
                with torch.no_grad():
                    found = energy_score(draw(validation[0], 16), validation[1]).mean().item()
                if found < best:
                    best, kept = found, {name: value.clone() for name, value in net.state_dict().items()}
        net.load_state_dict(kept)
        with torch.no_grad():
            test, x = energy_score(draw(seen, 16), truth), draw(seen, MANY)
            dealt = shuffled(x)
            scores = {"test": test, "shuffled": energy_score(dealt, truth),
                      "pairs": pair_score(x, truth), "pairs, shuffled": pair_score(dealt, truth)}
        return {"validation": best, **{name: score.mean().item() for name, score in scores.items()}}


PIXELS = Experiment(
    "pixels", pixel_by_pixel, dict.fromkeys(PIXEL_METHODS, _RATES), seeds=range(10),
    tuning_seeds=range(90, 92), budgets=(2000,), spent="steps", measure="validation", digits=0)
