r"""A posterior that is approximated by gradients through draws: logistic regression of a pixel.

    >>> model = bright_pixel()
    >>> bool(model.bound(model.best) > model.bound(START))
    True
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load
from softmaxnotes.gradients import Gaussian

__all__ = ["APPROXIMATION", "METHODS", "START", "BrightPixel", "bright_pixel"]

METHODS = ("start", "no baseline", "peak subtracted", "leave-one-out", "moving average", "pathwise",
           "best normal")
START = Gaussian(np.zeros(8), np.full(8, -2.0))
N_IMAGES, N_DRAWS = 100, 10
AT, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)


class BrightPixel(NamedTuple):
    r"""Is a pixel bright? A logistic regression on its eight neighbours, with standard normal weights.

    Attributes
    ----------
    images : ndarray, shape (images, 8, 8)
    signed : ndarray, shape (images, 8)
        The neighbours, in units of their standard deviations; negative where the pixel is dark.
    best : Gaussian
        The normal distribution with independent coordinates and the highest lower bound.
    peak : float
        The largest log joint density of data and weights.
    """

    images: np.ndarray
    signed: np.ndarray
    best: Gaussian
    peak: float

    def log_joint(self, w):
        """Log density of data and weights, an array of shape (..., 8)."""
        return _log_joint(self.signed, w)

    def slope(self, w):
        """Its gradient."""
        return _slope(self.signed, w)

    def bound(self, at):
        """The evidence lower bound of a normal distribution with independent coordinates, by quadrature."""
        return _bound(self.signed, at)


def _log_joint(signed, w):
    return -np.logaddexp(0, -w @ signed.T).sum(-1) - (w**2).sum(-1) / 2 - 4 * np.log(2 * np.pi)


def _slope(signed, w):
    return expit(-w @ signed.T) @ signed - w


def _bound(signed, at):
    variance = np.exp(2 * at.log_std)
    middle, width = signed @ at.mean, np.sqrt(signed**2 @ variance)
    fits = -np.logaddexp(0, -(middle[:, None] + width[:, None] * AT)) @ WEIGHTS / WEIGHTS.sum()
    return fits.sum() - (at.mean @ at.mean + variance.sum()) / 2 + at.log_std.sum() + 4


@cache
def bright_pixel():
    """The fourth pixel of the fourth row of the first training digits, and its neighbours.

    Returns
    -------
    BrightPixel

    Examples
    --------
    >>> model = bright_pixel()
    >>> model.signed.shape, bool(model.peak > model.log_joint(model.best.mean))
    ((100, 8), True)
    """
    images = load()[0].images.reshape(-1, 8, 8)
    patches = images[:, 2:5, 2:5].reshape(-1, 9)
    pixel, around = patches[:, 4], np.delete(patches, 4, axis=1)
    around = (around - around.mean(axis=0)) / around.std(axis=0)
    signed = (np.where(pixel > 0.5, 1, -1)[:, None] * around)[:N_IMAGES]
    best = minimize(lambda at: -_bound(signed, Gaussian(at[:8], at[8:])), np.r_[np.zeros(8), -np.ones(8)],
                    method="BFGS", options={"gtol": 1e-7}).x
    peak = minimize(lambda w: -_log_joint(signed, w), np.zeros(8), jac=lambda w: -_slope(signed, w))
    return BrightPixel(images[:N_IMAGES], signed, Gaussian(best[:8], best[8:]), float(-peak.fun))


def approximate(method, *, seed, budget, lr=0.05):
    r"""Fit a normal distribution with independent coordinates to the posterior, by Adam on ten draws a step.

    Parameters
    ----------
    method : str
        By the score function with "no baseline", with the largest value of the log joint density as baseline
        ("peak subtracted"), with the "moving average" of its earlier values or the mean of the other draws
        ("leave-one-out"), or "pathwise"; the entropy is added in closed form. Nothing is fitted in "start"
        and "best normal".
    seed : int
        Runs of one seed see the same noise.
    budget : int
        Number of steps; the learning rate falls to zero along half a cosine.
    lr : float
        The first learning rate.

    Returns
    -------
    float
        Nats by which the bound is lower than that of the best such distribution.

    Raises
    ------
    ValueError
        `method` is none of these; `budget` isn't positive.

    Examples
    --------
    >>> bool(0 < approximate("pathwise", seed=0, budget=200, lr=0.1) < 1)
    True
    """
    read_choice("method", method, METHODS)
    steps, model = read_count("budget", budget), bright_pixel()
    most = model.bound(model.best)
    if method in ("start", "best normal"):
        return round(most - model.bound(START), 9) if method == "start" else 0.0
    rng, average = np.random.default_rng(seed), model.log_joint(START.mean)
    at, first, second = np.r_[START.mean, START.log_std], np.zeros(16), np.zeros(16)
    for step in range(steps):
        noise, std = rng.standard_normal((N_DRAWS, 8)), np.exp(at[8:])
        w = at[:8] + std * noise
        if method == "pathwise":
            slopes = model.slope(w)
            each = np.hstack([slopes, slopes * noise * std])
        else:
            f = model.log_joint(w)
            baseline = {"no baseline": 0.0, "peak subtracted": model.peak, "moving average": average,
                        "leave-one-out": (f.sum() - f) / (N_DRAWS - 1)}[method]
            average = 0.9 * average + 0.1 * f.mean()
            each = (f - baseline)[:, None] * np.hstack([noise / std, noise**2 - 1])
        gradient = each.mean(axis=0) + np.repeat([0, 1], 8)  # the entropy has the slope 1
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        adam = first / (1 - 0.9 ** (step + 1)) / (np.sqrt(second / (1 - 0.999 ** (step + 1))) + 1e-8)
        at = at + lr * (1 + np.cos(np.pi * step / steps)) / 2 * adam
    return most - model.bound(Gaussian(at[:8], at[8:]))


APPROXIMATION = Experiment(
    "approximation", approximate,
    {"start": {}} | {method: {"lr": (0.005, 0.01, 0.02, 0.05, 0.1)} for method in METHODS[1:6]}
    | {"best normal": {}},
    seeds=range(10), tuning_seeds=range(100, 103), budgets=(1000,), spent="steps", digits=0)
