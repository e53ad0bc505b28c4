"""What the benchmarks share: one thread, a fair race, errors in ulps, one form of result.

Import it before NumPy and torch, since it fixes the number of threads::

    from harness import largest_error, publish, race

* ``race({name: call}, seconds)`` -> ``{name: seconds per call}``: calls take no argument.
* ``largest_error(got, exact, dtype)`` -> the largest error in units in the last place of the
  exact numbers (mpmath), of the type `dtype`.
* ``publish(__file__, columns, rows, note)`` prints the rows as they come (`rows` may be a
  generator) and writes the table beside the script, with the machine and the versions, for the
  directive ``{benchmark}`` of the book.
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
import torch

torch.set_num_threads(1)

TURN = 1e-3  # seconds that a turn takes at least
TURNS = 8  # of each competitor, however slow


def race(calls, seconds=1.0):
    """Fastest time per call of each, all taking turns in an order that rotates."""
    names = list(calls)
    repeats, best = {}, dict.fromkeys(names, np.inf)
    for name in names:
        calls[name]()
        start = time.perf_counter()
        calls[name]()
        repeats[name] = max(1, round(TURN / (time.perf_counter() - start)))
    end, turn = time.perf_counter() + seconds, 0
    while time.perf_counter() < end or turn < TURNS:
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            call, n = calls[name], repeats[name]
            start = time.perf_counter()
            for _ in range(n):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / n)
        turn += 1
    return best


def largest_error(got, exact, dtype):
    """In units in the last place of the exact numbers; infinite where a result is not a number."""
    worst, got, exact = 0.0, np.ravel(got), list(exact)
    if len(got) != len(exact):
        raise ValueError(f"expected {len(exact)} results, got {len(got)}")
    for g, w in zip(got, exact):
        if not np.isfinite(g):
            return np.inf
        unit = float(np.spacing(np.abs(np.asarray(float(w)).astype(dtype))))
        worst = max(worst, float(abs(mp.mpf(float(g)) - w) / unit))
    return worst


def machine():
    """The processor, and how much of it was used."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text().splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
        model = names[0] if names else model
    return {"cpu": model, "cores": str(os.cpu_count()), "threads used": "1", "system": platform.system()}


def versions():
    """Of what was compared."""
    packages = {"numpy": np, "scipy": scipy, "torch": torch}
    return {"python": platform.python_version()} | {name: p.__version__ for name, p in packages.items()}


def publish(script, columns, rows, note):
    """Print the rows as they come; write ``NAME.json`` beside the script ``NAME.py``."""
    print("  ".join(columns), flush=True)
    done = []
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"expected {len(columns)} entries, got {row}")
        done.append(list(row))
        print("  ".join(map(str, row)), flush=True)
    result = {"machine": machine(), "versions": versions(), "columns": list(columns), "rows": done,
              "note": note}
    path = Path(script).resolve().with_suffix(".json")
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"written: {path.name}")
