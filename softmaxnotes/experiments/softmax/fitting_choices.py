r"""What becomes of an estimate if an absent cue forgets the slope of its value, as the notes have it."""

import numpy as np

from softmaxnotes.arguments import read_count
from softmaxnotes.softmax.fitting_choices import profile
from softmaxnotes.softmax.trials import Trials, decay_of, scan

__all__ = ["forgetful_slope", "forgetful_zero"]


def forgetful_slope(data, alpha, beta):
    r"""Slope of the log-likelihood by the learning rate with a false rule for slopes of values.

    After a trial in which a cue got no outcome, :math:`\partial V/\partial\alpha` is 0, as a remark in the
    notes leads to.

    Parameters
    ----------
    data : Trials
        Of S subjects.
    alpha, beta : ndarray, shape (S,) or ()

    Returns
    -------
    ndarray, shape (S,)

    Examples
    --------
    >>> data = Trials([0, 1, 0], [1.0, 1.0, 0.0])
    >>> forgetful_slope(data, np.array([0.5]), np.array([2.0])).round(4)
    array([-2.4621])
    """
    values = data.values(alpha, 0)[0]
    keep = data.gate * (1 - alpha * data.gate)
    slopes = scan(keep, decay_of(keep), data.paid - data.gate * values[:-1], 0.0)
    _, other = data.odds(data.gaps(values), beta)
    return -beta * (other * data.gaps(slopes)).sum(axis=(0, 1))


def forgetful_zero(choices, rewards, *, beta_bounds=(0.0, 100.0), n_halvings=20):
    r"""Where the forgetful slope vanishes, with the best inverse temperature for each learning rate.

    It is here to be compared with `softmaxnotes.softmax.fit`.

    Parameters
    ----------
    choices, rewards
        As in `softmaxnotes.softmax.log_likelihood`.
    beta_bounds : tuple of float
        Where the inverse temperature is looked for.
    n_halvings : int
        How often the interval of learning rates is halved.

    Returns
    -------
    alpha, beta : ndarray or scalar, shape (...)
        Where that slope changes from positive to negative; an end of [0, 1] where it does not.

    Raises
    ------
    TypeError, ValueError
        As `softmaxnotes.softmax.profile`; `n_halvings` isn't an integer, or less than 1.

    Examples
    --------
    >>> from softmaxnotes.softmax import bandit, simulate
    >>> learner = simulate(0.3, 4.0, bandit(500, drift=0.05, rng=0).rewards, rng=1)
    >>> [round(float(v), 2) for v in forgetful_zero(*learner)]
    [0.39, 3.43]
    """
    data = Trials(choices, rewards)
    low, high = np.zeros(data.batch), np.ones(data.batch)
    for _ in range(read_count("n_halvings", n_halvings)):
        alpha = (low + high) / 2
        beta, _ = profile(alpha, choices, rewards, beta_bounds=beta_bounds)
        slope = forgetful_slope(data, alpha.ravel(), np.ravel(beta)).reshape(data.batch)
        low, high = np.where(slope > 0, alpha, low), np.where(slope > 0, high, alpha)
    return alpha[()], beta
