"""Rows of real numbers: their shape, their maxima, and what the other entries weigh.

The last axis holds the categories; short rows are transposed, so that loops are long.
"""

import math

import numpy as np

from .arguments import as_real, read_axes, read_temperature

_BLOCK_BYTES = 2**20  # a block and its scratch space stay in the cache
_SHORT = 16  # so few categories are laid out one after the other
_FEW = 12  # of a single row: so few are computed one by one
_LONG = 256  # a row of so many is a loop by itself


def move_axis(x, source, destination):
    """`numpy.moveaxis`, which takes a while to see that the last axis stays the last."""
    stays = x.ndim and {source, destination} <= {-1, x.ndim - 1}
    return x if stays else np.moveaxis(x, source, destination)


def as_rows(x, axis):
    """View (or copy) of x as rows of categories, shape of the batch, and the axes.

    A single row is one-dimensional (and its maximum an array without axes), since
    that is faster.
    """
    if x.ndim == 1 and type(axis) is int and axis == -1:
        return x, (), (0,)
    axes = read_axes(axis, x.ndim)
    lead = tuple(n for a, n in enumerate(x.shape) if a not in axes)
    if not _are_last(axes, x.ndim):
        x = np.moveaxis(x, axes, range(len(lead), x.ndim))
    n, k = math.prod(lead), math.prod(x.shape[len(lead) :])
    return x.reshape(k if n == 1 else (n, k)), lead, axes


def _are_last(axes, ndim):
    return axes == (ndim - 1,) or axes == tuple(range(ndim - len(axes), ndim))


def blocks(rows, short=_SHORT):
    """Blocks that stay in the cache: their index, the data, the axis of the categories.

    Many short rows are transposed, so that the loops run over the rows instead of
    along them; a long row is a block by itself.
    """
    if rows.size == 0:
        return ()
    if rows.ndim == 1:
        return ((..., rows, -1),)
    n, k = rows.shape
    step = _BLOCK_BYTES // (k * rows.itemsize)
    if step < 8:
        return ((i, rows[i], -1) for i in range(n))
    parts = (slice(start, start + step) for start in range(0, n, step))
    if k <= short < n:
        return ((part, np.ascontiguousarray(rows[part].T), 0) for part in parts)
    return ((part, rows[part], -1) for part in parts)


def along_long(rows):
    """Let NumPy's loops run along long rows, until the `numpy.errstate` around the call ends.

    A buffer that holds several rows is first filled with copies of each row's maximum, which takes longer
    than the difference to it.
    """
    if rows.ndim == 2 and rows.shape[1] >= _LONG:
        np.setbufsize(_LONG)


def map_rows(fill, x, axis=-1, temperature=1.0, *, few=None, short=_SHORT):
    """Apply ``fill(out, x, k_axis)``, which returns the maxima, block by block.

    One short row may have a function of its own, ``few(gaps)``: see `gaps_of_few`.
    """
    x, dtype = as_real(x)
    temperature = read_temperature(temperature, x.dtype)
    if few is not None and (found := gaps_of_few(x, axis, temperature)):
        return np.array(few(found[1]), dtype)
    rows, lead, axes = as_rows(x, axis)
    out = np.empty_like(rows)
    with np.errstate(all="ignore"):
        along_long(rows)
        for index, block, k_axis in blocks(rows, short):
            target = np.empty_like(block) if k_axis == 0 else out[index]
            m = fill(target, block, k_axis)
            if not _all_finite(m) and (m == -np.inf).any():
                refuse_no_support(rows, lead)
            if k_axis == 0:
                out[index] = target.T
        out = out.astype(dtype, copy=False)
    if rows is x:
        return out
    if _are_last(axes, x.ndim):
        return out.reshape(x.shape)
    inner = tuple(x.shape[a] for a in axes)
    return np.moveaxis(out.reshape(lead + inner), range(len(lead), x.ndim), axes)


def gaps_of_few(x, axis, temperature=1.0):
    """Maximum m of a single short row, and its (x - m)/T, as floats; None if it is another array.

    On so few numbers Python is faster than NumPy. No gap is infinite, or too large for any type.
    """
    if x.ndim != 1 or not 0 < x.size <= _FEW or x.itemsize > 8:
        return None
    if type(axis) is not int or axis not in (-1, 0):  # a tuple, or to be refused
        return None
    row = x.tolist()
    m = max(row)
    if not -5e4 < (min(row) - m) / temperature:
        return None
    return m, [(v - m) / temperature for v in row]


def log_total_of_few(gaps):
    """Logarithm of the sum of the exponentials, of which one is 1."""
    weights = list(map(math.exp, gaps))
    weights[gaps.index(0)] = 0
    return math.log1p(math.fsum(weights))


def _all_finite(m):
    return math.isfinite(m.item() if m.size == 1 else np.add.reduce(m, axis=None))


def refuse_no_support(rows, lead):
    row = np.argmax((rows == -np.inf).all(axis=-1))
    raise ValueError(f"no distribution: every logit of slice {slice_at(row, lead)} is -inf")


def slice_at(row, lead):
    """Index of a row in the batch."""
    return tuple(int(i) for i in np.unravel_index(row, lead))


def shifted(x, out, k_axis, temperature=1.0):
    """Write (x - m)/T to `out`.

    The axis of the categories is the last one (rows), or the first one of two
    (columns, where there are few categories). Return the maxima m, which keep that
    axis, and their index (in rows only).
    """
    if k_axis == 0:
        m, top = np.maximum.reduce(x, axis=0, keepdims=True), None
    else:
        top = argmax(x)
        m = x[*top, ...] if x.ndim == 1 else x[top][:, None]
    if temperature > 1:  # halve, so that no difference overflows before the division
        np.subtract(x / 2, m / 2, out=out)
        out /= temperature / 2
    else:
        np.subtract(x, m, out=out)
        if temperature != 1:
            out /= temperature
    if not _all_finite(m):  # inf - inf: those that attain m share it
        np.copyto(out, np.where(x == m, 0, -np.inf), where=np.isinf(m))
    return m, top


def shifted_exp(x, gaps, weights, k_axis, temperature=1.0):
    """Write (x - m)/T to `gaps` and its exponential to `weights`, which may be the same array."""
    m, top = shifted(x, gaps, k_axis, temperature)
    np.exp(gaps, out=weights)
    return m, top


def weigh_others(weights, x, m, top):
    """Sum of the weights without one maximal entry, which becomes 0 in rows."""
    if top is None:
        total = np.add.reduce(weights, axis=0, keepdims=True)
        rest = np.add.reduce(weights * (x < m), axis=0, keepdims=True)
        return rest + (np.rint(total - rest) - 1)  # and those that tie with the maximum
    weights[top] = 0
    return np.add.reduce(weights, axis=-1, keepdims=True)


def argmax(rows):
    """Index of one maximal entry (or the first NaN) of each row."""
    top = rows.argmax(-1)
    return (top,) if rows.ndim == 1 else (np.arange(len(rows)), top)


def difference(a, b):
    """a - b, where two equal infinities are no distance apart."""
    return np.where(a == b, 0, a - b)
