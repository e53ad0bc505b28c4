r"""Log-sum-exp, softmax and log-softmax that keep their digits.

All three start from the same two numbers per slice: the largest logit
:math:`m` and what the *other* entries weigh in units of it,

.. math:: r = \sum_{j \ne \hat\jmath} e^{x_j - m}, \qquad x_{\hat\jmath} = m,

where exactly one maximal entry :math:`\hat\jmath` is left out of the sum.
Then

.. math:: \operatorname{lse}(x) = m + \log(1 + r), \qquad
          \pi_k = \frac{e^{x_k - m}}{1 + r}, \qquad
          \log \pi_k = (x_k - m) - \log(1 + r),

and nothing overflows, and ``log1p(r)`` keeps what one category that dominates
would otherwise round away.

Conventions of the whole part
-----------------------------
*Types.* Anything array-like and real. Floating types come back as they went
in; ``float16`` is computed in ``float32`` and rounded once at the end; integers
and Booleans are taken as ``float64``. Complex numbers, objects, strings and
NumPy masked arrays are a `TypeError` (write a mask as ``-inf``).

*Axes.* ``axis`` is an integer, a tuple of integers, or `None` for all axes.
An axis that the array doesn't have is `numpy.exceptions.AxisError`, which is a
`ValueError`, and one that is no integer a `TypeError`; a single number has no axis,
so it needs ``axis=None``.

*Infinities* are limits: ``-inf`` is a masked category of probability 0; a logit
of ``+inf`` beats every finite one, and several share equally. A slice where
every logit is ``-inf`` has no distribution: `ValueError`.

*NaN* makes the whole slice NaN.

*Empty.* The log-sum-exp of nothing is ``-inf``; the softmax of nothing, or of
an empty batch, is an array of the same, empty shape.

No warning is emitted for any of these.
"""

import math

import numpy as np

from ..arguments import as_real
from ..arrays import (
    along_long,
    as_rows,
    blocks,
    difference,
    gaps_of_few,
    log_total_of_few,
    map_rows,
    shifted_exp,
    weigh_others,
)

__all__ = ["logsumexp", "softmax", "log_softmax", "online_logsumexp"]


def logsumexp(x, axis=-1, keepdims=False):
    r"""Logarithm of a sum of exponentials.

    .. math:: \operatorname{lse}(x) = \log \sum_k e^{x_k}
              = m + \log\Bigl(1 + \sum_{j \ne \hat\jmath} e^{x_j - m}\Bigr),
              \qquad m = x_{\hat\jmath} = \max_k x_k

    Parameters
    ----------
    x : array_like, shape (..., K)
        Real logits.
    axis : int, tuple of int or None
        Axis or axes of the sum; `None` sums over all of them.
    keepdims : bool
        Keep the summed axes with length 1.

    Returns
    -------
    ndarray or scalar, shape (...)
        In the floating type of `x`.

    Raises
    ------
    TypeError
        `x` isn't real.
    numpy.exceptions.AxisError
        `x` has no such axis (a kind of `ValueError`).

    Notes
    -----
    ``-inf`` where all logits are ``-inf`` or there are none, ``+inf`` where one
    is, NaN where one is NaN. The error is at most about
    :math:`u\,(|m| + 2\log(1+r) + \sum_k \pi_k (x_{\hat\jmath} - x_k) + c\,r/(1+r))`
    with the unit roundoff :math:`u` and a :math:`c` that grows like
    :math:`\log K` (NumPy sums pairwise): where :math:`m = 0` dominates, the
    result is right to a few units in the last place, however small.

    Implements: eq-lse-log1p

    References
    ----------
    P. Blanchard, D. J. Higham and N. J. Higham, "Accurately computing the
    log-sum-exp and softmax functions", IMA Journal of Numerical Analysis 41
    (2021) 2311-2330.

    Examples
    --------
    >>> logsumexp([1000.0, 1000.0]).round(3)
    np.float64(1000.693)
    >>> float(logsumexp([0.0, -40.0]))
    4.248354255291589e-18
    >>> logsumexp(np.zeros((2, 0)))
    array([-inf, -inf])
    """
    x, dtype = as_real(x)
    if not keepdims and (found := gaps_of_few(x, axis)):
        return dtype.type(found[0] + log_total_of_few(found[1]))
    rows, lead, axes = as_rows(x, axis)
    out = np.full((*rows.shape[:-1], 1), -np.inf, x.dtype)
    with np.errstate(all="ignore"):
        along_long(rows)
        for index, block, k_axis in blocks(rows):
            weights = np.empty_like(block)
            m, top = shifted_exp(block, weights, weights, k_axis)
            lse = m + np.log1p(weigh_others(weights, block, m, top))
            out[index] = lse.T if k_axis == 0 else lse
        out = out.astype(dtype, copy=False).reshape(lead)
    return np.expand_dims(out, axes) if keepdims else out[()]


def softmax(x, axis=-1, *, temperature=1.0):
    r"""Softmax: logits to probabilities.

    .. math:: \pi_k = \frac{e^{(x_k - m)/T}}{\sum_j e^{(x_j - m)/T}},
              \qquad m = \max_k x_k

    Parameters
    ----------
    x : array_like, shape (..., K)
        Real logits; ``-inf`` masks a category.
    axis : int, tuple of int or None
        Axis or axes over which the probabilities sum to one.
    temperature : float
        :math:`T`, positive, finite, and so in the floating type of `x` too.

    Returns
    -------
    ndarray, shape (..., K)
        Probabilities in the floating type of `x`.

    Raises
    ------
    TypeError
        `x` isn't real.
    ValueError
        Every logit of a slice is ``-inf``; `temperature` isn't a positive,
        finite number; `x` has no such axis.

    Notes
    -----
    ``softmax([inf, 0])`` is ``[1, 0]``, and ties at ``+inf`` share equally.
    One NaN makes its slice NaN. An empty array comes back empty. The relative
    error of :math:`\pi_k` is at most about
    :math:`u\,(|x_k - m| + \sum_j \pi_j |x_j - m| + c)` at :math:`T = 1`, with
    the unit roundoff :math:`u` and a :math:`c` that grows like :math:`\log K`;
    a probability below the smallest number of the type is 0.

    Implements: eq-softmax-shifted

    References
    ----------
    P. Blanchard, D. J. Higham and N. J. Higham, "Accurately computing the
    log-sum-exp and softmax functions", IMA Journal of Numerical Analysis 41
    (2021) 2311-2330.

    Examples
    --------
    >>> softmax([1000.0, 1000.0])
    array([0.5, 0.5])
    >>> softmax([float("inf"), 0.0])
    array([1., 0.])
    >>> softmax([0.0, 2.0], temperature=2.0).round(4)
    array([0.2689, 0.7311])
    """

    def fill(out, x, k_axis):
        m, _ = shifted_exp(x, out, out, k_axis, temperature)
        out /= np.add.reduce(out, axis=k_axis, keepdims=True)
        return m

    return map_rows(fill, x, axis, temperature, few=_softmax_of_few)


def _softmax_of_few(gaps):
    weights = list(map(math.exp, gaps))
    total = math.fsum(weights)
    return [w / total for w in weights]


def log_softmax(x, axis=-1, *, temperature=1.0):
    r"""Logarithm of the softmax: logits to log-probabilities.

    .. math:: \log \pi_k = \frac{x_k - m}{T}
              - \log\Bigl(1 + \sum_{j \ne \hat\jmath} e^{(x_j - m)/T}\Bigr),
              \qquad m = x_{\hat\jmath} = \max_k x_k

    Both terms have the same sign, so nothing cancels: also the logarithm of a
    probability next to one has all its digits.

    Parameters
    ----------
    x : array_like, shape (..., K)
        Real logits; ``-inf`` masks a category.
    axis : int, tuple of int or None
        Axis or axes over which the probabilities sum to one.
    temperature : float
        :math:`T`, positive, finite, and so in the floating type of `x` too.

    Returns
    -------
    ndarray, shape (..., K)
        Log-probabilities in the floating type of `x`.

    Raises
    ------
    TypeError
        `x` isn't real.
    ValueError
        Every logit of a slice is ``-inf``; `temperature` isn't a positive,
        finite number; `x` has no such axis.

    Notes
    -----
    A masked category has ``-inf``. ``log_softmax([inf, 0])`` is ``[0, -inf]``,
    and ties at ``+inf`` share equally. One NaN makes its slice NaN. An empty
    array comes back empty.

    Implements: eq-log-softmax

    References
    ----------
    P. Blanchard, D. J. Higham and N. J. Higham, "Accurately computing the
    log-sum-exp and softmax functions", IMA Journal of Numerical Analysis 41
    (2021) 2311-2330.

    Examples
    --------
    >>> log_softmax([0.0, -40.0])
    array([-4.24835426e-18, -4.00000000e+01])
    >>> log_softmax([1000.0, 0.0])
    array([    0., -1000.])
    """

    def fill(out, x, k_axis):
        weights = np.empty_like(x)
        m, top = shifted_exp(x, out, weights, k_axis, temperature)
        out -= np.log1p(weigh_others(weights, x, m, top))
        return m

    return map_rows(fill, x, axis, temperature, few=_log_softmax_of_few)


def _log_softmax_of_few(gaps):
    log_total = log_total_of_few(gaps)
    return [gap - log_total for gap in gaps]


def online_logsumexp(chunks):
    r"""Log-sum-exp in one pass over data that arrive in chunks.

    What has been seen is kept as its maximum :math:`m` and the weight :math:`r`
    of everything but one maximal entry, in units of that one. A chunk has
    its own :math:`(m', r')`, and if :math:`m' \le m`, then

    .. math:: (m, r) \leftarrow \bigl(m,\; r + (1 + r')\,e^{m' - m}\bigr),

    otherwise the same with the two exchanged. The result is
    :math:`m + \log(1 + r)`. (With :math:`s = 1 + r` this is the usual running
    sum; apart from the 1, a small :math:`r` survives.)

    Parameters
    ----------
    chunks : iterable of array_like, shapes (..., K_i)
        Pieces of one long last axis: numbers, vectors, or batches with the same
        leading shape. A generator is consumed once, and nothing is stored.

    Returns
    -------
    ndarray or scalar, shape (...)
        ``logsumexp(np.concatenate(chunks, axis=-1))``, in the widest floating
        type of the chunks; ``-inf`` if there are none.

    Raises
    ------
    TypeError
        A chunk isn't real.
    ValueError
        The leading shapes of two chunks differ.

    Notes
    -----
    Infinities and NaN as in `logsumexp`. The sum runs in ``float64`` at least.
    Every chunk can add a rounding error or two to the relative error of
    :math:`r`, so a million single numbers can cost up to six digits of
    ``float64`` in the worst case, and three on average; for types below
    ``float64`` that is invisible.

    Implements: eq-online

    References
    ----------
    M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax",
    arXiv:1805.02867 (2018).

    Examples
    --------
    >>> float(online_logsumexp([[0.0, -40.0], [-41.0]]))
    5.811236444626578e-18
    >>> online_logsumexp(float(k) for k in range(4)).round(6)
    np.float64(3.44019)
    >>> logsumexp([0, 1, 2, 3]).round(6)
    np.float64(3.44019)
    """
    lead, dtype, m, r = None, np.float64, np.float64(-np.inf), np.float64(0)
    for chunk in chunks:
        chunk, chunk_dtype = as_real(chunk)
        chunk = np.atleast_1d(chunk)
        if lead is None:
            lead, dtype = chunk.shape[:-1], chunk_dtype
            m, r = np.full(lead, -np.inf), np.zeros(lead)
        elif chunk.shape[:-1] != lead:
            raise ValueError(f"expected chunks of shape {(*lead, 'K')}, got {chunk.shape}")
        dtype = np.promote_types(dtype, chunk_dtype)
        chunk = chunk.astype(np.promote_types(dtype, np.float64), copy=False)
        if chunk.size == 0:
            continue
        with np.errstate(all="ignore"):
            rows = as_rows(chunk, -1)[0]
            weights = np.empty_like(rows)
            m_new, top = shifted_exp(rows, weights, weights, -1)
            r_new = weigh_others(weights, rows, m_new, top)
            m, r = _merge(m, r, m_new.reshape(lead), r_new.reshape(lead))
    with np.errstate(all="ignore"):
        return (m + np.log1p(r)).astype(dtype)[()]


def _merge(m1, r1, m2, r2):
    """Maximum and weight of the others (see `online_logsumexp`) of two parts together."""
    first = m1 >= m2
    m, low = np.maximum(m1, m2), np.minimum(m1, m2)
    r, r_low = np.where(first, r1, r2), np.where(first, r2, r1)
    return m, r + (1 + r_low) * np.exp(difference(low, m))
