"""Ways to train readers, compared on equal numbers of canvases.

The runs are recorded; ``make record NAME=rewards/reading_digits`` makes them again.
"""

from functools import cache

import torch

from proofread.experiments import Experiment
from softmaxnotes.digits import load

from .canvases import make_canvases
from .learning import fit_readers
from .reader import read_canvases

__all__ = ["BATCH", "READERS", "WAYS"]

BATCH = 32  #: canvases for each step

#: What each way hands to `fit_readers`.
WAYS = {
    "REINFORCE": {"method": "reinforce"},
    "rewards to go": {"method": "reinforce", "to_go": True},
    "moving average": {"method": "reinforce", "decay": 0.9},
    "moving average, to go": {"method": "reinforce", "decay": 0.9, "to_go": True},
    "moving average, entropy": {"method": "reinforce", "decay": 0.9, "entropy": 0.1},
    "moving average, entropy, means": {"method": "reinforce", "decay": 0.9, "entropy": 0.1, "means": 0.5},
    "leave-one-out, 2": {"method": "leave-one-out", "to_go": True, "n_samples": 2},
    "leave-one-out, 6": {"method": "leave-one-out", "to_go": True, "n_samples": 6},
    "swaps": {"method": "swaps"},
    "all places": {"method": "places"},
    "exact bound": {"method": "bound"},
    "exact likelihood": {"method": "likelihood"},
    "soft": {"method": "soft"},
    "soft draws": {"method": "gumbel"},
}


@cache
def _new_canvases():
    return make_canvases(load()[1], 1000, rng=7)


def read(method, *, seed, budget, lr=0.01):
    """How one reader reads new canvases after so many canvases: shares in percent, and nats."""
    torch.set_num_threads(1)  # fastest for small networks
    options = WAYS.get(method, {"method": "bound"})
    steps = 0 if method == "untrained" else budget // BATCH
    reader = fit_readers(load()[0], n_readers=1, steps=steps, batch=BATCH, lr=lr, generator=seed,
                         **options).model
    canvases = _new_canvases()
    found = read_canvases(reader, canvases, soft=method == "soft")
    return {"named": 100 * (found.digits[0] == canvases.digits).all(axis=-1).mean(),
            "found": 100 * (found.places[0] == canvases.places).all(axis=-1).mean(),
            "log-likelihood": found.evidence.mean(), "bound": found.bound.mean()}


READERS = Experiment(
    "readers", read, {"untrained": {}} | dict.fromkeys(WAYS, {"lr": (0.003, 0.01, 0.03, 0.1)}),
    seeds=range(30), tuning_seeds=range(90, 100), budgets=(250 * BATCH, 500 * BATCH), spent="canvases",
    better="more", measure="named", digits=0)
