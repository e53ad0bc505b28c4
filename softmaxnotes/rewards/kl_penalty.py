r"""Kullback-Leibler divergences from draws, and when that fails.

With the ratio :math:`r = q(x)/p(x)` at draws :math:`x` from the law :math:`p`, both

.. math:: -\log r \qquad\text{and}\qquad r - 1 - \log r

have the mean :math:`\mathrm{KL}(p\,\|\,q)`.  The second, *corrected* one is never negative, and much quieter
where the laws are close; but its variance is infinite where that of :math:`r` is, and then no number of draws
is enough to see it.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arguments import (
    as_real,
    broadcast_shape,
    check_entries,
    check_finite,
    check_positive,
    read_floats,
)

__all__ = ["KLEstimate", "estimate_kl", "squared_ratio"]


class KLEstimate(NamedTuple):
    """An estimate, and what is known of its error.

    Attributes
    ----------
    kl : ndarray or float
        In nats.
    error : ndarray or float
        The standard error, from the spread of the draws.  It means nothing where the variance is infinite.
    """

    kl: np.ndarray
    error: np.ndarray


def estimate_kl(log_ratios, *, corrected=False):
    r"""Divergence of a law from another one, from draws of the first.

    .. math:: \mathrm{KL}(p\,\|\,q) \approx \frac1N \sum_{k=1}^N \left(-\log r_k\right)
              \quad\text{or}\quad \frac1N \sum_{k=1}^N \left(r_k - 1 - \log r_k\right),
              \qquad r_k = \frac{q(x_k)}{p(x_k)}, \quad x_k \sim p

    Parameters
    ----------
    log_ratios : array_like, shape (..., N)
        :math:`\log r_k = \log q(x_k) - \log p(x_k)`, of two draws or more.
    corrected : bool
        The second form.  Both laws must be normalised, and the variance of :math:`r` finite:
        `squared_ratio` tells it for normal laws.

    Returns
    -------
    KLEstimate
        ``kl`` and ``error`` of shape (...), in the floating type of `log_ratios`.

    Raises
    ------
    ValueError
        There are fewer than two draws; a ratio is NaN or ``inf``, which a draw of p has with probability 0.

    Notes
    -----
    A draw where :math:`q` is zero, with a log-ratio of minus infinity, makes the estimate infinite, as is the
    divergence.  :math:`r - 1 - \log r` is computed by ``expm1`` with an absolute error of about
    :math:`|\log r|` roundoffs.

    Implements: eq-kl-corrected

    References
    ----------
    J. Schulman, "Approximating KL divergence" (2020), http://joschu.net/blog/kl-approx.html.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=10_000)
    >>> log_ratios = 0.1 * x - 0.005  # normal laws, 0.1 standard deviations apart
    >>> plain, quiet = (estimate_kl(log_ratios, corrected=how) for how in (False, True))
    >>> f"{plain.kl:.4f} ± {plain.error:.4f}, {quiet.kl:.5f} ± {quiet.error:.5f}"
    '0.0044 ± 0.0010, 0.00498 ± 0.00007'
    """
    log_ratios, dtype = as_real(log_ratios, "log_ratios")
    if log_ratios.ndim == 0 or log_ratios.shape[-1] < 2:
        raise ValueError(f"expected the log_ratios of two draws or more, got shape {log_ratios.shape}")
    check_entries("log_ratios", log_ratios, log_ratios < np.inf, "below inf, as draws from p have them")
    with np.errstate(over="ignore", invalid="ignore"):
        terms = np.expm1(log_ratios) - log_ratios if corrected else -log_ratios
        error = np.std(terms, axis=-1, ddof=1) / math.sqrt(terms.shape[-1])
        return KLEstimate(np.mean(terms, axis=-1).astype(dtype)[()], error.astype(dtype)[()])


def squared_ratio(mu_p, sigma_p, mu_q, sigma_q):
    r"""Second moment of the ratio of two normal densities.

    .. math:: \mathbb E_p\left[\left(\frac{q(x)}{p(x)}\right)^2\right]
              = \frac{e^{z^2 / (2 - v)}}{\sqrt{v (2 - v)}},
              \qquad z = \frac{\mu_q - \mu_p}{\sigma_p}, \quad v = \frac{\sigma_q^2}{\sigma_p^2} < 2,

    and infinite for :math:`v \ge 2`.

    Parameters
    ----------
    mu_p, mu_q : array_like
        Means.
    sigma_p, sigma_q : array_like
        Standard deviations, positive.  All four are broadcast.

    Returns
    -------
    ndarray or scalar
        At least 1, in the widest floating type among the arguments; ``inf`` also where it is larger than any
        number of that type.

    Raises
    ------
    ValueError
        A standard deviation isn't positive, a parameter is infinite or NaN, or the shapes don't fit.

    Notes
    -----
    Near :math:`v = 2` it is as uncertain as the ratio of the scales: a relative error of a roundoff in
    :math:`v` is one of :math:`2 / (2 - v)` roundoffs in :math:`2 - v`, by which the exponent is divided.

    Implements: eq-ratio-moment

    Examples
    --------
    >>> squared_ratio(0.0, 1.0, [0.0, 1.0, 0.0], [1.0, 1.0, 1.5]).round(4)
    array([1.    , 2.7183,    inf])
    """
    arrays = read_floats(mu_p=mu_p, sigma_p=sigma_p, mu_q=mu_q, sigma_q=sigma_q)
    named = dict(zip(("mu_p", "sigma_p", "mu_q", "sigma_q"), arrays))
    check_finite(**named)
    check_positive(sigma_p=arrays[1], sigma_q=arrays[3])
    broadcast_shape(**named)
    mu_p, sigma_p, mu_q, sigma_q = (a.astype(np.float64) for a in arrays)
    with np.errstate(all="ignore"):
        z, v = (mu_q - mu_p) / sigma_p, (sigma_q / sigma_p) ** 2
        room = np.where(v < 2, 2 - v, np.nan)
        moment = np.exp(z * z / room) / np.sqrt(v * room)
        return np.where(v < 2, moment, np.inf).astype(np.result_type(*arrays))[()]
