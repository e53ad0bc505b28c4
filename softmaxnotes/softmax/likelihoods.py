r"""Losses on logits, each with its gradient.

Every function returns a `Loss`: the loss of each example, and its gradient with
respect to the logits. Neither is averaged, and neither is computed from
probabilities that were rounded: where the model is almost sure, :math:`1 - \pi_y`
is the sum of the other probabilities.

The conventions for types, infinities, NaN and empty input are those of
`softmaxnotes.softmax.numerics`; the result has the floating type of the logits.

Labels of the categorical losses
--------------------------------
Logits have the shape (..., K), categories last. The shape of ``labels`` decides how
they are read:

* shape (...), integers: the labels, from 0 to K - 1;
* shape (..., K): distributions over the categories (perhaps one-hot): not
  negative, each with a sum within (K + 8) machine epsilons of one, in the type of
  ``labels`` or that of the logits, whichever is coarser.

Anything else is an error. Nothing is broadcast.
"""

from typing import NamedTuple

import numpy as np

from ..arguments import as_array, as_real, check_entries, check_unit_interval, read_labels
from ..arrays import along_long, refuse_no_support, shifted_exp, weigh_others

__all__ = ["Loss", "bernoulli_nll", "categorical_nll"]

_BLOCK = 2**14  # so many numbers, and the scratch space beside them, stay in the cache


class Loss(NamedTuple):
    """Loss of each example, and its gradient with respect to the logits.

    Attributes
    ----------
    value : ndarray or scalar
        One number per example.
    gradient : ndarray
        In the shape of the logits.
    """

    value: np.ndarray
    gradient: np.ndarray


def bernoulli_nll(logits, labels):
    r"""Negative log-likelihood of binary outcomes, from the log-odds.

    .. math:: \ell(x, y) = -y \log \sigma(x) - (1 - y) \log \sigma(-x), \qquad
              \frac{\partial \ell}{\partial x} = \sigma(x) - y

    Parameters
    ----------
    logits : array_like
        Log-odds :math:`x` of the outcome 1, of any shape.
    labels : array_like, the same shape
        Outcomes :math:`y`: 0 and 1, or probabilities between them.

    Returns
    -------
    Loss
        ``value`` and ``gradient``, both in the shape of `logits`.

    Raises
    ------
    TypeError
        `logits` or `labels` aren't real.
    ValueError
        The shapes differ, or a label isn't in [0, 1].

    Notes
    -----
    At an infinite logit the loss is 0 if the outcome is the certain one and
    ``inf`` if it isn't (also where the label gives it any mass). A NaN in `logits`
    makes its own loss and gradient NaN; one in `labels` is a `ValueError`.

    Implements: eq-bernoulli-nll
    Implements: eq-bernoulli-gradient

    Examples
    --------
    >>> loss, gradient = bernoulli_nll([0.0, 4.0], [1, 0])
    >>> loss.round(4)
    array([0.6931, 4.0181])
    >>> gradient.round(4)
    array([-0.5  ,  0.982])
    """
    x, dtype = as_real(logits, "logits")
    y = as_real(labels, "labels")[0]
    if y.shape != x.shape:
        raise ValueError(f"expected labels of shape {x.shape}, as the logits, got {y.shape}")
    check_unit_interval(labels=y)
    y = y.astype(x.dtype, copy=False)
    with np.errstate(all="ignore"):
        if x.size <= _BLOCK:
            found = _bernoulli(x, y)
        else:
            found, flat, y = np.empty((2, x.size), x.dtype), x.ravel(), y.ravel()
            for start in range(0, x.size, _BLOCK):
                part = slice(start, start + _BLOCK)
                found[:, part] = _bernoulli(flat[part], y[part])
            found = found.reshape(2, *x.shape)
        return Loss(*(v.astype(dtype, copy=False)[()] for v in found))


def _bernoulli(x, y):
    """Values and gradients."""
    cost, up = np.abs(x), (x > 0).astype(x.dtype)
    small = np.exp(-cost)  # of the two unnormalised probabilities 1 and e^-|x|
    against = np.abs(up - y)  # mass of the less probable outcome
    cost *= against
    if not np.maximum.reduce(cost, axis=None, initial=0) < np.inf:
        cost = np.where(against == 0, 0, cost)  # even if it is sure; NaN is in small
    value = np.log1p(small)
    value += cost
    small /= 1 + small
    gradient = against - small  # the same with either outcome
    gradient *= 2 * up - 1
    return value, gradient


def categorical_nll(logits, labels):
    r"""Negative log-likelihood of a category (cross-entropy), from the logits.

    .. math:: \ell(x, y) = -\sum_k y_k \log \pi_k
              = \sum_k y_k \,\bigl(\operatorname{lse}(x) - x_k\bigr), \qquad
              \frac{\partial \ell}{\partial x_k} = \pi_k - y_k, \qquad
              \pi = \operatorname{softmax}(x)

    Parameters
    ----------
    logits : array_like, shape (..., K)
        Real logits; ``-inf`` masks a category.
    labels : array_like, shape (...) or (..., K)
        Integers from 0 to K - 1, or distributions :math:`y` over the categories.

    Returns
    -------
    Loss
        ``value`` of shape (...), ``gradient`` of shape (..., K).

    Raises
    ------
    TypeError
        `logits` or `labels` aren't real, or `labels` of shape (...) no integers.
    ValueError
        The shape of `labels` is neither of the two; a label isn't in 0, ..., K - 1; a
        distribution has a negative entry or doesn't sum to one; every logit of an
        example is ``-inf``.

    Notes
    -----
    A category without mass adds nothing, even where it is masked: 0 times
    ``-inf`` is 0 here. Mass on a masked category is a loss of ``inf``, and the
    gradient stays the finite :math:`\pi - y`. A NaN in the logits of an example
    makes its loss and its gradient NaN.

    Implements: eq-categorical-nll
    Implements: eq-categorical-gradient

    Examples
    --------
    >>> loss, gradient = categorical_nll([[0.0, 0.0], [40.0, 0.0]], [1, 0])
    >>> loss
    array([6.93147181e-01, 4.24835426e-18])
    >>> gradient
    array([[ 5.00000000e-01, -5.00000000e-01],
           [-4.24835426e-18,  4.24835426e-18]])
    >>> loss, gradient = categorical_nll([0.0, 0.0, -np.inf], [0.5, 0.5, 0.0])
    >>> float(loss) == float(np.log(2))
    True
    """
    x, dtype = as_real(logits, "logits")
    y, are_labels = targets_of(labels, x)
    with np.errstate(all="ignore"):
        gaps, p, top, rest = softmax_parts(x)
        log_total = np.log1p(rest)
        if are_labels:
            value = log_total - gaps[np.arange(len(y)), y]
        else:
            surprise = np.subtract(log_total[:, None], gaps, out=gaps)
            value = np.sum(y * np.where(y == 0, 0, surprise), axis=-1)
        gradient = minus_target(p, y, are_labels, top, rest)
        return as_loss(value, gradient, x.shape, dtype)


def softmax_parts(x):
    """Gaps to the maximum, probabilities, index of the maxima, weight of the others.

    Call it within `numpy.errstate`.
    """
    lead, x = x.shape[:-1], x.reshape(-1, x.shape[-1])
    along_long(x)
    gaps, p = np.empty_like(x), np.empty_like(x)
    m, top = shifted_exp(x, gaps, p, -1)
    if (m == -np.inf).any():
        refuse_no_support(x, lead)
    rest = weigh_others(p, x, m, top)
    p[top] = 1
    p /= 1 + rest
    return gaps, p, top, rest[:, 0]


def minus_target(p, y, are_labels, top, rest):
    """p - y in place, where a probability above 1/2 is one minus the sum of the others."""
    p_top = p[top]
    if are_labels:
        y_top = (y == top[1]).astype(p.dtype)
        p[np.arange(len(y)), y] -= 1
    else:
        y_top = y[top]
        p -= y
    p[top] = np.where(p_top > 0.5, (1 - y_top) - rest / (1 + rest), p[top])
    return p


def as_loss(value, gradient, shape, dtype):
    value = value.reshape(shape[:-1]).astype(dtype, copy=False)[()]
    return Loss(value, gradient.reshape(shape).astype(dtype, copy=False))


def targets_of(labels, x):
    """Labels of shape (n,), or distributions of shape (n, K); and which of the two."""
    if x.ndim == 0 or x.shape[-1] == 0:
        raise ValueError(f"expected logits of shape (..., K) with K > 0, got {x.shape}")
    k, y = x.shape[-1], as_array(labels, "labels")
    if y.shape == x.shape:
        eps = np.finfo(x.dtype).eps
        if y.dtype.kind == "f":
            eps = max(eps, np.finfo(y.dtype).eps)
        y = as_real(y, "labels")[0]
        check_entries("labels", y, y >= 0, "that are distributions to have no negative entry and no NaN")
        y = y.reshape(-1, k)
        off = np.abs(y.sum(axis=-1, dtype=np.promote_types(y.dtype, np.float64)) - 1)
        if (off > (k + 8) * eps).any():
            raise ValueError(f"expected distributions that sum to one, got one that is {off.max():.3g} off")
        return y.astype(x.dtype), False
    if y.shape != x.shape[:-1]:
        raise ValueError(f"expected labels of shape {x.shape[:-1]}, or distributions of shape {x.shape}, "
                         f"got {y.shape}")
    return read_labels(y, k).reshape(-1), True
