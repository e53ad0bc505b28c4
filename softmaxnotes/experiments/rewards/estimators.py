"""Gradient ascent with any of the estimators for a class, in many runs at once."""

from typing import NamedTuple

import numpy as np

from proofread.experiments import Experiment
from softmaxnotes.arguments import as_real, read_count, read_rng
from softmaxnotes.experiments.rewards.relax import Relax
from softmaxnotes.gradients.moving_average import MovingAverage
from softmaxnotes.rewards.estimators import categorical_gradient
from softmaxnotes.softmax import softmax

__all__ = ["AT_EQUAL_COST", "AT_EQUAL_STEPS", "Ascent", "ascend", "climb", "toy_payoff"]


class Ascent(NamedTuple):
    """Runs of gradient ascent side by side.

    Attributes
    ----------
    steps : ndarray of int, shape (T,)
        After how many steps each record was taken.
    reward : ndarray, shape (T, n_runs)
        The exact mean of `f`.
    evaluations : ndarray, shape (T,)
        Evaluations until then, of one run in the mean.
    logits : ndarray, shape (T, n_runs, C)
    """

    steps: np.ndarray
    reward: np.ndarray
    evaluations: np.ndarray
    logits: np.ndarray


def ascend(f, logits, *, method, steps, n_runs=20, lr=1.0, n_records=50, rng=None, **options):
    r"""Gradient ascent on the mean of `f` for one variable, in many runs at once.

    Each step adds :math:`\eta` times the estimated gradient to the logits.

    Parameters
    ----------
    f : callable
        Of an integer array (N,) to N numbers.
    logits : array_like, shape (C,)
        Where each run starts.
    method : str
        One of `softmaxnotes.rewards.METHODS`; or "moving average", the score function with a
        `softmaxnotes.gradients.MovingAverage` for each run, which the first draw starts; or "relax", see
        `Relax`.
    steps, n_runs : int
    lr : float
        :math:`\eta`.
    n_records : int
        How many records, evenly spaced, beside that of the start.
    rng : None, int or numpy.random.Generator
        One for all runs.
    **options
        The other arguments of `softmaxnotes.rewards.categorical_gradient`; `slope` of points (N, C).  Of
        "moving average" the decay.

    Returns
    -------
    Ascent

    Raises
    ------
    TypeError, ValueError
        As `categorical_gradient`; the logits aren't one vector; a number of steps, runs or records is less
        than 1.

    Examples
    --------
    >>> run = ascend(lambda z: z / 2, [0.0, 0.0, 0.0], method="leave-one-out", steps=50, n_runs=3, rng=0)
    >>> run.reward.shape, bool((run.reward[-1] > 0.9).all()), run.evaluations[-1]
    ((51, 3), True, np.float64(100.0))
    """
    start = as_real(logits, "logits")[0].astype(np.float64)
    if start.ndim != 1:
        raise ValueError(f"expected logits of one variable, shape (C,), got {start.shape}")
    steps, n_runs, n_records = (read_count(name, value) for name, value in
                                (("steps", steps), ("n_runs", n_runs), ("n_records", n_records)))
    values = np.asarray(f(np.arange(start.size)), np.float64)
    rng, x = read_rng(rng), np.tile(start, (n_runs, 1, 1))
    estimate = _estimate(f, values, method, n_runs, rng, options)
    marks = np.unique(np.linspace(0, steps, min(n_records, steps) + 1).round().astype(int))
    spent, kept, cost = 0, [x[:, 0].copy()], [0.0]
    for step in range(1, steps + 1):
        found, more = estimate(x)
        x = x + lr * found
        spent += more
        if step == marks[len(kept)]:
            kept.append(x[:, 0].copy())
            cost.append(spent / n_runs)
    kept = np.stack(kept)
    return Ascent(marks, softmax(kept) @ values, np.array(cost), kept)


def _estimate(f, values, method, n_runs, rng, options):
    """A function of logits (n_runs, 1, C): estimates, and how many values of `f` they took."""
    if method == "relax":
        relax = Relax(values, n_runs=n_runs, rng=rng, **options)

        def estimate(x):
            found, more = relax.estimate(x[:, 0])
            return found[:, None], more
        return estimate
    slope = options.pop("slope", None)
    if slope is not None:
        options["slope"] = lambda x, _: slope(x[:, 0])[:, None]

    def by_library(x):
        return categorical_gradient(lambda z, _: f(z[:, 0]), x, method=method, rng=rng, **options)
    if method != "moving average":
        return by_library
    method, started = "reinforce", []
    options = {"baseline": MovingAverage(**options, n_problems=n_runs)}

    def by_average(x):
        found, more = by_library(x)
        if started:
            return found, more
        started.append(True)
        return np.zeros_like(found), more
    return by_average


# --- The toy of thirty classes -----------------------------------------------------------

_C = 30
_WAYS = {
    "no baseline": ("reinforce", {}),
    "moving average": ("moving average", {}),
    "leave-one-out, 2": ("leave-one-out", {"n_samples": 2}),
    "leave-one-out, 4": ("leave-one-out", {"n_samples": 4}),
    "RELAX": ("relax", {}),
    "Gumbel-softmax": ("gumbel-softmax", {"temperature": 0.2}),
    "AR": ("ar", {}),
    "ARS": ("ars", {}),
    "ARSM": ("arsm", {}),
    "exact": ("exact", {}),
    "exact, for free": ("exact", {}),
}
_SLOPE_COSTS = 3  # a pass forwards, and one backwards that takes about twice as long
_LRS = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


def toy_payoff(k):
    """What the classes 0, ..., 29 of the example of ARSM are paid."""
    return 0.5 + (k + 1) / _C**2


def _toy_slope(x):
    return np.broadcast_to((np.arange(_C) + 1) / _C**2, x.shape)


def climb(method, *, seed, budget, lr, counted):
    """One run of gradient ascent on the toy.

    Parameters
    ----------
    method : str
    seed : int
    budget : int
        Steps, or values of the payoff; a class that comes twice in a step is asked for once, whatever the
        method, a slope counts as three values, and what is for free as one a step.
    lr : float
    counted : "steps" or "values"

    Returns
    -------
    dict
        ``behind``: how many classes what it draws is behind the best, in the mean; ``found``: whether the
        best class is the most probable one.
    """
    way, options = _WAYS[method]
    rng, x, left = read_rng(seed), np.zeros((1, 1, _C)), budget
    if way == "gumbel-softmax":
        options = options | {"slope": _toy_slope}
    asked = []

    def counted_payoff(k):
        asked.append(k)
        return toy_payoff(k)

    estimate = _estimate(counted_payoff, toy_payoff(np.arange(_C)), way, 1, rng, dict(options))
    while left > 0:
        found, more = estimate(x)
        if asked:
            more = np.unique(np.concatenate(asked)).size
            asked.clear()
        if counted == "steps" or method == "exact, for free":
            more = 1
        left -= _SLOPE_COSTS * more if way == "gumbel-softmax" and counted == "values" else more
        x = x + lr * found
    law = softmax(x[0, 0])
    return {"behind": law @ np.arange(_C)[::-1], "found": law.argmax() == _C - 1}


#: As in the original: 5000 steps of size 1, of RELAX ½.
AT_EQUAL_STEPS = Experiment(
    "steps", climb, {name: {"lr": (0.5 if name == "RELAX" else 1.0,), "counted": ("steps",)}
                     for name in _WAYS if name != "exact, for free"},
    seeds=range(10), budgets=(5000,), spent="steps", measure="behind", paired=False, digits=0)

#: For as many values of the payoff, each method with the step size that suits it.
AT_EQUAL_COST = Experiment(
    "values", climb, {name: {"lr": _LRS, "counted": ("values",)} for name in _WAYS},
    seeds=range(60), tuning_seeds=range(900, 910), budgets=(2500,), spent="values", measure="behind",
    paired=False, digits=0)
