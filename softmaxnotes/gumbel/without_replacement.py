r"""Sets without replacement: their probabilities, and weights that estimate a mean from them.

The first k draws without replacement, `softmaxnotes.gumbel.top_k`, are a set S with the
probability of all its orders together.  In the race of exponential clocks it is that of all
clocks of S ringing before the first of the others, whose rates add up to R:

.. math:: p(S) = \int_0^\infty R\,e^{-Rt} \prod_{i \in S} \bigl(1 - e^{-w_i t}\bigr)\,dt.

The conventions for logits are those of `softmaxnotes.gumbel.top_k`.
"""

import functools

import numpy as np

from ..arguments import as_real, broadcast_shape, check_entries, read_axis, read_integers
from ..arrays import move_axis
from ..softmax.numerics import log_softmax, logsumexp
from .chosen import of_chosen, read_chosen

__all__ = ["inclusion_weights", "log_prob_set", "unordered_set_weights"]

_LARGEST_SET = 24  # its table of subsets has 2^24 entries
_TABLE = 2**20  # entries of tables that are filled together
_PART = 2**12  # subsets of one size that are computed together


def log_prob_set(logits, indices, *, axis=-1):
    r"""Log-probability that the first k draws without replacement are this set.

    .. math:: p(S) = \sum_{\text{orders of } S} p(i_1, \dots, i_k)

    Parameters
    ----------
    logits : array_like, shape (..., n)
        Real logits; ``-inf`` masks an item.
    indices : array_like of int, shape (..., k)
        Different items, from 0 to n - 1, in any order, at most 24; the shapes of the batch
        are broadcast.
    axis : int
        Axis of the items, in both arrays.

    Returns
    -------
    ndarray or scalar, shape (...)
        In the floating type of `logits`: 0 for no items and for all of them; ``-inf`` if one is
        masked.

    Raises
    ------
    ValueError
        There are more than 24 items; an item doesn't exist or comes twice; the shapes don't
        fit; a slice holds NaN or ``+inf``, or nothing but ``-inf``.

    Notes
    -----
    Of the items of S and all others as one, with the weight R, the probability that a subset
    B of S is drawn before the others is

    .. math:: q(B) = \sum_{i \in B} \frac{w_i}{R + \sum_{j \in B} w_j}\; q(B \setminus i),
              \qquad q(\emptyset) = 1, \qquad p(S) = q(S).

    That is :math:`k\,2^{k-1}` positive terms instead of :math:`k!`, and nothing cancels.

    Implements: eq-set-probability

    Examples
    --------
    >>> pairs = [[0, 1], [0, 2], [1, 2]]
    >>> np.exp(log_prob_set(np.log([0.5, 0.3, 0.2]), pairs)).round(4)
    array([0.5143, 0.325 , 0.1607])
    """
    return _of_sets(lambda chosen, rest: _log_exhausted(chosen, rest)[0], logits, indices, axis)


def unordered_set_weights(logits, indices, *, axis=-1):
    r"""Weights with which the values at k drawn items estimate their mean, from the set alone.

    .. math:: \mathbb{E}_S \sum_{i \in S} v_i(S)\, f(i) = \sum_i \pi_i f(i), \qquad
              v_i(S) = \pi_i\, \frac{p^{(-i)}(S \setminus i)}{p(S)},

    where :math:`p^{(-i)}` is the law of draws without replacement from all items but i.

    Parameters
    ----------
    logits : array_like, shape (..., n)
        Real logits; ``-inf`` masks an item.
    indices : array_like of int, shape (..., k)
        The items drawn, at most 24; the shapes of the batch are broadcast.
    axis : int
        Axis of the items, in both arrays.

    Returns
    -------
    ndarray, shape (..., k)
        Weights in the floating type of `logits`, not negative, that add up to 1: the probabilities that each
        was drawn first.

    Raises
    ------
    ValueError
        As `log_prob_set`; and if an item is masked, since such a set is never drawn.

    Notes
    -----
    The estimate is the mean of the value at the first item drawn, given the set. All k ratios
    are read off the table of subsets that :math:`p(S)` is the last entry of.

    Implements: eq-unordered-weights

    References
    ----------
    W. Kool, H. van Hoof and M. Welling, "Estimating gradients for discrete random variables by
    sampling without replacement", ICLR (2020).

    Examples
    --------
    >>> unordered_set_weights(np.log([0.5, 0.3, 0.2]), [0, 1]).round(4)
    array([0.5833, 0.4167])
    """
    def weights(chosen, rest):
        if (chosen == -np.inf).any():
            raise ValueError("no set that can be drawn: one of its logits is -inf")
        log_set, log_others = _log_exhausted(chosen, rest)
        total = np.logaddexp(logsumexp(chosen), rest)
        return np.exp(chosen - total[:, None] + log_others - log_set[:, None])

    return _of_sets(weights, logits, indices, axis, each=True)


def inclusion_weights(logits, indices, threshold, *, axis=-1):
    r"""Weights with which the values at k drawn items estimate their mean, given a key.

    .. math:: v_i = \frac{\pi_i}{\Pr(x_i + G_i > \kappa)} = \frac{\pi_i}{1 - \exp(-e^{x_i - \kappa})},

    where :math:`\kappa` is the largest key of the items that were not drawn.

    Parameters
    ----------
    logits : array_like, shape (..., n)
        Real logits; ``-inf`` masks an item.
    indices : array_like of int, shape (..., k)
        The items with the k largest keys; the shapes of the batch are broadcast, with the thresholds.
    threshold : array_like, shape (...)
        :math:`\kappa`, the key with the number k + 1; ``-inf`` if there is none.
    axis : int
        Axis of the items, in both arrays.

    Returns
    -------
    ndarray, shape (..., k)
        Weights in the floating type of `logits`; their mean sum is 1.

    Raises
    ------
    ValueError
        An item doesn't exist or comes twice; the shapes don't fit; a slice holds NaN or
        ``+inf``, or nothing but ``-inf``; the threshold is NaN or ``+inf``.

    Notes
    -----
    The keys must be those of these logits: a shift of the logits shifts the threshold.

    Implements: eq-inclusion-weights

    References
    ----------
    W. Kool, H. van Hoof and M. Welling, "Stochastic beams and where to find them: the
    Gumbel-top-k trick for sampling sequences without replacement", ICML (2019).

    Examples
    --------
    >>> inclusion_weights(np.log([0.5, 0.3, 0.2]), [0, 1], 0.0).round(4)
    array([1.2707, 1.1575])
    """
    x, indices, dtype = read_chosen(logits, indices, axis)
    threshold = as_real(threshold, "threshold")[0]
    check_entries("threshold", threshold, threshold < np.inf, "below inf")
    *lead, k = indices.shape
    lead = broadcast_shape(batch=np.empty(lead), threshold=threshold)
    indices = np.broadcast_to(indices, (*lead, k))
    x = x.astype(np.promote_types(x.dtype, np.float64), copy=False)
    log_p, own = (np.take_along_axis(np.broadcast_to(v, (*lead, v.shape[-1])), indices, axis=-1)
                  for v in (log_softmax(x), x))
    with np.errstate(all="ignore"):
        late = own - threshold[..., None]
        log_included = np.where(late < -36, late, np.log(-np.expm1(-np.exp(late))))
        weights = np.where(log_p > -np.inf, np.exp(log_p - log_included), 0)
        return move_axis(weights.astype(dtype, copy=False), -1, axis)


# --- Tables of subsets --------------------------------------------------------------


def _of_sets(function, logits, indices, axis, each=False):
    indices = read_integers("indices", indices)
    k = indices.shape[read_axis(axis, indices.ndim)]
    if k > _LARGEST_SET:
        raise ValueError(f"expected at most {_LARGEST_SET} items in a set, got {k}")
    return of_chosen(function, logits, indices, axis, each=each, rows_at_once=max(1, _TABLE >> k))


def _log_exhausted(chosen, rest):
    """Logarithms of q(S) and, of each item i of S, of q(S without i): see `log_prob_set`."""
    rows, k = chosen.shape
    log_set, log_others = np.zeros(rows, chosen.dtype), np.zeros((rows, k), chosen.dtype)
    masked = (chosen == -np.inf).any(axis=1)
    log_set[masked] = -np.inf
    rows_left = ~masked & (rest > -np.inf)  # nothing else is left: every order ends there
    if k and rows_left.any():
        c, r = chosen[rows_left], rest[rows_left]
        m = np.maximum(c.max(axis=1), r)
        w, w_rest = np.exp(c - m[:, None]).T, np.exp(r - m)
        table = _exhausted(w, w_rest)
        found, others = np.log(table[-1]), np.log(table[_leave_one_out(k)].T)
        low = ~((found > -575) & (w.min(axis=0) > 1e-250) & (w_rest > 1e-250))
        if low.any():
            table = _exhausted_in_logs(c[low].T, r[low])
            found[low], others[low] = table[-1], table[_leave_one_out(k)].T
        log_set[rows_left], log_others[rows_left] = np.minimum(found, 0), np.minimum(others, 0)
    return log_set, log_others


def _exhausted(w, rest):
    """q(B) for each subset B, which is a binary number, of the weights (k, rows)."""
    k = len(w)
    sums = np.empty((2**k, *w.shape[1:]), w.dtype)
    sums[0] = rest
    for i in range(k):
        np.add(sums[: 2**i], w[i], out=sums[2**i : 2 ** (i + 1)])
    table = np.empty_like(sums)
    table[0] = 1
    for subsets, items, without in _levels(k):
        terms = table[without]
        terms *= w[items]
        table[subsets] = np.add.reduce(terms, axis=0) / sums[subsets]
    return table


def _exhausted_in_logs(x, rest):
    k = len(x)
    sums = np.empty((2**k, *x.shape[1:]), x.dtype)
    sums[0] = rest
    for i in range(k):
        np.logaddexp(sums[: 2**i], x[i], out=sums[2**i : 2 ** (i + 1)])
    table = np.empty_like(sums)
    table[0] = 0
    for subsets, items, without in _levels(k):
        table[subsets] = logsumexp(x[items] + table[without], axis=0) - sums[subsets]
    return table


@functools.lru_cache(maxsize=8)
def _levels(k):
    """The subsets by size, in parts: numbers (N,), their items (size, N), and the subsets without each."""
    numbers = np.arange(2**k)
    sizes = sum((numbers >> i & 1 for i in range(k)), np.zeros(2**k, int))
    levels = []
    for size in range(1, k + 1):
        level = np.flatnonzero(sizes == size)
        for start in range(0, len(level), _PART):
            subsets = level[start : start + _PART]
            items = np.nonzero(subsets[:, None] >> np.arange(k) & 1)[1].reshape(len(subsets), size).T
            levels.append((subsets, items, subsets ^ (1 << items)))
    return levels


def _leave_one_out(k):
    return (2**k - 1) ^ (1 << np.arange(k))
