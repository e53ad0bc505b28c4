"""What functions are given: it is read here, or refused by name, with what was expected and what came.

Where a docstring doesn't say otherwise: arrays are whatever `numpy.asarray` takes, booleans in them count as
0 and 1, and a tensor is taken as long as no gradient is asked of it; sizes, counts and axes are integers, not
booleans and not floats. What is of another type is a `TypeError`, which docstrings need not repeat.
"""

import math
import operator
import sys

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

# --- Arrays --------------------------------------------------------------------------


def as_array(x, name="an array"):
    """`numpy.asarray` of what has all its numbers: no mask, and no gradient that would be lost."""
    if type(x) is np.ndarray:
        return x
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"expected {name} without a mask, got a masked array; a masked logit is -inf")
    if is_tensor(x):
        if x.requires_grad:
            raise TypeError(f"expected {name} without a gradient, got a tensor that needs one: "
                            "pass x.detach()")
        if not x.is_complex() and x.dtype.is_floating_point and x.element_size() == 2:
            x = x.float()  # NumPy has no bfloat16
        x = x.cpu()
    return np.asarray(x)


def as_real(x, name="real numbers"):
    """Array in the floating type to compute in, and the type to return."""
    x = as_array(x, name)
    if x.dtype.char in "fdg" and x.dtype.isnative:  # the usual case
        return x, x.dtype
    if x.dtype.kind in "biu":
        x = x.astype(np.float64)
    elif x.dtype.kind != "f":
        what = name if name == "real numbers" else f"{name} to be real numbers"
        raise TypeError(f"expected {what}, got an array of type {x.dtype}")
    elif not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    return (x.astype(np.float32) if x.dtype == np.float16 else x), x.dtype


def read_floats(**arrays):
    """Arrays of the floating type in which they came, up to ``float64``."""
    found = []
    for name, x in arrays.items():
        x = as_array(x, name)
        if x.dtype.kind in "biu":
            x = x.astype(np.float64)
        if x.dtype.kind != "f" or x.dtype.itemsize > 8:
            raise TypeError(
                f"expected {name} to be real numbers up to float64, got an array of type {x.dtype}"
            )
        found.append(x)
    return found


def read_integers(name, values):
    """Array of integers; an empty one may be of any type."""
    values = as_array(values, name)
    if values.dtype.kind not in "iu" and values.size:
        raise TypeError(f"expected {name} to be integers, got an array of type {values.dtype}")
    return values.astype(np.intp, copy=False)


def read_labels(labels, n_classes, shape=None, name="labels"):
    """Integers from 0 to ``n_classes - 1``, of that shape."""
    labels = read_integers(name, labels)
    if shape is not None and labels.shape != shape:
        raise ValueError(f"expected {name} of shape {shape}, got {labels.shape}")
    if labels.size and not (labels.min() >= 0 and labels.max() < n_classes):
        raise ValueError(f"expected {name} from 0 to {n_classes - 1}, "
                         f"got {labels.min()} to {labels.max()}")
    return labels


def broadcast_shape(**arrays):
    """The shape that all of them have together."""
    shapes = {name: tuple(np.shape(x)) for name, x in arrays.items()}
    several = {*shapes.values()} - {()}
    if len(several) < 2:  # the usual case
        return several.pop() if several else ()
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        got = " and ".join(f"{name} of shape {shape}" for name, shape in shapes.items())
        raise ValueError(f"expected shapes that fit, got {got}") from None


def broadcast_to(shape, name, x):
    """View of that shape, which is not a smaller one."""
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        raise ValueError(f"expected {name} to broadcast to the shape {shape}, "
                         f"got {np.shape(x)}") from None


def all_finite(x):
    """Whether all are; the sum decides it in one pass, unless it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        return math.isfinite(np.add.reduce(x, axis=None)) or bool(np.isfinite(x).all())


def check_finite(**arrays):
    """Which entry of which array is infinite or NaN."""
    for name, x in arrays.items():
        if not all_finite(x):
            raise ValueError(f"expected finite numbers, got {first_entry(name, x, ~np.isfinite(x))}")


def check_positive(**arrays):
    """Which array has zero, a negative number or NaN."""
    for name, x in arrays.items():
        if not (x > 0).all():
            raise ValueError(f"expected {name} to be positive, got {first_entry(name, x, ~(x > 0))}")


def check_entries(name, x, valid, what):
    """Which entry isn't valid."""
    if not valid.all():
        raise ValueError(f"expected {name} {what}, got {first_entry(name, x, ~valid)}")


def check_bits(images):
    """Images of bits, one or more, a row each; an array or a tensor."""
    if images.ndim != 2 or not len(images) or not ((images == 0) | (images == 1)).all():
        raise ValueError("expected images of shape (N, pixels) with bits for pixels, "
                         f"got shape {tuple(images.shape)}")


def check_unit_interval(**arrays):
    """Which entry of which array isn't from 0 to 1; NaN isn't."""
    for name, x in arrays.items():
        if x.size and not (x.min() >= 0 and x.max() <= 1):
            check_entries(name, x, (x >= 0) & (x <= 1), "from 0 to 1")


def first_entry(name, x, wrong):
    """The first entry that is wrong, and where it is, as a message tells it."""
    first = np.unravel_index(np.argmax(wrong), np.shape(wrong))
    return f"{x[first]} in {entry_name(name, first)}"


def entry_name(name, index):
    """How an entry of an array is called."""
    return f"{name}[{', '.join(str(int(i)) for i in index)}]" if len(index) else name


# --- Numbers and choices -------------------------------------------------------------


def read_count(name, n, least=1):
    """An integer that is large enough."""
    n = _integer(name, n)
    if n < least:
        raise ValueError(f"expected {name} to be at least {least}, got {n}")
    return n


def read_number(name, x, *, positive=False):
    """One finite number, as a float."""
    given = as_array(x, name)
    if given.ndim or given.dtype.kind not in "biuf" or not np.isfinite(given) or positive and not given > 0:
        what = "one positive, finite number" if positive else "one finite number"
        raise ValueError(f"expected {name} to be {what}, got {x!r}")
    return float(given)


def read_size(size, name="size"):
    """Tuple of an integer, of several, or none."""
    if size is None:
        return ()
    try:
        size = tuple(map(operator.index, size)) if np.iterable(size) else (operator.index(size),)
    except TypeError:
        raise TypeError(f"expected {name} to be an integer or a tuple of integers, got {size!r}") from None
    if min(size, default=0) < 0:
        raise ValueError(f"expected {name} not to be negative, got {size}")
    return size


def read_axis(axis, ndim):
    """The number of an axis, from 0, that an array of so many has."""
    axis = _integer("axis", axis)
    try:
        return normalize_axis_index(axis, ndim)
    except np.exceptions.AxisError:
        there = f"axis to be from {-ndim} to {ndim - 1}" if ndim else "an array with axes"
        raise np.exceptions.AxisError(f"expected {there}, got axis {axis}") from None


def read_axes(axis, ndim):
    """The same for several axes, or for all of them, which `None` stands for."""
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, (tuple, list)):
        return (read_axis(axis, ndim),)
    axes = tuple(read_axis(a, ndim) for a in axis)
    if len(set(axes)) < len(axes):
        raise ValueError(f"expected axes that differ, got {axis}")
    return normalize_axis_tuple(axes, ndim)


def read_temperature(temperature, dtype=np.float64):
    """One positive number that is finite in that type, as a float."""
    if isinstance(temperature, (int, float)) and 1e-4 <= temperature <= 1e4:  # in any type, without a look
        return float(temperature)
    with np.errstate(all="ignore"):
        given = as_array(temperature, "temperature")
        valid = given.ndim == 0 and given.dtype.kind in "biuf" and 0 < np.dtype(dtype).type(given) < np.inf
    if not valid:
        raise ValueError(f"expected temperature to be one positive number, finite in {np.dtype(dtype)}, "
                         f"got {temperature!r}")
    return float(given)


def read_choice(name, value, choices):
    """One of a few words."""
    if value not in choices:
        words = [repr(word) for word in choices]
        listed = " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
        raise ValueError(f"expected {name} to be {listed}, got {value!r}")
    return value


def _integer(name, n):
    try:
        return operator.index(None if isinstance(n, bool) else n)
    except TypeError:
        raise TypeError(f"expected {name} to be an integer, got {n!r}") from None


# --- Randomness and tensors ----------------------------------------------------------


def read_rng(rng):
    """Generator of NumPy; `None` is one that nobody has seen, an integer its seed."""
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or not isinstance(rng, bool) and isinstance(rng, (int, np.integer)):
        return np.random.default_rng(rng)
    raise TypeError("expected rng to be None, an integer or a numpy.random.Generator, "
                    f"got {type(rng).__name__}")


def read_generator(generator, device="cpu"):
    """Generator of PyTorch, of which an integer is the seed; `None`, PyTorch's own, stays `None`."""
    import torch

    if generator is None or isinstance(generator, torch.Generator):
        return generator
    if not isinstance(generator, bool) and isinstance(generator, (int, np.integer)):
        return torch.Generator(device).manual_seed(int(generator))
    raise TypeError("expected generator to be None, an integer or a torch.Generator, "
                    f"got {type(generator).__name__}")


def is_tensor(x):
    """Whether it is one of torch, which isn't imported for that."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)
