"""The square loss on a softmax, with its gradient.

The conventions for logits, labels and the result are those of `softmaxnotes.softmax.likelihoods`.
"""

import numpy as np

from ..arguments import as_real
from .likelihoods import as_loss, minus_target, softmax_parts, targets_of

__all__ = ["squared_loss"]


def squared_loss(logits, labels):
    r"""Squared distance of the softmax from the target (Brier score).

    .. math:: \ell(x, y) = \sum_k (\pi_k - y_k)^2, \qquad
              \frac{\partial \ell}{\partial x} = 2 J (\pi - y), \qquad
              J = \operatorname{diag}(\pi) - \pi \pi^\top, \qquad
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
    TypeError, ValueError
        As for `categorical_nll`.

    Notes
    -----
    The loss is at most 2, and finite also on a masked category. A NaN in the logits
    of an example makes its loss and its gradient NaN.

    The rows of :math:`J` sum to zero, so with :math:`d = \pi - y` and the category
    :math:`t` of the largest logit, the gradient is
    :math:`2 \pi_k (c_k - \sum_j \pi_j c_j)`, where :math:`c_k = d_k - d_t`.
    With :math:`c = d` the difference would cancel where :math:`t` has nearly all the
    mass; with :math:`c_t = 0`, and :math:`1 - \pi_t` summed from the other categories,
    the gradient keeps its digits, on the side of the sure and right as well as on
    that of the sure and wrong.

    Implements: eq-squared-loss
    Implements: eq-squared-gradient

    References
    ----------
    G. W. Brier, "Verification of forecasts expressed in terms of probability",
    Monthly Weather Review 78 (1950) 1-3.

    Examples
    --------
    >>> loss, gradient = squared_loss([[0.0, 0.0], [0.0, 40.0]], [0, 0])
    >>> loss
    array([0.5, 2. ])
    >>> gradient
    array([[-5.0000000e-01,  5.0000000e-01],
           [-1.6993417e-17,  1.6993417e-17]])
    """
    x, dtype = as_real(logits, "logits")
    y, are_labels = targets_of(labels, x)
    with np.errstate(all="ignore"):
        _, p, top, rest = softmax_parts(x)
        d = minus_target(p.copy(), y, are_labels, top, rest)
        value = np.sum(d * d, axis=-1)
        d -= d[top][:, None]
        slope = d - np.sum(p * d, axis=-1, keepdims=True)
        return as_loss(value, 2 * p * slope, x.shape, dtype)
