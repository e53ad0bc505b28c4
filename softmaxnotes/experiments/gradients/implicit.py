r"""A belief about class probabilities, fitted by slopes of Dirichlet draws and by the score function.

    >>> believe("implicit, copy", seed=0, budget=12) > 9
    True

And a mixture of two normals, fitted to a density with two humps.

    >>> fit_mixture("implicit", seed=0, budget=200, lr=0.01) < 1.1 * least(2)
    True
"""

from functools import cache

import numpy as np
import torch
from scipy import integrate, optimize, special, stats
from torch import distributions as D

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load
from softmaxnotes.gradients import dirichlet_slope
from softmaxnotes.rewards import advantages

__all__ = ["BELIEVING", "FITTING", "METHODS", "fisher_information", "fit_mixture", "label_counts", "least"]

METHODS = ("prior", "implicit", "leave-one-out", "implicit, copy", "counted")
DRAWS = 64


def label_counts():
    """How often each digit is among the labels of the first forty test images.

    Examples
    --------
    >>> int(label_counts().sum())
    40
    """
    return np.bincount(load()[1].labels[:40], minlength=10)


def fisher_information(alpha):
    r"""Covariance of the scores of a Dirichlet law.

    .. math:: \operatorname{diag}\psi'(\alpha) - \psi'\bigl(\textstyle\sum_k \alpha_k\bigr)

    Parameters
    ----------
    alpha : array_like, shape (C,)

    Returns
    -------
    ndarray, shape (C, C)

    Examples
    --------
    >>> fisher_information([1.0, 1.0]).round(3)
    array([[ 1.   , -0.645],
           [-0.645,  1.   ]])
    """
    alpha = np.asarray(alpha, float)
    return np.diag(special.polygamma(1, alpha)) - special.polygamma(1, alpha.sum())


def believe(method, *, seed, budget, lr=1.0):
    r"""Fit a Dirichlet law to the posterior of ten class probabilities, from a flat prior and forty labels.

    Each step makes 64 draws, estimates the gradient of the divergence, and goes along the natural gradient,
    its quotient by the `fisher_information`; no parameter falls by more than nine tenths in one step.

    Parameters
    ----------
    method : {"prior", "implicit", "leave-one-out", "implicit, copy", "counted"}
        Where it begins; by slopes of draws, the cost differentiated in all places where the parameters stand;
        by the score function with a baseline; by slopes of draws alone; the answer.
    seed : int
    budget : int
        Number of steps.
    lr : float
        The part of a natural step that is gone.

    Returns
    -------
    float
        How many digits of the parameters are right: minus the decimal logarithm of their largest relative
        error, and at most 12.

    Raises
    ------
    ValueError
        `method` is none of these; `budget` isn't positive.

    Examples
    --------
    >>> believe("prior", seed=0, budget=1), believe("counted", seed=0, budget=1)
    (0.066..., 12.0)
    """
    read_choice("method", method, METHODS)
    steps, counts = read_count("budget", budget), label_counts()
    rng = np.random.default_rng(seed)
    belief = 1.0 + counts if method == "counted" else np.ones(10)
    for _ in range(steps if method not in ("prior", "counted") else 0):
        x = rng.dirichlet(belief, DRAWS)
        logs = np.log(np.maximum(x, 1e-300))
        score = logs - special.digamma(belief) + special.digamma(belief.sum())
        if method == "leave-one-out":
            normaliser = special.gammaln(belief.sum()) - special.gammaln(belief).sum()
            cost = logs @ (belief - 1 - counts) + normaliser - special.gammaln(10)
            slope = advantages(cost) @ score / DRAWS
        else:
            cost = (belief - 1 - counts) / np.maximum(x, 1e-300)
            slope = np.einsum("dij,dj->i", dirichlet_slope(x, belief), cost) / DRAWS
            if method == "implicit":
                slope = slope + score.mean(axis=0)
        step = lr * np.linalg.solve(fisher_information(belief), slope)
        belief = np.maximum(belief - step, belief / 10)
    return float(-np.log10(max(np.abs(belief / (1 + counts) - 1).max(), 1e-12)))


RATES = {"lr": (0.1, 0.3, 0.5, 0.7, 1.0, 1.3)}
BELIEVING = Experiment(
    "believing", believe, {"prior": {}} | dict.fromkeys(METHODS[1:-1], RATES) | {"counted": {}},
    seeds=range(10), tuning_seeds=range(100, 103), budgets=(6, 12, 24), spent="steps", better="more")


WAYS = ("best normal", "implicit", "leave-one-out", "draws of each", "each, shared noise", "best mixture")
GRID = np.linspace(-6, 6, 2401)


def _log_target(x):
    return x / 4 - (x**2 - 2) ** 2 / 8


def _divergence(log_q):
    """Of a density on the grid from the target."""
    log_p = _log_target(GRID)
    log_p = log_p - np.log(integrate.simpson(np.exp(log_p), x=GRID))
    return float(integrate.simpson(np.exp(log_q) * (log_q - log_p), x=GRID))


def _log_mixture(t):
    """Of normal distributions on the grid; rows are logits, means, logarithms of standard deviations."""
    logits, means, log_std = np.reshape(t, (3, -1))
    parts = stats.norm.logpdf(GRID[:, None], means, np.exp(log_std))
    return special.logsumexp(parts + special.log_softmax(logits), axis=1)


@cache
def least(components):
    """The smallest divergence from the target that a mixture of so many normal distributions can reach.

    Examples
    --------
    >>> round(least(1), 3), round(least(2), 4)
    (0.219, 0.0219)
    """
    start = np.stack([np.zeros(components), np.linspace(-1, 1, components + 2)[1:-1] * 3,
                      np.zeros(components)])
    return float(optimize.minimize(lambda t: _divergence(_log_mixture(t)), start.ravel(), tol=1e-10).fun)


def _two_normals(t):
    return D.MixtureSameFamily(D.Categorical(logits=t[0]), D.Normal(t[1], t[2].exp()))


def _loss(method, t, n_samples=64):
    """Whose gradient is an estimate of that of the divergence; the target is evaluated `n_samples` times."""
    q, fixed = _two_normals(t), _two_normals(t.detach())
    if method in ("draws of each", "each, shared noise"):
        noise = torch.randn(n_samples // 2, 2 if method == "draws of each" else 1, dtype=t.dtype)
        x = t[1] + t[2].exp() * noise
        return (t[0].softmax(0) * (fixed.log_prob(x) - _log_target(x)).mean(0)).sum()
    x = q.sample((n_samples,))
    if method == "leave-one-out":
        cost = fixed.log_prob(x) - _log_target(x)
        return ((cost - cost.mean()) * q.log_prob(x)).sum() / (n_samples - 1)
    level = q.cdf(x)
    x = x - (level - level.detach()) / q.log_prob(x).exp().detach()
    return (fixed.log_prob(x) - _log_target(x)).mean()


def fit_mixture(method, *, seed, budget, lr=0.02):
    """Fit a mixture of two normal distributions to a density with two humps by Adam.

    Each step evaluates the target at 64 places.

    Parameters
    ----------
    method : str
        One of `WAYS`: the best of a single normal distribution; 64 draws of the mixture that keep their
        levels; the same by the score function with a baseline; 32 draws of each component, with noise of its
        own or with the same for both; the best that the family has.
    seed : int
    budget : int
        Number of steps.
    lr : float
        The learning rate.

    Returns
    -------
    float
        The divergence from the target, computed by quadrature.

    Raises
    ------
    ValueError
        `method` is none of these; `budget` isn't positive.

    Examples
    --------
    >>> round(fit_mixture("best normal", seed=0, budget=1), 3)
    0.219
    """
    read_choice("method", method, WAYS)
    steps = read_count("budget", budget)
    if method in ("best normal", "best mixture"):
        return least(1 if method == "best normal" else 2)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        t = torch.tensor([[0, 0], [-1, 1], [0, 0]], dtype=torch.float64, requires_grad=True)
        adam = torch.optim.Adam([t], lr=lr)
        for _ in range(steps):
            adam.zero_grad()
            _loss(method, t).backward()
            adam.step()
    return _divergence(_log_mixture(t.detach().numpy()))


LEARNING_RATES = {"lr": (0.005, 0.01, 0.02, 0.05, 0.1)}
FITTING = Experiment(
    "fitting", fit_mixture,
    {"best normal": {}} | dict.fromkeys(WAYS[1:-1], LEARNING_RATES) | {"best mixture": {}},
    seeds=range(10), tuning_seeds=range(100, 103), budgets=(200, 400), spent="steps", better="less")
