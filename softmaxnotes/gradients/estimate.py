r"""What all estimators of a gradient have in common.

Wanted is the gradient of an expectation in the parameters of the law,

.. math:: \nabla_\theta\, \mathbb E_{z \sim p_\theta}[f(z)],

for one of two families of laws, which ``params`` names:

* *logits*, an array of shape (C,), for one variable with the values 0, ..., C - 1, or of shape (K, C), for K
  independent ones;
* `Gaussian`, means and logarithms of standard deviations, for independent normal coordinates.

An estimator is called as ``estimator(f, params, *, n_samples=1, ..., size=None, rng=None)`` and returns a
`GradientEstimate`, so that a table of estimators is one loop. It takes the mean over ``n_samples`` draws. It
makes ``size`` such estimates at once, independent of each other, in front of the axes of the parameters: so
``np.var(estimator(f, params, n_samples=4, size=1000).gradient, axis=0)`` is their variance.

What ``f`` is given: all draws at once, in an array of N rows, where N is their number altogether. For one
variable with the values 0, ..., C - 1 that is an integer array of shape (N,), for K of them (N, K); for
normal coordinates of shape (d,) a ``float64`` array of shape (N, d), and (N,) for a scalar. ``f`` returns N
finite real numbers.

All computation is in ``float64``, and so are the gradients.
"""

import math
import numbers
from typing import NamedTuple

import numpy as np

from ..arguments import as_real, check_entries, check_finite, read_count
from ..arrays import refuse_no_support
from ..softmax import softmax

__all__ = ["Gaussian", "GradientEstimate", "exact_gradient"]

_BLOCK = 2**16  # outcomes that f is asked for at once
_LARGEST = 1e300  # of its values


class Gaussian(NamedTuple):
    """Independent normal coordinates; also a gradient in their parameters.

    Attributes
    ----------
    mean : array_like, shape (d,), or float
    log_std : array_like, of the same shape
        Logarithms of the standard deviations.
    """

    mean: np.ndarray
    log_std: np.ndarray


class GradientEstimate(NamedTuple):
    """An estimate, and what it cost.

    Attributes
    ----------
    gradient : ndarray or Gaussian
        Like the parameters, behind the axes of `size`.
    n_evaluations : int
        How many values of ``f`` were asked for, for all estimates together.
    """

    gradient: np.ndarray | Gaussian
    n_evaluations: int


def exact_gradient(f, params, *, limit=10**6):
    r"""Gradient of an expectation under a finite law, by a sum over all outcomes.

    .. math:: \frac{\partial}{\partial x_{kc}} \mathbb E[f(z)]
              = \pi_{kc}\,\bigl(\mathbb E[f(z) \mid z_k = c] - \mathbb E[f(z)]\bigr),
              \qquad \pi_k = \operatorname{softmax}(x_k)

    Parameters
    ----------
    f : callable
        Of an integer array, shape (N,) for one variable or (N, K) for several, to N numbers.
    params : array_like, shape (C,) or (K, C)
        Logits; ``-inf`` masks a category, and `f` isn't asked for it.
    limit : int
        The largest number of outcomes to enumerate.

    Returns
    -------
    GradientEstimate
        ``gradient`` of the shape of the logits; its rows add up to 0.

    Raises
    ------
    TypeError
        The parameters are those of a continuous law, or as everywhere.
    ValueError
        A logit is NaN or ``+inf``, or a row has no other than ``-inf``; there are more outcomes than `limit`;
        `f` returns another number of values, or one that isn't finite or is beyond 1e300.

    Notes
    -----
    The entry of the most probable category is minus the sum of the others: :math:`\pi_k` is close to 1 there
    where the law is sure, and what it is multiplied with would be a difference of almost equal numbers.

    Implements: eq-score-gradient

    Examples
    --------
    >>> exact_gradient(lambda z: z**2, [0.0, 0.0, 0.0])
    GradientEstimate(gradient=array([-0.55555556, -0.22222222,  0.77777778]), n_evaluations=3)
    >>> exact_gradient(lambda z: z[:, 0] * z[:, 1], np.zeros((2, 2))).gradient
    array([[-0.125,  0.125],
           [-0.125,  0.125]])
    """
    logits = read_params(params)
    if isinstance(logits, Gaussian):
        raise TypeError("expected the logits of a finite law, whose outcomes can be listed, got a Gaussian")
    rows = np.atleast_2d(logits)
    support = [np.flatnonzero(row > -np.inf) for row in rows]
    sizes = [len(values) for values in support]
    total = math.prod(sizes)
    if total > read_count("limit", limit):
        counted = f"{sizes[0]}**{len(sizes)}" if len(set(sizes)) == 1 else "×".join(map(str, sizes))
        raise ValueError(f"expected at most {limit} outcomes to enumerate, got {counted} = {total:.3g}")
    values = np.empty(total)
    for start in range(0, total, _BLOCK):
        place = np.unravel_index(np.arange(start, min(start + _BLOCK, total)), sizes)
        outcomes = np.stack([chosen[i] for chosen, i in zip(support, place)], axis=-1)
        values[start : start + _BLOCK] = ask(f, outcomes if logits.ndim == 2 else outcomes[:, 0])
    values = values.reshape(sizes)
    weights = [softmax(row[chosen]) for row, chosen in zip(rows, support)]
    gradient = np.zeros(rows.shape)
    for k, chosen in enumerate(support):
        given = values
        for other in reversed(range(len(weights))):
            if other != k:
                given = np.tensordot(given, weights[other], axes=(other, 0))
        given = given - given[0]
        gradient[k, chosen] = weights[k] * (given - weights[k] @ given)
    return GradientEstimate(_balanced(gradient, rows).reshape(logits.shape), total)


# --- For the estimators of this part --------------------------------------------


def read_params(params):
    """The logits as an array, or a `Gaussian` of arrays; in ``float64``, and checked."""
    if isinstance(params, Gaussian):
        mean, log_std = (as_real(x, name)[0].astype(np.float64) for name, x in params._asdict().items())
        if mean.shape != log_std.shape or mean.ndim > 1:
            raise ValueError("expected mean and log_std of one shape, (d,) or (), "
                             f"got {mean.shape} and {log_std.shape}")
        check_finite(mean=mean)
        with np.errstate(all="ignore"):
            scale = np.exp(log_std)
        check_entries("log_std", log_std, (0 < scale) & (scale < np.inf),
                      "to have a positive, finite exponential")
        return Gaussian(mean, log_std)
    logits = as_real(params, "logits")[0].astype(np.float64)
    if logits.ndim not in (1, 2) or logits.size == 0:
        raise ValueError(f"expected logits of shape (C,) or (K, C), not empty, got {logits.shape}")
    check_entries("logits", logits, logits < np.inf, "to be finite, or -inf for a masked category")
    if (logits == -np.inf).all(axis=-1).any():
        refuse_no_support(np.atleast_2d(logits), logits.shape[:-1])
    return logits


def read_baseline(baseline):
    """The number that is taken off, and whether it is the mean of the other draws."""
    if baseline is None or isinstance(baseline, str) and baseline == "leave-one-out":
        return 0.0, baseline is not None
    if not (isinstance(baseline, numbers.Real) and math.isfinite(baseline)):
        raise ValueError("expected baseline to be None, a finite number or 'leave-one-out', "
                         f"got {baseline!r}")
    return float(baseline), False


def ask(f, outcomes):
    """The values of `f`, one for each row, checked."""
    values = as_real(f(outcomes), "values of f")[0].astype(np.float64)
    if values.shape != outcomes.shape[:1]:
        raise ValueError(f"expected f to return {len(outcomes)} values, one for each row of an array of "
                         f"shape {outcomes.shape}, got shape {values.shape}")
    check_values("f", values, outcomes)
    return values


def check_values(name, values, outcomes):
    """Which value of a function is NaN, or so large that a sum or a difference might be infinite."""
    wrong = ~(np.abs(values) <= _LARGEST)
    if wrong.any():
        first = np.unravel_index(wrong.argmax(), wrong.shape)
        raise ValueError(f"expected finite values of {name}, at most {_LARGEST} in size, "
                         f"got {values[first]} for {outcomes[first[0]]}")


def law_and_values(logits, values, name="values"):
    """Probabilities of one variable, and as many finite numbers."""
    logits, values = read_params(logits), as_real(values, name)[0].astype(np.float64)
    if isinstance(logits, Gaussian) or logits.ndim != 1 or values.shape != logits.shape:
        shape = "a Gaussian" if isinstance(logits, Gaussian) else logits.shape
        raise ValueError(f"expected logits and {name} of shape (C,), got {shape} and {values.shape}")
    check_finite(**{name: values})
    return softmax(logits), values


def draw_finite(logits, n, rng):
    """Draws from independent categorical laws: shape (n,) for logits (C,), (n, K) for (K, C)."""
    cumulative = np.cumsum(softmax(np.atleast_2d(logits)), axis=-1)
    total = cumulative[:, -1]
    # less than the total, so that there is a category, and one of positive probability
    t = np.minimum(rng.random((n, len(total))) * total, np.nextafter(total, 0))
    if logits.shape[-1] <= max(8, len(total)):
        z = np.zeros(t.shape, np.intp)
        for column in cumulative.T[:-1]:
            z += column <= t
    else:
        z = np.stack([np.searchsorted(row, u, side="right") for row, u in zip(cumulative, t.T)], axis=-1)
    return z if np.ndim(logits) == 2 else z[:, 0]


def centred_sums(z, weights, logits):
    r"""For each row of the weights, :math:`\sum_i w_i\,(e_{z_i} - \pi)`, behind the rows.

    Parameters
    ----------
    z : ndarray of int, shape (M * N,) or (M * N, K)
    weights : ndarray, shape (M, N)
    logits : ndarray, shape (C,) or (K, C)

    Returns
    -------
    ndarray, shape (M, C) or (M, K, C)
    """
    m, n = weights.shape
    rows = np.atleast_2d(logits)
    k, c = rows.shape
    cell = np.repeat(np.arange(m) * (k * c), n)[:, None] + np.arange(k) * c + z.reshape(m * n, k)
    mass = np.bincount(cell.ravel(), np.repeat(weights.ravel(), k), m * k * c).reshape(m, k, c)
    sums = mass - softmax(rows) * weights.sum(axis=-1)[:, None, None]
    return _balanced(sums, rows).reshape(m, *logits.shape)


def _balanced(gradient, logits):
    """The entry of the largest logit becomes minus the sum of the others, in each row."""
    top = logits == logits.max(axis=-1, keepdims=True)
    top &= np.cumsum(top, axis=-1) == 1
    rest = np.where(top, 0, gradient)
    return np.where(top, 0 - rest.sum(axis=-1, keepdims=True), rest)
