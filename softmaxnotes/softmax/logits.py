r"""Logits: probabilities on the whole line, and back.

The conventions for types, axes, infinities, NaN and empty input are those of
`softmaxnotes.softmax.numerics`.
"""

import numpy as np
from scipy import special

from ..arguments import as_real, check_entries
from ..arrays import argmax, difference, map_rows, shifted_exp, weigh_others

__all__ = ["sigmoid", "logit", "log_sigmoid", "class_logits"]

_MANY = 1000  # numbers: several calls of NumPy's vector functions are faster than one of SciPy's


def sigmoid(x):
    r"""Logistic sigmoid, the inverse of `logit`, elementwise.

    .. math:: \sigma(x) = \frac{1}{1 + e^{-x}} = \frac{e^x}{1 + e^x}

    Parameters
    ----------
    x : array_like
        Real numbers of any shape.

    Returns
    -------
    ndarray or scalar
        Values in [0, 1], in the floating type of `x`.

    Raises
    ------
    TypeError
        `x` isn't real.

    Notes
    -----
    As the first form is written, which nothing cancels in: it is right to a few
    units in the last place at both ends, down to the smallest normal number, and 0
    somewhere below that. A few numbers are left to `scipy.special.expit`.
    :math:`\sigma(-\infty) = 0`, :math:`\sigma(\infty) = 1`; NaN stays NaN.

    Implements: eq-sigmoid

    Examples
    --------
    >>> sigmoid([-1000.0, 0.0, 1000.0])
    array([0. , 0.5, 1. ])
    """
    x, dtype = as_real(x)
    with np.errstate(all="ignore"):
        if x.size < _MANY:
            return special.expit(x).astype(dtype, copy=False)
        out = np.negative(x)
        np.exp(out, out=out)
        out += 1
        return np.divide(1, out, out=out).astype(dtype, copy=False)


def logit(p):
    r"""Log-odds of a probability, elementwise.

    .. math:: \operatorname{logit}(p) = \log \frac{p}{1 - p}

    Parameters
    ----------
    p : array_like
        Probabilities of any shape.

    Returns
    -------
    ndarray or scalar
        Log-odds in the floating type of `p`.

    Raises
    ------
    TypeError
        `p` isn't real.
    ValueError
        A number outside [0, 1].

    Notes
    -----
    Computed as :math:`\pm\log(1 + |2p - 1| / \min(p, 1 - p))`, where nothing cancels, also
    not near :math:`p = 1/2`; a few numbers, or some with infinite log-odds, are left
    to `scipy.special.logit`. A number that is no probability is an error.
    ``logit(0)`` is ``-inf``, ``logit(1)`` is ``inf``, NaN stays NaN.

    Implements: eq-logit

    Examples
    --------
    >>> logit([0.0, 0.5, 1.0])
    array([-inf,   0.,  inf])
    >>> bool(logit(0.5 + 1e-10) > 0)
    True
    """
    p, dtype = as_real(p)
    _check_unit_interval(p)
    with np.errstate(all="ignore"):
        if p.size >= _MANY:
            twice = 2 * p
            twice -= 1
            out = 1 - p
            np.divide(np.abs(twice), np.minimum(out, p, out=out), out=out)
            np.log1p(out, out=out)
            if np.maximum.reduce(out, axis=None) < np.inf:
                return np.copysign(out, twice, out=out).astype(dtype, copy=False)
        return special.logit(p).astype(dtype, copy=False)


def log_sigmoid(x):
    r"""Logarithm of the logistic sigmoid, elementwise.

    .. math:: \log \sigma(x) = \min(x, 0) - \log\bigl(1 + e^{-|x|}\bigr)

    Parameters
    ----------
    x : array_like
        Real numbers of any shape.

    Returns
    -------
    ndarray or scalar
        Values in [-inf, 0], in the floating type of `x`.

    Raises
    ------
    TypeError
        `x` isn't real.

    Notes
    -----
    Neither term cancels the other, so all digits are there for large positive `x`
    too. A few numbers are left to `scipy.special.log_expit`. ``-inf`` at ``-inf``, 0
    at ``inf``, NaN at NaN. The logarithm of
    :math:`1 - \sigma(x)` is ``log_sigmoid(-x)``.

    Implements: eq-log-sigmoid

    Examples
    --------
    >>> log_sigmoid([-1000.0, 40.0])
    array([-1.00000000e+03, -4.24835426e-18])
    """
    x, dtype = as_real(x)
    with np.errstate(all="ignore"):
        if x.size < _MANY:
            return special.log_expit(x).astype(dtype, copy=False)
        tail = np.abs(x, out=np.empty_like(x))
        for step in (np.negative, np.exp, np.log1p):
            step(tail, out=tail)
        return np.subtract(np.minimum(x, 0), tail).astype(dtype, copy=False)


def class_logits(x, axis=-1):
    r"""Log-odds of each category against all the others.

    .. math:: \operatorname{logit}(\pi_k) = \log \frac{\pi_k}{1 - \pi_k}
              = x_k - \log \sum_{j \ne k} e^{x_j},
              \qquad \pi = \operatorname{softmax}(x)

    Parameters
    ----------
    x : array_like, shape (..., K)
        Real logits; ``-inf`` masks a category.
    axis : int, tuple of int or None
        Axis or axes of the categories.

    Returns
    -------
    ndarray, shape (..., K)
        Log-odds in the floating type of `x`.

    Raises
    ------
    TypeError
        `x` isn't real.
    ValueError
        Every logit of a slice is ``-inf``; `x` has no such axis.

    Notes
    -----
    With a single category, or a single one that isn't masked, its log-odds are
    ``inf``; with two they are :math:`\pm(x_1 - x_2)`. Masked categories have
    ``-inf``. Logits of ``+inf`` that tie share equally, and the others have
    ``-inf``. One NaN makes its slice NaN.

    The work is :math:`O(K)`. Leaving the largest category out, let :math:`m'` be
    the maximum of the others and :math:`q` the weight, in units of
    :math:`e^{m'}`, of all but one maximal entry of *them*. The largest category
    then has the log-odds :math:`(m - m') - \log(1 + q)`, the second one
    :math:`(m' - m) - \log(1 + q\,e^{m'-m})`, and for each of the rest its own
    weight is subtracted from :math:`1 + q`, of which it is at most half.

    Implements: eq-class-logits

    Examples
    --------
    >>> class_logits([3.0, 1.0])
    array([ 2., -2.])
    >>> class_logits([1000.0, 0.0, 0.0]).round(3)
    array([  999.307, -1000.   , -1000.   ])
    >>> class_logits([7.0])
    array([inf])
    """
    return map_rows(_fill_class_logits, x, axis, short=0)


def _fill_class_logits(out, x, k_axis):
    top = argmax(x)
    m = x[top][..., None]
    others = x.copy()
    others[top] = -np.inf
    weights = np.empty_like(x)
    m2, second = shifted_exp(others, weights, weights, k_axis)
    q = weigh_others(weights, others, m2, second)
    rest = np.subtract(1 + q, weights, out=weights)  # of the others but this one
    rest[second] = q[..., 0]
    behind = difference(m2, m)
    rest *= np.exp(behind)
    np.subtract(difference(x, m), np.log1p(rest, out=rest), out=out)
    out[top] = (-behind - np.log1p(q))[..., 0]
    return m



def _check_unit_interval(p):
    """NaN is let pass."""
    if p.size and not (p.min() >= 0 and p.max() <= 1):
        check_entries("p", p, ~((p < 0) | (p > 1)), "from 0 to 1")
