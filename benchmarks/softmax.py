"""Softmax and its relatives: speed and error against what a reader would use instead.

Run it from anywhere: ``python benchmarks/softmax.py``. It takes about half a minute, writes
``softmax.json`` beside itself, and says what the numbers mean in the ``note``.
"""

from functools import partial

from harness import (  # first: it fixes the number of threads
    Why,
    largest_error,
    numpy_log_softmax,
    numpy_softmax,
    publish,
    race,
)

# isort: split

import mpmath as mp
import numpy as np
import scipy.special
import torch

from softmaxnotes import softmax as ours

SHAPES = [(10,), (1000, 10), (1000, 1000), (64, 50_000)]
DTYPES = [np.float32, np.float64]
SECONDS = 2.0  # per row of the table
CATEGORIES_CHECKED = 2000  # against mpmath, per row of the table

NOTE = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all "
    "four take turns, in a random order, each for at least a millisecond per turn, and the fastest "
    "turn of each counts. Logits are standard normal, the last axis holds the categories; 'numpy' is "
    "the formula with the maximum subtracted, as usually written. The errors are the largest ones in "
    "units in the last place of the exact result (mpmath, 50 digits), on as many rows as hold 2000 "
    "categories, taken from those logits and, for a second half of the rows, from the same logits with "
    "50 added to the first category, which then dominates. `online_logsumexp` gets the last axis in "
    "ten chunks; the others get it whole."
)


def numpy_logsumexp(x):
    m = x.max(axis=-1, keepdims=True)
    return np.log(np.exp(x - m).sum(axis=-1)) + m[..., 0]


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
CONTENDERS["online_logsumexp"] = CONTENDERS["logsumexp"] | {
    "ours": lambda x: ours.online_logsumexp(np.array_split(x, 10, axis=-1))
}
NAMES = ["ours", "scipy", "torch", "numpy"]


def exact(name, row):
    row = [mp.mpf(float(v)) for v in row]
    m = max(row)
    weights = [mp.exp(v - m) for v in row]
    total = mp.fsum(weights)
    if name in ("logsumexp", "online_logsumexp"):
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


def numpy_floor():
    """Two of the five calls that a softmax in NumPy needs, over the whole of torch's."""
    x = np.zeros(10)
    t = torch.from_numpy(x)
    seconds = race({
        "numpy": lambda: (np.maximum.reduce(x), np.add.reduce(x)),
        "torch": lambda: torch.softmax(t, -1),
    }, SECONDS)
    return seconds["numpy"] / seconds["torch"]


def numpy_passes():
    """The five passes of a softmax in NumPy, in place and in the cache, over the whole of torch's."""
    x = np.random.default_rng(0).normal(size=(100, 1000)).astype(np.float32)
    t, e, s = torch.from_numpy(x), np.empty_like(x), x[:, :1].copy()

    def passes():
        with np.errstate():
            np.setbufsize(256)  # no buffer for several rows, as in ours
            x.argmax(-1)
            np.subtract(x, s, out=e)
            np.exp(e, out=e)
            np.add.reduce(e, axis=-1)
            np.divide(e, s, out=e)

    seconds = race({"numpy": passes, "torch": lambda: torch.softmax(t, -1)}, SECONDS)
    return seconds["numpy"] / seconds["torch"]


def chunks():
    """Ten maxima, differences, exponentials and sums of one number, over torch's on ten numbers."""
    x = np.zeros(1)
    t = torch.zeros(10, dtype=torch.float64)

    def ten():
        for _ in range(10):
            np.add.reduce(np.exp(x - np.maximum.reduce(x)))

    seconds = race({"numpy": ten, "torch": lambda: torch.logsumexp(t, -1)}, SECONDS)
    return seconds["numpy"] / seconds["torch"]


def exponential():
    """The exponential of the largest array by itself, over our softmax of it."""
    x = np.random.default_rng(0).normal(size=SHAPES[-1])
    e = np.empty_like(x)
    seconds = race({"numpy": lambda: np.exp(x, out=e), "ours": lambda: ours.softmax(x)}, SECONDS)
    return seconds["numpy"] / seconds["ours"]


WHYS = [
    Why(lambda row, rival: row["function"] == "online_logsumexp",
        "`online_logsumexp` calls NumPy ten times as often, once for each chunk: on ten single "
        "numbers, those calls alone take {} times as long as torch.logsumexp of all ten; it is for "
        "what doesn't fit into memory.",
        chunks),
    Why(lambda row, rival: row["shape"] == "(10,)" and rival.startswith("torch"),
        "for ten numbers, NumPy's maximum and sum alone take {} times as long as all of torch's softmax.",
        numpy_floor),
    Why(lambda row, rival: row["shape"] != "(10,)" and rival.startswith("torch"),
        "for many, torch goes over the logits once or twice, with vector instructions; the passes that "
        "any softmax in NumPy makes take {} times as long, by themselves and in the cache.",
        numpy_passes),
    Why(lambda row, rival: row["shape"] == str(SHAPES[-1]),
        "for millions, the exponential by itself takes {} of the whole of ours, and every form in NumPy "
        "needs it; which of them is ahead changes by a tenth or two from run to run.",
        exponential, 0.5),
]


def rows():
    rng = np.random.default_rng(0)
    for shape in SHAPES:
        for dtype in DTYPES:
            x = rng.normal(size=shape).astype(dtype)
            names = [name for name in CONTENDERS if name != "online_logsumexp"]
            yield from (measured(name, x) for name in names)
    yield from (measured("online_logsumexp", rng.normal(size=shape)) for shape in SHAPES[::3])


if __name__ == "__main__":
    mp.mp.dps = 50
    ratios = [f"{name} / ours" for name in NAMES[1:]]
    columns = ["function", "shape", "dtype", "ours [µs]", *ratios, *(f"{name} error [ulp]" for name in NAMES)]
    publish(__file__, columns, rows(), NOTE, ratios, WHYS)
