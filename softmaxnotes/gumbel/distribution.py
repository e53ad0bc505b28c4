r"""The Gumbel distribution: noise, density, distribution function and quantile.

Noise is :math:`G = -\log E` with a standard exponential :math:`E`, and always ``float64``: in ``float32``
the recipe :math:`-\log(-\log U)` never exceeds 16.64, and an exponential is 0 once in :math:`2^{23}` draws,
so that rare categories come too seldom or too often.
"""

import numpy as np

from ..arguments import (
    as_real,
    broadcast_shape,
    broadcast_to,
    check_entries,
    read_rng,
    read_size,
)

__all__ = ["gumbel", "gumbel_cdf", "gumbel_icdf", "gumbel_log_prob"]

_INV_E = 0.36787944117144233, -1.2428753672788363e-17  # 1/e to 106 bits, in two parts


def gumbel(size=None, *, loc=0.0, scale=1.0, rng=None):
    r"""Gumbel noise in ``float64``.

    .. math:: G = \mu - \beta \log E, \qquad E = -\log U \sim \operatorname{Exp}(1),
              \qquad U \sim \mathcal{U}(0, 1)

    Parameters
    ----------
    size : int, tuple of int or None
        Shape of the result; `None` takes the shape that `loc` and `scale` have
        together. As in NumPy, they must broadcast to `size`, not beyond it.
    loc : array_like
        :math:`\mu`; infinities stay what they are.
    scale : array_like
        :math:`\beta`, positive and finite.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray or scalar
        Noise, finite wherever `loc` is.

    Raises
    ------
    ValueError
        A `loc` is NaN; a `scale` isn't positive and finite; the shapes don't fit.

    Notes
    -----
    The exponential comes from NumPy's ziggurat, so only one logarithm is taken,
    and both tails are right: its grid is finer than :math:`8 \cdot 2^{-53}`, and
    :math:`(G - \mu)/\beta` reaches from about -3.8 to 37.6. The 0 that comes once in
    :math:`2^{53}` draws is drawn again.

    Implements: eq-gumbel-inverse

    References
    ----------
    E. J. Gumbel, Statistical Theory of Extreme Values and Some Practical
    Applications, National Bureau of Standards (1954).

    G. Marsaglia and W. W. Tsang, "The ziggurat method for generating random
    variables", Journal of Statistical Software 5 (2000), 8.

    Examples
    --------
    >>> gumbel(3, rng=0).round(3)
    array([ 0.386, -0.019,  3.922])
    >>> gumbel(loc=[0.0, -np.inf], scale=2.0, rng=0).round(3)
    array([0.772,  -inf])
    """
    loc, scale = as_real(loc, "loc")[0].astype(np.float64), _read_scale(scale).astype(np.float64)
    check_entries("loc", loc, loc == loc, "without NaN")
    if size is None:
        size = broadcast_shape(loc=loc, scale=scale)
    else:
        size = read_size(size)
        for name, given in (("loc", loc), ("scale", scale)):
            if given.ndim:
                broadcast_to(size, name, given)
    noise = exponential(size, read_rng(rng))
    np.log(noise, out=noise)
    noise *= -scale
    noise += loc
    return noise[()]


def gumbel_log_prob(x, *, loc=0.0, scale=1.0):
    r"""Logarithm of the Gumbel density, elementwise.

    .. math:: \log p(x) = -z - e^{-z} - \log \beta, \qquad z = \frac{x - \mu}{\beta}

    Parameters
    ----------
    x : array_like
        Where; broadcast with `loc` and `scale`.
    loc, scale : array_like
        :math:`\mu`, finite, and :math:`\beta`, positive and finite.

    Returns
    -------
    ndarray or scalar
        In the floating type of `x`.

    Raises
    ------
    ValueError
        A `loc` isn't finite, or a `scale` isn't positive and finite.

    Notes
    -----
    ``-inf`` at both infinities; NaN stays NaN. Computed in ``float64`` at least and
    rounded once. At :math:`\mu = 0`, :math:`\beta = 1` the error is at most a few
    units in the last place of :math:`e^{-z}` or of the result, whichever is larger.

    Implements: eq-gumbel-density

    Examples
    --------
    >>> gumbel_log_prob([-1.0, 0.0, 1.0]).round(4)
    array([-1.7183, -1.    , -1.3679])
    """
    z, scale, dtype = _standardised(x, loc, scale)
    with np.errstate(all="ignore"):
        exponent = z + np.exp(-z)
        if np.fmin.reduce(z, axis=None, initial=0) == -np.inf:
            exponent = np.where(z == -np.inf, np.inf, exponent)  # not inf - inf
        return (-exponent - np.log(scale)).astype(dtype)[()]


def gumbel_cdf(x, *, loc=0.0, scale=1.0):
    r"""Gumbel distribution function, elementwise.

    .. math:: F(x) = \exp\bigl(-e^{-z}\bigr), \qquad z = \frac{x - \mu}{\beta}

    Parameters
    ----------
    x : array_like
        Where; broadcast with `loc` and `scale`.
    loc, scale : array_like
        :math:`\mu`, finite, and :math:`\beta`, positive and finite.

    Returns
    -------
    ndarray or scalar
        Probabilities in the floating type of `x`.

    Raises
    ------
    ValueError
        A `loc` isn't finite, or a `scale` isn't positive and finite.

    Notes
    -----
    0 at ``-inf`` and 1 at ``inf``; NaN stays NaN. Computed in ``float64`` at least
    and rounded once. The relative error is a few units in the last place times
    :math:`1 + e^{-z}`, for that is what the outer exponential makes of the
    inner one's rounding.

    Implements: eq-gumbel-cdf

    Examples
    --------
    >>> gumbel_cdf([-np.inf, 0.0, 3.0]).round(4)
    array([0.    , 0.3679, 0.9514])
    """
    z, _, dtype = _standardised(x, loc, scale)
    with np.errstate(all="ignore"):
        return np.exp(-np.exp(-z)).astype(dtype)[()]


def gumbel_icdf(u, *, loc=0.0, scale=1.0):
    r"""Quantile of the Gumbel distribution, the inverse of `gumbel_cdf`, elementwise.

    .. math:: F^{-1}(u) = \mu - \beta \log(-\log u)

    Parameters
    ----------
    u : array_like
        Probabilities; broadcast with `loc` and `scale`.
    loc, scale : array_like
        :math:`\mu`, finite, and :math:`\beta`, positive and finite.

    Returns
    -------
    ndarray or scalar
        In the floating type of `u`.

    Raises
    ------
    ValueError
        A `u` outside [0, 1]; a `loc` isn't finite; a `scale` isn't positive and
        finite.

    Notes
    -----
    ``-inf`` at 0 and ``inf`` at 1; NaN stays NaN. Computed in ``float64`` at least
    and rounded once. At :math:`\mu = 0`, :math:`\beta = 1` the result is right to a
    few units in the last place everywhere, also around its zero at :math:`1/e`,
    where :math:`-\log u = 1 + \delta` would round :math:`\delta` away: there
    :math:`\delta = -\log(1 + e\,(u - 1/e))` is computed instead.

    Implements: eq-gumbel-inverse

    Examples
    --------
    >>> gumbel_icdf([0.0, 0.5, 1.0]).round(4)
    array([  -inf, 0.3665,    inf])
    >>> float(gumbel_icdf(np.exp(-1.0)))
    3.3784855259134224e-17
    """
    u, loc, scale, dtype = _read("u", u, loc, scale)
    check_entries("u", u, ~((u < 0) | (u > 1)), "from 0 to 1")
    with np.errstate(all="ignore"):
        high, low = map(u.dtype.type, _INV_E)
        delta = -np.log1p(((u - high) - low) / (high + low))
        z = np.where((0.2 < u) & (u < 0.6), -np.log1p(delta), -np.log(-np.log(u)))
        return (loc + scale * z).astype(dtype)[()]


def exponential(shape, rng):
    """Standard exponential numbers, positive: the 0 that is possible is drawn again."""
    e = np.asarray(rng.standard_exponential(shape))
    while not e.all():
        zero = e == 0
        e[zero] = rng.standard_exponential(np.count_nonzero(zero))
    return e


def _standardised(x, loc, scale):
    x, loc, scale, dtype = _read("x", x, loc, scale)
    with np.errstate(all="ignore"):
        return (x - loc) / scale, scale, dtype


def _read(name, x, loc, scale):
    x, dtype = as_real(x, name)
    loc, scale = as_real(loc, "loc")[0], _read_scale(scale)
    check_entries("loc", loc, np.isfinite(loc), "to be finite")
    broadcast_shape(**{name: x}, loc=loc, scale=scale)
    return x.astype(np.promote_types(x.dtype, np.float64), copy=False), loc, scale, dtype


def _read_scale(scale):
    scale = as_real(scale, "scale")[0]
    check_entries("scale", scale, (0 < scale) & (scale < np.inf), "to be positive and finite")
    return scale
