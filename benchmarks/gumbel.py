"""Categorical draws: speed against what a reader would use instead.

Run it from anywhere: ``python benchmarks/gumbel.py``. It takes about two minutes, writes
``gumbel.json`` beside itself, and says what the numbers mean in the ``note``.
"""

import os

from harness import publish, race  # first: it fixes the number of threads

# isort: split

import numpy as np
import scipy.special
import torch

from softmaxnotes.gumbel import gumbel_max, sample_categorical

ROWS = [(1000, 10), (1000, 1000), (64, 50_000)]
SINGLE = [1000, 100_000]
DRAWS = 10_000
SECONDS = float(os.environ.get("SECONDS", 5.0))  # per row of the table

NOTE = (
    "Time of each competitor divided by that of `sample_categorical`: above 1, `sample_categorical` is "
    "faster. One thread, one process; all take turns, in an order that rotates, and the fastest turn of "
    "each counts. Logits are standard normal doubles, and every competitor starts from them: "
    "torch.multinomial and Generator.choice need the softmax first, and the latter a loop over the "
    "rows; '-log(-log U)' and 'rng.gumbel' are the argmax of the logits plus noise, as usually "
    "written in NumPy. For 10 000 draws from one distribution, a race costs the number of draws times "
    "that of categories, so the Gumbel columns are of draws one hundredth as many, times 100."
)


def choice(x, rng):
    return np.array([rng.choice(len(p), p=p) for p in scipy.special.softmax(x, axis=-1)])


def double_log(x, rng):
    return np.argmax(x - np.log(-np.log(rng.random(x.shape))), axis=-1)


def numpy_gumbel(x, rng):
    return np.argmax(x + rng.gumbel(size=x.shape), axis=-1)


def one_per_row(x, rng):
    t = torch.from_numpy(x)
    return {
        "sample_categorical": lambda: sample_categorical(x, rng=rng),
        "gumbel_max": lambda: gumbel_max(x, rng=rng),
        "torch.multinomial": lambda: torch.multinomial(torch.softmax(t, -1), 1),
        "torch Categorical": lambda: torch.distributions.Categorical(logits=t).sample(),
        "Generator.choice": lambda: choice(x, rng),
        "-log(-log U)": lambda: double_log(x, rng),
        "rng.gumbel": lambda: numpy_gumbel(x, rng),
    }


def many_of_one(x, rng):
    t, few = torch.from_numpy(x), DRAWS // 100
    tiled = np.broadcast_to(x, (few, x.size))
    return {
        "sample_categorical": lambda: sample_categorical(x, DRAWS, rng=rng),
        "gumbel_max": lambda: sample_categorical(x, few, rng=rng, method="gumbel_max"),
        "torch.multinomial": lambda: torch.multinomial(torch.softmax(t, -1), DRAWS, replacement=True),
        "torch Categorical": lambda: torch.distributions.Categorical(logits=t).sample((DRAWS,)),
        "Generator.choice": lambda: rng.choice(x.size, DRAWS, p=scipy.special.softmax(x)),
        "-log(-log U)": lambda: double_log(tiled, rng),
        "rng.gumbel": lambda: numpy_gumbel(tiled, rng),
    }


def measured(draws, shape, calls, scale=()):
    seconds = race(calls, SECONDS)
    ours = seconds.pop("sample_categorical")
    ratios = [f"{seconds[name] * (100 if name in scale else 1) / ours:.3g}" for name in seconds]
    return [draws, str(shape), round(ours * 1e6, 1), *ratios]


def rows():
    rng = np.random.default_rng(0)
    for shape in ROWS:
        yield measured("one per row", shape, one_per_row(rng.normal(size=shape), rng))
    for n in SINGLE:
        calls = many_of_one(rng.normal(size=n), rng)
        yield measured(f"{DRAWS} of one", (n,), calls, ("gumbel_max", "-log(-log U)", "rng.gumbel"))


if __name__ == "__main__":
    names = list(one_per_row(np.zeros((1, 1)), None))[1:]
    publish(__file__, ["draws", "shape", "sample_categorical [µs]", *names], rows(), NOTE)
