r"""Gumbel variables whose maximum is given, alone and in sets.

In the time of the race, :math:`t = e^{-g}`, a Gumbel variable is an exponential clock, and to bound it from
above is to say that the clock has been silent until :math:`e^{-T}`: a clock without memory rings an ordinary
waiting time later.  To give a set of them another maximum is to move all arrivals by one and the same time:

.. math:: e^{-\tilde g_i} = e^{-g_i} + (e^{-T} - e^{-Z}), \qquad Z = \max_k g_k.

Nothing is computed in that time, where differences of nearly equal numbers lose their digits, and numbers
beyond :math:`e^{\pm 709}` are lost altogether.  All functions rest on one formula, for the gap between a
variable and the maximum,

.. math:: T - \tilde g = \log\bigl(1 + q\, e^{T - s}\bigr),

with :math:`s` the location and :math:`q` a waiting time for a fresh variable, and with :math:`s = g` and
:math:`q = 1 - e^{g - Z}` for one that is moved.  The functions whose names end with ``_gap`` return it: it is
right to a few units in the last place whatever the arguments, also where it is much smaller than the spacing
of the numbers around the maximum, and values are all the same.
"""

import math

import numpy as np

from ..arguments import (
    as_real,
    broadcast_shape,
    broadcast_to,
    check_entries,
    read_axis,
    read_rng,
)
from ..arrays import move_axis, slice_at
from .distribution import exponential

__all__ = [
    "condition_on_maximum",
    "condition_on_maximum_gap",
    "truncated_gumbel",
    "truncated_gumbel_cdf",
    "truncated_gumbel_gap",
    "truncated_gumbel_icdf",
    "truncated_gumbel_icdf_gap",
]

_BLOCK = 2**14  # so many numbers, and the scratch space beside them, stay in the cache


def truncated_gumbel(logits, maximum, *, rng=None):
    r"""Independent Gumbel variables, each on the condition that it stays below a maximum.

    .. math:: \tilde G = -\log\bigl(e^{-T} + E\, e^{-x}\bigr), \qquad E \sim \operatorname{Exp}(1)

    Parameters
    ----------
    logits : array_like
        Locations :math:`x`, below ``inf``; the variable of a location ``-inf`` is ``-inf``.
    maximum : array_like
        :math:`T`, broadcast with `logits`; ``inf`` is no condition.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray or scalar
        At most `maximum`, in the floating type that `logits` and `maximum` have together.

    Raises
    ------
    ValueError
        A logit is NaN or ``inf``, a maximum is NaN, or the shapes don't fit.

    Notes
    -----
    Computed in ``float64`` at least and rounded once; right to a few units in the last place of the largest
    of 1, the value and the logit.  With the maximum ``-inf`` values are ``-inf``.

    The maximum of a whole set is another matter: see `condition_on_maximum`.

    Implements: eq-late-clock

    References
    ----------
    C. J. Maddison, D. Tarlow and T. Minka, "A* sampling", NeurIPS 27 (2014).

    Examples
    --------
    >>> truncated_gumbel([0.0, 2.0, -np.inf], 1.0, rng=0).round(3)
    array([-0.047,  0.681,   -inf])
    """
    return _values(*_fresh(logits, maximum, rng))


def truncated_gumbel_gap(logits, maximum, *, rng=None):
    r"""By how much the draw of `truncated_gumbel` is below the maximum, :math:`T - \tilde G`.

    Parameters and errors are those of `truncated_gumbel`, and with the same seed so is the draw.

    Returns
    -------
    ndarray or scalar
        Not negative.

    Notes
    -----
    With the maximum ``-inf`` the limit 0, or ``inf`` where the logit is ``-inf``, too.

    Implements: eq-late-clock

    Examples
    --------
    >>> value, gap = (draw(0.0, -50.0, rng=0) for draw in (truncated_gumbel, truncated_gumbel_gap))
    >>> f"{value:.20f}, {gap:.4e}"
    '-50.00000000000000000000, 1.3114e-22'
    """
    return _gaps(*_fresh(logits, maximum, rng))


def _fresh(logits, maximum, rng):
    (x, kind), (top, kind_top) = as_real(logits, "logits"), as_real(maximum, "maximum")
    check_entries("logits", x, x < np.inf, "below inf")
    shape, dtype = broadcast_shape(logits=x, maximum=top), _together(kind, maximum, kind_top)
    x, top = _prepared(x, top)
    return x, top, exponential(shape, read_rng(rng)), dtype


def truncated_gumbel_cdf(x, maximum, *, loc=0.0):
    r"""Distribution function of a Gumbel variable that stays below a maximum, elementwise.

    .. math:: F_{\mu, T}(x) = \exp\bigl(e^{\mu - T} - e^{\mu - \min(x, T)}\bigr)

    Parameters
    ----------
    x : array_like
        Where; broadcast with `maximum` and `loc`.
    maximum : array_like
        :math:`T`, above ``-inf``; ``inf`` is no condition.
    loc : array_like
        :math:`\mu`, finite.

    Returns
    -------
    ndarray or scalar
        Probabilities in the floating type of `x`.

    Raises
    ------
    ValueError
        A `loc` isn't finite, a maximum is NaN or ``-inf``, or the shapes don't fit.

    Notes
    -----
    0 at ``-inf`` and 1 from the maximum on; NaN stays NaN.  Computed in ``float64`` at least and rounded
    once.  The relative error of the exponent is a few units in the last place, times
    :math:`\max(1, |\mu - x|)`.

    Implements: eq-truncated-law

    Examples
    --------
    >>> truncated_gumbel_cdf([-1.0, 0.0, 1.0, 5.0], 1.0).round(4)
    array([0.0953, 0.5315, 1.    , 1.    ])
    """
    x, top, loc, dtype = _read("x", x, maximum, loc)
    with np.errstate(all="ignore"):
        share = -np.expm1(np.where(x < top, x - top, 0))
        half = np.exp((loc - x) / 2)
        exponent = np.where(share == 0, 0, half * share * half)
        return np.exp(-np.where(np.isnan(x), np.nan, exponent)).astype(dtype)[()]


def truncated_gumbel_icdf(u, maximum, *, loc=0.0):
    r"""Quantile of a Gumbel variable that stays below a maximum, elementwise.

    .. math:: F_{\mu, T}^{-1}(u) = \mu - \log\bigl(e^{\mu - T} - \log u\bigr)

    Parameters
    ----------
    u : array_like
        Probabilities; broadcast with `maximum` and `loc`.
    maximum : array_like
        :math:`T`, above ``-inf``; ``inf`` is no condition.
    loc : array_like
        :math:`\mu`, finite.

    Returns
    -------
    ndarray or scalar
        At most `maximum`, in the floating type of `u`.

    Raises
    ------
    ValueError
        A `u` outside [0, 1]; a `loc` isn't finite, a maximum is NaN or ``-inf``, or the shapes don't fit.

    Notes
    -----
    ``-inf`` at 0 and the maximum at 1; NaN stays NaN.  Computed in ``float64`` at least and rounded once;
    the errors are those of `truncated_gumbel`.

    Implements: eq-truncated-inverse

    Examples
    --------
    >>> truncated_gumbel_icdf([0.0, 0.5, 1.0], 1.0).round(4)
    array([   -inf, -0.0592,  1.    ])
    """
    return _values(*_quantiles(u, maximum, loc))


def truncated_gumbel_icdf_gap(u, maximum, *, loc=0.0):
    r"""By how much a quantile is below the maximum, :math:`T - F_{\mu, T}^{-1}(u)`.

    Parameters and errors are those of `truncated_gumbel_icdf`.

    Returns
    -------
    ndarray or scalar
        Not negative, in the floating type of `u`; ``inf`` at 0, and 0 at 1.

    Notes
    -----
    Implements: eq-truncated-inverse

    Examples
    --------
    >>> f"{truncated_gumbel_icdf_gap(0.5, -50.0):.4e}"
    '1.3369e-22'
    """
    return _gaps(*_quantiles(u, maximum, loc))


def _quantiles(u, maximum, loc):
    u, top, loc, dtype = _read("u", u, maximum, loc)
    check_entries("u", u, ~((u < 0) | (u > 1)), "from 0 to 1")
    with np.errstate(all="ignore"):
        waits = -np.log(np.maximum(u, np.finfo(u.dtype).smallest_subnormal))
    return np.where(u == 0, -np.inf, loc), top, np.where(u == 0, 1, waits), dtype


def condition_on_maximum(gumbels, maximum, *, axis=-1):
    r"""Move a set of Gumbel variables so that its maximum becomes a given number, for each slice.

    .. math:: \tilde g_i = -\log\bigl(e^{-T} - e^{-Z} + e^{-g_i}\bigr), \qquad Z = \max_k g_k

    If the :math:`g_i` are independent Gumbel variables of scale 1, with any locations, and :math:`T` doesn't
    depend on them, the result has their law on the condition that the largest of them is :math:`T`.

    Parameters
    ----------
    gumbels : array_like, shape (..., K)
        Perturbed logits, below ``inf``; ``-inf`` stays what it is.
    maximum : array_like, shape (...)
        :math:`T`, broadcast to the shape of the maxima; infinities are limits.
    axis : int
        Axis of the set.

    Returns
    -------
    ndarray, shape (..., K)
        In the same order as `gumbels`, with the maximum `maximum`, and in the floating type that `gumbels`
        and `maximum` have together.

    Raises
    ------
    ValueError
        There is no such axis, or nothing along it; `maximum` doesn't broadcast; a slice holds NaN or
        ``inf``; a maximum is NaN; a slice is all ``-inf`` and its maximum isn't.

    Notes
    -----
    Computed in ``float64`` at least and rounded once, as

    .. math:: T - \tilde g_i = \log\bigl(1 + q_i\, e^{T - g_i}\bigr), \qquad q_i = 1 - e^{g_i - Z},

    with one exponential function less where none can overflow; right to a few units in the last place of the
    largest of 1, the value and :math:`g_i`.  Where `maximum` is far below the set, values differ from it by
    less than its spacing, and only `condition_on_maximum_gap` still tells them apart.

    Whatever ties for the maximum becomes `maximum`, exactly.  With the maximum ``inf`` the others stay
    finite; with ``-inf`` all values are ``-inf``.

    Implements: eq-moved

    References
    ----------
    W. Kool, H. van Hoof and M. Welling, "Stochastic beams and where to find them: the Gumbel-top-k trick
    for sampling sequences without replacement", ICML (2019).

    Examples
    --------
    >>> condition_on_maximum([0.5, 3.0, -np.inf], 1.0).round(4)
    array([0.0784, 1.    ,   -inf])
    """
    return _moved(gumbels, maximum, axis, _values, near=_moved_near)


def condition_on_maximum_gap(gumbels, maximum, *, axis=-1):
    r"""By how much the values of `condition_on_maximum` are below the maximum.

    .. math:: T - \tilde g_i = \log\bigl(1 + q_i\, e^{T - g_i}\bigr), \qquad q_i = 1 - e^{g_i - Z}

    Parameters and errors are those of `condition_on_maximum`.

    Returns
    -------
    ndarray, shape (..., K)
        Not negative; 0 for what ties for the maximum of its set.

    Notes
    -----
    The rounding of :math:`T - g_i` is made good.  With the maximum ``-inf`` the limit 0, or ``inf`` where the
    variable was ``-inf`` before.

    Implements: eq-moved-gap

    Examples
    --------
    >>> condition_on_maximum([0.5, 3.0], -50.0).tolist()
    [-50.0, -50.0]
    >>> [f"{v:.4e}" for v in condition_on_maximum_gap([0.5, 3.0], -50.0)]
    ['1.0738e-22', '0.0000e+00']
    """
    return _moved(gumbels, maximum, axis, _gaps)


def _moved(gumbels, maximum, axis, formula, near=None):
    """A formula of locations, maxima and waits for all sets; where it may be, `near` takes its place."""
    (g, kind), (top, kind_top) = as_real(gumbels, "gumbels"), as_real(maximum, "maximum")
    dtype = _together(kind, maximum, kind_top)
    axis = read_axis(axis, g.ndim)
    g = move_axis(g, axis, -1)
    lead, k = g.shape[:-1], g.shape[-1]
    if k == 0:
        raise ValueError(f"no variables in a set: axis {axis} has length 0")
    top = top if top.shape == lead else broadcast_to(lead, "maximum", top)
    g, top = _prepared(g.reshape(math.prod(lead), k), top.reshape(math.prod(lead), 1))
    found = np.empty(g.shape, dtype)
    step = max(1, _BLOCK // k)
    for rows in (slice(first, first + step) for first in range(0, len(g), step)):
        own, bound = g[rows], top[rows]
        largest = own.max(axis=-1, keepdims=True)
        if near and _near(own, largest, bound):
            found[rows] = near(own, largest, bound)
            continue
        if not (abs(largest) < np.inf).all():
            _check_sets(largest, bound, rows.start, lead)
        with np.errstate(all="ignore"):
            waits = own - largest
            if (largest == -np.inf).any():
                waits[np.isnan(waits)] = -np.inf
            np.expm1(waits, out=waits)
            np.negative(waits, out=waits)
        found[rows] = formula(own, bound, waits, dtype)
    return move_axis(found.reshape(*lead, k), -1, axis)


# --- The formula ---------------------------------------------------------------


def _near(g, largest, top):
    """Whether `_moved_near` may be used: never where a number is infinite or NaN."""
    return max(largest.max(), top.max()) <= 16 and min(g.min(), top.min()) >= -600


def _moved_near(g, largest, top):
    """T - log(1 + (e^(Z - g) - 1) e^(T - Z)), where nothing overflows, and where Z and T, which are rounded
    into the exponents, are small or not above g."""
    w = top - largest
    late = np.exp(w) * (1 + _rounding(top, largest, w))
    values = np.expm1(largest - g)
    values *= late
    values += 1
    np.log(values, out=values)
    return np.subtract(top, values, out=values)


def _values(start, top, waits, dtype):
    """T - log(1 + q e^(T - s)); waits of 0 are the maximum itself."""
    with np.errstate(all="ignore"):
        w = _from(start, top)
        small = np.asarray(abs(w))
        np.negative(small, out=small)
        np.exp(small, out=small)
        values = np.asarray(small * waits)  # the sum, less the factor e^|w| where that is large
        values += 1
        small += waits
        np.copyto(values, small, where=w > 0)
        np.log(values, out=values)
        np.subtract(np.minimum(start, top), values, out=values)
        np.minimum(values, top, out=values)
        np.copyto(values, top, where=waits == 0)
        return values.astype(dtype, copy=False)[()]


def _gaps(start, top, waits, dtype):
    """log(1 + q e^(T - s)); waits of 0 are the maximum itself."""
    with np.errstate(all="ignore"):
        w = _from(start, top)
        ratio = np.exp(w / 2)
        ratio *= ratio * waits
        lost = _rounding(top, start, w)
        ratio += ratio * np.where(np.isfinite(lost), lost, 0)
        gap = np.where(ratio < np.inf, np.log1p(ratio), w + np.log(waits))
        return np.where(waits == 0, 0, gap).astype(dtype, copy=False)[()]


def _from(start, top):
    w = np.asarray(top - start)
    if (top == -np.inf).any():
        w = np.where(np.isnan(w), np.inf, w)  # both -inf: what is masked stays masked
    return w


def _rounding(a, b, difference):
    """What a - b is more than the difference of floats, exactly (Knuth's sum of two numbers)."""
    back = difference - a
    return (a - (difference - back)) - (b + back)


# --- Arguments -----------------------------------------------------------------


def _read(name, x, maximum, loc):
    """What is asked for of a distribution, and the type to return."""
    (x, dtype), top, loc = as_real(x, name), as_real(maximum, "maximum")[0], as_real(loc, "loc")[0]
    check_entries("loc", loc, np.isfinite(loc), "to be finite")
    check_entries("maximum", top, top > -np.inf, "above -inf")
    broadcast_shape(**{name: x}, maximum=top, loc=loc)
    return *_prepared(x, top), loc, dtype


def _prepared(x, maximum):
    check_entries("maximum", maximum, maximum == maximum, "without NaN")
    kind = np.result_type(x.dtype, maximum.dtype, np.float64)
    return x.astype(kind, copy=False), maximum.astype(kind, copy=False)


def _together(kind, maximum, kind_top):
    """The type to return; a plain number has that of the others."""
    return np.result_type(kind, maximum if isinstance(maximum, (int, float)) else kind_top)


def _check_sets(largest, maximum, first, lead):
    wrong = ~(largest < np.inf)
    if wrong.any():
        raise ValueError(f"expected gumbels below inf, got {largest[wrong][0]} "
                         f"in slice {slice_at(first + wrong.argmax(), lead)}")
    empty = (largest == -np.inf) & (maximum > -np.inf)
    if empty.any():
        raise ValueError("expected the maximum -inf of a set of nothing but -inf, "
                         f"got {maximum[empty][0]} for slice {slice_at(first + empty.argmax(), lead)}")
