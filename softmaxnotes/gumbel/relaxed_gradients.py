r"""Gradients through a draw that is one-hot: straight-through, ReinMax, Gumbel-Rao.

A class :math:`k` is drawn from the softmax :math:`\pi` of the logits, and something differentiable is done
with its one-hot vector :math:`e_k`.  Each estimator passes the slope :math:`\nabla f(e_k)` back to the logits
through a matrix of its own,

.. math:: \hat g = M_k\, \nabla f(e_k),

which `draw_jacobians` gives for the estimators without a temperature; so their means and variances are finite
sums.  `reinmax` and `gumbel_rao` are the same for tensors of torch, as one-hot vectors with a gradient; the
straight-through Gumbel-softmax is `softmaxnotes.gumbel.gumbel_softmax` with ``hard=True``.
"""

import sys
from typing import NamedTuple

import numpy as np
from scipy import special

from ..arguments import (
    as_real,
    is_tensor,
    read_choice,
    read_count,
    read_generator,
    read_number,
    read_temperature,
)
from ..softmax import softmax
from .concrete import check_axis, floating, gaps_of, largest

__all__ = ["RelaxedNoise", "draw_jacobians", "gumbel_rao", "reinmax", "relaxed_gradient_noise"]


class RelaxedNoise(NamedTuple):
    """Mean and variance of an estimator of a gradient, of one draw.

    Attributes
    ----------
    mean, variance : float
    """

    mean: float
    variance: float


def relaxed_gradient_noise(slope, logit, *, temperature=1.0, method="relaxed"):
    r"""Exact mean and variance of an estimator of a gradient, for two classes.

    The classes have the logits d and 0, and the payoff is a function of one number, 1 for the first class and
    0 for the second.  With a relaxed draw :math:`X`, and :math:`D`, which is 1 if :math:`X > \frac12` and 0
    otherwise, the estimators of the gradient in d are

    ====================== =====================================================
    ``"relaxed"``          :math:`f'(X)\,X(1-X)/\tau`
    ``"straight-through"`` :math:`f'(D)\,X(1-X)/\tau`
    ``"gumbel-rao"``       :math:`f'(D)\,\mathbb E[X(1-X)\mid D]/\tau`
    ====================== =====================================================

    Parameters
    ----------
    slope : callable
        :math:`f'`, of an array of numbers from 0 to 1; a smooth function.
    logit : float
        d, finite.
    temperature : float
        :math:`\tau`, from 1e-3 to 1e3.
    method : {"relaxed", "straight-through", "gumbel-rao"}

    Returns
    -------
    RelaxedNoise

    Raises
    ------
    ValueError
        The logit isn't finite; the temperature isn't in this range; `method` is none of these; `slope`
        returns another shape, or a value that isn't finite.

    Notes
    -----
    The mean is :math:`\int f'(\sigma(y))\,\sigma'(y)\,\sigma'(\tau y - d)\,dy`, in which :math:`f'` is taken
    at 0 or 1 by the other two, and the second moment likewise.  The trapezoidal rule has about twelve digits
    where :math:`f` is a polynomial, also where the mean is as small as :math:`e^{-|d|}`; on the half lines
    Gauss' rule is used.

    Implements: eq-relaxed-gradient

    Examples
    --------
    >>> def slope(x): return np.ones_like(x)
    >>> relaxed = relaxed_gradient_noise(slope, 0.0, temperature=0.1)  # without bias the mean is 1/4
    >>> round(relaxed.mean, 4), round(relaxed.variance, 4)
    (0.248, 0.3538)
    >>> rao = relaxed_gradient_noise(slope, 0.0, temperature=0.1, method="gumbel-rao")
    >>> round(rao.mean, 4), round(rao.variance, 4)
    (0.248, 0.0)
    """
    tau, d = read_temperature(temperature), read_number("logit", logit)
    method = read_choice("method", method, ("relaxed", "straight-through", "gumbel-rao"))
    if not 1e-3 <= tau <= 1e3:
        raise ValueError(f"expected a temperature from 1e-3 to 1e3, got {temperature!r}")
    if method == "relaxed":
        step = 0.125 / max(1.0, tau)
        y = step * np.arange(-round(_reach(d, tau) / step), round(_reach(d, tau) / step) + 1)
        found = _slopes(slope, special.expit(y))
        pull = found * special.expit(y) * special.expit(-y)
        density = step * special.expit(tau * y - d) * special.expit(d - tau * y)
        mean = float(pull @ density)
        return RelaxedNoise(mean, float(pull**2 @ density) / tau - mean**2)
    below, above = _slopes(slope, np.array([0.0, 1.0]))
    first, second = _half_lines(d, tau)
    mean = float(below * first[0] + above * first[1])
    if method == "gumbel-rao":  # a variable with two values
        chance = special.expit([-d, d])
        given = np.divide(first, chance, out=np.zeros(2), where=chance > 0)
        return RelaxedNoise(mean, float(chance.prod() * (above * given[1] - below * given[0]) ** 2))
    return RelaxedNoise(mean, float(below**2 * second[0] + above**2 * second[1]) - mean**2)


def _slopes(slope, x):
    found = np.asarray(slope(x), np.float64)
    if found.shape != x.shape or not np.isfinite(found).all():
        raise ValueError(f"expected {x.size} finite slopes, got shape {found.shape} "
                         f"with {np.count_nonzero(~np.isfinite(found))} that are not finite")
    return found


def _reach(d, tau):
    """How far from 0 the integrals go: 45 beyond 0 and d/τ, on either side of which an integrand falls at
    least like an exponential, and not to where it is less than any number, e^-800."""
    return 45 + min(abs(d) / tau, 800)


def _half_lines(d, tau):
    """Of X(1 - X)/τ: its mean and second moment over X < 1/2, and over X > 1/2."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    width = 1.0 / max(1.0, tau)
    start = width * np.arange(round(_reach(d, tau) / width))
    y = (start[:, None] + width * (nodes + 1) / 2).ravel()
    w = np.tile(weights * width / 2, start.size)
    pull = special.expit(y) * special.expit(-y)
    density = [w * special.expit(tau * v - d) * special.expit(d - tau * v) for v in (-y, y)]
    return np.array([pull @ p for p in density]), np.array([pull**2 @ p for p in density]) / tau


def draw_jacobians(logits, *, method):
    r"""The matrices that pass a slope at a drawn class back to the logits.

    .. math:: J(p)_{jm} = p_j\,(\delta_{jm} - p_m), \qquad
              M_k = J(\pi) \quad\text{or}\quad M_k = 2\,J\Bigl(\frac{\pi + e_k}{2}\Bigr) - \frac12\,J(\pi)

    Parameters
    ----------
    logits : array_like, shape (K,)
        Finite, or ``-inf`` for a masked category.
    method : {"straight-through", "reinmax"}

    Returns
    -------
    ndarray, shape (K, K, K)
        :math:`M_k` is entry k; in the floating type of `logits`.

    Raises
    ------
    ValueError
        `logits` isn't one vector, or holds NaN, ``inf`` or nothing but ``-inf``; `method` is none of these.

    Notes
    -----
    For ReinMax :math:`M_k = \frac12 \sum_i \pi_i\,(e_k - e_i)(e_k - e_i)^\top` is computed.

    Implements: eq-reinmax-matrix

    Examples
    --------
    >>> draw_jacobians([0.0, 0.0], method="reinmax")[0]
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    method = read_choice("method", method, ("straight-through", "reinmax"))
    x, dtype = as_real(logits, "logits")
    if x.ndim != 1:
        raise ValueError(f"expected logits of shape (K,), got {x.shape}")
    largest(x, check_axis(0, x.shape))
    p = softmax(x.astype(np.float64))
    if method == "straight-through":
        found = np.tile(np.diag(p) - np.outer(p, p), (p.size, 1, 1))
    else:
        apart = np.eye(p.size)[:, None] - np.eye(p.size)  # [k, i] is e_k - e_i
        found = np.einsum("i,kij,kim->kjm", p, apart, apart) / 2
    return found.astype(dtype, copy=False)


def reinmax(logits, *, generator=None):
    r"""One-hot draws whose gradient is right for payoffs of second degree.

    .. math:: \hat g = 2\,J\Bigl(\frac{\pi + e_k}{2}\Bigr) \nabla f(e_k) - \frac12\,J(\pi)\,\nabla f(e_k)

    Parameters
    ----------
    logits : tensor, shape (..., K)
        Finite; ``-inf`` masks a category.
    generator : None, int or torch.Generator

    Returns
    -------
    tensor
        One-hot along the last axis, like the logits.

    Raises
    ------
    TypeError
        `logits` isn't a tensor of real numbers.
    ValueError
        As `softmaxnotes.gumbel.gumbel_softmax`.

    Notes
    -----
    Implements: eq-reinmax-matrix

    References
    ----------
    L. Liu, C. Dong, X. Liu, B. Yu and J. Gao, "Bridging discrete and backpropagation: straight-through and
    beyond", NeurIPS 36 (2023).

    Examples
    --------
    >>> import torch
    >>> reinmax(torch.zeros(4), generator=0).sum()
    tensor(1.)
    """
    torch, x, wide = _read(logits)
    generator = read_generator(generator, logits.device)
    p = torch.softmax(wide, -1)
    draw = _one_hot(wide.detach() - _log_exponential(wide, generator), -1)
    half = torch.log((p.detach() + draw) / 2)  # logits of the law between, which move as the logits do
    middle = torch.softmax(half + (wide - wide.detach()).nan_to_num(), -1)
    soft = 2 * middle - p / 2
    return (draw + (soft - soft.detach())).to(x.dtype)


def gumbel_rao(logits, *, temperature=1.0, n_conditional=10, generator=None):
    r"""One-hot draws with the gradient of soft draws of the same class, averaged.

    .. math:: \hat g = \frac1R \sum_{r=1}^R \frac{J(X^{(r)})}{\tau}\,\nabla f(e_k), \qquad
              X^{(r)} \ \text{independent soft draws, given that class } k \text{ wins}

    Parameters
    ----------
    logits : tensor, shape (..., K)
        Finite; ``-inf`` masks a category.
    temperature : float
        :math:`\tau`, positive.
    n_conditional : int
        R.
    generator : None, int or torch.Generator

    Returns
    -------
    tensor
        One-hot along the last axis, like the logits.

    Raises
    ------
    TypeError
        `logits` isn't a tensor of real numbers.
    ValueError
        As `softmaxnotes.gumbel.gumbel_softmax`; `n_conditional` isn't positive.

    Notes
    -----
    Given who rings first, the first bell rings at an exponential time at the sum of the rates, and from then
    on every other clock runs for an exponential time of its own.

    Implements: eq-rao-mean

    References
    ----------
    M. B. Paulus, C. J. Maddison and A. Krause, "Rao-Blackwellizing the straight-through Gumbel-softmax
    gradient estimator", ICLR (2021).

    Examples
    --------
    >>> import torch
    >>> gumbel_rao(torch.zeros(4), temperature=0.5, generator=0).sum()
    tensor(1.)
    """
    tau = read_temperature(temperature)
    n = read_count("n_conditional", n_conditional)
    torch, x, wide = _read(logits)
    generator = read_generator(generator, logits.device)
    held = wide.detach()
    draw = _one_hot(held - _log_exponential(held, generator), -1)
    many = held.expand(n, *held.shape)
    waits = _log_exponential(many, generator)
    total = torch.logsumexp(held, -1, keepdim=True)
    bell = (waits * draw).sum(-1, keepdim=True) - total  # logarithm of the time of the first bell
    later = torch.logaddexp(bell.expand_as(many), waits - many)
    key = torch.where(draw.bool(), -bell, -later)
    key -= key.amax(-1, keepdim=True)
    moved = (key + (wide - held).nan_to_num()) / tau
    soft = torch.softmax(moved, -1).mean(0)
    return (draw + (soft - soft.detach())).to(x.dtype)


def _read(logits):
    if not is_tensor(logits):
        raise TypeError(f"expected logits to be a tensor of torch, got {type(logits).__name__}")
    x = floating("logits", logits)
    return sys.modules["torch"], x, gaps_of(x, check_axis(-1, x.shape))


def _log_exponential(like, generator):
    torch = sys.modules["torch"]
    drawn = torch.empty(like.shape, dtype=like.dtype, device=like.device).exponential_(generator=generator)
    return drawn.clamp_(min=torch.finfo(like.dtype).tiny).log_()


def _one_hot(keys, axis):
    return sys.modules["torch"].zeros_like(keys).scatter_(axis, keys.argmax(axis, keepdim=True), 1)
