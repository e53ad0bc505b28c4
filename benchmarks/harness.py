"""What the benchmarks share: one thread, a fair race, errors in ulps, one form of result,
and the softmax as it is usually written.

Import it before NumPy and torch, since it fixes the number of threads::

    from harness import largest_error, publish, race

* ``race({name: call}, seconds)`` -> ``{name: seconds per call}``: calls take no argument.
* ``largest_error(got, exact, dtype)`` -> the largest error in units in the last place of the
  exact numbers (mpmath), of the type `dtype`.
* ``publish(__file__, columns, rows, note)`` prints the rows as they come (`rows` may be a
  generator) and writes the table beside the script, with the machine and the versions, for the
  directive ``{benchmark}`` of the book. With `rivals`, the columns of ratios, it says where we are
  behind, and which `Why` explains it.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import json
import platform
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import mpmath as mp
import numpy as np
import scipy
import sklearn
import torch

torch.set_num_threads(1)

TURN = 1e-3  # seconds that a turn takes at least
TURNS = 25  # of each competitor, however slow: the fastest of fewer is chance where others use the machine
BEHIND = 0.9  # a ratio below it asks for a reason


class Why(NamedTuple):
    """Why we are behind in some rows: in which, the reason, and a measurement that bears it out."""

    where: Callable  # of the row as a dictionary, and of the name of the rival
    reason: str  # with a place {} for what was measured
    measure: Callable  # -> a number, which must be above `least`
    least: float = 1.0


def race(calls, seconds=1.0):
    """Fastest time per call of each, all taking turns in a random order."""
    names, order = list(calls), random.Random(0)
    repeats, best = {}, dict.fromkeys(names, np.inf)
    for name in names:
        calls[name]()
        start = time.perf_counter()
        calls[name]()
        repeats[name] = max(1, round(TURN / (time.perf_counter() - start)))
    end, turn = time.perf_counter() + seconds, 0
    while time.perf_counter() < end or turn < TURNS:
        for name in order.sample(names, len(names)):
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


def numpy_softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def numpy_log_softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


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
    packages = {"numpy": np, "scipy": scipy, "scikit-learn": sklearn, "torch": torch}
    return {"python": platform.python_version()} | {name: p.__version__ for name, p in packages.items()}


def publish(script, columns, rows, note, rivals=(), whys=()):
    """Print the rows as they come; write ``NAME.json`` beside the script ``NAME.py``."""
    print("  ".join(columns), flush=True)
    done = []
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"expected {len(columns)} entries, got {row}")
        done.append(list(row))
        print("  ".join(map(str, row)), flush=True)
    reasons = explained([dict(zip(columns, row)) for row in done], rivals, whys)
    for line in reasons:
        print(line)
    result = {"machine": machine(), "versions": versions(), "columns": list(columns), "rows": done,
              "note": " ".join([note, *reasons])}
    path = Path(script).resolve().with_suffix(".json")
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"written: {path.name}")


def explained(rows, rivals, whys):
    """A sentence for each reason that is needed, and one for what is left without."""
    behind = [(row, rival) for row in rows for rival in rivals
              if row[rival] != "" and float(row[rival]) < BEHIND]
    sentences = []
    for why in whys:
        if any(why.where(*case) for case in behind):
            measured = why.measure()
            doubt = "" if measured > why.least else " (not borne out by this run)"
            sentences.append("why: " + why.reason.format(f"{float(f'{measured:.2g}'):g}") + doubt)
            behind = [case for case in behind if not why.where(*case)]
    if behind:
        cases = "; ".join(f"{row['function']} {row['shape']} against {rival}" for row, rival in behind)
        sentences.append(f"Behind, and no reason known: {cases}.")
    return sentences
