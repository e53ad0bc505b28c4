"""What functions are given: sizes, counts, axes, arrays, bits and tensors are read, or refused by name."""

import math
import operator
import sys

import numpy as np


def read_size(size, name="size"):
    """Tuple of an integer, of several, or none."""
    if size is None:
        return ()
    try:
        size = tuple(map(operator.index, size)) if np.iterable(size) else (operator.index(size),)
    except TypeError:
        raise TypeError(f"{name} must be an integer or a tuple of integers, got {size!r}") from None
    if min(size, default=0) < 0:
        raise ValueError(f"{name} must not be negative, got {size}")
    return size


def read_count(name, n, least=1):
    """An integer that is large enough."""
    n = _integer(name, n)
    if n < least:
        raise ValueError(f"expected {name} of at least {least}, got {n}")
    return n


def read_axis(axis):
    """The number of an axis, which an array may still lack."""
    return _integer("axis", axis)


def _integer(name, n):
    try:
        return operator.index(None if isinstance(n, bool) else n)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {n!r}") from None


def is_tensor(x):
    """Whether it is one of torch, which isn't imported for that."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def read_floats(**arguments):
    """Arrays of the floating type in which they came, up to ``float64``."""
    arrays = []
    for name, x in arguments.items():
        if isinstance(x, np.ma.MaskedArray):
            raise TypeError(f"expected {name} without a mask, got a masked array")
        x = np.asarray(x)
        if x.dtype.kind in "biu":
            x = x.astype(np.float64)
        if x.dtype.kind != "f" or x.dtype.itemsize > 8:
            raise TypeError(
                f"expected {name} to be real numbers up to float64, got an array of type {x.dtype}"
            )
        arrays.append(x)
    return arrays


def all_finite(x):
    """Whether all are; the sum decides it in one pass, unless it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        return math.isfinite(np.add.reduce(x, axis=None)) or bool(np.isfinite(x).all())


def check_finite(**arrays):
    """Which entry of which array is infinite or NaN."""
    for name, x in arrays.items():
        if not all_finite(x):
            first = np.unravel_index(np.argmin(np.isfinite(x)), np.shape(x))
            raise ValueError(f"expected finite numbers, got {x[first]} in {entry_name(name, first)}")


def check_positive(**arrays):
    """Which array has zero, a negative number or NaN."""
    for name, x in arrays.items():
        if not (x > 0).all():
            raise ValueError(f"expected {name} to be positive, got {x[~(x > 0)][0]}")


def entry_name(name, index):
    """How an entry of an array is called."""
    return f"{name}[{', '.join(str(int(i)) for i in index)}]" if len(index) else name


def check_bits(images):
    """Images of bits, one or more, a row each; an array or a tensor."""
    if images.ndim != 2 or not len(images) or not ((images == 0) | (images == 1)).all():
        raise ValueError("expected images of shape (N, pixels) with bits for pixels, "
                         f"got shape {tuple(images.shape)}")
