"""Softmax and its relatives: speed and error against what a reader would use instead.

Run it from anywhere: ``python benchmarks/softmax.py``. It takes about two minutes, writes
``softmax.json`` beside itself, and says what the numbers mean in the ``note``.
"""

from functools import partial

from harness import largest_error, publish, race  # first: it fixes the number of threads

# isort: split

import mpmath as mp
import numpy as np
import scipy.special
import torch

from softmaxnotes import softmax as ours

SHAPES = [(10,), (1000, 10), (1000, 1000), (64, 50_000)]
DTYPES = [np.float32, np.float64]
SECONDS = 1.0  # per row of the table
CATEGORIES_CHECKED = 5000  # against mpmath, per row of the table

NOTE = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; "
    "all four take turns, in an order that rotates, each for at least a millisecond per turn, and "
    "the fastest turn of each counts. Logits are standard normal, the last axis holds the categories; "
    "'numpy' is the formula with the maximum subtracted, as usually written. "
    "The errors are the largest ones in units in the last place of the exact result (mpmath, 50 "
    "digits), on as many rows as hold 5000 categories, taken from those logits and, for a second half "
    "of the rows, from the same logits with 50 added to the first category, which then dominates."
)


def numpy_logsumexp(x):
    m = x.max(axis=-1, keepdims=True)
    return np.log(np.exp(x - m).sum(axis=-1)) + m[..., 0]


def numpy_softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def numpy_log_softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


CONTENDERS = {
    "logsumexp": {
        "ours": ours.logsumexp,
        "scipy": lambda x: scipy.special.logsumexp(x, axis=-1),
        "torch": lambda x: torch.logsumexp(x, -1),
        "numpy": numpy_logsumexp,
    },
    "softmax": {
        "ours": ours.softmax,
        "scipy": lambda x: scipy.special.softmax(x, axis=-1),
        "torch": lambda x: torch.softmax(x, -1),
        "numpy": numpy_softmax,
    },
    "log_softmax": {
        "ours": ours.log_softmax,
        "scipy": lambda x: scipy.special.log_softmax(x, axis=-1),
        "torch": lambda x: torch.log_softmax(x, -1),
        "numpy": numpy_log_softmax,
    },
}
NAMES = ["ours", "scipy", "torch", "numpy"]


def exact(name, row):
    row = [mp.mpf(float(v)) for v in row]
    m = max(row)
    weights = [mp.exp(v - m) for v in row]
    total = mp.fsum(weights)
    if name == "logsumexp":
        return [m + mp.log(total)]
    if name == "softmax":
        return [w / total for w in weights]
    return [v - m - mp.log(total) for v in row]


def errors(name, x):
    rows = np.atleast_2d(x)[: max(1, CATEGORIES_CHECKED // x.shape[-1])]
    sure = rows.copy()
    sure[:, 0] += 50
    worst = dict.fromkeys(NAMES, 0.0)
    for batch in (rows, sure):
        want = [v for row in batch for v in exact(name, row)]
        for contender, f in CONTENDERS[name].items():
            got = f(torch.from_numpy(batch) if contender == "torch" else batch)
            worst[contender] = max(worst[contender], largest_error(got, want, x.dtype))
    return worst


def measured(name, x):
    """A row of the table."""
    inputs = {contender: torch.from_numpy(x) if contender == "torch" else x for contender in NAMES}
    calls = {contender: partial(f, inputs[contender]) for contender, f in CONTENDERS[name].items()}
    seconds, error = race(calls, SECONDS), errors(name, x)
    ratios = [round(seconds[other] / seconds["ours"], 2) for other in NAMES[1:]]
    shape, dtype = str(x.shape), x.dtype.name
    return [name, shape, dtype, round(seconds["ours"] * 1e6, 1), *ratios, *(f"{error[c]:.3g}" for c in NAMES)]


def rows():
    rng = np.random.default_rng(0)
    for shape in SHAPES:
        for dtype in DTYPES:
            x = rng.normal(size=shape).astype(dtype)
            yield from (measured(name, x) for name in CONTENDERS)


if __name__ == "__main__":
    mp.mp.dps = 50
    columns = ["function", "shape", "dtype", "ours [µs]", *(f"{name} / ours" for name in NAMES[1:])]
    publish(__file__, [*columns, *(f"{name} error [ulp]" for name in NAMES)], rows(), NOTE)
