r"""Slopes of draws that no map gives: gamma and Dirichlet variables.

The quantile of a gamma variable is no elementary function of its shape.  Its slope is implicit: with the
distribution function :math:`F` held,

.. math:: \frac{\partial z}{\partial \theta} = -\frac{\partial_\theta F(z; \theta)}{p(z; \theta)}
          = -\frac{1}{p(z; \theta)} \int_{-\infty}^z p(t; \theta)\, \partial_\theta \log p(t; \theta)\, dt.

`gamma_slope` and `dirichlet_slope` compute that integral to all digits but the last few.
"""

import numpy as np
from scipy import special

from ..arguments import broadcast_shape, check_entries, read_floats

__all__ = ["dirichlet_slope", "gamma_slope"]

# int_0^oo f(s) ds by the trapezoidal rule in x, where s = exp(x - exp(-x)) (Takahasi and Mori 1974).
_X = np.arange(-64, 161) / 16
_NODES = np.exp(_X - np.exp(-_X))
_WEIGHTS = (1 + np.exp(-_X)) * _NODES / 16


def _integral(f, width):
    """Of functions that are smooth on scales from ``width`` to 1e4 times that, and die away."""
    return width * sum(weight * f(width * node) for node, weight in zip(_NODES, _WEIGHTS))


def gamma_slope(x, shape):
    r"""How a gamma variable moves with its shape, its distribution function being held.

    .. math:: \frac{\partial x}{\partial a} = -\frac{\partial_a F(x; a)}{p(x; a)}
              = \frac{1}{p(x; a)} \int_0^x \bigl(\psi(a) - \log t\bigr)\, p(t; a)\, dt, \qquad
              p(x; a) = \frac{x^{a-1} e^{-x}}{\Gamma(a)}

    Parameters
    ----------
    x : array_like
        Draws, not negative.
    shape : array_like
        :math:`a`, from 1e-3 to 1e6; broadcast with `x`.

    Returns
    -------
    ndarray or scalar
        Positive, 0 where a draw is, in the widest floating type among the arguments.  The relative error is
        below 5e-13 before it is rounded to that.

    Raises
    ------
    ValueError
        A draw is negative or not finite; a shape isn't in this range; or the two arrays don't fit.

    Notes
    -----
    The integrand changes its sign at :math:`e^{\psi(a)}`.  Below about that place the integral is taken as it
    stands, above it over the other tail, which has the same integral but for the sign; so nothing cancels.
    With a scale the slope is ``scale * gamma_slope(x / scale, shape)``.

    Implements: eq-implicit-gamma

    References
    ----------
    M. Figurnov, S. Mohamed and A. Mnih, "Implicit reparameterization gradients", NeurIPS 31 (2018).

    Examples
    --------
    >>> gamma_slope([0.5, 1.0, 2.0], 1.0).round(6)
    array([0.806979, 1.173563, 1.631691])
    """
    x, shape, dtype = _read(x=x, shape=shape)
    check_entries("x", x, (0 <= x) & (x < np.inf), "to be finite and not negative")
    check_entries("shape", shape, (1e-3 <= shape) & (shape <= 1e6), "from 1e-3 to 1e6")
    with np.errstate(all="ignore"):
        log_x = np.log(x)
        lead = special.digamma(shape + 1) - log_x
        width = 1 / np.maximum(np.abs(x - shape), np.sqrt(x))

        def below(s):  # t = x exp(-s), with 1/a integrated by parts
            return (lead + x / shape * s * np.exp(-s)) * np.exp(-shape * s - x * np.expm1(-s))

        def above(s):  # t = x exp(s)
            return (s + 1 / shape - lead) * np.exp(shape * s - x * np.expm1(s))

        slope = x * np.where(lead >= 0, _integral(below, width), _integral(above, width))
        return np.where(x == 0, 0.0, slope).astype(dtype)[()]


def dirichlet_slope(x, concentration):
    r"""How a Dirichlet variable moves with its concentrations.

    .. math:: \frac{\partial x_j}{\partial \alpha_i}
              = \frac{\delta_{ij} - x_j}{1 - x_i} \cdot
                \Bigl(-\frac{\partial_\alpha F(x_i; \alpha, \beta)}{p(x_i; \alpha, \beta)}\Bigr),
              \qquad \alpha = \alpha_i, \quad \beta = \sum_{k \ne i} \alpha_k

    Raising :math:`\alpha_i` moves :math:`x_i` as its law :math:`\mathrm{Beta}(\alpha, \beta)` says, and
    scales the other shares.

    Parameters
    ----------
    x : array_like, shape (..., K)
        Draws: positive shares that sum to 1.
    concentration : array_like, shape (..., K)
        Positive, from 1e-2 to 1e4; K is 2 or more.

    Returns
    -------
    ndarray, shape (..., K, K)
        Row :math:`i` is the derivative with respect to :math:`\alpha_i`, and sums to 0. In the widest
        floating type among the arguments.

    Raises
    ------
    ValueError
        The shares aren't inside the simplex, a concentration isn't in this range, K is 1, or the two arrays
        don't fit.

    Notes
    -----
    Computed as `gamma_slope` is; the relative error of the factor is below 1e-11.

    Implements: eq-implicit

    References
    ----------
    M. Figurnov, S. Mohamed and A. Mnih, "Implicit reparameterization gradients", NeurIPS 31 (2018).

    Examples
    --------
    >>> dirichlet_slope([0.2, 0.3, 0.5], [1.0, 2.0, 3.0]).round(4)
    array([[ 0.1815, -0.0681, -0.1134],
           [-0.0362,  0.1268, -0.0906],
           [-0.0373, -0.0559,  0.0932]])
    """
    x, concentration, dtype = _read(x=x, concentration=concentration)
    if x.ndim == 0 or x.shape[-1] < 2:
        raise ValueError(f"expected two shares or more on the last axis, got shape {x.shape}")
    check_entries("concentration", concentration, (1e-2 <= concentration) & (concentration <= 1e4),
                  "from 1e-2 to 1e4")
    check_entries("x", x, (0 < x) & (x < 1), "to be shares between 0 and 1")
    total = x.sum(axis=-1)
    # K shares that were rounded to their type, and the total by which they were divided
    check_entries("x", total, np.abs(total - 1) < max(1e-9, x.shape[-1] * np.finfo(dtype).eps),
                  "to be shares that sum to 1")
    other = concentration.sum(axis=-1, keepdims=True) - concentration
    factor = _beta_slope(x, concentration, other) / (1 - x)
    return (factor[..., :, None] * (np.eye(x.shape[-1]) - x[..., None, :])).astype(dtype)


def _beta_slope(x, a, b):
    """How a beta variable moves with its first parameter."""
    with np.errstate(all="ignore"):
        log_x, log_rest = np.log(x), np.log1p(-x)
        lead = special.digamma(a + 1) - special.digamma(a + b) - log_x
        width = 1 / np.maximum(np.abs((a + b) * x - a), np.sqrt((a + b) * x * (1 - x)))

        def below(s):  # t = x exp(-s), with 1/a integrated by parts
            t = x * np.exp(-s)
            exponent = -a * s + (b - 1) * (np.log1p(-t) - log_rest)
            return (lead + (b - 1) / a * s * t / (1 - t)) * np.exp(exponent)

        def above(s):  # 1 - t = (1 - x) exp(-s)
            log_ratio = np.log1p((x - 1) * np.exp(-s)) - log_x
            return (log_ratio + 1 / a - lead) * np.exp(-b * s + (a - 1) * log_ratio)

        is_below = (lead >= 1 / a) | (lead >= 0) & (x <= 0.5)
        return np.where(is_below, x * _integral(below, width), (1 - x) * _integral(above, width))


def _read(**arrays):
    """Two arrays of one shape in float64, and the type to return."""
    given = read_floats(**arrays)
    shape = broadcast_shape(**dict(zip(arrays, given)))
    x, other = (np.broadcast_to(a.astype(np.float64), shape) for a in given)
    return x, other, np.result_type(*given)
