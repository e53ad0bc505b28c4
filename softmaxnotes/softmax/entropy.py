r"""Maximum entropy: the law that is least decided, given what its payoff is on average.

Among all laws over :math:`n` items with a given mean payoff the entropy is largest at a softmax of the
payoffs, at the one temperature that has this mean.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ..arguments import as_real, check_entries, check_finite
from .numerics import softmax

__all__ = ["MaximumEntropy", "maximum_entropy"]


class MaximumEntropy(NamedTuple):
    """Result of `maximum_entropy`.

    Attributes
    ----------
    probabilities : ndarray, shape (..., n)
    beta : ndarray, shape (...)
        Inverse temperature: positive where the mean is above that of the uniform law, negative below.
    """

    probabilities: np.ndarray
    beta: np.ndarray


def maximum_entropy(payoff, mean):
    r"""Law of largest entropy among those with a given mean payoff.

    .. math:: p = \operatorname{softmax}(\beta z), \qquad \sum_k p_k z_k = \text{mean}

    Parameters
    ----------
    payoff : array_like, shape (n,)
        The payoffs :math:`z_k`, finite, at least one.
    mean : array_like, shape (...)
        From the smallest payoff to the largest; each has a law of its own.

    Returns
    -------
    MaximumEntropy
        The probabilities and the inverse temperatures, in ``float64``. At the largest payoff `beta` is
        infinite and all items that have it share equally; so at the smallest, with minus infinity. Where
        all payoffs are the same the law is uniform and `beta` is 0.

    Raises
    ------
    TypeError
        An argument isn't real.
    ValueError
        `payoff` isn't such a sequence; a mean is below the smallest payoff, above the largest, or NaN.

    Notes
    -----
    The mean payoff increases with :math:`\beta`, so that Brent's method finds the one :math:`\beta`, to a few
    units in the last place of what the payoffs, once subtracted, tell. Where the mean is very near an end,
    `beta` is what the rounded mean says, and so is badly conditioned.

    Implements: eq-entropy-bound

    References
    ----------
    E. T. Jaynes, "Information theory and statistical mechanics", Physical Review 106 (1957) 620-630.

    Examples
    --------
    A die with mean 4.5:

    >>> law = maximum_entropy([1, 2, 3, 4, 5, 6], 4.5)
    >>> law.probabilities.round(4)
    array([0.0544, 0.0788, 0.1142, 0.1654, 0.2398, 0.3475])
    >>> float(law.beta.round(4))
    0.371
    """
    payoff, mean = (as_real(values, name)[0].astype(np.float64)
                    for name, values in (("payoff", payoff), ("mean", mean)))
    if payoff.ndim != 1 or payoff.size == 0:
        raise ValueError(f"expected payoff of shape (n,) with n > 0, got {payoff.shape}")
    check_finite(payoff=payoff)
    low, high = payoff.min(), payoff.max()
    ends = f"from {low} to {high}, the ends of the payoffs"
    check_entries("mean", mean, (low <= mean) & (mean <= high), ends)
    beta = np.array([_beta(payoff, one) for one in mean.ravel()]).reshape(mean.shape)
    return MaximumEntropy(_tilted(payoff, beta), beta)


def _beta(payoff, mean):
    """Where the mean payoff, which increases with beta, is the given one."""
    scale = np.ptp(payoff / 2)  # half, since the whole may overflow
    if scale == 0:
        return 0.0
    gaps = (payoff / 2 - mean / 2) / scale
    if gaps.max() == 0 or gaps.min() == 0:
        return np.inf if gaps.max() == 0 else -np.inf

    def excess(beta):
        return softmax(beta * gaps) @ gaps

    ends = np.array([-1.0, 1.0])
    for end, sign in enumerate(ends):
        while excess(ends[end]) * sign < 0:
            ends[end] *= 2
    return brentq(excess, *ends, xtol=1e-300, rtol=4 * np.finfo(float).eps) / 2 / scale


def _tilted(payoff, beta):
    """The softmax of the payoffs at an inverse temperature; at an infinite one its limit."""
    end = np.where(beta > 0, payoff.max(), payoff.min())[..., np.newaxis]
    beta = beta[..., np.newaxis]
    with np.errstate(invalid="ignore", over="ignore"):
        logits = beta * (payoff - end)
    return softmax(np.where(payoff == end, 0.0, logits))
