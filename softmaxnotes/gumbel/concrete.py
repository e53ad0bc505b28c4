r"""Relaxed draws: a softmax at a temperature in the place of the argmax.

With independent standard Gumbel noise :math:`G_k` and a temperature :math:`\tau`

.. math:: X = \operatorname{softmax}\bigl((x + G)/\tau\bigr)

is a differentiable function of the logits :math:`x`, and its largest entry is a draw from their softmax.
It is called a Gumbel-softmax or a Concrete variable.

`gumbel_softmax` and `concrete_log_prob` take arrays and tensors of torch alike, and are computed in log space
and in ``float64`` whatever the type of the logits; `relaxed_mean` says by quadrature how far the mean is off.
`mixture_step` is the same limit elsewhere: a mixture of Gaussians that becomes k-means.

*Logits* are finite, or ``-inf`` for a masked category, whose entry of a draw is exactly 0; anything else is a
`ValueError`.
"""

import math
import sys
from typing import NamedTuple

import numpy as np
from scipy import special

from ..arguments import (
    all_finite,
    as_real,
    broadcast_shape,
    check_finite,
    is_tensor,
    read_axis,
    read_generator,
    read_number,
    read_temperature,
)
from ..softmax import log_softmax, logsumexp, softmax
from .distribution import gumbel

__all__ = [
    "MixtureStep",
    "concrete_log_prob",
    "gumbel_softmax",
    "mixture_step",
    "relaxed_mean",
]


def gumbel_softmax(
    logits, *, temperature=1.0, hard=False, log=False, axis=-1, rng=None, generator=None
):
    r"""Relaxed categorical draw, one for each slice.

    .. math:: X_k = \frac{e^{(x_k + G_k)/\tau}}{\sum_i e^{(x_i + G_i)/\tau}}, \qquad
              G_k \ \text{independent standard Gumbel}

    Parameters
    ----------
    logits : array_like or tensor, shape (..., K)
        Finite; ``-inf`` masks a category.
    temperature : float
        :math:`\tau`, positive.
    hard : bool
        Return the one-hot vector of the largest entry.  Of a tensor it has the gradient of :math:`X`
        (straight-through).
    log : bool
        Return :math:`\log X`, which does not underflow.
    axis : int
        Axis of the categories.
    rng : None, int or numpy.random.Generator
        For arrays.
    generator : None, int or torch.Generator
        For tensors, on their device.

    Returns
    -------
    ndarray or tensor
        Of the shape, the type and the device of the logits (integers count as ``float64``).

    Raises
    ------
    TypeError
        `rng` is given with a tensor, or `generator` with an array.
    ValueError
        The temperature isn't one positive, finite number; `logits` has no such axis or no categories; a logit
        is NaN or ``inf``; a slice holds nothing but ``-inf``; both `hard` and `log`.

    Notes
    -----
    Noise and softmax are computed in ``float64`` from gaps to the largest logit, and rounded once: at low
    temperatures an entry of :math:`X` may round to 0 in the type of the logits, and none is NaN.

    With the same seed `gumbel_max` draws the category of the largest entry, at every temperature; its law is
    the softmax of the logits.  A hard draw is one-hot to the last bit.

    Implements: eq-relaxed-draw

    References
    ----------
    C. J. Maddison, A. Mnih and Y. W. Teh, "The Concrete distribution: a continuous relaxation of discrete
    random variables", ICLR (2017).

    E. Jang, S. Gu and B. Poole, "Categorical reparameterization with Gumbel-softmax", ICLR (2017).

    Examples
    --------
    >>> gumbel_softmax(np.log([0.5, 0.3, 0.2]), temperature=0.5, rng=0).round(3)
    array([0.005, 0.001, 0.994])
    >>> gumbel_softmax(np.log([0.5, 0.3, 0.2]), hard=True, rng=0)
    array([0., 0., 1.])
    >>> gumbel_softmax([1e4, -np.inf, 1e4], temperature=1e-3, log=True, rng=4).round(1)
    array([-159.1,   -inf,   -0. ])
    """
    tau = read_temperature(temperature)
    if hard and log:
        raise ValueError("expected one of hard and log, got both: the logarithm of a one-hot vector is -inf")
    if is_tensor(logits):
        if rng is not None:
            raise TypeError("expected generator= with logits that are a tensor, got rng=")
        return _relaxed_tensor(logits, tau, hard, log, axis, read_generator(generator))
    if generator is not None:
        raise TypeError("expected rng= with logits that are an array, got generator=")
    x, dtype = as_real(logits, "logits")
    axis = check_axis(axis, x.shape)
    top = largest(x, axis)
    with np.errstate(over="ignore"):
        z = x.astype(np.float64) - top
    z += gumbel(x.shape, rng=rng)
    if hard:
        draw = np.zeros(x.shape, dtype)
        np.put_along_axis(draw, np.expand_dims(z.argmax(axis), axis), 1, axis)
        return draw
    return (log_softmax if log else softmax)(z, axis, temperature=tau).astype(dtype)


def concrete_log_prob(log_x, logits, *, temperature=1.0, axis=-1):
    r"""Logarithm of the density of a relaxed draw, from the logarithm of the draw.

    .. math:: \log p(x) = \log \Gamma(n) + (n - 1) \log \tau
              + \sum_{k=1}^n \bigl(\log \operatorname{softmax}(v)_k - \log x_k\bigr), \qquad
              v_k = \mu_k - \tau \log x_k

    Parameters
    ----------
    log_x : array_like or tensor, shape (..., K)
        Logarithms of points of the simplex, as `gumbel_softmax` gives them with ``log=True``.
    logits : array_like or tensor, shape (..., K)
        :math:`\mu`: finite, or ``-inf`` for a masked category; broadcast with `log_x`.
    temperature : float
        :math:`\tau`, positive.
    axis : int
        Axis of the categories.

    Returns
    -------
    ndarray, scalar or tensor, shape (...)
        In the type of `log_x`.

    Raises
    ------
    ValueError
        The temperature or the logits are none, as for `gumbel_softmax`; the shapes don't fit; `log_x` is NaN
        or above 0; the exponentials don't add up to 1; a category that isn't masked has ``-inf``: the density
        has no value on the edge of the simplex, and a draw has underflowed.

    Notes
    -----
    The density is that of any n - 1 of the entries.  Masked categories are left out, and n counts the others;
    a draw with a positive entry there has the logarithm ``-inf``.

    Computed in ``float64``, and rounded once.  That the argument is a logarithm is no ornament: in
    ``float32`` and at :math:`\tau = 0.05` entries of a draw are often 0, where the density has no value.

    Implements: eq-concrete-log-density

    Examples
    --------
    >>> concrete_log_prob(np.log([0.25, 0.75]), [0.0, 0.0], temperature=0.5).round(4)
    np.float64(-0.48)
    >>> concrete_log_prob([-2000.0, 0.0], [1.0, 0.0], temperature=0.05).round(2)
    np.float64(1896.0)
    """
    tau = read_temperature(temperature)
    if is_tensor(log_x) or is_tensor(logits):
        return _log_prob_tensor(log_x, logits, tau, axis)
    (log_x, dtype), logits = as_real(log_x, "log_x"), as_real(logits, "logits")[0]
    broadcast_shape(log_x=log_x, logits=logits)
    log_x, mu = np.broadcast_arrays(log_x, logits)
    axis = check_axis(axis, mu.shape)
    masked = None
    if not all_finite(mu):
        largest(mu, axis)
        masked = mu == -np.inf
    own, mu = (v.astype(np.float64, copy=False) for v in (log_x, mu))
    off = np.abs(logsumexp(own, axis)).max(initial=0)
    edge = own == -np.inf if masked is None else (own == -np.inf) & ~masked
    _check_point(not own.max(initial=-np.inf) <= 0, off, np.finfo(dtype).eps, edge.any())
    n, outside = mu.shape[axis], False
    if masked is not None:
        n, outside = (~masked).sum(axis), (masked & (own > -np.inf)).any(axis)
        own = np.where(masked, 0, own)
    with np.errstate(all="ignore"):
        terms = np.multiply(own, -tau)
        terms += mu
        terms = log_softmax(terms, axis)
        terms -= own
        if masked is not None:
            terms[masked] = 0
        total = special.gammaln(n) + (n - 1) * math.log(tau) + np.add.reduce(terms, axis)
        return np.where(outside, -np.inf, total).astype(dtype)[()]


# --- What is biased ---------------------------------------------------------------


def relaxed_mean(logits, *, temperature=1.0):
    r"""Exact mean of a relaxed draw.

    It is a probability, that of winning with the noise :math:`G + \tau G'`:

    .. math:: \mathbb E\,X_k = \Pr\bigl(\operatorname*{arg\,max}_i\,(x_i + G_i + \tau G'_i) = k\bigr)
              = \int h(z - x_k) \prod_{i \ne k} H(z - x_i)\, dz,

    with the distribution function :math:`H` of that noise, and its density :math:`h`.

    Parameters
    ----------
    logits : array_like, shape (K,)
        Finite, or ``-inf`` for a masked category.
    temperature : float
        :math:`\tau`, positive.

    Returns
    -------
    ndarray, shape (K,)
        In the floating type of `logits`.

    Raises
    ------
    ValueError
        `logits` isn't one vector; otherwise as for `gumbel_softmax`.

    Notes
    -----
    The trapezoidal rule twice, on integrands that are analytic and die away: absolute errors are below 1e-13.

    Implements: eq-relaxed-mean

    Examples
    --------
    >>> relaxed_mean(np.log([0.5, 0.3, 0.2]), temperature=0.5).round(4)
    array([0.4792, 0.3069, 0.2139])
    """
    tau = read_temperature(temperature)
    x, dtype = as_real(logits, "logits")
    if x.ndim != 1:
        raise ValueError(f"expected logits of shape (K,), got {x.shape}")
    x = x.astype(np.float64)
    x -= largest(x, check_axis(0, x.shape))
    wide, narrow = max(1.0, tau), min(1.0, tau) / max(1.0, tau)  # the noise is wide * (G + narrow * G')
    grid = 0.125 * np.arange(-64, 361)
    other = 0.125 * np.arange(-40, 321)
    weight = 0.125 * np.exp(-other - np.exp(-other))
    alive = np.flatnonzero(x > -np.inf)
    mean = np.zeros(x.shape)
    with np.errstate(all="ignore"):
        h, log_cdf = np.empty((2, alive.size, grid.size))
        for row, k in enumerate(alive):
            place = (grid - x[k] / wide)[:, None] - narrow * other
            h[row] = np.exp(-place - np.exp(-place)).dot(weight)
            log_cdf[row] = np.log(np.exp(-np.exp(-place)).dot(weight))
        together = log_cdf.sum(axis=0)
        rivals = np.where(np.isfinite(together), np.exp(together - log_cdf), 0)
        mean[alive] = 0.125 * (h * rivals).sum(axis=1)
    return mean.astype(dtype, copy=False)


# --- Clusters with soft borders ------------------------------------------------------


class MixtureStep(NamedTuple):
    """One step of a mixture of Gaussians.

    Attributes
    ----------
    centres : ndarray, shape (K, D)
    weights : ndarray, shape (K,)
    shares : ndarray, shape (N, K)
        To which component each point belonged, before the step.
    """

    centres: np.ndarray
    weights: np.ndarray
    shares: np.ndarray


def mixture_step(points, centres, variance, *, weights=None):
    r"""One step of expectation and maximisation for Gaussians of one common variance.

    .. math:: \rho_k(x) = \frac{w_k\, e^{-\lVert x - c_k\rVert^2 / 2\varepsilon}}
              {\sum_i w_i\, e^{-\lVert x - c_i\rVert^2 / 2\varepsilon}}, \qquad
              c_k' = \frac{\sum_x \rho_k(x)\, x}{\sum_x \rho_k(x)}, \qquad
              w_k' = \frac1N \sum_x \rho_k(x)

    Parameters
    ----------
    points : array_like, shape (N, D)
    centres : array_like, shape (K, D)
        :math:`c_k`.
    variance : float
        :math:`\varepsilon`, of each coordinate; 0 is the limit, a step of Lloyd's algorithm for k-means, in
        which centres that are equally near share a point in proportion to their weights.
    weights : array_like, shape (K,), optional
        :math:`w_k`, not negative, with a positive sum; all equal unless given.

    Returns
    -------
    MixtureStep
        In the floating type that points and centres have together. A centre to which nothing belongs stays
        where it is.

    Raises
    ------
    ValueError
        The shapes don't fit; a number isn't finite; the variance or a weight is negative.

    Notes
    -----
    The shares are a softmax at the temperature :math:`\varepsilon`, from gaps to the nearest centre.

    Implements: eq-responsibility

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [5.0]])
    >>> mixture_step(points, [[0.0], [4.0]], 0.0).centres
    array([[0.5],
           [5. ]])
    >>> mixture_step(points, [[0.0], [4.0]], 1.0).shares.round(3)
    array([[1.   , 0.   ],
           [0.982, 0.018],
           [0.   , 1.   ]])
    """
    (points, kind), (centres, other) = as_real(points, "points"), as_real(centres, "centres")
    dtype, variance = np.result_type(kind, other), read_number("variance", variance)
    points, centres = points.astype(np.float64), centres.astype(np.float64)
    if points.ndim != 2 or centres.ndim != 2 or points.shape[1] != centres.shape[1] or not (
            points.size and centres.size):
        raise ValueError("expected points of shape (N, D) and centres of shape (K, D), "
                         f"got {points.shape} and {centres.shape}")
    weights = np.ones(len(centres)) if weights is None else as_real(weights, "weights")[0].astype(np.float64)
    if weights.shape != (len(centres),) or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise ValueError(f"expected {len(centres)} weights that are not negative, got {weights}")
    check_finite(points=points, centres=centres)
    if variance < 0:
        raise ValueError(f"expected a variance that is not negative, got {variance}")
    gap, exponent = _gaps_of_squares(points, centres, weights > 0)
    with np.errstate(all="ignore"):
        scaled = np.ldexp(gap, exponent) / variance if variance else np.where(gap > 0, np.inf, 0)
        scaled = np.ldexp(scaled, exponent - 1)
        shares = np.exp(-np.where(gap > 0, scaled, 0)) * weights
    shares /= shares.sum(axis=1, keepdims=True)
    mass = shares.sum(axis=0)
    moved = np.divide(shares.T @ points, mass[:, None], out=centres.copy(), where=mass[:, None] > 0)
    return MixtureStep(*(a.astype(dtype, copy=False) for a in (moved, mass / len(points), shares)))


def _gaps_of_squares(points, centres, open_):
    """By how much squared distances, (N, K), are larger than the least: times 4^-e, and e for each point.

    With the nearest centre m it is (c_m - c_k) · (x - c_k + x - c_m), in which nothing cancels.
    """
    away = points[:, None] / 2 - centres / 2  # halves, so that no difference overflows, and then no square
    exponent = np.frexp(np.abs(away).max(axis=(1, 2)))[1][:, None]
    away = np.ldexp(away, -exponent[..., None])
    nearest = np.where(open_, (away**2).sum(axis=-1), np.inf).argmin(axis=1)
    apart = np.ldexp(centres[nearest, None] / 2 - centres / 2, -exponent[..., None])
    gap = (apart * (away + away[np.arange(len(points)), nearest, None])).sum(axis=-1)
    gap = np.where(open_, gap, np.inf)
    return gap - gap.min(axis=1, keepdims=True), exponent + 1


# --- Arguments ------------------------------------------------------------------------


def check_axis(axis, shape):
    axis = read_axis(axis, len(shape))
    if shape[axis] == 0:
        raise ValueError(f"no categories to draw from: axis {axis} has length 0")
    return axis


def largest(x, axis):
    """The largest logit of each slice, after a check of all of them."""
    top = x.max(axis=axis, keepdims=True)
    if not all_finite(top):
        _refuse_logits(top.squeeze(axis))
    return top


def _refuse_logits(top):
    first = np.unravel_index(np.argmin(np.isfinite(top)), top.shape)
    where = tuple(int(i) for i in first)
    if top[first] == -np.inf:
        raise ValueError(f"no distribution: every logit of slice {where} is -inf")
    raise ValueError("expected logits that are finite, or -inf for a masked category, "
                     f"got {top[first]} in slice {where}")


def _check_point(invalid, off, eps, edge):
    if invalid:
        raise ValueError("expected log_x of numbers from 0 to 1, got NaN or a positive logarithm")
    if edge:
        raise ValueError("expected log_x finite where a category isn't masked, got -inf: if a draw has "
                         "underflowed, take it with gumbel_softmax(..., log=True)")
    if not off <= math.sqrt(max(eps, 2.0**-23)):  # they may have been rounded to float32 on their way
        raise ValueError("expected log_x whose exponentials add up to 1, got a sum whose logarithm is "
                         f"{off:.6g} away from 0")


# --- Tensors ----------------------------------------------------------------------------


def _relaxed_tensor(logits, tau, hard, log, axis, generator):
    torch = sys.modules["torch"]
    x = floating("logits", logits)
    axis = check_axis(axis, x.shape)
    wide = gaps_of(x, axis)
    # -log1p(-U), in place: torch's own exponential_ takes five times as long
    times = torch.rand(x.shape, dtype=wide.dtype, device=x.device, generator=generator).neg_().log1p_().neg_()
    gaps = wide.sub_(times.clamp_(min=torch.finfo(wide.dtype).tiny).log_())
    gaps.sub_(gaps.detach().amax(axis, keepdim=True)).div_(tau)
    if log:
        return (gaps - gaps.exp().sum(axis, keepdim=True).log()).to(x.dtype)
    weights = gaps.exp_()  # the gaps are not needed any more, also not by the gradient
    soft = (weights / weights.sum(axis, keepdim=True)).to(x.dtype)
    if not hard:
        return soft
    draw = torch.zeros_like(soft).scatter_(axis, weights.detach().argmax(axis, keepdim=True), 1)
    return draw + (soft - soft.detach())


def _log_prob_tensor(log_x, logits, tau, axis):
    torch = sys.modules["torch"]
    tensor = log_x if is_tensor(log_x) else logits
    log_x, logits = (floating(name, torch.as_tensor(a, device=tensor.device))
                     for name, a in (("log_x", log_x), ("logits", logits)))
    broadcast_shape(log_x=log_x, logits=logits)
    dtype = log_x.dtype
    log_x, mu = torch.broadcast_tensors(log_x.double(), logits.double())
    axis = check_axis(axis, mu.shape)
    gaps = gaps_of(mu, axis)
    with torch.no_grad():
        masked = mu == -math.inf if mu.numel() and mu.amin() == -math.inf else None
        edge = log_x == -math.inf if log_x.numel() and log_x.amin() == -math.inf else None
        _check_point(not bool((log_x.amax(axis) <= 0).all()), _off(log_x, axis), torch.finfo(dtype).eps,
                     edge is not None and bool((edge if masked is None else edge & ~masked).any()))
    if masked is None:
        n = mu.shape[axis]
        v = torch.sub(gaps, log_x, alpha=tau)
        total = gaps.sum(axis) - (1 + tau) * log_x.sum(axis) - n * torch.logsumexp(v, axis)
        return (math.lgamma(n) + (n - 1) * math.log(tau) + total).to(dtype)
    zero = mu.new_zeros(())
    outside = (masked & (log_x > -math.inf)).any(axis)
    own = torch.where(masked, zero, log_x)
    v = torch.where(masked, zero, mu) - tau * own
    total = torch.logsumexp(v.masked_fill(masked, -math.inf), axis, keepdim=True)
    share = torch.where(masked, zero, v - total)
    n = (~masked).sum(axis).double()
    found = torch.lgamma(n) + (n - 1) * math.log(tau) + (share - own).sum(axis)
    return found.masked_fill(outside, -math.inf).to(dtype)


def _off(log_x, axis):
    """How far the logarithm of the sum of the exponentials is from 0, for the worst slice."""
    return float(log_x.exp().sum(axis).log().abs().amax()) if log_x.numel() else 0.0


def gaps_of(x, axis):
    """Gaps to the largest logit in ``float64``, after a check; the largest one is held."""
    torch = sys.modules["torch"]
    wide = x.double()
    top = wide.detach().amax(axis, keepdim=True)
    if not bool(torch.isfinite(top).all()):
        _refuse_logits(top.squeeze(axis).cpu().numpy())
    return wide - top


def floating(name, x):
    """The tensor in its floating type; integers and booleans count as ``float64``."""
    if x.is_floating_point():
        return x
    if x.is_complex():
        raise TypeError(f"expected {name} to be real numbers, got a tensor of type {x.dtype}")
    return x.to(sys.modules["torch"].float64)
