"""The ARSM gradient against the matrix of all swaps.

Run it from anywhere: ``python benchmarks/rewards.py``. It takes about a minute, and writes ``rewards.json``
beside itself.
"""

from harness import Why, publish, race  # first: it fixes the number of threads

# isort: split

import numpy as np

from softmaxnotes import rewards as ours

RIVALS = ["dense", "loop"]
SECONDS = 0.5  # per row of the table
BLOCK = 2**22  # entries of the matrix that the dense rival has at once

NOTE = (
    "One draw of the ARSM gradient for one variable. Time of each competitor divided by ours: above 1, we "
    "are faster. One thread, one process; all take turns, in a random order, each for at least a millisecond "
    "per turn, and the fastest turn of each counts. 'Dense' is the definition, vectorised: the winners after "
    "all swaps from the three best times, then the values, then the product with the shares, a block of rows "
    "at a time; 'loop' swaps one pair after the other and takes the arg min, up to 100 classes. Logits are "
    "all equal ('flat'), or normal with standard deviation 2 ('spread'); values are looked up in an array, "
    "so that they cost next to nothing. 'Values' is the part of the classes whose value ours asks for. All "
    "give the same gradient from the same shares, to 1e-12 of its largest entry, or the run stops."
)


def dense(values, x, w):
    """The matrix of rewards times the pulls, a block of rows at a time."""
    n, rate, pull = len(x), np.exp(-x), 1 / len(x) - w
    times, column = w * rate, np.arange(len(x))
    best = np.argsort(times)[:3]
    product = np.empty(n)
    for start in range(0, n, max(1, BLOCK // n)):
        c = column[start : start + max(1, BLOCK // n), None]
        # the first that is in neither place of the swap
        place = (best[0] == c) | (best[0] == column)
        nobody = best[0] * ~place
        second = place & (best[1] != c) & (best[1] != column)
        third = place & ~second
        rest = nobody + best[1] * second + (best[2] * third if n > 2 else 0)
        beaten = times[rest]
        if n == 2:
            beaten = np.where(third, np.inf, beaten)
        to_c, to_j = w * rate[c], w[c] * rate
        to_j = np.where(c == column, np.inf, to_j)
        winner = np.where(to_c < np.minimum(to_j, beaten), c, np.where(to_j < beaten, column, rest))
        product[c[:, 0]] = values[winner] @ pull
    return product - product.mean()


def loop(values, x, w):
    """One swap after the other."""
    n, rate = len(x), np.exp(-x)
    paid = np.empty((n, n))
    for c in range(n):
        for j in range(c + 1):
            swapped = w.copy()
            swapped[c], swapped[j] = w[j], w[c]
            paid[c, j] = paid[j, c] = values[(swapped * rate).argmin()]
    product = paid @ (1 / n - w)
    return product - product.mean()


class Given(np.random.Generator):
    """A generator whose exponential numbers are known before."""

    def __init__(self, numbers):
        super().__init__(np.random.PCG64(0))
        self.numbers = numbers

    def standard_exponential(self, size=None):
        return self.numbers.reshape(size)


def rows():
    for n in (10, 100, 1000, 10_000):
        for name, width in (("flat", 0.0), ("spread", 2.0)):
            rng = np.random.default_rng(n)
            x, values, times = width * rng.normal(size=n), rng.normal(size=n), rng.exponential(size=n)
            w, given = times / times.sum(), Given(times)

            def gradient(x=x, values=values, given=given):
                return ours.arsm_gradient(values.__getitem__, x, rng=given)

            calls = {"ours": gradient, "dense": lambda v=values, x=x, w=w: dense(v, x, w)}
            if n <= 100:
                calls["loop"] = lambda v=values, x=x, w=w: loop(v, x, w)
            found = gradient()
            for rival in RIVALS[: len(calls) - 1]:
                error = np.abs(calls[rival]() - found.gradient).max()
                if not error <= 1e-12 * np.abs(found.gradient).max():
                    raise ValueError(f"{rival} differs by {error} for {n} classes, {name}")
            seconds = race(calls, SECONDS)
            ratios = [round(seconds[k] / seconds["ours"], 2) if k in seconds else "" for k in RIVALS]
            yield ["arsm_gradient", name, str((n,)), round(seconds["ours"] * 1e6, 1), *ratios,
                   f"{found.n_evaluations / n:.0%}"]


def fixed():
    """A draw for 10 classes, over a hundredth of a hundred draws made at once."""
    x = np.random.default_rng(0).normal(size=10)
    seconds = race({"one": lambda: ours.arsm_gradient(np.cos, x, rng=0),
                    "many": lambda: ours.arsm_gradient(np.cos, x, size=100, rng=0)}, SECONDS)
    return seconds["one"] / (seconds["many"] / 100)


WHYS = [
    Why(lambda row, rival: row["shape"] in ("(10,)", "(100,)"),
        "a call has a fixed cost, for checks, masks and the draw, which many draws share: one draw for 10 "
        "classes alone takes {} times as long as one of a hundred that are made by one call.", fixed, 2),
]


if __name__ == "__main__":
    columns = ["function", "logits", "shape", "ours [µs]", *RIVALS, "values"]
    publish(__file__, columns, rows(), NOTE, RIVALS, WHYS)
