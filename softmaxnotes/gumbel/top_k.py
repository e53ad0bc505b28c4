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
nothing about the order. Nothing is ever drawn that has probability 0.

*rng* is `None` (fresh entropy), an integer seed, or a `numpy.random.Generator`.
"""

import math

import numpy as np

from ..arguments import as_real, read_axis, read_count, read_size
from ..arrays import move_axis
from ..softmax.numerics import logsumexp
from .gumbel_max import exponential

__all__ = [
    "gumbel_top_k",
    "sample_without_replacement",
    "merge_top_k",
    "log_prob_ordered",
]

_BLOCK = 2**15  # so many keys stay in the cache
_GROUP = 32  # so many items are added up at once
_LONG = 4096  # so many items are better drawn than sorted
_ROUNDS = 4  # of draws with replacement, before noise is drawn for all that is left


def gumbel_top_k(logits, k, *, axis=-1, rng=None, return_keys=False):
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
    return_keys : bool
        Return the keys, too.

    Returns
    -------
    indices : ndarray of integers, shape (..., k)
        The items, the largest key first; the axis of the items has the length k.
    keys : ndarray of float64, same shape
        Their perturbed logits, if `return_keys`.

    Raises
    ------
    TypeError
        `logits` isn't real, or `axis` or `k` isn't an integer.
    ValueError
        `k` is negative; a slice has fewer than `k` items that are not masked, or holds
        NaN or ``+inf``.

    Notes
    -----
    With the same seed these are the largest entries of
    ``logits + gumbel(logits.shape, rng=seed)``. They are found from the gaps to the
    largest logit, so that the order is right also where large logits round the noise
    in the returned keys away. Long rows are searched block by block, which is exact:
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
    >>> indices, keys = gumbel_top_k(np.zeros(5), 2, rng=0, return_keys=True)
    >>> indices, keys.round(3)
    (array([3, 2]), array([6.088, 3.922]))
    """
    rows, m, lead, k, back = _arguments(logits, k, axis)
    indices, keys = _race(rows, m, len(rows), k, np.random.default_rng(rng), lead)
    return _shaped(indices, keys, lead, back, return_keys)


def sample_without_replacement(logits, k, size=None, *, axis=-1, rng=None, method="auto",
                               return_keys=False):
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
    return_keys : bool
        Return keys, too, of the same law as those of `gumbel_top_k`.

    Returns
    -------
    indices : ndarray of integers, shape (*size, ..., k)
        The items in the order in which they were drawn, along the axis of the items.
    keys : ndarray of float64, same shape
        If `return_keys`.

    Raises
    ------
    TypeError
        `logits` isn't real, or `axis`, `k` or `size` isn't made of integers.
    ValueError
        `method` is none of these; `k` or `size` is negative; a slice has fewer than `k` items
        that are not masked, or holds NaN or ``+inf``.

    Notes
    -----
    The method "inverse_cdf" adds the weights up in groups, once for all draws from a slice.
    What was drawn gets the weight 0 after at most four rounds, so that a few heavy items are
    not drawn over and over. The keys are :math:`-\log` of the arrival times of the race:
    between two arrivals an exponential time passes, whose rate is the weight that is left.

    Implements: eq-gumbel-top-k

    Examples
    --------
    >>> sample_without_replacement([0.0, 1.0, -np.inf, 2.0], 3, rng=0)
    array([3, 1, 0])
    >>> sample_without_replacement(np.zeros(10**5), 3, 2, rng=0).shape
    (2, 3)
    """
    if method not in ("auto", "race", "inverse_cdf"):
        raise ValueError(f"method must be one of auto, race, inverse_cdf, got {method!r}")
    rows, m, lead, k, back = _arguments(logits, k, axis)
    size, rng = read_size(size), np.random.default_rng(rng)
    n, repeats = rows.shape[-1], math.prod(size)
    if method == "auto":
        method = "inverse_cdf" if n >= _LONG and 16 * k <= n else "race"
    if method == "race" or k == 0:
        indices, keys = _race(rows, m, repeats * len(rows), k, rng, lead)
    else:
        indices = np.empty((repeats, len(rows), k), np.intp)
        keys = np.empty(indices.shape)
        with np.errstate(all="ignore"):
            for row in range(len(rows)):
                urn = _Urn(rows[row], m[row])
                for draw in range(repeats):
                    drawn = urn.draw(k, rng, return_keys)
                    if drawn is None:
                        _refuse_few(rows, k, lead)
                    indices[draw, row], keys[draw, row] = drawn
    return _shaped(indices, keys, size + lead, back, return_keys)


def merge_top_k(parts, k):
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
    indices, keys : two ndarrays of shape (..., k)
        The largest key first; fewer than k if the parts have fewer together.

    Raises
    ------
    TypeError
        `k` isn't an integer.
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
    (array([0, 7, 1]), array([3., 2., 1.]))
    """
    k = read_count("k", k, least=0)
    parts = [(np.asarray(indices), as_real(keys)[0]) for indices, keys in parts]
    if not parts:
        raise ValueError("expected at least one part")
    for indices, keys in parts:
        if indices.shape != keys.shape or keys.ndim == 0:
            raise ValueError("expected indices and keys of one shape (..., m), "
                             f"got {indices.shape} and {keys.shape}")
    indices, keys = (np.concatenate(arrays, axis=-1) for arrays in zip(*parts))
    if np.isnan(keys).any():
        raise ValueError("expected keys without NaN")
    order = np.argsort(-keys, axis=-1, kind="stable")[..., :k]
    return tuple(np.take_along_axis(array, order, axis=-1) for array in (indices, keys))


def log_prob_ordered(logits, indices):
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

    Returns
    -------
    ndarray or scalar of float64, shape (...)
        0 for no items; ``-inf`` if one is masked.

    Raises
    ------
    TypeError
        `logits` isn't real, or `indices` isn't made of integers.
    ValueError
        An item doesn't exist or comes twice; the shapes don't fit; a slice holds NaN or
        ``+inf``.

    Notes
    -----
    The denominators are added up from the last one, so that nothing is subtracted and each
    factor is right however near 1 it is.

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

    return of_chosen(ordered, logits, indices, ())


# --- The race ------------------------------------------------------------------


def _race(rows, m, total, k, rng, lead):
    """Items and keys of so many races; their rows, with the maxima m, are taken in turn."""
    indices, keys = np.empty((total, k), np.intp), np.empty((total, k))
    n = rows.shape[-1]
    if k == 0 or total == 0:
        return indices, keys
    step = max(1, _BLOCK // n)
    with np.errstate(all="ignore"):
        for start in range(0, total, step):
            part = slice(start, min(start + step, total))
            if n > 2 * _BLOCK:
                number = start % len(rows)
                indices[part], keys[part] = _search(rows[number], m[number], k, rng)
            else:
                turn = _in_turn(len(rows), part)
                indices[part], keys[part] = _largest(_noisy(rows[turn] - m[turn, None], rng), k)
        keys += m[_in_turn(len(rows), slice(0, total)), None]
    if not np.minimum.reduce(keys[:, -1]) > -np.inf:
        _refuse_few(rows, k, lead)
    return indices, keys


def _in_turn(number, part):
    return part if part.stop <= number else np.arange(part.start, part.stop) % number


def _noisy(gaps, rng):
    """Gaps to the largest logit, plus noise, in place."""
    noise = exponential(gaps.shape, rng)
    np.log(noise, out=noise)
    gaps -= noise
    return gaps


def _largest(keys, k):
    """Places of the k largest keys of each row, and those keys, in order; equal keys as they stand."""
    rows, n = keys.shape
    if n >= 64 and 2 * k <= n:
        least = np.partition(keys, n - k, axis=-1)[:, n - k, None]
        found = np.flatnonzero(keys >= least)
        if found.size == rows * k:
            values = keys.take(found).reshape(rows, k)
            order = values.argsort(axis=-1)[:, ::-1]
            order += np.arange(0, rows * k, k)[:, None]
            values = values.take(order)
            if not (values[:, 1:] == values[:, :-1]).any():  # a quick sort mixes them up
                return found.take(order) % n, values
    order = np.argsort(-keys, axis=-1, kind="stable")[:, :k]
    return order, keys[np.arange(rows)[:, None], order]


def _search(row, m, k, rng):
    """The same in one long row, block by block; only what beats the k-th key so far is kept."""
    places, keys = np.empty(0, np.intp), np.empty(0)
    limit = -np.inf
    for start in range(0, len(row), _BLOCK):
        new = _noisy(row[start : start + _BLOCK] - m, rng)
        found = np.flatnonzero(new > limit)
        places, keys = np.append(places, found + start), np.append(keys, new[found])
        if len(keys) >= k:
            best, largest = _largest(keys[None], k)
            places, keys = places[best[0]], largest[0]
            limit = keys[-1]
    if len(keys) < k:  # the others are masked
        return 0, -np.inf
    return places, keys


# --- Draws with replacement, of which the repeated ones are dropped ---------------


class _Urn:
    """Items of one row, added up in groups, to draw from many times."""

    def __init__(self, row, m):
        self.row, self.m, self.n = row, m, len(row)
        groups = -(-self.n // _GROUP)
        self.weights = np.empty(groups * _GROUP)
        self.weights[self.n :] = 0
        self.groups, self.sums = self.weights.reshape(groups, _GROUP), np.empty(groups)
        for start in range(0, self.n, _BLOCK):
            part = self.weights[start : min(start + _BLOCK, self.n)]
            np.subtract(row[start : start + _BLOCK], m, out=part)
            np.exp(part, out=part)
            lines = slice(start // _GROUP, -(-(start + len(part)) // _GROUP))
            np.matmul(self.groups[lines], np.ones(_GROUP), out=self.sums[lines])
        self.totals = np.cumsum(self.sums)

    def draw(self, k, rng, with_keys):
        items, left, totals = [], [], self.totals
        sums, taken = self.sums, []
        for _ in range(_ROUNDS):
            total = totals[-1]
            if not total > 1e-200:
                break
            new, weights = self._round(k - len(items), totals, rng)
            items += new
            left += [total - before for before in weights]
            if len(items) == k:
                break
            at = np.array(new)
            taken.append((at, self.weights[at]))
            self.weights[at] = 0
            touched = np.unique(at // _GROUP)
            sums = sums.copy() if sums is self.sums else sums
            sums[touched] = self.groups[touched] @ np.ones(_GROUP)
            totals = np.cumsum(sums)
        for at, weights in taken:
            self.weights[at] = weights
        return self._with_keys(items, left, k, rng, with_keys)

    def _round(self, wanted, totals, rng):
        """First occurrences among some draws, and the weight that was gone before each."""
        u = rng.random((2, wanted + wanted // 4 + 4))
        total = totals[-1]
        share = np.minimum(u[0] * total, np.nextafter(total, 0))
        group = np.searchsorted(totals, share, side="right")
        entries = np.cumsum(self.groups[group], axis=-1)
        own = entries[:, -1]
        share = np.minimum(u[1] * own, np.nextafter(own, 0))
        drawn = (group * _GROUP + (entries > share[:, None]).argmax(axis=-1)).tolist()
        seen, gone, before = set(), 0.0, []
        weights = self.weights
        new = []
        for item in drawn:
            if item not in seen:
                seen.add(item)
                new.append(item)
                before.append(gone)
                gone += weights[item]
                if len(new) == wanted or total - gone < total / 1024:
                    break
        return new, before

    def _with_keys(self, items, left, k, rng, with_keys):
        indices, keys = np.array(items, np.intp), np.empty(0)
        if with_keys and items:
            times = np.cumsum(rng.standard_exponential(len(items)) / left)
            keys = self.m - np.log(times)
        if len(items) < k:
            rest = self.row.copy()
            rest[indices] = -np.inf
            if np.count_nonzero(rest > -np.inf) < k - len(items):
                return None
            others, later = _race(rest[None], rest.max()[None], 1, k - len(items), rng, ())
            indices = np.append(indices, others[0])
            if with_keys:
                later = later[0]
                keys = np.append(keys, -np.logaddexp(-keys[-1], -later) if items else later)
        return indices, keys if with_keys else np.nan


# --- Probabilities ----------------------------------------------------------------


def of_chosen(function, logits, indices, shape, rows_at_once=_BLOCK):
    """Apply ``function(chosen, rest)`` to the logits of the items and the log-sum-exp of all others."""
    x, indices = as_real(logits)[0], as_indices(indices)
    if x.ndim == 0:
        raise ValueError("expected logits of shape (..., n), got a number")
    k, n = indices.shape[-1], x.shape[-1]
    check_items(x, indices)
    check_logits(x)
    number = np.arange(math.prod(x.shape[:-1])).reshape(x.shape[:-1])
    lead = number.shape
    if lead != indices.shape[:-1]:
        lead = np.broadcast_shapes(lead, indices.shape[:-1])
        number, indices = np.broadcast_to(number, lead), np.broadcast_to(indices, (*lead, k))
    rows, items = number.ravel(), indices.reshape(number.size, k)
    flat = x.reshape(math.prod(x.shape[:-1]), n)
    out = np.empty((len(rows), *shape))
    step = max(1, min(rows_at_once, _BLOCK // max(n, 1)))
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            block = flat[rows[part]].astype(np.float64, copy=False)
            where = np.arange(len(block))[:, None], items[part]
            chosen = block[where]
            block[where] = -np.inf
            rest = logsumexp(block) if n else np.full(len(block), -np.inf)
            out[part] = function(chosen, rest)
    return out.reshape(lead + shape)[()]


# --- Arguments --------------------------------------------------------------------


def _arguments(logits, k, axis):
    """Logits as rows, in float64 at least, their maxima, shape of the batch, k, axis from the end."""
    x = as_real(logits)[0]
    axis = read_axis(axis, x.ndim) - x.ndim
    x = move_axis(x, axis, -1)
    k, n, lead = read_count("k", k, least=0), x.shape[-1], x.shape[:-1]
    rows = x.reshape(math.prod(lead), n).astype(np.promote_types(x.dtype, np.float64), copy=False)
    if k > n:
        raise ValueError(f"k must be at most the number of items, {n}, got {k}")
    m = rows.max(axis=-1, initial=-np.inf)
    _check_maxima(m, lead)
    if k and not np.minimum.reduce(m, initial=np.inf) > -np.inf:
        _refuse_few(rows, k, lead)
    return rows, m, lead, k, axis


def _refuse_few(rows, k, lead):
    alive = np.count_nonzero(rows > -np.inf, axis=-1)
    row = int(alive.argmin())
    raise ValueError("k must be at most the number of items that are not masked: "
                     f"slice {_where(row, lead)} has {alive[row]}, got k = {k}")


def _check_maxima(m, lead):
    if not np.maximum.reduce(m, axis=None, initial=-np.inf) < np.inf:  # nor NaN
        row = np.argmax(~(m < np.inf))
        what = "NaN" if np.isnan(m[row]) else "inf"
        raise ValueError(f"expected logits below +inf: a logit of slice {_where(row, lead)} is {what}")


def check_logits(x):
    if x.size:
        _check_maxima(x.max(axis=-1).ravel(), x.shape[:-1])


def _where(row, lead):
    return tuple(int(i) for i in np.unravel_index(row, lead))


def as_indices(indices):
    indices = np.asarray(indices)
    if indices.size == 0:
        indices = indices.astype(np.intp)
    if indices.dtype.kind not in "iu":
        raise TypeError(f"expected indices that are integers, got an array of type {indices.dtype}")
    if indices.ndim == 0:
        raise ValueError("expected indices of shape (..., k), got a number")
    return indices.astype(np.intp, copy=False)


def check_items(x, indices):
    n = x.shape[-1]
    if indices.size and not (0 <= indices.min() and indices.max() < n):
        raise ValueError(f"expected items from 0 to {n - 1}, got {indices.min()} to {indices.max()}")
    ordered = np.sort(indices, axis=-1)
    if (ordered[..., 1:] == ordered[..., :-1]).any():
        raise ValueError("expected different items: one comes twice")


def _shaped(indices, keys, lead, axis, return_keys):
    arrays = (indices, keys) if return_keys else (indices,)
    arrays = tuple(a.reshape(*lead, indices.shape[-1]) for a in arrays)
    arrays = tuple(move_axis(a, -1, axis) for a in arrays)
    return arrays if return_keys else arrays[0]
