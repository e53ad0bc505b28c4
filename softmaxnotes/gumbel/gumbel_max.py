r"""The Gumbel-max trick: a categorical draw is the place of a maximum.

With independent standard Gumbel noise :math:`G_k = -\log E_k`, where the
:math:`E_k` are standard exponential,

.. math:: \operatorname*{arg\,max}_k\,(x_k + G_k)
          = \operatorname*{arg\,min}_k\, E_k\, e^{m - x_k}
          \sim \operatorname{softmax}(x), \qquad m = \max_k x_k:

the largest perturbed logit is the first arrival in a race of exponential clocks.
The noise is always ``float64``, whatever the type of the logits.

Conventions of the samplers
---------------------------
*Logits* are real, as in `softmaxnotes.softmax.numerics`. ``-inf`` masks a category,
which is then never drawn; a logit of ``+inf`` beats every finite one, and several
share equally. NaN, a slice where every logit is ``-inf``, and a slice without
categories are a `ValueError`: there is nothing to draw from.
"""

import math

import numpy as np

from ..arguments import as_real, read_axis, read_choice, read_rng, read_size
from ..arrays import move_axis, refuse_no_support, shifted, slice_at
from .distribution import exponential

__all__ = ["gumbel_max", "sample_categorical"]

_BLOCK = 2**16  # so many numbers, and the scratch space beside them, stay in the cache
_SHORT = 128  # so few categories are laid out one after the other
_FEW = 16  # so few are counted instead of searched
_GROUP = 32  # so many of more categories are added up at once


def gumbel_max(logits, *, axis=-1, rng=None):
    r"""Categorical draw by the Gumbel-max trick, one for each slice.

    .. math:: K = \operatorname*{arg\,max}_k\,(x_k + G_k), \qquad
              G_k = -\log E_k \ \text{independent standard Gumbel}

    Parameters
    ----------
    logits : array_like, shape (..., K)
        Real logits; ``-inf`` masks a category.
    axis : int
        Axis of the categories.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray of integers or scalar, shape (...)
        The categories drawn.

    Raises
    ------
    ValueError
        `logits` has no such axis or no categories; a slice holds NaN, or nothing but
        ``-inf``.

    Notes
    -----
    Computed as the race :math:`\operatorname{arg\,min}_k E_k / e^{x_k - m}`, one
    exponential function instead of a logarithm, and from gaps to the maximum, so
    that large logits don't round the noise away. With the same seed it is the
    maximum of ``logits + gumbel(logits.shape, rng=seed)``.

    The law is the softmax up to rounding: the total variation is at most about
    :math:`2^{-53}\,(10 K + \bar g + 10)`, where :math:`\bar g` is the mean gap
    :math:`\sum_k \pi_k (m - x_k)`. An empty batch gives an empty array.

    Implements: eq-gumbel-max

    References
    ----------
    J. I. Yellott, "The relationship between Luce's choice axiom, Thurstone's theory
    of comparative judgment, and the double exponential distribution", Journal of
    Mathematical Psychology 15 (1977) 109-144.

    C. J. Maddison, D. Tarlow and T. Minka, "A* sampling", NeurIPS 27 (2014).

    Examples
    --------
    >>> gumbel_max([[0.0, 0.0, -np.inf], [1e4, -1e4, 0.0]], rng=0)
    array([0, 0])
    >>> (np.bincount(gumbel_max(np.zeros((6000, 3)), rng=1)) / 6000).round(2)
    array([0.34, 0.33, 0.33])
    """
    return _draw(_race, logits, (), axis, rng)


def sample_categorical(logits, size=None, *, axis=-1, rng=None, method="auto"):
    r"""Independent draws from the softmax of the logits.

    .. math:: \Pr(K = k) = \pi_k = \frac{e^{x_k}}{\sum_j e^{x_j}}

    Parameters
    ----------
    logits : array_like, shape (..., K)
        Real logits; ``-inf`` masks a category.
    size : int, tuple of int or None
        How many draws from each slice; `None` is one, without an axis.
    axis : int
        Axis of the categories.
    rng : None, int or numpy.random.Generator
    method : {"auto", "inverse_cdf", "gumbel_max"}
        How; "auto" takes the inverse distribution function, the faster one at every
        size that was measured but a single short row.

    Returns
    -------
    ndarray of integers or scalar, shape (*size, ...)
        The categories drawn: first the axes of `size`, then those of the batch, as
        in ``torch.distributions.Categorical.sample``. In every direction they are
        independent, and in no particular order.

    Raises
    ------
    ValueError
        `method` is none of these; `size` is negative; `logits` has no such axis
        or no categories; a slice holds NaN, or nothing but ``-inf``.

    Notes
    -----
    Where there are many categories, the distribution function is inverted in two
    steps: one uniform number picks a group of them by its total, and a second one
    picks the category. So a single draw needs no cumulative sum over all categories,
    and fewer roundings add up. Many draws find their groups by an index over equal
    parts of [0, 1] (Chen and Asau 1974).

    A category of probability 0 is never drawn, whatever the uniform number. The
    law is the softmax up to rounding: the total variation is at most about
    :math:`2^{-53}\,(4 K + \bar g + 10)`, where :math:`\bar g` is the mean gap
    :math:`\sum_k \pi_k (m - x_k)`; for the method ``"gumbel_max"``,
    :math:`2^{-53}\,(10 K + \bar g + 10)`. These are absolute: a single category whose
    probability is far below :math:`2^{-53}` may have probability 0 here, by either
    method.

    Implements: eq-softmax-draw

    References
    ----------
    H.-C. Chen and Y. Asau, "On generating random variates from an empirical
    distribution", AIIE Transactions 6 (1974) 163-166.

    Examples
    --------
    >>> sample_categorical([0.0, 1.0, -np.inf], 10, rng=0)
    array([1, 1, 0, 0, 1, 1, 1, 1, 1, 1])
    >>> sample_categorical(np.zeros((4, 5)), (2, 3), rng=0).shape
    (2, 3, 4)
    """
    method = read_choice("method", method, tuple(_METHODS))
    return _draw(_METHODS[method], logits, read_size(size), axis, rng)


# --- Drawing ------------------------------------------------------------------


def _draw(pick, logits, size, axis, rng):
    """Apply ``pick(drawn, weights, k, rng)``, which fills `drawn`, block by block."""
    x, rng = as_real(logits, "logits")[0], read_rng(rng)
    x = move_axis(x, read_axis(axis, x.ndim), -1)
    lead, k = x.shape[:-1], x.shape[-1]
    if k == 0:
        raise ValueError(f"no categories to draw from: axis {axis} has length 0")
    rows = x.reshape(math.prod(lead), k)
    out = np.empty((math.prod(size), len(rows)), np.intp)
    step = max(1, _BLOCK // k)
    weights = _scratch(min(step, len(rows)), k)
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), step):
            block = rows[start : start + step]
            block = block.astype(np.promote_types(x.dtype, np.float64), copy=False)
            part = weights[: len(block)]
            if k <= _SHORT:  # the loops run over the rows instead of along them
                m, _ = shifted(np.ascontiguousarray(block.T), part.T, 0)
            else:
                m, _ = shifted(block, part[:, :k], -1)
                part[:, k:] = -np.inf
            if not np.minimum.reduce(m, axis=None) > -np.inf:
                _raise_no_draw(rows, lead)
            np.exp(part, out=part)
            pick(out[:, start : start + step], part, k, rng)
    return out.reshape(size + lead)[()]


def _scratch(rows, k):
    """Room for the weights: short rows are columns, long ones are made of whole groups."""
    if k <= _SHORT:
        return np.empty((k, rows)).T
    return np.empty((rows, -(-k // _GROUP) * _GROUP))


def _race(drawn, weights, k, rng):
    """First arrivals of exponential clocks whose rates are the weights."""
    weights = weights[:, :k]
    for part in _parts(drawn, weights.size):
        arrivals = exponential((*part.shape, k), rng)
        arrivals /= weights  # never 0 / 0
        part[:] = arrivals.argmin(-1)


def _inverse_cdf(drawn, weights, k, rng):
    """Entries of each row with probabilities proportional to the weights."""
    n, rows = drawn.shape
    row = np.arange(rows)
    if n * math.isqrt(k) > 2**14:  # more than it costs to prepare a row for many draws
        for i in row:
            _many_draws(drawn[:, i], weights[i], rng)
    elif k <= _FEW:
        cumulative = _accumulate(weights.T)
        for part in _parts(drawn, weights.size):
            t = rng.random(part.shape)
            t *= cumulative[-1]  # which is 1 at least, so that the product is less
            np.add.reduce(cumulative[:, None] <= t, axis=0, dtype=np.intp, out=part)
    elif k <= _SHORT:
        lines = np.zeros((2 ** (k - 1).bit_length(), rows))
        lines[:k] = weights.T
        cumulative = _accumulate(lines)
        for part in _parts(drawn, rows):
            part[:] = _descend(cumulative, row, rng.random(part.shape)) // rows
    else:
        groups = weights.reshape(rows, -1, _GROUP)
        totals = np.cumsum(groups @ np.ones(_GROUP), axis=-1)
        for part in _parts(drawn, weights.size):
            group = _first_above(totals, rng.random(part.shape))
            entries = np.cumsum(groups[row, group], axis=-1)
            part[:] = _first_above(entries, rng.random(part.shape)) + group * _GROUP


def _many_draws(drawn, weights, rng):
    """Fill `drawn` from one row of weights, which is prepared, in place if it can be, for many draws."""
    depth = 2 ** (weights.size // drawn.size).bit_length()
    padding = -weights.size % depth
    lines = np.append(weights, np.zeros(padding)) if padding else np.ascontiguousarray(weights)
    cumulative = _accumulate(lines.reshape(depth, -1))
    totals = np.cumsum(cumulative[-1])
    cells = 4 * totals.size  # of equal probability, and the number of totals below each
    scale = cells / totals[-1]
    cell = (totals * scale).astype(np.intp)
    below = np.append(0, np.bincount(cell, minlength=cells + 1).cumsum())
    for part in _parts(drawn, 1):
        t = rng.random(part.size) * totals[-1]
        column = below.take((t * scale).astype(np.intp))
        column += totals.take(column) <= t
        late = np.flatnonzero(totals.take(column) <= t)  # several totals in a cell
        column[late] = np.searchsorted(totals, t[late], side="right")
        part[:] = column if depth == 1 else _descend(cumulative, column, rng.random(part.size))


def _accumulate(lines):
    """Cumulative sums down the columns, in place."""
    if lines.shape[1] < 64:
        return np.add.accumulate(lines, axis=0, out=lines)
    for above, line in zip(lines, lines[1:]):
        line += above
    return lines


def _descend(cumulative, column, u):
    """Flat index of the first entry of the column above the share u of its total."""
    depth, width = cumulative.shape
    flat, t = cumulative.reshape(-1), _share(cumulative[-1].take(column), u)
    position = np.empty(u.shape, np.intp)
    position[:] = column
    while depth > 1:  # bisection: depth is a power of two
        depth //= 2
        position += (flat.take(position + (depth - 1) * width) <= t) * (depth * width)
    return position


def _first_above(cumulative, u):
    """Index of the first cumulative weight above the share u of the last one."""
    return (cumulative > _share(cumulative[..., -1], u)[..., None]).argmax(-1)


def _share(total, u):
    """u * total for u in [0, 1), and less than the total even if that is subnormal."""
    return np.minimum(u * total, np.nextafter(total, 0))


def _parts(drawn, size):
    """Views of so many draws that scratch space of `size` for each stays in the cache."""
    step = max(1, _BLOCK // size)
    return (drawn[start : start + step] for start in range(0, len(drawn), step))



def _raise_no_draw(rows, lead):
    row = np.argmax(np.isnan(rows).any(axis=-1))
    if np.isnan(rows[row]).any():
        raise ValueError(f"no distribution: a logit of slice {slice_at(row, lead)} is NaN")
    refuse_no_support(rows, lead)


_METHODS = {"auto": _inverse_cdf, "inverse_cdf": _inverse_cdf, "gumbel_max": _race}
