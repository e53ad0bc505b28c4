"""Independent component analysis by noise contrast, and by what else a practitioner would take.

Beside it stand FastICA, the likelihood, and a likelihood whose normaliser is estimated from the same noise.
"""

import warnings

import numpy as np
from scipy.optimize import linear_sum_assignment, minimize
from scipy.special import expit, log_expit, logsumexp

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice

__all__ = ["ICA", "draw_sources", "separation_error"]

_TURN = np.pi / 2  # the density sech(pi s / 2) / 2 has variance 1
_METHODS = ("decorrelated", "FastICA", "NCE, ν = 1", "NCE, ν = 10", "NCE, ν = 100",
            "importance sampling, ν = 10", "maximum likelihood")


def draw_sources(size, *, rng=None):
    r"""Independent sources with the density :math:`\tfrac12 \operatorname{sech}(\pi s/2)`, of variance 1.

    Parameters
    ----------
    size : int, tuple of int or None
    rng : None, int or numpy.random.Generator

    Returns
    -------
    float or ndarray, shape size

    Examples
    --------
    >>> draw_sources(100_000, rng=0).var().round(1)
    np.float64(1.0)
    """
    return np.log(np.tan(_TURN * np.random.default_rng(rng).random(size))) / _TURN


def separation_error(gain):
    r"""How far rows are from sources of their own: the least squared distance from a signed permutation.

    .. math:: \min_{\pi, \varepsilon} \sum_{ij} (G_{ij} - \varepsilon_i \delta_{j\pi(i)})^2

    Parameters
    ----------
    gain : array_like, shape (n, n)
        The matrix that was found, times the one that has mixed.

    Examples
    --------
    >>> separation_error([[0.0, -1.0], [1.0, 0.5]])
    0.25
    """
    gain = np.asarray(gain, float)
    away = (gain**2).sum(axis=1, keepdims=True) + 1 - 2 * np.abs(gain)
    return float(away[linear_sum_assignment(away)].sum())


def separate(method, *, seed, budget):
    r"""Mix four sources by a random matrix, and look for the matrix that separates them.

    The model is :math:`c - \sum_i \log\cosh(\tfrac\pi2\, w_i^\top x)` with free W and c; the noise is normal
    with the covariance of the data. All fits begin where FastICA ends.

    Parameters
    ----------
    method : str
        ``"decorrelated"``, ``"FastICA"``, ``"maximum likelihood"``, which knows that c is
        :math:`\log|\det W| - 4\log 2`; ``"importance sampling, ν = 10"``, which estimates the normaliser as
        the mean of model over noise; or ``"NCE, ν = 1"`` and so on.
    seed : int
    budget : int
        Number of data.

    Returns
    -------
    dict
        ``error``, as by `separation_error`, and ``constant``, by how much c misses the logarithm of the
        normaliser of the W that was found (0 where there is no c).

    Raises
    ------
    ValueError
        There is no such method.

    Examples
    --------
    >>> separate("maximum likelihood", seed=0, budget=4000)["error"] < 0.1
    True
    """
    kind, _, nu = read_choice("method", method, _METHODS).partition(", ν = ")
    rng = np.random.default_rng(seed)
    mixing = _well_conditioned(rng)
    data = draw_sources((budget, 4), rng=rng) @ mixing.T
    root = np.linalg.cholesky(np.cov(data.T))
    if method == "decorrelated":
        return {"error": separation_error(np.linalg.inv(root) @ mixing), "constant": 0.0}
    begin = _fast_ica(data)
    if method == "FastICA":
        return {"error": separation_error(begin @ mixing), "constant": 0.0}
    if method == "maximum likelihood":
        found, missed = _maximise(_likelihood(data), begin), 0.0
    else:
        noise = rng.normal(size=(int(nu) * budget, 4)) @ root.T
        objective = (_contrast if kind == "NCE" else _sampled)(data, noise, root)
        found = _maximise(objective, begin, _log_density(begin) if kind == "NCE" else None)
        missed = found[-1] - _log_density(found[:16].reshape(4, 4)) if kind == "NCE" else 0.0
    return {"error": separation_error(found[:16].reshape(4, 4) @ mixing), "constant": missed}


def _well_conditioned(rng):
    mixing = rng.normal(size=(4, 4))
    return mixing if np.linalg.cond(mixing) < 10 else _well_conditioned(rng)


def _log_density(matrix):
    """The constant with which the model is a density."""
    return np.linalg.slogdet(matrix)[1] - len(matrix) * np.log(2)


def _fast_ica(data):
    from sklearn.decomposition import FastICA

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged is seen in its error
        found = FastICA(4, whiten="unit-variance", random_state=0, max_iter=2000, tol=1e-9).fit(data)
    return found.components_


def _log_cosh(t):
    t = np.abs(t)
    return t + np.log1p(np.exp(-2 * t)) - np.log(2)


def _maximise(objective, matrix, constant=None):
    start = matrix.ravel() if constant is None else np.append(matrix, constant)
    return minimize(objective, start, jac=True, method="BFGS", options={"gtol": 1e-8}).x


def _model(theta, x):
    """Scores without their constant, and a function that turns weights of items into a slope in W."""
    projected = _TURN * (x @ theta[:16].reshape(4, 4).T)
    return (-_log_cosh(projected).sum(axis=1),
            lambda weights: (-_TURN * (np.tanh(projected) * weights[:, None]).T @ x).ravel())


def _log_normal(x, root):
    return (-0.5 * (np.linalg.solve(root, x.T) ** 2).sum(axis=0) - np.log(np.diag(root)).sum()
            - len(root) / 2 * np.log(2 * np.pi))


def _likelihood(data):
    even = np.full(len(data), 1 / len(data))

    def cost(theta):
        matrix = theta.reshape(4, 4)
        scores, slope = _model(theta, data)
        return (-scores.mean() - np.linalg.slogdet(matrix)[1],
                -slope(even) - np.linalg.inv(matrix).T.ravel())

    return cost


def _contrast(data, noise, root):
    ratio = np.log(len(noise) / len(data))
    offsets = [ratio + _log_normal(x, root) for x in (data, noise)]

    def cost(theta):
        (ours, slope), (theirs, slope_) = _model(theta, data), _model(theta, noise)
        ours, theirs = theta[16] + ours - offsets[0], theta[16] + theirs - offsets[1]
        up, down = expit(-ours) / len(data), expit(theirs) / len(data)
        value = -(log_expit(ours).sum() + log_expit(-theirs).sum()) / len(data)
        return value, np.append(slope_(down) - slope(up), down.sum() - up.sum())

    return cost


def _sampled(data, noise, root):
    even, offset = np.full(len(data), 1 / len(data)), _log_normal(noise, root)

    def cost(theta):
        (ours, slope), (theirs, slope_) = _model(theta, data), _model(theta, noise)
        log_z = logsumexp(theirs - offset) - np.log(len(noise))
        weights = np.exp(theirs - offset - np.log(len(noise)) - log_z)
        return log_z - ours.mean(), slope_(weights) - slope(even)

    return cost


ICA = Experiment("methods", separate, {method: {} for method in _METHODS}, seeds=range(20),
                 budgets=(1000, 4000), spent="data", measure="error", digits=5)
