r"""The learner that best explains some choices: maximum likelihood for many subjects at once.

For each learning rate the log-likelihood is concave in the inverse temperature, so that the inner
maximum is found by Newton's method without fail, and the outer one is a search on a curve.
"""

from dataclasses import dataclass

import numpy as np

from ..arguments import read_count
from .trials import Trials, flat, read_parameters, subjects_of

__all__ = ["Fit", "fit", "profile"]

_SURE = 1e-20  # a step that promises no more, in nats, is not taken
_STEPS = 60


@dataclass(frozen=True)
class Fit:
    """What `fit` returns: arrays with the axes of the subjects."""

    alpha: np.ndarray  #: the learning rates
    beta: np.ndarray  #: the inverse temperatures
    log_likelihood: np.ndarray  #: at the maximum
    gradient: np.ndarray  #: there, shape (..., 2)
    covariance: np.ndarray  #: inverse of the observed information, shape (..., 2, 2)
    at_bound: np.ndarray  #: whether a parameter is at a bound that holds it, shape (..., 2)
    converged: np.ndarray  #: whether another step promises next to nothing
    maxima: np.ndarray  #: how many places of the curve of learning rates the search started from

    @property
    def standard_errors(self):
        """Square roots of the diagonal of the covariance; NaN for a parameter at a bound."""
        return np.sqrt(np.diagonal(self.covariance, axis1=-2, axis2=-1))


def profile(alpha, choices, rewards, *, present=None, v0=0.0, scored="before",
            beta_bounds=(0.0, 100.0)):
    r"""The best inverse temperature for a learning rate, and how good it is.

    .. math:: \hat\beta(\alpha) = \operatorname*{arg\,max}_\beta\,\ell(\alpha, \beta)

    Parameters
    ----------
    alpha : array_like
        Learning rates in [0, 1]; they broadcast with the subjects.
    choices, rewards, present, v0, scored
        As in `log_likelihood`.
    beta_bounds : tuple of float
        Where to look.

    Returns
    -------
    beta, value : ndarray or scalar, shape (...)
        Where the values of the cues never differ, every :math:`\beta` is as good: the lower bound, or 0
        if that is within the bounds.

    Raises
    ------
    ValueError
        As `log_likelihood`; bounds that are not two finite numbers in order.

    Notes
    -----
    Newton's method, kept within an interval that shrinks; since the log-likelihood is concave in
    :math:`\beta`, it finds the maximum from anywhere.

    Implements: eq-rw-concave

    Examples
    --------
    >>> [round(float(v), 4) for v in profile(0.5, [0, 0, 1, 0], [1.0, 1.0, 0.0, 1.0])]
    [0.7441, -2.6806]
    """
    alpha, _ = read_parameters(alpha, 0.0)
    data = Trials(choices, rewards, present=present, v0=v0, scored=scored)
    batch = subjects_of(choices=data.batch, alpha=alpha.shape)
    alpha = np.broadcast_to(flat(alpha, batch), _count(batch))
    found = _ridge(data.over(batch), alpha, _bounds("beta_bounds", beta_bounds))
    return tuple(v.reshape(batch)[()] for v in found)


def fit(choices, rewards, *, present=None, v0=0.0, scored="before", alpha_bounds=(0.0, 1.0),
        beta_bounds=(0.0, 100.0), n_grid=21):
    r"""Maximum-likelihood estimates of learning rate and inverse temperature, for each subject.

    Parameters
    ----------
    choices, rewards, present, v0, scored
        As in `log_likelihood`.
    alpha_bounds, beta_bounds : tuple of float
        Where to look: within [0, 1], and any two finite numbers. The inverse temperature has the unit
        of one over a reward.
    n_grid : int
        How many learning rates the curve :math:`\max_\beta \ell(\alpha, \beta)` is first looked at; the
        search starts from each that is better than its neighbours.

    Returns
    -------
    Fit
        With ``alpha``, ``beta``, ``log_likelihood``, ``gradient``, ``covariance``, ``standard_errors``,
        ``at_bound``, ``converged`` and ``maxima``, the number of starts.

    Raises
    ------
    TypeError
        As `log_likelihood`; `n_grid` isn't an integer.
    ValueError
        As `log_likelihood`; bounds that are not two numbers in order; fewer than 3 places on the grid.

    Notes
    -----
    The curve :math:`\max_\beta \ell(\alpha, \beta)` is climbed by Newton's method with exact second
    derivatives, between the neighbours of each start and halving that interval where Newton's step leaves
    it. A subject whose choices never contradict its values has no finite :math:`\hat\beta`: it ends at the
    bound, and says so.

    The observed information is minus the Hessian at the maximum. Where a bound holds one parameter, its
    variance is NaN, and that of the other is for the first one held. Where nothing is told of the
    parameters, as without choices, all is NaN.

    Implements: eq-rw-likelihood

    References
    ----------
    R. C. Wilson and A. G. E. Collins, "Ten simple rules for the computational modeling of behavioral
    data", eLife 8 (2019) e49547.

    Examples
    --------
    >>> from softmaxnotes.softmax import bandit, simulate
    >>> learner = simulate(0.3, 4.0, bandit(2000, drift=0.05, rng=0).rewards, rng=1)
    >>> found = fit(*learner)
    >>> bool(found.converged), found.standard_errors.round(2)
    (True, array([0.02, 0.17]))
    """
    low, high = np.array([_bounds("alpha_bounds", alpha_bounds),
                           _bounds("beta_bounds", beta_bounds)]).T
    if low[0] < 0 or high[0] > 1:
        raise ValueError(f"expected alpha_bounds within [0, 1], got {alpha_bounds}")
    n_grid = read_count("n_grid", n_grid, least=3)
    data = Trials(choices, rewards, present=present, v0=v0, scored=scored)
    batch, count = data.batch, _count(data.batch)
    grid = low[0] + (high[0] - low[0]) * np.linspace(0, 1, n_grid)**2  # closer where beta is large
    curve, betas = np.empty((n_grid, count)), np.empty((n_grid, count))
    for g, alpha in enumerate(grid):
        near = betas[g - 1] if g > 1 else None
        betas[g], curve[g] = _ridge(data, np.full(count, alpha), (low[1], high[1]), near, rough=True)
    wall = np.full((1, count), -np.inf)
    tops = (curve >= np.concatenate([wall, curve[:-1]])) & (curve > np.concatenate([curve[1:], wall]))
    place, subject = np.nonzero(tops)
    found = _climb(data.take(subject), grid[np.maximum(place - 1, 0)], grid[place],
                   grid[np.minimum(place + 1, n_grid - 1)], betas[place, subject], (low[1], high[1]))
    out = found["gradient"] >= 0, found["gradient"] <= 0
    found["held"] = ((found["at"] >= high) & out[0]) | ((found["at"] <= low) & out[1])
    best = np.full(count, -1)  # of several starts the one that comes to most
    for row in np.lexsort([found["value"], subject]):
        best[subject[row]] = row
    found = {name: v[best] for name, v in found.items()}
    return Fit(
        *(found["at"][:, i].reshape(batch)[()] for i in (0, 1)),
        found["value"].reshape(batch)[()],
        found["gradient"].reshape(batch + (2,)),
        _covariance(found["hessian"], found["held"]).reshape(batch + (2, 2)),
        found["held"].reshape(batch + (2,)),
        found["done"].reshape(batch)[()],
        tops.sum(axis=0).reshape(batch)[()],
    )


def _ridge(data, alpha, bounds, beta=None, rough=False):
    """Best beta for each alpha, and the value there; roughly or to the last digits."""
    gaps = data.gaps(data.values(alpha, 0)[0])
    low, high = (np.full(len(alpha), float(end)) for end in bounds)
    beta = np.clip(np.zeros(len(alpha)) if beta is None else beta, low, high)
    for step in range(_STEPS):
        log_p, other = data.odds(gaps, beta)
        mean = np.add.reduce(other * gaps, axis=1)
        slope = -np.add.reduce(mean, axis=0)
        bend = np.add.reduce(np.add.reduce(other * gaps**2, axis=1) - mean**2, axis=0)
        np.copyto(low, beta, where=slope > 0)
        np.copyto(high, beta, where=slope < 0)
        with np.errstate(all="ignore"):
            after = beta + slope / bend
        wide = np.where((slope > 0) & (step < 8), np.minimum(2 * beta + 1, high), (low + high) / 2)
        after = np.where((after >= low) & (after <= high), after, np.where(slope == 0, beta, wide))
        promise = np.abs(slope * (after - beta))  # in nats
        beta = after
        if np.all(promise <= (1e-4 if rough else 1e-24)):
            break
    return beta, np.add.reduce(data.odds(gaps, beta)[0], axis=0)


def _climb(data, low, alpha, high, beta, beta_bounds):
    """A maximum of the curve between two learning rates, for all rows at once: where its slope changes sign.

    By the envelope theorem the slope of the curve is that of the log-likelihood by alpha.
    """
    state = {"at": np.stack([alpha, beta], -1), "done": np.zeros(len(alpha), bool),
             "value": np.empty(len(alpha)), "gradient": np.empty((len(alpha), 2)),
             "hessian": np.empty((len(alpha), 2, 2))}
    row = np.arange(len(alpha))
    for _ in range(_STEPS):
        beta, _ = _ridge(data, alpha, beta_bounds, beta)
        found = data(alpha, beta, 2)
        for name, new in zip(("value", "gradient", "hessian"), found):
            state[name][row] = new
        state["at"][row] = np.stack([alpha, beta], -1)
        slope, bend = found[1][:, 0], -found[2][:, 0, 0]
        loose = (beta > beta_bounds[0]) & (beta < beta_bounds[1])
        with np.errstate(all="ignore"):
            bend = bend + np.where(loose, found[2][:, 0, 1] ** 2 / found[2][:, 1, 1], 0)
            after = alpha + slope / bend
        low, high = np.where(slope > 0, alpha, low), np.where(slope < 0, alpha, high)
        inside = (after >= low) & (after <= high) & (bend > 0)
        after = np.where(inside, after, np.where(slope == 0, alpha, (low + high) / 2))
        state["done"][row] = np.abs(slope * (after - alpha)) <= _SURE
        going = ~state["done"][row]
        if not going.any():
            break
        data, row = data.take(np.flatnonzero(going)), row[going]
        low, high, alpha, beta = low[going], high[going], after[going], beta[going]
    return state


def _covariance(hessian, held):
    covariance = np.full(hessian.shape, np.nan)
    with np.errstate(all="ignore"):
        a, b, c = -hessian[:, 0, 0], -hessian[:, 0, 1], -hessian[:, 1, 1]
        det = a * c - b * b
        both = ~held.any(axis=1) & (det > 0) & (a > 0)
        full = np.stack([c, -b, -b, a], -1).reshape(-1, 2, 2) / det[:, None, None]
        covariance[both] = full[both]
        for free, information in ((0, a), (1, c)):
            alone = held[:, 1 - free] & ~held[:, free] & (information > 0)
            covariance[alone, free, free] = 1 / information[alone]
    return covariance


def _bounds(name, bounds):
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError):
        low = high = np.nan
    if not -np.inf < low < high < np.inf:
        raise ValueError(f"expected {name} to be two finite numbers in order, got {bounds!r}")
    return low, high


def _count(batch):
    return int(np.prod(batch, dtype=int))
