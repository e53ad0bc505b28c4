"""The normal distribution that is closest to a mixture, in either direction of the divergence."""

import math
from typing import NamedTuple

import numpy as np
import scipy.optimize

from ..arguments import check_finite, check_positive, read_choice, read_floats
from ..softmax import logsumexp, softmax

__all__ = ["ClosestNormal", "closest_normal"]


class ClosestNormal(NamedTuple):
    """The normal distribution that is closest to another distribution.

    Attributes
    ----------
    mu, sigma : float
        Its mean and standard deviation.
    kl : float
        The divergence that is left, in nats.
    """

    mu: float
    sigma: float
    kl: float


def closest_normal(weights, means, stds, *, direction):
    r"""The normal distribution that is closest to a mixture of normal ones, on the line.

    .. math:: p(x) = \sum_k w_k \, \mathcal N(x; m_k, s_k^2), \qquad
              q(x) = \mathcal N(x; \mu, \sigma^2)

    Parameters
    ----------
    weights, means, stds : array_like, shape (K,)
        :math:`w`, which sum to one, :math:`m`, and :math:`s`, positive.
    direction : {"forward", "reverse"}
        Minimise :math:`\mathrm{KL}(p \,\|\, q)`, whose minimum has the mean and the
        variance of :math:`p` and so covers all modes; or
        :math:`\mathrm{KL}(q \,\|\, p)`, whose minimum may seek a single one.

    Returns
    -------
    ClosestNormal
        ``mu``, ``sigma`` and ``kl``.

    Raises
    ------
    ValueError
        The shapes aren't (K,) with one :math:`K > 0`; the weights are negative, or
        don't sum to one to within (K + 8) epsilons of their type; a standard deviation isn't
        positive; a parameter is infinite or NaN; `direction` isn't one of the two; the
        smallest standard deviation is less than 1/3000 of the largest, or of that of
        the mixture.

    Notes
    -----
    In both directions the expectation is a trapezoidal sum with steps of at most 1/16
    of the smallest standard deviation, from -9 to 9 standard deviations of the normal
    distributions over which it is taken. For such smooth integrands it converges
    exponentially, so ``kl`` is right to about 1e-12 nats.

    Reverse: the sum is minimised over :math:`(\mu, \log \sigma)` by a Newton method
    with a trust region, from each component with a positive weight and from the
    forward minimum, and the lowest of the minima is returned, to about 1e-9 standard
    deviations. A mixture can have several: those within 1e-10 nats of the lowest are
    a tie, and the one on the left is taken.

    Implements: eq-kl-normal

    Examples
    --------
    >>> two = dict(weights=[0.5, 0.5], means=[-3.0, 3.0], stds=[1.0, 1.0])
    >>> fit = closest_normal(**two, direction="forward")
    >>> round(fit.mu, 6), round(fit.sigma, 6), round(fit.kl, 6)
    (0.0, 3.162278, 0.461995)
    >>> fit = closest_normal(**two, direction="reverse")
    >>> round(fit.mu, 4), round(fit.sigma, 4), round(fit.kl, 4)
    (-2.9843, 1.0234, 0.6888)
    """
    read_choice("direction", direction, ("forward", "reverse"))
    given = read_floats(weights=weights, means=means, stds=stds)
    eps = np.finfo(given[0].dtype).eps
    w, m, s = (a.astype(np.float64) for a in given)
    if w.ndim != 1 or w.size == 0 or not w.shape == m.shape == s.shape:
        raise ValueError(
            "expected weights, means and stds of one shape (K,), K > 0, "
            f"got {w.shape}, {m.shape} and {s.shape}"
        )
    check_finite(weights=w, means=m, stds=s)
    check_positive(stds=s)
    total = math.fsum(w)
    if (w < 0).any() or abs(total - 1) > (w.size + 8) * eps:
        raise ValueError(f"expected weights that aren't negative and sum to one, got {w}")
    w, m, s = w[w > 0] / total, m[w > 0], s[w > 0]

    # in units where the mixture has mean 0 and variance 1
    middle = w @ m
    width = math.hypot(*(np.sqrt(w) * s), *(np.sqrt(w) * (m - middle)))
    m, s = (m - middle) / width, s / width
    widest = max(1.0, s.max()) / s.min()
    if not widest <= 3000:
        raise ValueError(f"expected standard deviations down to 1/3000 of the largest, got 1/{widest:.4g}")
    z = np.linspace(-9, 9, 2 * math.ceil(9 * 16 * widest) + 1)
    density = softmax(-0.5 * z * z)
    if direction == "forward":
        log_ratio = [_log_mixture(a + b * z, w, m, s)[0] + 0.5 * (a + b * z) ** 2 for a, b in zip(m, s)]
        kl = w @ (np.array(log_ratio) @ density) + 0.5 * math.log(2 * math.pi)
        return ClosestNormal(float(middle), float(width), max(float(kl), 0.0))

    def kl_with_derivatives(at):
        """Of KL(q || p) with respect to mu and log sigma."""
        sz = math.exp(at[1]) * z
        log_p, score, curvature = _log_mixture(at[0] + sz, w, m, s)
        value = -density @ log_p - at[1] - 0.5 - 0.5 * math.log(2 * math.pi)
        gradient = np.array([-density @ score, -density @ (sz * score) - 1])
        mixed = -density @ (sz * curvature)
        last = -density @ (sz * (sz * curvature + score))
        hessian = np.array([[-density @ curvature, mixed], [mixed, last]])
        return value, gradient, hessian

    minima = [
        scipy.optimize.minimize(
            lambda at: kl_with_derivatives(at)[:2],
            start,
            jac=True,
            hess=lambda at: kl_with_derivatives(at)[2],
            method="trust-exact",
            options={"gtol": 1e-7},
        )
        for start in [(0.0, 0.0), *zip(m, np.log(s))]
    ]
    lowest = min(found.fun for found in minima)
    at = min((found.x for found in minima if found.fun <= lowest + 1e-10), key=lambda x: x[0])
    kl, gradient, hessian = kl_with_derivatives(at)
    for _ in range(5):  # to the last digits
        closer = at - np.linalg.solve(hessian, gradient)
        trial = kl_with_derivatives(closer)
        if not abs(trial[1]).max() < abs(gradient).max():
            break
        at, (kl, gradient, hessian) = closer, trial
    return ClosestNormal(float(middle + width * at[0]), float(width * math.exp(at[1])), max(float(kl), 0.0))


def _log_mixture(x, w, m, s):
    """Log-density of a mixture, and its first two derivatives."""
    gaps = (x[:, None] - m) / s
    logits = np.log(w) - np.log(s) - 0.5 * math.log(2 * math.pi) - 0.5 * gaps * gaps
    share, slopes = softmax(logits), -gaps / s
    score = np.sum(share * slopes, axis=-1)
    curvature = np.sum(share * ((slopes - score[:, None]) ** 2 - s**-2.0), axis=-1)
    return logsumexp(logits), score, curvature
