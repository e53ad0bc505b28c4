r"""Means under a softmax, computed in blocks and merged.

A block of scores :math:`z_i` with values :math:`v_i` is remembered by two things, its log-sum-exp and its
mean under the softmax,

.. math:: \ell = \log \sum_i e^{z_i}, \qquad o = \sum_i e^{z_i - \ell}\, v_i.

Pairs of blocks merge, in any order and grouping, to the pair of all their items,

.. math:: \ell = \log \sum_b e^{\ell_b}, \qquad o = \sum_b e^{\ell_b - \ell}\, o_b,

and :math:`(-\infty, 0)` is the pair of nothing. Attention over keys that don't fit at once, or that lie on
several machines, is such a merge; so are a draw from many classes, and a loss over a large vocabulary.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ..arguments import (
    all_finite,
    as_real,
    broadcast_shape,
    broadcast_to,
    check_entries,
    is_tensor,
    read_count,
    read_integers,
    read_number,
    read_rng,
)
from ..arrays import refuse_no_support
from ..gumbel.gumbel_max import sample_categorical
from ..softmax.numerics import logsumexp

__all__ = [
    "Attended",
    "PartialDraw",
    "PartialMean",
    "blockwise_attention",
    "chunked_cross_entropy",
    "merge_draws",
    "merge_means",
    "partial_mean",
]


class PartialMean(NamedTuple):
    """What a block has to remember of its scores and values."""

    lse: np.ndarray
    mean: np.ndarray


class PartialDraw(NamedTuple):
    """What a block has to remember of its scores and of the item that it drew."""

    lse: np.ndarray
    draw: np.ndarray


class Attended(NamedTuple):
    """Output of attention, and the log-sum-exp of the scores of each query."""

    output: np.ndarray
    lse: np.ndarray


def partial_mean(scores, values) -> PartialMean:
    r"""Log-sum-exp of some scores, and the mean of the values under their softmax.

    .. math:: \ell = \log \sum_{i=1}^n e^{z_i}, \qquad o = \sum_{i=1}^n \frac{e^{z_i}}{\sum_j e^{z_j}}\, v_i

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Real scores :math:`z_i`; ``-inf`` masks an item. There may be none.
    values : array_like, shape (..., n, v)
        A vector :math:`v_i` for each score; leading axes broadcast.

    Returns
    -------
    PartialMean
        ``lse`` of shape (...) and ``mean`` of shape (..., v), in the wider floating type of the two.

    Raises
    ------
    ValueError
        A score is ``+inf``; the shapes don't fit.

    Notes
    -----
    Of no items, or of masked ones only, it is ``(-inf, 0)``, which changes nothing when it is merged. The
    values of masked items don't matter, not even infinite ones or NaN. A score that is NaN makes its pair
    NaN.

    Implements: eq-block-mean

    References
    ----------
    M. N. Rabe and C. Staats, "Self-attention does not need O(n^2) memory", arXiv:2112.05682 (2021).

    Examples
    --------
    >>> lse, mean = partial_mean(np.log([4, 3]), [[3.0], [4.0]])
    >>> np.exp(lse).round(12), mean.round(6)
    (np.float64(7.0), array([3.428571]))
    >>> partial_mean([], np.zeros((0, 2)))
    PartialMean(lse=np.float64(-inf), mean=array([0., 0.]))
    """
    (z, z_type), (v, v_type) = as_real(scores, "scores"), as_real(values, "values")
    if z.ndim < 1 or v.ndim < 2 or z.shape[-1] != v.shape[-2]:
        raise ValueError("expected scores of shape (..., n) and values of shape (..., n, v), "
                         f"got {z.shape} and {v.shape}")
    lead = broadcast_shape(scores=np.empty(z.shape[:-1]), values=np.empty(v.shape[:-2]))
    check_entries("scores", z, z != np.inf, "below inf")
    dtype = np.promote_types(z_type, v_type)
    z = np.broadcast_to(z, (*lead, z.shape[-1]))
    lse = np.asarray(logsumexp(z))
    with np.errstate(all="ignore"):
        weights = np.exp(z - _finite_or_zero(_top(z)))
        total = weights.sum(axis=-1, keepdims=True)
        weights /= np.where(total == 0, 1, total)
        mean = _weigh(weights[..., None, :], v, (z != -np.inf)[..., None, :])[..., 0, :]
    return PartialMean(lse.astype(dtype, copy=False)[()], mean.astype(dtype, copy=False))


def merge_means(parts) -> PartialMean:
    r"""The log-sum-exp and the mean of several blocks together.

    .. math:: \ell = \log \sum_b e^{\ell_b}, \qquad o = \sum_b e^{\ell_b - \ell}\, o_b

    Parameters
    ----------
    parts : iterable of pairs (lse, mean)
        Of each block what `partial_mean` returns, or an attention kernel: arrays of shapes (...) and (...,
        v), the same for all blocks. The logarithm is the natural one; a kernel that takes base 2 needs its
        ``lse`` multiplied by ``log(2)``.

    Returns
    -------
    PartialMean
        ``lse`` of shape (...) and ``mean`` of shape (..., v), in the widest floating type of the parts.

    Raises
    ------
    ValueError
        There are no parts; their shapes differ, or aren't (...) and (..., v); an ``lse`` is NaN or ``+inf``.

    Notes
    -----
    Associative and commutative up to rounding, so that it can be done in a tree, on one machine or many, and
    in any order; ``(-inf, 0)`` is neutral, and the mean that comes with ``-inf`` doesn't matter. Where all
    blocks have ``-inf`` the result is ``(-inf, 0)``. Differences of ``lse`` of any size neither overflow nor
    warn.

    Implements: eq-merge-mean

    References
    ----------
    Z. Ye et al., "FlashInfer: efficient and customizable attention engine for LLM inference serving",
    arXiv:2501.01005 (2025), section 2.2.

    Examples
    --------
    >>> lse, mean = merge_means([(np.log(3), [5 / 3]), (np.log(7), [24 / 7])])
    >>> np.exp(lse).round(12), mean.round(12)
    (np.float64(10.0), array([2.9]))
    """
    read = [(as_real(lse, "lse"), as_real(mean, "mean")) for lse, mean in parts]
    if not read:
        raise ValueError("no parts to merge")
    lead = read[0][0][0].shape
    for (lse, _), (mean, _) in read:
        if mean.ndim != lse.ndim + 1 or mean.shape[:-1] != lse.shape:
            raise ValueError("expected lse and mean of shapes (...) and (..., v), "
                             f"got {lse.shape} and {mean.shape}")
        if lse.shape != lead or mean.shape != read[0][1][0].shape:
            raise ValueError(f"expected parts of one shape, got means of shapes {read[0][1][0].shape} "
                             f"and {mean.shape}")
        check_entries("lse", lse, lse < np.inf, "below inf")
    dtype = np.result_type(*(kind for part in read for _, kind in part))
    logs, means = np.stack([lse for (lse, _), _ in read], -1), np.stack([mean for _, (mean, _) in read], -2)
    return PartialMean(*(array.astype(dtype, copy=False)[()] for array in partial_mean(logs, means)))


def blockwise_attention(queries, keys, values, *, block=128, scale=None, causal=False, sink=None) -> Attended:
    r"""Attention, one block of keys after the other.

    .. math:: z_{qk} = \text{scale} \cdot \langle x_q, y_k\rangle, \qquad
              o_q = \sum_k \frac{e^{z_{qk}}}{\sum_i e^{z_{qi}}}\, v_k, \qquad \ell_q = \log \sum_k e^{z_{qk}}

    Parameters
    ----------
    queries : array_like, shape (..., L, d)
    keys : array_like, shape (..., n, d)
    values : array_like, shape (..., n, v)
        Leading axes broadcast.
    block : int
        So many keys at a time: no array has more than L times `block` scores for each batch.
    scale : float, optional
        By default :math:`1/\sqrt d`.
    causal : bool
        The last query sees all keys, the one before all but the last, and so on.
    sink : array_like, broadcastable to (..., L), optional
        The logit :math:`s` of one more key, whose value is 0: it multiplies the output by
        :math:`\sigma(\ell - s)`. ``-inf`` is no sink.

    Returns
    -------
    Attended
        ``output`` of shape (..., L, v) and ``lse`` of shape (..., L), which doesn't contain the sink, in the
        widest floating type of queries, keys and values.

    Raises
    ------
    ValueError
        The shapes don't fit; `block` is below 1; `scale` isn't a finite number; there are more queries than
        keys, and `causal`; a query sees no key, and has no sink.

    Notes
    -----
    Running maximum, running sum and running mean are those of FlashAttention; the result is that of all keys
    at once up to rounding, whatever the block. A query that sees nothing has, with a sink, the output 0 and
    the ``lse`` ``-inf``. Values that a query doesn't see don't matter to it, not even infinite ones or NaN.
    Where a score is NaN, or overflows, the output of its query is NaN.

    Implements: eq-any-reference

    References
    ----------
    T. Dao, D. Y. Fu, S. Ermon, A. Rudra and C. Ré, "FlashAttention: fast and memory-efficient exact attention
    with IO-awareness", NeurIPS 35 (2022), arXiv:2205.14135.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> q, k, v = rng.normal(size=(2, 4)), rng.normal(size=(9, 4)), rng.normal(size=(9, 3))
    >>> out, lse = blockwise_attention(q, k, v, block=2)
    >>> z = q @ k.T / 2
    >>> np.allclose(out, np.exp(z - lse[:, None]) @ v)
    True
    """
    read = [as_real(x, name) for x, name in ((queries, "queries"), (keys, "keys"), (values, "values"))]
    (q, k, v), dtype = (x for x, _ in read), np.result_type(*(kind for _, kind in read))
    block = read_count("block", block)
    if min(q.ndim, k.ndim, v.ndim) < 2 or q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise ValueError("expected queries, keys and values of shapes (..., L, d), (..., n, d) and "
                         f"(..., n, v), got {q.shape}, {k.shape} and {v.shape}")
    length, n = q.shape[-2], k.shape[-2]
    scale = 1 / np.sqrt(max(q.shape[-1], 1)) if scale is None else read_number("scale", scale)
    if causal and length > n:
        raise ValueError(f"expected at most as many queries as keys, got {length} and {n}")
    lead = broadcast_shape(**{name: np.empty(x.shape[:-2])
                              for name, x in (("queries", q), ("keys", k), ("values", v))})
    kind = np.result_type(q, k, v)
    q = q * kind.type(scale)
    m, s = np.full((*lead, length, 1), -np.inf, kind), np.zeros((*lead, length, 1), kind)
    out = np.zeros((*lead, length, v.shape[-1]), kind)
    last = np.arange(length)[:, None] + n - length  # the last key that a query sees
    with np.errstate(all="ignore"):
        for start in range(0, n, block):
            part = slice(start, start + block)
            z = q @ np.swapaxes(k[..., part, :], -1, -2)
            seen = True
            if causal and start + block > n - length:  # some queries don't see all of it
                seen = np.arange(n)[part] <= last
                z = np.where(seen, z, -np.inf)
            new = np.maximum(m, _top(z))
            weights, keep = np.exp(z - _finite_or_zero(new)), np.exp(m - _finite_or_zero(new))
            s = keep * s + weights.sum(axis=-1, keepdims=True)
            out = keep * out + _weigh(weights, v[..., part, :], seen)
            m = new
        lse = np.where(s == 0, -np.inf, m + np.log(s))[..., 0]
        gate = np.ones((), kind)
        if sink is not None:
            sink = broadcast_to((*lead, length), "sink", as_real(sink, "sink")[0])
            gate = np.where(sink == -np.inf, 1, 1 / (1 + np.exp(sink - lse)))[..., None]
            gate[(lse == -np.inf) & (sink > -np.inf)] = 0
        blind = (lse == -np.inf) & (True if sink is None else sink == -np.inf)
        if blind.any():
            first = tuple(int(i) for i in np.unravel_index(np.argmax(blind), blind.shape))
            raise ValueError(f"expected a key or a sink for each query, got neither for query {first}")
        out *= gate / np.where(s == 0, 1, s)
    return Attended(out.astype(dtype, copy=False), lse.astype(dtype, copy=False))


def merge_draws(parts, *, rng=None) -> PartialDraw:
    r"""One draw from a softmax, of the draws that several blocks have made.

    .. math:: \Pr(\text{block } b) = \frac{e^{\ell_b}}{\sum_c e^{\ell_c}}

    If the draw of a block has the probabilities :math:`e^{z_k - \ell_b}` of its own items, the draw that is
    kept has the probability :math:`e^{z_k}/\sum_i e^{z_i}` among all.

    Parameters
    ----------
    parts : iterable of pairs (lse, draw)
        Of each block the log-sum-exp of its scores and the item that it drew, arrays of one shape (...). The
        draws of different blocks are to be independent of `rng`.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    PartialDraw
        ``lse`` of all items and the ``draw`` that is kept, of shape (...). They can be merged again.

    Raises
    ------
    ValueError
        There are no parts; shapes differ; an ``lse`` is NaN or ``+inf``, or that of all parts is ``-inf``.

    Notes
    -----
    A part whose ``lse`` is ``-inf`` is never chosen. One uniform number is drawn for each slice, or two if
    there are many parts.

    Implements: eq-merge-draw

    Examples
    --------
    Two machines with the classes 0, 1, 2 and 3, 4 of weights 1 and 9:

    >>> merge_draws([(np.log(1), 2), (np.log(9), 4)], rng=0)
    PartialDraw(lse=np.float64(2.302585092994046), draw=np.int64(4))
    >>> many = [(np.full(1000, np.log(1)), np.full(1000, 2)), (np.full(1000, np.log(9)), np.full(1000, 4))]
    >>> float((merge_draws(many, rng=0).draw == 4).mean())
    0.911
    """
    read = [(*as_real(lse, "lse"), read_integers("draw", draw)) for lse, draw in parts]
    if not read:
        raise ValueError("no parts to merge")
    lead = read[0][0].shape
    for lse, _, draw in read:
        if lse.shape != lead or draw.shape != lead:
            raise ValueError(f"expected lse and draw of one shape in all parts, got {lead} and "
                             f"{draw.shape if lse.shape == lead else lse.shape}")
        check_entries("lse", lse, lse < np.inf, "below inf")
    rng, dtype = read_rng(rng), np.result_type(*(kind for _, kind, _ in read))
    logs = np.stack([lse for lse, _, _ in read], -1)
    if logs.size and np.asarray(logs.max(-1)).min() == -np.inf:
        refuse_no_support(logs.reshape(-1, logs.shape[-1]), lead)
    chosen = np.asarray(sample_categorical(logs, rng=rng))
    draws = np.take_along_axis(np.stack([draw for _, _, draw in read], -1), chosen[..., None], -1)[..., 0]
    return PartialDraw(np.asarray(logsumexp(logs)).astype(dtype)[()], draws[()])


def chunked_cross_entropy(features, weights, labels, *, chunk=4096):
    r"""Mean cross-entropy of a linear layer over many classes, without all of its logits at once.

    .. math:: \frac1B \sum_{b=1}^B \Bigl(\log \sum_{k=0}^{V-1} e^{\langle w_k, x_b\rangle}
              - \langle w_{y_b}, x_b\rangle\Bigr)

    Parameters
    ----------
    features : Tensor of a floating type, shape (B, d)
        Rows :math:`x_b`.
    weights : Tensor of a floating type, shape (V, d)
        A row :math:`w_k` for each class.
    labels : Tensor of int64, shape (B,)
        Classes :math:`y_b` from 0 to V - 1.
    chunk : int
        So many classes at a time: never more than B times `chunk` logits are held.

    Returns
    -------
    Tensor, shape ()
        Of the wider type of the two; differentiable once, in features and weights.

    Raises
    ------
    TypeError
        Features and weights aren't tensors of a floating type, or labels not of int64.
    ValueError
        Shapes don't fit; there are no rows; a label is outside 0 to V - 1; `chunk` is below 1.

    Notes
    -----
    Equal to ``F.cross_entropy(features @ weights.T, labels)`` up to rounding. The forward pass keeps one
    log-sum-exp for each row, and the backward pass computes each chunk of logits again; logits are computed
    in the wider type of the two, at least ``float32``, with autocast switched off: under autocast features
    may come in half precision, and the weights do not.

    Implements: eq-categorical-gradient

    References
    ----------
    E. Wijmans, B. Huval, A. Hertzberg, V. Koltun and P. Krähenbühl, "Cut your losses in large-vocabulary
    language models", ICLR 2025, arXiv:2411.09009.

    Examples
    --------
    >>> import torch
    >>> x = torch.zeros(2, 3, requires_grad=True)
    >>> loss = chunked_cross_entropy(x, torch.eye(5, 3), torch.tensor([0, 4]), chunk=2)
    >>> loss.backward()
    >>> round(loss.item(), 4), x.grad[0]
    (1.6094, tensor([-0.4000,  0.1000,  0.1000]))
    """
    import torch

    chunk = read_count("chunk", chunk)
    for name, x in (("features", features), ("weights", weights)):
        if not is_tensor(x) or not x.is_floating_point():
            raise TypeError(f"expected {name} to be a tensor of a floating type, "
                            f"got {x.dtype if is_tensor(x) else type(x).__name__}")
    if not is_tensor(labels) or labels.dtype != torch.int64:
        raise TypeError("expected labels to be a tensor of torch.int64, "
                        f"got {labels.dtype if is_tensor(labels) else type(labels).__name__}")
    if (features.ndim != 2 or weights.ndim != 2 or features.shape[1] != weights.shape[1]
            or labels.shape != features.shape[:1] or not len(features)):
        raise ValueError("expected features, weights and labels of shapes (B, d), (V, d) and (B,), "
                         f"B at least 1, got {tuple(features.shape)}, {tuple(weights.shape)} and "
                         f"{tuple(labels.shape)}")
    if labels.min() < 0 or labels.max() >= len(weights):
        raise ValueError(f"expected labels from 0 to {len(weights) - 1}, "
                         f"got {labels.min().item()} to {labels.max().item()}")
    return _chunked_loss()(features, weights, labels, chunk)


@cache
def _chunked_loss():
    """The loss as a function that knows its gradient; torch is imported when it is needed."""
    import torch

    def in_common(features, weights):
        common = torch.promote_types(features.dtype, weights.dtype)
        return features.to(torch.promote_types(common, torch.float32))

    def logits(features, weights, start, chunk):
        with torch.autocast(features.device.type, enabled=False):
            few = weights[start : start + chunk]
            return features @ few.to(features.dtype).T, few

    class ChunkedLoss(torch.autograd.Function):
        @staticmethod
        def forward(ctx, features, weights, labels, chunk):
            wide = in_common(features, weights)
            lse = torch.full(labels.shape, -torch.inf, dtype=wide.dtype, device=wide.device)
            for start in range(0, len(weights), chunk):
                z, _ = logits(wide, weights, start, chunk)
                lse = torch.logaddexp(lse, torch.logsumexp(z, -1))
            own = (wide * weights[labels].to(wide.dtype)).sum(-1)
            ctx.save_for_backward(features, weights, labels, lse)
            ctx.chunk = chunk
            return (lse - own).mean().to(torch.promote_types(features.dtype, weights.dtype))

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, upstream):
            features, weights, labels, lse = ctx.saved_tensors
            wide = in_common(features, weights)
            of_features, of_weights = torch.zeros_like(wide), torch.empty_like(weights)
            rows = torch.arange(len(labels), device=labels.device)
            for start in range(0, len(weights), ctx.chunk):
                z, few = logits(wide, weights, start, ctx.chunk)
                z.sub_(lse[:, None]).exp_()  # probabilities
                here = (labels >= start) & (labels < start + ctx.chunk)
                z[rows[here], labels[here] - start] -= 1
                z *= upstream.to(z.dtype) / len(labels)
                with torch.autocast(z.device.type, enabled=False):
                    of_features += z @ few.to(z.dtype)
                    of_weights[start : start + ctx.chunk] = z.T @ wide
            return of_features.to(features.dtype), of_weights, None, None

    return ChunkedLoss.apply


def _top(z):
    """The largest score of each row, ``-inf`` if there is none."""
    return np.max(z, axis=-1, keepdims=True, initial=-np.inf)


def _finite_or_zero(m):
    """A maximum to subtract: of a row where nothing is seen, 0."""
    return np.where(m == -np.inf, m.dtype.type(0), m)


def _weigh(weights, values, seen):
    """Sums of (..., n, v) weighted by (..., L, n); a value that isn't seen counts as 0, whatever it is."""
    if all_finite(values):
        return weights @ values
    finite = np.isfinite(values)
    odd = weights[..., None] * np.where(finite, 0, values)[..., None, :, :]
    return weights @ np.where(finite, values, 0) + np.where(np.asarray(seen)[..., None], odd, 0).sum(axis=-2)
