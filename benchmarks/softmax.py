"""Softmax and its relatives: speed and error against what a reader would use instead.

Run it from anywhere: ``python benchmarks/softmax.py``. It takes about two minutes, writes
``softmax.json`` beside itself, and says what the numbers mean in the ``note``.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import json
import platform
import time
from pathlib import Path

import mpmath as mp
import numpy as np
import scipy
import scipy.special
import torch

from softmaxnotes import softmax as ours

torch.set_num_threads(1)

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


def race(functions, inputs, seconds=SECONDS):
    """Fastest time per call of each, all taking turns."""
    names = list(functions)
    calls, best = {}, dict.fromkeys(names, np.inf)
    for name in names:
        functions[name](inputs[name])
        start = time.perf_counter()
        functions[name](inputs[name])
        calls[name] = max(1, round(1e-3 / (time.perf_counter() - start)))
    end, turn = time.perf_counter() + seconds, 0
    while time.perf_counter() < end or turn < 8:
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            f, x, n = functions[name], inputs[name], calls[name]
            start = time.perf_counter()
            for _ in range(n):
                f(x)
            best[name] = min(best[name], (time.perf_counter() - start) / n)
        turn += 1
    return best


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


def largest_error(got, want, dtype):
    """In units in the last place."""
    worst = 0.0
    for g, w in zip(np.ravel(got), want):
        unit = float(np.spacing(np.abs(np.asarray(float(w)).astype(dtype))))
        worst = max(worst, float(abs(mp.mpf(float(g)) - w) / unit))
    return worst


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


def machine():
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return {"cpu": model, "cores": str(os.cpu_count()), "threads used": "1", "system": platform.system()}


def main():
    mp.mp.dps = 50
    rng = np.random.default_rng(0)
    columns = ["function", "shape", "dtype", "ours [µs]"]
    columns += [f"{name} / ours" for name in NAMES[1:]] + [f"{name} error [ulp]" for name in NAMES]
    print("  ".join(columns), flush=True)
    rows = []
    for shape in SHAPES:
        for dtype in DTYPES:
            x = rng.normal(size=shape).astype(dtype)
            inputs = {name: torch.from_numpy(x) if name == "torch" else x for name in NAMES}
            for name, functions in CONTENDERS.items():
                seconds, error = race(functions, inputs), errors(name, x)
                row = [name, str(shape), np.dtype(dtype).name, round(seconds["ours"] * 1e6, 1)]
                row += [round(seconds[other] / seconds["ours"], 2) for other in NAMES[1:]]
                row += [f"{error[contender]:.3g}" for contender in NAMES]
                rows.append(row)
                print("  ".join(map(str, row)), flush=True)
    versions = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "torch": torch.__version__,
    }
    result = {"machine": machine(), "versions": versions, "columns": columns, "rows": rows, "note": NOTE}
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"written: {path.name}")


if __name__ == "__main__":
    main()
