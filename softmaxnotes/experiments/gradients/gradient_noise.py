r"""A posterior that is known, approximated by gradients through draws: the weights that restore a pixel.

    >>> model = missing_pixel()
    >>> model.precision.shape, model.missing(model.best) < model.missing(START)
    ((8, 8), True)

The module needs torch.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from scipy import stats

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load
from softmaxnotes.gradients import Gaussian, kl_mvn, pathwise_gradient, score_function_gradient

__all__ = ["APPROXIMATION", "METHODS", "START", "MissingPixel", "missing_pixel"]

METHODS = ("start", "no baseline", "leave-one-out", "pathwise", "leave-one-out, ratio", "pathwise, ratio",
           "best normal")
START = Gaussian(np.zeros(8), np.full(8, -2.0))
PIXEL_NOISE = 0.7


class MissingPixel(NamedTuple):
    r"""A normal posterior: a pixel :math:`y = x^\top w` plus noise, from its eight neighbours :math:`x`.

    Attributes
    ----------
    pixel, around : ndarray
        Of the training digits, in units of their standard deviations.
    precision, pull : ndarray
        Of the posterior: its density is :math:`e^{w^\top h - w^\top\Lambda w/2}` up to a constant.
    at_zero : float
        The log joint density of data and weights at :math:`w = 0`.
    """

    pixel: np.ndarray
    around: np.ndarray
    precision: np.ndarray
    pull: np.ndarray
    at_zero: float

    def log_joint(self, w):
        """Log density of data and weights: of an array or a tensor, a tensor."""
        w, pull, precision = map(torch.as_tensor, (w, self.pull, self.precision))
        return self.at_zero + w @ pull - ((w @ precision) * w).sum(-1) / 2

    @property
    def mean(self):
        """The mean of the posterior."""
        return np.linalg.solve(self.precision, self.pull)

    @property
    def best(self):
        """The normal law with independent coordinates that is closest to the posterior."""
        return Gaussian(self.mean, -np.log(np.diag(self.precision)) / 2)

    def missing(self, at):
        """Nats between the bound and the evidence, for a normal law with independent coordinates."""
        own = np.diag(np.exp(2 * at.log_std))
        return float(kl_mvn(at.mean, own, self.mean, np.linalg.inv(self.precision)))


@cache
def missing_pixel():
    """The fourth pixel of the fourth row of the training digits, and its neighbours.

    Returns
    -------
    MissingPixel

    Examples
    --------
    >>> model = missing_pixel()
    >>> model.around.shape, float(np.abs(model.precision @ model.mean - model.pull).max()) < 1e-9
    ((1000, 8), True)
    """
    images = load()[0].images.reshape(-1, 8, 8)
    patches = images[:, 2:5, 2:5].reshape(-1, 9)
    patches = (patches - patches.mean(axis=0)) / patches.std(axis=0)
    pixel, around = patches[:, 4], np.delete(patches, 4, axis=1)
    return MissingPixel(pixel, around, np.eye(8) + around.T @ around / PIXEL_NOISE**2,
                        around.T @ pixel / PIXEL_NOISE**2,
                        stats.norm.logpdf(pixel, 0, PIXEL_NOISE).sum() + 8 * stats.norm.logpdf(0))


def approximate(method, *, seed, budget, lr=0.05):
    r"""Fit a normal law with independent coordinates to the posterior, by steps of ten draws with Adam.

    Parameters
    ----------
    method : str
        By the score function with "no baseline" or "leave-one-out", or "pathwise", of the mean of the log
        joint density, to which the entropy is added in closed form. With "ratio" the mean of
        :math:`\log p - \log q` is differentiated as a whole, by the draws, where the direct dependence of
        :math:`\log q` on its parameters is left out, since it is a score and has mean zero.
        Nothing is fitted in "start" and "best normal".
    seed : int
        Runs of one seed see the same noise.
    budget : int
        Number of steps; the learning rate falls to zero along half a cosine.
    lr : float
        The first learning rate.

    Returns
    -------
    float
        Nats by which more is missing between the bound and the evidence than with the best such law.

    Raises
    ------
    ValueError
        `method` is none of these; `budget` isn't positive.

    Examples
    --------
    >>> 0 < approximate("pathwise", seed=0, budget=100, lr=0.1) < 1
    True
    """
    read_choice("method", method, METHODS)
    steps, model = read_count("budget", budget), missing_pixel()
    least = model.missing(model.best)
    if method in ("start", "best normal"):
        return round(model.missing(START) - least, 9) if method == "start" else 0.0
    at = [torch.nn.Parameter(torch.from_numpy(part.copy())) for part in START]
    rng, adam = np.random.default_rng(seed), torch.optim.Adam(at, lr=lr)
    slower = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps)
    way = pathwise_gradient if method.startswith("pathwise") else score_function_gradient
    options = {"baseline": "leave-one-out"} if method.startswith("leave-one-out") else {}
    ratio = method.endswith("ratio")
    for _ in range(steps):
        here = Gaussian(*(part.detach().numpy().copy() for part in at))
        found = way(_log_ratio(model, here) if ratio else model.log_joint, here, n_samples=10, rng=rng,
                    **options).gradient
        at[0].grad = torch.from_numpy(-found.mean)
        at[1].grad = torch.from_numpy(-found.log_std - (not ratio))  # the entropy has the slope 1
        adam.step()
        slower.step()
    return model.missing(Gaussian(*(part.detach().numpy() for part in at))) - least


def _log_ratio(model, here):
    mean, log_std = map(torch.from_numpy, here)

    def ratio(w):
        w = torch.as_tensor(w)
        log_q = -((w - mean) / log_std.exp()) ** 2 / 2 - log_std - np.log(2 * np.pi) / 2
        return model.log_joint(w) - log_q.sum(-1)

    return ratio


_RATES = {"lr": (0.02, 0.05, 0.1, 0.2)}
APPROXIMATION = Experiment(
    "approximation", approximate,
    {"start": {}, "no baseline": {"lr": (0.005, 0.01, 0.02, 0.05)}}
    | {method: _RATES for method in METHODS[2:6]} | {"best normal": {}},
    seeds=range(10), tuning_seeds=range(100, 103), budgets=(1000, 2000), spent="steps", digits=0)
