r"""The Gumbel top-k trick: draws without replacement are the places of the k largest keys.

With independent standard Gumbel noise, the keys :math:`x_i + G_i` of all items, sorted,
are an order in which the items are drawn one after the other, each time from the softmax
of those that are left:

.. math:: \Pr(I_1 = i_1, \dots, I_k = i_k)
          = \prod_{j=1}^k \frac{e^{x_{i_j}}}{\sum_{l \notin \{i_1, \dots, i_{j-1}\}} e^{x_l}}.

On the scale of times, :math:`T_i = e^{-(x_i + G_i)}`, it is a race of exponential clocks, of
which the first k arrivals count.

Conventions
-----------
*Logits* are real. ``-inf`` masks an item, which is then never drawn; fewer than k items
that are not masked are a `ValueError`, and so are NaN and a logit of ``+inf``, whose key says
nothing about the order. Nothing is ever drawn that has probability 0. Where probabilities are
asked for, a slice of nothing but ``-inf`` has none: a `ValueError`, too.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arguments import (
    as_real,
    check_entries,
    read_axis,
    read_choice,
    read_count,
    read_integers,
    read_rng,
    read_size,
)
from ..arrays import move_axis
from .chosen import check_maxima, of_chosen
from .race import Urn, race, refuse_few

__all__ = [
    "Keyed",
    "gumbel_top_k",
    "gumbel_top_k_with_keys",
    "log_prob_ordered",
    "merge_top_k",
    "sample_without_replacement",
    "sample_without_replacement_with_keys",
]

_LONG = 4096  # so many items are better drawn than sorted


class Keyed(NamedTuple):
    """Items that were drawn, and the keys that put them into this order.

    Attributes
    ----------
    indices : ndarray of integers
        The items, the largest key first.
    keys : ndarray of float64, same shape
        Their perturbed logits.
    """

    indices: np.ndarray
    keys: np.ndarray


def gumbel_top_k(logits, k, *, axis=-1, rng=None):
    r"""Ordered draw of k items without replacement: the k largest perturbed logits.

    .. math:: x_{I_1} + G_{I_1} > \dots > x_{I_k} + G_{I_k} > x_i + G_i
              \quad\text{for every other } i

    Parameters
    ----------
    logits : array_like, shape (..., n)
        Real logits; ``-inf`` masks an item.
    k : int
        How many, from 0 to the number of items that are not masked.
    axis : int
        Axis of the items.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray of integers, shape (..., k)
        The items, the largest key first; the axis of the items has the length k.

    Raises
    ------
    ValueError
        `k` is negative; a slice has fewer than `k` items that are not masked, or holds
        NaN or ``+inf``.

    Notes
    -----
    With the same seed these are the largest entries of
    ``logits + gumbel(logits.shape, rng=seed)``. They are found from the gaps to the
    largest logit, so that the order is right also where large logits round the noise
    in the keys away. Long rows are searched block by block, which is exact:
    see `merge_top_k`.

    Implements: eq-gumbel-top-k

    References
    ----------
    W. Kool, H. van Hoof and M. Welling, "Stochastic beams and where to find them: the
    Gumbel-top-k trick for sampling sequences without replacement", ICML (2019).

    Examples
    --------
    >>> gumbel_top_k([0.0, 1.0, -np.inf, 2.0], 3, rng=0)
    array([3, 1, 0])
    """
    return gumbel_top_k_with_keys(logits, k, axis=axis, rng=rng).indices


def gumbel_top_k_with_keys(logits, k, *, axis=-1, rng=None) -> Keyed:
    r"""The draw of `gumbel_top_k`, with the keys :math:`x_i + G_i` that decided it.

    Parameters and errors are those of `gumbel_top_k`, and with the same seed so are the items.

    Returns
    -------
    Keyed
        Items and keys, two arrays of shape (..., k).

    Notes
    -----
    Implements: eq-gumbel-top-k

    Examples
    --------
    >>> indices, keys = gumbel_top_k_with_keys(np.zeros(5), 2, rng=0)
    >>> indices, keys.round(3)
    (array([3, 2]), array([6.088, 3.922]))
    """
    rows, m, lead, k, back = _arguments(logits, k, axis)
    return _shaped(*race(rows, m, len(rows), k, read_rng(rng), lead), lead, back)


def sample_without_replacement(logits, k, size=None, *, axis=-1, rng=None, method="auto"):
    r"""Ordered draws of k items without replacement, each from the softmax of what is left.

    .. math:: \Pr(I_1 = i_1, \dots, I_k = i_k)
              = \prod_{j=1}^k \frac{e^{x_{i_j}}}{\sum_{l \notin \{i_1, \dots, i_{j-1}\}} e^{x_l}}

    Parameters
    ----------
    logits : array_like, shape (..., n)
        Real logits; ``-inf`` masks an item.
    k : int
        How many, from 0 to the number of items that are not masked.
    size : int, tuple of int or None
        How many such draws from each slice; `None` is one, without an axis.
    axis : int
        Axis of the items.
    rng : None, int or numpy.random.Generator
    method : {"auto", "race", "inverse_cdf"}
        "race" draws noise for every item, as `gumbel_top_k` does; "inverse_cdf" draws with
        replacement and drops what was drawn before. They have the same law. "auto" takes the
        second for few items out of many.

    Returns
    -------
    ndarray of integers, shape (*size, ..., k)
        The items in the order in which they were drawn, along the axis of the items.

    Raises
    ------
    ValueError
        `method` is none of these; `k` or `size` is negative; a slice has fewer than `k` items
        that are not masked, or holds NaN or ``+inf``.

    Notes
    -----
    The method "inverse_cdf" adds the weights up in groups, once for all draws from a slice.
    What a round has drawn has the weight 0 in the next, so that a few heavy items are not drawn
    over and over; what is missing after four rounds is drawn as by "race".

    Implements: eq-gumbel-top-k

    Examples
    --------
    >>> sample_without_replacement([0.0, 1.0, -np.inf, 2.0], 3, rng=0)
    array([3, 1, 0])
    >>> sample_without_replacement(np.zeros(10**5), 3, 2, rng=0).shape
    (2, 3)
    """
    return _drawn(logits, k, size, axis, rng, method, with_keys=False).indices


def sample_without_replacement_with_keys(logits, k, size=None, *, axis=-1, rng=None, method="auto") -> Keyed:
    r"""Draws as of `sample_without_replacement`, with keys of the law of `gumbel_top_k_with_keys`.

    Parameters and errors are those of `sample_without_replacement`.

    Returns
    -------
    Keyed
        Items and keys, two arrays of shape ``(*size, ..., k)``.

    Notes
    -----
    By the method "inverse_cdf" the keys are :math:`-\log` of the arrival times of the race: between two
    arrivals an exponential time passes, whose rate is the weight that is left. They are drawn after the
    items, so that of several draws only the first is that of `sample_without_replacement` with the same seed.

    Implements: eq-gumbel-top-k

    Examples
    --------
    >>> indices, keys = sample_without_replacement_with_keys(np.zeros(10**5), 3, rng=0)
    >>> indices.shape, (np.diff(keys) < 0).all()
    ((3,), np.True_)
    """
    return _drawn(logits, k, size, axis, rng, method, with_keys=True)


def merge_top_k(parts, k) -> Keyed:
    r"""The k largest keys of several parts together.

    .. math:: \operatorname{top}_k(A \cup B)
              = \operatorname{top}_k\bigl(\operatorname{top}_k(A) \cup \operatorname{top}_k(B)\bigr)

    so that a draw of k out of any number of items needs k items of each part.

    Parameters
    ----------
    parts : iterable of pairs (indices, keys)
        Of each part its items and their keys, two arrays of one shape (..., m); each part must
        hold its k largest keys, or all of its items.
    k : int
        How many.

    Returns
    -------
    Keyed
        Two arrays of shape (..., k), the largest key first; fewer than k if the parts have fewer together.

    Raises
    ------
    ValueError
        `k` is negative; there are no parts; the indices and keys of a part have different
        shapes; a key is NaN.

    Notes
    -----
    Merging is associative and commutative, and so can be done in a tree, on one machine or
    many, in any order; equal keys stay in the order in which they come.

    Implements: eq-merge

    Examples
    --------
    >>> merge_top_k([([0, 1], [3.0, 1.0]), ([7, 5], [2.0, 0.5])], 3)
    Keyed(indices=array([0, 7, 1]), keys=array([3., 2., 1.]))
    """
    k = read_count("k", k, least=0)
    parts = [(read_integers("indices", indices), as_real(keys, "keys")[0]) for indices, keys in parts]
    if not parts:
        raise ValueError("no parts to merge")
    for indices, keys in parts:
        if indices.shape != keys.shape or keys.ndim == 0:
            raise ValueError("expected indices and keys of one shape (..., m), "
                             f"got {indices.shape} and {keys.shape}")
        check_entries("keys", keys, keys == keys, "without NaN")
    indices, keys = (np.concatenate(arrays, axis=-1) for arrays in zip(*parts))
    order = np.argsort(-keys, axis=-1, kind="stable")[..., :k]
    return Keyed(*(np.take_along_axis(array, order, axis=-1) for array in (indices, keys)))


def log_prob_ordered(logits, indices, *, axis=-1):
    r"""Log-probability to draw these items without replacement, in this order.

    .. math:: \log p(i_1, \dots, i_k)
              = \sum_{j=1}^k \Bigl(x_{i_j}
              - \log \sum_{l \notin \{i_1, \dots, i_{j-1}\}} e^{x_l}\Bigr)

    Parameters
    ----------
    logits : array_like, shape (..., n)
        Real logits; ``-inf`` masks an item.
    indices : array_like of int, shape (..., k)
        Different items, from 0 to n - 1; the shapes of the batch are broadcast.
    axis : int
        Axis of the items, in both arrays.

    Returns
    -------
    ndarray or scalar, shape (...)
        In the floating type of `logits`: 0 for no items; ``-inf`` if one is masked.

    Raises
    ------
    ValueError
        An item doesn't exist or comes twice; the shapes don't fit; a slice holds NaN or
        ``+inf``, or nothing but ``-inf``.

    Notes
    -----
    The denominators are added up from the last one, so that nothing is subtracted and each
    factor is right however near 1 it is; in ``float64`` at least, and rounded once.

    Implements: eq-gumbel-top-k

    References
    ----------
    R. L. Plackett, "The analysis of permutations", Applied Statistics 24 (1975) 193-202.

    Examples
    --------
    >>> float(np.exp(log_prob_ordered(np.log([0.5, 0.3, 0.2]), [0, 1])).round(3))
    0.3
    >>> np.exp(log_prob_ordered([0.0, -200.0, -201.0], [[0, 1], [0, 2]])).round(3)
    array([0.731, 0.269])
    """
    def ordered(chosen, rest):
        backwards = np.concatenate([rest[:, None], chosen[:, ::-1]], axis=1)
        later = np.logaddexp.accumulate(backwards, axis=1)[:, -2::-1]
        terms = -np.logaddexp(0, later - chosen)
        return np.where(chosen > -np.inf, terms, -np.inf).sum(axis=1)

    return of_chosen(ordered, logits, indices, axis)


# --- Arguments and results --------------------------------------------------------------------


def _arguments(logits, k, axis):
    """Logits as rows, in float64 at least, their maxima, shape of the batch, k, axis from the end."""
    x = as_real(logits, "logits")[0]
    axis = read_axis(axis, x.ndim) - x.ndim
    x = move_axis(x, axis, -1)
    k, n, lead = read_count("k", k, least=0), x.shape[-1], x.shape[:-1]
    rows = x.reshape(math.prod(lead), n).astype(np.promote_types(x.dtype, np.float64), copy=False)
    if k > n:
        raise ValueError(f"expected k to be at most the number of items, {n}, got {k}")
    m = rows.max(axis=-1, initial=-np.inf)
    check_maxima(m, lead)
    if k and not np.minimum.reduce(m, initial=np.inf) > -np.inf:
        refuse_few(rows, k, lead)
    return rows, m, lead, k, axis


def _drawn(logits, k, size, axis, rng, method, with_keys):
    method = read_choice("method", method, ("auto", "race", "inverse_cdf"))
    rows, m, lead, k, back = _arguments(logits, k, axis)
    size, rng = read_size(size), read_rng(rng)
    n, repeats = rows.shape[-1], math.prod(size)
    if method == "auto":
        method = "inverse_cdf" if n >= _LONG and 16 * k <= n else "race"
    if method == "race" or k == 0:
        indices, keys = race(rows, m, repeats * len(rows), k, rng, lead)
    else:
        indices = np.empty((repeats, len(rows), k), np.intp)
        keys = np.empty(indices.shape)
        with np.errstate(all="ignore"):
            for row in range(len(rows)):
                urn = Urn(rows[row], m[row])
                for draw in range(repeats):
                    drawn = urn.draw(k, rng, with_keys)
                    if drawn is None:
                        refuse_few(rows, k, lead)
                    indices[draw, row], keys[draw, row] = drawn
    return _shaped(indices, keys, size + lead, back)


def _shaped(indices, keys, lead, axis):
    shape = (*lead, indices.shape[-1])
    return Keyed(*(move_axis(a.reshape(shape), -1, axis) for a in (indices, keys)))
