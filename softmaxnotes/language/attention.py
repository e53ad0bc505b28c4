r"""Attention: means under a softmax, their gradients, and what a bounded logit can buy.

A query :math:`q` scores every key, :math:`z_k = q \cdot k_k / \sqrt{d}`, and what it reads is a mean,

.. math:: o = \sum_k \pi_k v_k = \mathbb{E}\,v, \qquad \pi = \operatorname{softmax}(z).

Keys and values are on the axis before the last one, as in PyTorch, and leading axes broadcast. Two
functions tell how large a weight can be, from the number of keys and the range of the logits alone.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arguments import (
    as_array,
    as_real,
    broadcast_shape,
    broadcast_to,
    check_entries,
    entry_name,
    first_entry,
    read_integers,
    read_number,
)
from ..softmax import logit, logsumexp, sigmoid, softmax
from .blocks import Attended

__all__ = ["AttentionGradients", "attention", "attention_gradients", "largest_share", "needed_lead"]


class AttentionGradients(NamedTuple):
    """Derivatives with respect to what attention was given, each in the shape in which it was given.

    Attributes
    ----------
    queries : ndarray, shape (..., L, d)
    keys : ndarray, shape (..., n, d)
    values : ndarray, shape (..., n, v)
    sink : ndarray or None
        None if there was no sink.
    """

    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    sink: np.ndarray | None


def attention(queries, keys, values, *, scale=None, mask=None, causal=False, sink=None, cap=None):
    r"""Mean of the values under a softmax of the scores.

    .. math:: z_k = c\,\tanh\frac{q \cdot k_k}{c\,\sqrt{d}}, \qquad
              \text{output} = \sigma(\operatorname{lse}(z) - s)\,\sum_k \pi_k v_k, \qquad
              \pi = \operatorname{softmax}(z)

    with the soft cap :math:`c` (without one, :math:`z_k = q \cdot k_k/\sqrt{d}`) and the sink :math:`s`
    (without one, the factor is 1).

    Parameters
    ----------
    queries : array_like, shape (..., L, d)
    keys : array_like, shape (..., n, d)
    values : array_like, shape (..., n, v)
        The leading axes of all three broadcast.
    scale : float, optional
        What the dot products are multiplied by: :math:`1/\sqrt{d}` if it isn't told.
    mask : array_like of bool, broadcastable to (..., L, n), optional
        True where a query sees a key.
    causal : bool
        The last query sees the last key, the one before it all but that, and so on.
    sink : array_like, broadcastable to (..., L), optional
        Logit of one more key, whose value is 0; it is neither scaled nor capped nor masked, and may be
        ``-inf``, which is none.
    cap : float, optional
        Scores stay between ``-cap`` and ``cap``; it comes after the scale and before the mask.

    Returns
    -------
    Attended
        ``output``, shape (..., L, v), and ``lse``, shape (..., L), in the floating type of the input.

    Raises
    ------
    TypeError
        `mask` isn't Boolean, `causal` isn't one Boolean, or arrays aren't real.
    ValueError
        Shapes don't fit; `scale` isn't one finite number or `cap` not a positive one; `causal` with more
        queries than keys; a sink of ``+inf``; without a sink, a query that sees no key.

    Notes
    -----
    A query that sees no key has an ``lse`` of ``-inf``, and with a sink an output of 0. Keys and values that
    a query doesn't see don't matter, even if they are infinite or NaN. A score of ``-inf`` is unseen;
    keys with a score of ``+inf`` share equally.

    Implements: eq-attention-mean

    References
    ----------
    A. Vaswani et al., "Attention is all you need", NeurIPS 2017, for the scale.

    Examples
    --------
    >>> found = attention([[1.0]], [[1.0], [3.0]], [[10.0], [20.0]])
    >>> found.output.round(2), found.lse.round(2)
    (array([[18.81]]), array([3.13]))
    >>> attention([[1.0]], [[1.0], [3.0]], [[10.0], [20.0]], sink=3.0).output.round(2)
    array([[10.]])
    >>> attention([[1.0]], [[1.0], [3.0]], [[10.0], [20.0]], mask=[[True, False]]).output
    array([[10.]])
    """
    given = _read(queries, keys, values, scale, mask, causal, sink, cap)
    weights, lse = _weights(given)
    output = _sum_of_seen(weights, given.seen, given.values)
    return Attended(output.astype(given.dtype, copy=False), lse.astype(given.dtype, copy=False))


def attention_gradients(queries, keys, values, upstream, *, scale=None, mask=None, causal=False, sink=None):
    r"""Gradients of what queries read, with the weights recomputed.

    With the gradient :math:`g` of a loss in the output, and
    :math:`a_k = \pi_k\,\sigma(\operatorname{lse} - s)` (without a sink :math:`a_k = \pi_k`),

    .. math:: \frac{\partial}{\partial z_k} = a_k\,(g \cdot v_k - g \cdot \text{output}), \qquad
              \frac{\partial}{\partial v_k} = a_k\,g, \qquad
              \frac{\partial}{\partial s} = -(1 - \sigma(\operatorname{lse} - s))\; g \cdot \text{output}

    and those in a query and a key follow by the chain rule.

    Parameters
    ----------
    queries, keys, values
        As in `attention`, with the same keywords.
    upstream : array_like, broadcastable to (..., L, v)
        Gradient of the loss in the output.
    scale, mask, causal, sink
        As in `attention`.

    Returns
    -------
    AttentionGradients
        Sums over the axes along which an argument was broadcast, in the floating type of queries, keys and
        values.

    Raises
    ------
    TypeError, ValueError
        As `attention`; or `upstream` doesn't fit.

    Notes
    -----
    A query that sees no key has a gradient of 0, and gives none.

    Implements: eq-attention-slope

    References
    ----------
    T. Dao et al., "FlashAttention", NeurIPS 2022, appendix B, for weights that are recomputed from the lse.

    Examples
    --------
    >>> found = attention_gradients([[1.0]], [[1.0], [3.0]], [[10.0], [20.0]], [[1.0]])
    >>> found.queries.round(3)
    array([[2.1]])
    >>> found.values.round(3)
    array([[0.119],
           [0.881]])
    """
    given = _read(queries, keys, values, scale, mask, causal, sink, None)
    upstream, _ = as_real(upstream, "upstream")
    shape = (*given.lead, given.queries.shape[-2], given.values.shape[-1])
    upstream = broadcast_to(shape, "upstream", upstream.astype(given.queries.dtype, copy=False))
    weights, lse = _weights(given)
    seen, seen_by = given.seen, given.seen.mT
    output = _sum_of_seen(weights, seen, given.values)
    sink_ = None
    with np.errstate(all="ignore"):
        along = (upstream * output).sum(-1)
        pull = np.where(seen, weights * (upstream @ given.values.mT - along[..., None]), 0)
        queries_ = given.scale * _sum_of_seen(pull, seen, _nan_for_infinite(given.keys))
        keys_ = given.scale * _sum_of_seen(pull.mT, seen_by, _nan_for_infinite(given.queries))
        values_ = _sum_of_seen(weights.mT, seen_by, _nan_for_infinite(upstream))
        if given.sink is not None:
            shut = sigmoid(np.where(given.sink == -np.inf, -np.inf, given.sink - lse))
            sink_ = _summed_to(given.sink.shape, np.where(seen.any(-1), -shut * along, 0))
    found = [_summed_to(np.shape(x), gradient)
             for x, gradient in ((given.queries, queries_), (given.keys, keys_), (given.values, values_))]
    return AttentionGradients(*(x if x is None else x.astype(given.dtype, copy=False)
                                for x in (*found, sink_)))


def needed_lead(n, share):
    r"""How far a logit must lead all others to get a share.

    .. math:: R = \log(n - 1) + \log\frac{\text{share}}{1 - \text{share}}

    Parameters
    ----------
    n : array_like of int
        Number of keys, the leading one among them.
    share : array_like
        Between 0 and 1, both excluded.

    Returns
    -------
    ndarray or scalar
        The lead, for all others equal; a larger one if the others differ isn't needed. ``-inf`` if there is
        one key only.

    Raises
    ------
    ValueError
        `n` is below 1, or `share` isn't between 0 and 1.

    Notes
    -----
    Implements: eq-needed-lead

    Examples
    --------
    >>> needed_lead([16, 1024, 1_000_000], 0.5).round(2)
    array([ 2.71,  6.93, 13.82])
    """
    n = _read_keys(n)
    share, dtype = as_real(share, "share")
    check_entries("share", share, (share > 0) & (share < 1), "between 0 and 1")
    broadcast_shape(n=n, share=share)
    with np.errstate(divide="ignore"):
        return (np.log(n - 1.0) + logit(share)).astype(dtype, copy=False)[()]


def largest_share(n, spread):
    r"""The largest probability that a softmax of n logits within a range can have.

    .. math:: \frac{1}{1 + (n - 1)\,e^{-\text{spread}}}

    Parameters
    ----------
    n : array_like of int
        Number of logits.
    spread : array_like
        The difference of the largest and the smallest logit, at most; ``inf`` is allowed.

    Returns
    -------
    ndarray or scalar
        It is attained where one logit leads all others by `spread`.

    Raises
    ------
    ValueError
        `n` is below 1, or `spread` negative or NaN.

    Notes
    -----
    Implements: eq-lead

    Examples
    --------
    >>> largest_share([16, 1024, 1_000_000], 8.0).round(3)
    array([0.995, 0.745, 0.003])
    """
    n, spread, dtype = _read_range(n, spread)
    return (1 / (1 + (n - 1.0) * np.exp(-spread))).astype(dtype, copy=False)[()]


# --- What they are given, and its weights ---------------------------------------------


class _Given(NamedTuple):
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scale: float
    seen: np.ndarray
    scores: np.ndarray
    sink: np.ndarray | None
    lead: tuple
    dtype: np.dtype


def _read(queries, keys, values, scale, mask, causal, sink, cap):
    """Arrays of one floating type, and the scores, of which those that aren't seen are -inf."""
    arrays, types = {}, []
    for name, x in {"queries": queries, "keys": keys, "values": values}.items():
        arrays[name], dtype = as_real(x, name)
        types.append(dtype)
        if arrays[name].ndim < 2:
            raise ValueError(f"expected {name} with at least two axes, got shape {arrays[name].shape}")
    kind = np.result_type(*arrays.values())
    queries, keys, values = (x.astype(kind, copy=False) for x in arrays.values())
    (length, d), (n, width) = queries.shape[-2:], keys.shape[-2:]
    if d != width:
        raise ValueError(f"expected queries and keys of one length, got {d} and {width}")
    if values.shape[-2] != n:
        raise ValueError(f"expected a value for each of {n} keys, got {values.shape[-2]}")
    lead = broadcast_shape(**{f"leading axes of {name}": np.empty(x.shape[:-2])
                              for name, x in zip(arrays, (queries, keys, values), strict=True)})
    scale = 1 / math.sqrt(max(d, 1)) if scale is None else read_number("scale", scale)
    seen = _read_seen((*lead, length, n), mask, causal)
    with np.errstate(all="ignore"):
        scores = np.broadcast_to(kind.type(scale) * queries @ keys.mT, seen.shape)
        if cap is not None:
            cap = kind.type(read_number("cap", cap, positive=True))
            scores = cap * np.tanh(scores / cap)
    scores = np.where(seen, scores, -np.inf)
    if sink is not None:
        sink = as_real(sink, "sink")[0].astype(kind, copy=False)
        broadcast_to(seen.shape[:-1], "sink", sink)
        check_entries("sink", sink, sink != np.inf, "below infinity")
    return _Given(queries, keys, values, kind.type(scale), scores != -np.inf, scores, sink, lead,
                  np.result_type(*types))


def _read_seen(shape, mask, causal):
    """True where a query sees a key."""
    if not isinstance(causal, (bool, np.bool_)):
        raise TypeError(f"expected causal to be True or False, got {causal!r}")
    length, n = shape[-2:]
    seen = np.ones(shape, bool)
    if mask is not None:
        mask = as_array(mask, "mask")
        if mask.dtype != bool:
            raise TypeError("expected mask to be Boolean, True where a key is seen, "
                            f"got an array of type {mask.dtype}")
        seen &= broadcast_to(shape, "mask", mask)
    if causal:
        if length > n:
            raise ValueError(f"expected no more queries than keys if causal, got {length} and {n}")
        seen &= np.tri(length, n, n - length, dtype=bool)
    return seen


def _weights(given):
    """Weights, with what the sink leaves of them, and the lse."""
    alone = ~given.seen.any(-1)
    if alone.any():
        no_sink = alone if given.sink is None else alone & (given.sink == -np.inf)
        if no_sink.any():
            first = np.unravel_index(np.argmax(no_sink), no_sink.shape)
            raise ValueError(f"no distribution: {entry_name('queries', first)} sees no key")
    lse = np.asarray(logsumexp(given.scores)) if given.scores.size else np.full(alone.shape, -np.inf,
                                                                              given.scores.dtype)
    weights = np.where(given.seen, softmax(np.where(alone[..., None], 0, given.scores)), 0)
    if given.sink is not None:
        with np.errstate(invalid="ignore"):
            gap = np.where(given.sink == -np.inf, np.inf, lse - given.sink)
        weights = weights * sigmoid(gap)[..., None]
    return weights, lse


def _sum_of_seen(weights, seen, x):
    """``weights @ x``, in which 0 times what isn't seen is 0, whatever it is."""
    finite = np.isfinite(x)
    if finite.all():
        return weights @ x
    found = weights @ np.where(finite, x, 0)
    with np.errstate(invalid="ignore"):
        for odd in (np.inf, -np.inf, np.nan):
            there = np.isnan(x) if odd != odd else x == odd
            found = found + np.where(seen.astype(weights.dtype) @ there.astype(weights.dtype) > 0, odd, 0)
    return found.astype(weights.dtype, copy=False)


def _nan_for_infinite(x):
    return np.where(np.isinf(x), np.nan, x)


def _summed_to(shape, x):
    """Sum over the axes along which an array of that shape was broadcast."""
    extra = x.ndim - len(shape)
    x = x.sum(tuple(range(extra))) if extra else x
    stretched = tuple(a for a, size in enumerate(shape) if size == 1 != x.shape[a])
    return x.sum(stretched, keepdims=True) if stretched else x


def _read_keys(n):
    n = read_integers("n", n)
    check_entries("n", n, n >= 1, "to be at least 1")
    return n


def _read_range(n, spread):
    n = _read_keys(n)
    spread, dtype = as_real(spread, "spread")
    if not (spread >= 0).all():
        raise ValueError("expected spread not to be negative, "
                         f"got {first_entry('spread', spread, ~(spread >= 0))}")
    broadcast_shape(n=n, spread=spread)
    return n, spread, dtype
