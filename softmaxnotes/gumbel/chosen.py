"""Items that were chosen: their logits, beside the log-sum-exp of all others."""

import math

import numpy as np

from ..arguments import as_real, read_axis, read_integers, read_labels
from ..arrays import move_axis, refuse_no_support, slice_at
from ..softmax.numerics import logsumexp
from .race import BLOCK


def read_chosen(logits, indices, axis):
    """Logits, indices with the axes of the whole batch, both with the items last, and the type to return."""
    (x, dtype), indices = as_real(logits, "logits"), read_integers("indices", indices)
    x = move_axis(x, read_axis(axis, x.ndim), -1)
    indices = move_axis(indices, read_axis(axis, indices.ndim), -1)
    read_labels(indices, x.shape[-1], name="indices")
    ordered = np.sort(indices, axis=-1)
    same = ordered[..., 1:] == ordered[..., :-1]
    if same.any():
        raise ValueError(f"expected indices that differ, got {ordered[..., 1:][same][0]} twice")
    if x.size:
        top = x.max(axis=-1)
        check_maxima(top.ravel(), x.shape[:-1])
        if top.min() == -np.inf:
            refuse_no_support(x.reshape(-1, x.shape[-1]), x.shape[:-1])
    lead = x.shape[:-1]
    if lead != indices.shape[:-1]:
        try:
            lead = np.broadcast_shapes(lead, indices.shape[:-1])
        except ValueError:
            raise ValueError("expected logits and indices of one batch, got the shapes "
                             f"{x.shape} and {indices.shape}, items last") from None
        indices = np.broadcast_to(indices, lead + indices.shape[-1:])
    return x, indices, dtype


def check_maxima(m, lead):
    """Largest logits of the slices are below inf."""
    if not np.maximum.reduce(m, axis=None, initial=-np.inf) < np.inf:  # nor NaN
        row = np.argmax(~(m < np.inf))
        raise ValueError(f"expected logits below inf, got {m[row]} in slice {slice_at(row, lead)}")


def of_chosen(function, logits, indices, axis, *, each=False, rows_at_once=BLOCK):
    """Apply ``function(chosen, rest)`` to the logits of the items and the log-sum-exp of all others.

    It gives a number for each row, or one for `each` item.
    """
    x, indices, dtype = read_chosen(logits, indices, axis)
    *lead, k = indices.shape
    n, wide = x.shape[-1], np.promote_types(x.dtype, np.float64)
    number = np.arange(math.prod(x.shape[:-1])).reshape(x.shape[:-1])
    if number.shape != (*lead,):
        number = np.broadcast_to(number, lead)
    rows, items = number.ravel(), indices.reshape(number.size, k)
    flat = x.reshape(math.prod(x.shape[:-1]), n)
    out = np.empty((len(rows), k) if each else len(rows), wide)
    step = max(1, min(rows_at_once, BLOCK // max(n, 1)))
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            block = flat[rows[part]].astype(wide, copy=False)
            where = np.arange(len(block))[:, None], items[part]
            chosen = block[where]
            block[where] = -np.inf
            rest = logsumexp(block) if n else np.full(len(block), -np.inf)
            out[part] = function(chosen, rest)
        out = out.astype(dtype, copy=False)
    return move_axis(out.reshape(*lead, k), -1, axis) if each else out.reshape(lead)[()]
