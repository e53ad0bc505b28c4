r"""A belief about class probabilities, fitted by slopes of Dirichlet draws and by the score function.

    >>> believe("implicit, landing", seed=0, budget=12) > 9
    True
"""

import numpy as np
from scipy import special

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load
from softmaxnotes.gradients import dirichlet_slope
from softmaxnotes.rewards import advantages

__all__ = ["BELIEVING", "METHODS", "fisher_information", "label_counts"]

METHODS = ("prior", "implicit", "leave-one-out", "implicit, landing", "counted")
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
    method : {"prior", "implicit", "leave-one-out", "implicit, landing", "counted"}
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
