"""What swaps of shares do: the winners after all of them, and of three classes the exact regions."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from softmaxnotes.arguments import as_real, broadcast_shape, check_entries, check_finite
from softmaxnotes.gradients.estimate import read_params

__all__ = ["SwapRegion", "silent_region", "swap_quadrature", "swap_regions", "swapped_actions"]


def swapped_actions(logits, shares):
    r"""The winners of a race after each swap of two shares.

    The entry c, j is :math:`\arg\min_i w'_i e^{-x_i}`, where :math:`w'` is :math:`w` with the entries c and j
    swapped.

    Parameters
    ----------
    logits : array_like, shape (..., C)
        ``-inf`` masks a class: it never wins, and a swap with it changes nothing.
    shares : array_like, shape (..., C)
        :math:`w`, not negative; only their ratios matter. Leading axes broadcast against those of the
        logits.

    Returns
    -------
    ndarray of int, shape (..., C, C)
        Symmetric; the diagonal is the winner without a swap. A tie is won by the smaller class.

    Raises
    ------
    TypeError
        An argument isn't real.
    ValueError
        The shapes don't fit; a share is negative, NaN or infinite; a logit is NaN or ``+inf``, or a row has
        no other than ``-inf``.

    Notes
    -----
    This is the definition, with all its :math:`C^3` times; `softmaxnotes.rewards.arsm_gradient` doesn't make
    them.

    Examples
    --------
    >>> swapped_actions([0.0, 0.0, 0.0], [0.2, 0.3, 0.5])
    array([[0, 1, 2],
           [1, 0, 0],
           [2, 0, 0]])
    """
    logits, shares = (as_real(x, name)[0].astype(np.float64)
                      for name, x in (("logits", logits), ("shares", shares)))
    if not (logits.ndim and shares.ndim) or logits.shape[-1] != shares.shape[-1] or not logits.shape[-1]:
        raise ValueError("expected logits and shares of as many classes on the last axis, "
                         f"got shapes {logits.shape} and {shares.shape}")
    check_finite(shares=shares)
    check_entries("shares", shares, shares >= 0, "not to be negative")
    broadcast_shape(logits=logits, shares=shares)
    logits, shares = np.broadcast_arrays(logits, shares)
    shape, each = logits.shape, np.arange(logits.shape[-1])
    if logits.size == 0:
        return np.zeros((*shape, len(each)), np.intp)
    read_params(logits.reshape(-1, len(each)))
    closed = logits == -np.inf
    with np.errstate(divide="ignore", over="ignore"):
        log = np.log(np.where(closed, 1, shares))
        gaps = np.maximum(logits - logits.max(axis=-1, keepdims=True), -np.finfo(np.float64).max)
    order = np.broadcast_to(each, 3 * each.shape).copy()  # (c, j, i): whose share i has
    order[each[:, None], each, each[:, None]] = each
    order[each[:, None], each, each] = each[:, None]
    swapped = (log[..., order] - gaps[..., None, None, :]).argmin(axis=-1)
    first = (log - gaps).argmin(axis=-1)[..., None, None]
    return np.where(closed[..., None] | closed[..., None, :], first, swapped)


# --- Three classes: the triangle -----------------------------------------------------


class SwapRegion(NamedTuple):
    """A part of the triangle of shares of three classes, on which the winners after all swaps are the same.

    Attributes
    ----------
    actions : ndarray of int, shape (3, 3)
        As of `swapped_actions`.
    corners : tuple of tuples of 3 numbers
        Of a convex polygon, in order.
    area : number
        As a part of the whole triangle.
    centre : tuple of 3 numbers
        The centroid: the mean of a function that is linear on the region is its value there.
    """

    actions: np.ndarray
    corners: tuple
    area: Fraction
    centre: tuple


def swap_regions(probabilities):
    r"""All regions of the triangle of shares, for three classes, in exact arithmetic.

    Two times change their order on a line :math:`w_a \pi_j = w_b \pi_i`, through a corner; these lines cut
    the triangle.

    Parameters
    ----------
    probabilities : sequence of 3 numbers
        Positive: integers, `fractions.Fraction`, or ``float``, which is taken for the fraction that it is.
        They are divided by their sum.

    Returns
    -------
    list of SwapRegion
        Areas add up to exactly 1.

    Raises
    ------
    TypeError
        A probability isn't real.
    ValueError
        There aren't three, or one isn't positive and finite.

    Examples
    --------
    >>> regions = swap_regions([5, 3, 2])
    >>> sum(region.area for region in regions)
    Fraction(1, 1)
    >>> sum(region.area for region in regions if (region.actions == region.actions[0, 0]).all())
    Fraction(321, 4433)
    """
    law, cells = _three(probabilities), [_TRIANGLE]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        for ratio in {law[i] / law[j] for i in range(3) for j in range(3) if i != j}:
            cells = [part for cell in cells for part in _cut(cell, a, b, ratio)]
    return [_region(cell, law) for cell in cells]


def swap_quadrature(probabilities):
    r"""A quadrature rule on the triangle of shares, that is exact for the estimators and their squares.

    Each region of `swap_regions` is cut into triangles, and each triangle has three nodes, inside; on it the
    rule is exact for polynomials of degree 2.

    Parameters
    ----------
    probabilities : sequence of 3 numbers
        As for `swap_regions`.

    Returns
    -------
    shares : ndarray, shape (N, 3)
        Nodes; the rows add up to 1.
    weights : ndarray, shape (N,)
        They add up to 1.

    Raises
    ------
    TypeError, ValueError
        As `swap_regions`.

    Examples
    --------
    >>> shares, weights = swap_quadrature([5, 3, 2])
    >>> rewards = np.array([1.0, 2.0, 4.0])
    >>> paid = rewards[swapped_actions(np.log([5, 3, 2]), shares)]
    >>> pulled = (paid @ (1 / 3 - shares)[..., None])[..., 0]
    >>> weights @ (pulled - pulled.mean(axis=1, keepdims=True))  # the exact gradient
    array([-0.45,  0.03,  0.42])
    """
    nodes, weights = [], []
    for region in swap_regions(probabilities):
        start = region.corners[0]
        for u, v in zip(region.corners[1:], region.corners[2:]):
            triangle, area = np.array([start, u, v], float), float(_area(start, u, v))
            nodes.append((triangle.sum(axis=0) + 3 * triangle) / 6)
            weights += [area / 3] * 3
    return np.concatenate(nodes), np.array(weights)


def silent_region(probabilities):
    r"""Where every swap keeps the winner, for three classes: there the estimate of ARSM is exactly 0.

    Parameters
    ----------
    probabilities : sequence of 3 numbers
        As for `swap_regions`.

    Returns
    -------
    corners : tuple of tuples of 3 `fractions.Fraction`
        Of one convex polygon, in order; empty if the area is 0.
    area : fractions.Fraction
        As a part of the whole triangle.

    Raises
    ------
    TypeError, ValueError
        As `swap_regions`.

    Notes
    -----
    The winner there is the most probable class :math:`a`. It keeps the lead if its time stays below all
    others when the losers swap, :math:`w_a \pi_c \le w_j \pi_a`, and when it swaps with one of them,
    :math:`w_j \pi_j \le w_a \pi_a` and, for the third, :math:`w_j \pi_i \le w_i \pi_a`. If two classes are
    most probable, nothing is left.

    Examples
    --------
    >>> [str(silent_region(law)[1]) for law in ([5, 3, 2], [1, 1, 1], [18, 1, 1])]
    ['321/4433', '0', '289/370']
    """
    law = _three(probabilities)
    a = law.index(max(law))
    one, two = (i for i in range(3) if i != a)
    sides = [(a, j, law[a] / law[c]) for j in (one, two) for c in (one, two)]  # w_a at most so many w_j
    sides += [(j, a, law[a] / law[j]) for j in (one, two)]
    sides += [(one, two, law[a] / law[two]), (two, one, law[a] / law[one])]
    cell = _TRIANGLE
    for i, j, ratio in sides:
        parts = _cut(cell, i, j, ratio)
        below = [part for part in parts if any(w[i] < ratio * w[j] for w in part)]
        if not below:
            return (), Fraction(0)
        (cell,) = below
    return cell, sum(_area(cell[0], u, v) for u, v in zip(cell[1:], cell[2:]))


_TRIANGLE = tuple(tuple(Fraction(int(i == c)) for i in range(3)) for c in range(3))


def _three(probabilities):
    """Three fractions that add up to 1."""
    law = list(probabilities)
    if len(law) != 3:
        raise ValueError(f"expected three probabilities, got {len(law)} of them")
    as_numbers = as_real([float(p) if isinstance(p, Fraction) else p for p in law])[0]
    if not ((as_numbers > 0) & (as_numbers < np.inf)).all():
        raise ValueError(f"expected three probabilities that are positive and finite, got {probabilities}")
    law = [Fraction(p) if isinstance(p, Fraction) else Fraction(float(p)) for p in law]
    return [p / sum(law) for p in law]


def _area(u, v, w):
    """Of a triangle, as a part of the whole one."""
    return abs(u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
               + u[2] * (v[0] * w[1] - v[1] * w[0]))


def _cut(cell, a, b, ratio):
    """The parts of a polygon on both sides of the line w_a = ratio w_b."""
    heights = [w[a] - ratio * w[b] for w in cell]
    if min(heights) >= 0 or max(heights) <= 0:
        return [cell]
    parts = []
    for side in (1, -1):
        part = []
        for i, w in enumerate(cell):
            u, v = heights[i - 1] * side, heights[i] * side
            if u * v < 0:
                part.append(tuple((v * p - u * q) / (v - u) for p, q in zip(cell[i - 1], w)))
            if v >= 0:
                part.append(w)
        parts.append(tuple(part))
    return parts


def _region(corners, law):
    """A convex polygon with its area, its centroid and what happens there."""
    area, moment, start = Fraction(0), [Fraction(0)] * 3, corners[0]
    for u, v in zip(corners[1:], corners[2:]):  # triangles from the first corner
        part = _area(start, u, v)
        area += part
        moment = [m + part * (p + q + s) / 3 for m, p, q, s in zip(moment, start, u, v)]
    centre = tuple(m / area for m in moment)
    actions = np.zeros((3, 3), np.intp)
    for c in range(3):
        for j in range(3):
            swapped = list(centre)
            swapped[c], swapped[j] = swapped[j], swapped[c]
            actions[c, j] = min(range(3), key=lambda i: swapped[i] / law[i])
    return SwapRegion(actions, corners, area, centre)
