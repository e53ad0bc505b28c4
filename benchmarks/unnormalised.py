"""Functionals on a grid: speed and error against what a reader would use instead.

Run it from anywhere: ``python benchmarks/unnormalised.py``. It takes about ten seconds, writes
``unnormalised.json`` beside itself, and says what the numbers mean in the ``note``.
"""

from harness import Why, publish, race  # first: it fixes the number of threads

# isort: split

import numpy as np
import scipy.optimize
import sympy as sp
import torch

from softmaxnotes.unnormalised import discretise, discretised_minimiser

SECONDS = 0.4  # per row of the table
RIVALS = ["scipy", "torch", "numpy"]

NOTE = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all take "
    "turns, in a random order, and the fastest turn of each counts. The functional is the area of a "
    "surface of revolution, the integral of f sqrt(1 + f'^2), of polygons with so many points, "
    "discretised by midpoints. 'numpy' is its sum written by hand, torch is automatic differentiation "
    "of that sum (torch.func.hessian gives a dense matrix, and is raced where it has few entries), and "
    "scipy is scipy.optimize.minimize with its default method, from the straight line, with our "
    "gradient. Making the functional from its formula is counted for the minimisers only. The error is "
    "the largest difference from torch, relative to the largest entry; of a minimiser it is the largest "
    "derivative that is left."
)

X = sp.Symbol("x")
F = sp.Function("f")(X)
AREA = F * sp.sqrt(1 + F.diff(X) ** 2)


def by_hand(y, h, sqrt):
    slope = (y[1:] - y[:-1]) / h
    return (h * (y[1:] + y[:-1]) / 2 * sqrt(1 + slope**2)).sum()


def cases(points):
    grid = np.linspace(0, 1, points)
    h, y = grid[1], np.cosh(grid) + 0.1 * np.sin(np.pi * grid)
    functional, t = discretise(AREA, F, X, grid), torch.from_numpy(y)

    def gradient():
        leaf = t.detach().requires_grad_()
        by_hand(leaf, h, torch.sqrt).backward()
        return leaf.grad

    yield "value", {"ours": lambda: functional.value(y), "torch": lambda: by_hand(t, h, torch.sqrt),
                    "numpy": lambda: by_hand(y, h, np.sqrt)}
    yield "gradient", {"ours": lambda: functional.gradient(y), "torch": gradient}
    dense = torch.func.hessian(lambda v: by_hand(v, h, torch.sqrt))
    calls = {"ours": lambda: functional.hessian(y)}
    if points < 100:
        calls["torch"] = lambda: dense(t)
    yield "hessian", calls


def minimisers(points):
    grid, ends = np.linspace(0, 1, points), ((0, 1), (1, np.cosh(1)))
    line = np.linspace(1, np.cosh(1), points)

    def scipys():
        functional = discretise(AREA, F, X, grid)

        def polygon(inner):
            return np.concatenate([line[:1], inner, line[-1:]])

        found = scipy.optimize.minimize(
            lambda inner: functional.value(polygon(inner)), line[1:-1],
            jac=lambda inner: functional.gradient(polygon(inner))[1:-1])
        return polygon(found.x)

    calls = {"ours": lambda: discretised_minimiser(AREA, F, X, *ends, cells=points - 1).y, "scipy": scipys}
    return "discretised_minimiser", calls


def differences(name, calls):
    """Relative, from torch; of minimisers, the derivative that is left."""
    if name == "discretised_minimiser":
        errors = {}
        for contender, call in calls.items():
            y = call()
            functional = discretise(AREA, F, X, np.linspace(0, 1, len(y)))
            errors[contender] = f"{np.abs(functional.gradient(y)[1:-1]).max():.1g}"
        return errors
    if "torch" not in calls:
        return {}
    want = np.asarray(calls["torch"]())
    if name == "hessian":
        want = np.stack([np.diagonal(want), np.append(np.diagonal(want, 1), 0)])
    return {"ours": f"{np.abs(calls['ours']() - want).max() / np.abs(want).max():.1g}"}


def measured(name, points, calls):
    """A row of the table."""
    seconds, errors = race(calls, SECONDS), differences(name, calls)
    ratios = [round(seconds[k] / seconds["ours"], 2) if k in seconds else "" for k in RIVALS]
    return [name, str((points,)), round(seconds["ours"] * 1e6, 1), *ratios,
            errors.get("ours", ""), errors.get("scipy", "")]


def rows():
    for points in (65, 10_001, 1_000_001):
        for name, calls in cases(points):
            yield measured(name, points, calls)
    name, calls = minimisers(65)
    yield measured(name, 65, calls)  # 64 cells, as by default


def fixed():
    """A value on 65 points, over the time for each 65 of 10 001."""
    few, many = (discretise(AREA, F, X, np.linspace(0, 1, n)) for n in (65, 10_001))
    a, b = np.ones(65), np.ones(10_001)
    seconds = race({"few": lambda: few.value(a), "many": lambda: many.value(b)}, SECONDS)
    return seconds["few"] * 10_001 / 65 / seconds["many"]


def general():
    """What any formula needs (means, slopes, checked and copied ordinates), over the sum by hand."""
    functional, y = discretise(AREA, F, X, np.linspace(0, 1, 10_001)), np.ones(10_001)
    lengths = np.diff(functional.grid)

    def prepare():
        z = y.astype(np.float64)
        return (z[:-1] + z[1:]) / 2, (z[1:] - z[:-1]) / lengths

    seconds = race({"prepare": prepare, "by hand": lambda: by_hand(y, 1e-4, np.sqrt)}, SECONDS)
    return seconds["prepare"] / seconds["by hand"]


WHYS = [
    Why(lambda row, rival: row["shape"] == "(65,)",
        "a call has a fixed cost, for checks and for whatever formula was given: 65 points by themselves "
        "take {} times as long as 65 of 10 001.", fixed, 2),
    Why(lambda row, rival: row["function"] == "value" and rival == "numpy",
        "what any formula on any grid needs, a copy of the ordinates, their means and their slopes, alone "
        "takes {} of the time of this sum written by hand.", general, 0.3),
]

if __name__ == "__main__":
    columns = ["function", "shape", "ours [µs]", *RIVALS, "ours error", "scipy error"]
    publish(__file__, columns, rows(), NOTE, RIVALS, WHYS)
